// @ts-check

/**
 * Verifies a published day of blind boxes. This file needs nothing but WebCrypto, so it runs in Node 20 and later, in a
 * browser and in a worker. It repeats the rules with separate code and shares none with the server: read it beside
 * docs/concepts/draw.md, which defines every byte that is hashed.
 *
 * @typedef {{ asset: string, amount: string }} Amount
 * @typedef {{ asset: string, rewards: string, contributed: string, pool: string, shared: string }} Pool
 * @typedef {{
 *   box_id: string, level: number, streak: number, fees: string, level_factor: string, streak_factor: string,
 *   ticket: number | null, draw: number, power: string, rewards: Amount[],
 * }} Box
 * @typedef {{
 *   format: string, header_number: number | null, day: string, opens_at: string, closes_at: string,
 *   rule: 'table' | 'flat', rules: string,
 *   commitment: string | null, committed_at: string | null, ledger_seq: number, entry_hash: string,
 *   tree: string, boxes_root: string, root_at: string,
 *   block_not_before: string | null, block_number: number | null, block_hash: string | null, block_time: string | null, previous_block_time: string | null,
 *   seed: string | null, seed_at: string | null, box_count: number, total_power: string, pool: Pool[],
 * }} DayHeader everything in a day's file but the boxes
 * @typedef {DayHeader & { boxes: Box[] }} DayFile
 * @typedef {{ code: Code, detail: string }} Finding
 * @typedef {{ hash: string, time: string }} Block
 */

const FORMAT = 'clearwell box day 2'

/** Every finding, with its meaning. */
export const CODES = /** @type {const} */ ({
  wrong_format: 'The file does not have the published format.',
  wrong_bounds: 'The day does not begin and end at midnight in Hong Kong.',
  other_commitment: 'The commitment is not the one that you noted.',
  other_root: 'The root is not the one that you noted.',
  late_commitment: 'The commitment was published after the day began, so the day must not draw from the table.',
  changed_seed: 'The seed is not the committed one.',
  early_root: 'The root was published before the day ended.',
  redated_root: 'You saw the root before the time that the file gives it.',
  void_root: 'The root came too late for every block, so the day must be void.',
  late_root: 'The block is earlier than the first time of the ladder after the root, so it could have been known.',
  later_block: 'An earlier block was late enough after the root, and had to be used.',
  other_block: 'The chain has another block at this number.',
  early_seed: 'The seed was published before the block existed.',
  late_seed: 'The seed was published too long after the block, so the day must be void.',
  removed_box: 'The file has fewer boxes than the root fixes.',
  added_box: 'The file has more boxes than the root fixes.',
  changed_box: 'The boxes are not the ones that the root fixes.',
  box_order: 'The boxes are not in ascending order of their ids, each id once.',
  wrong_root: 'The root does not follow from the facts of the day.',
  wrong_factor: 'A level or streak factor is wrong.',
  wrong_draw: 'A draw does not follow from the seed, the block and the box.',
  wrong_power: 'A power is not the fees times the factors.',
  wrong_total: 'The total power is not the sum of the powers.',
  wrong_pool: 'The pool is not a part of the smaller of the rewards balance and the box owners’ fees.',
  wrong_share: "A reward is not the box's share of the pool.",
  wrong_shared: 'The shared amount is not the sum of the rewards.',
})

/** Facts that the rules allow, but that leave the operator a choice. A day with one of them is still valid. */
export const WARNINGS = /** @type {const} */ ({
  unseen_root: 'You saw the root only after its block, so the note does not show that the root came before.',
})

/** @typedef {keyof typeof CODES} Code */
/** @typedef {{ code: keyof typeof WARNINGS, detail: string }} Warning */

const BATCH = 1_000
/** Findings of one kind beyond this many are counted only. */
const MAX_DETAILS = 20
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** The clocks of two computers may differ by so much. */
const CLOCKS_MS = MINUTE_MS

const RULES =
  /^level (\d+) streak (\d+) (\d+) odds (\d+:\d+(?:,\d+:\d+)*) days (\d+) parts (\d+) claim (\d+) block (\d+(?:,\d+)*) margin (\d+) reveal (\d+)$/

/** Reads the numbers of a day, which its root fixes. @param {string} line */
function numbersOf(line) {
  const [, level, streak, streakMax, odds = '', , parts, , block = '', margin, reveal] = RULES.exec(line) ?? []
  let below = 0
  const table = odds.split(',').map((each) => {
    const [draw = 0, tickets = 0] = each.split(':').map(Number)
    below += tickets
    return { draw, below }
  })
  return {
    level: Number(level),
    streak: Number(streak),
    streakMax: Number(streakMax),
    table,
    parts: BigInt(parts ?? 0),
    blocksMs: block.split(',').map((minutes) => Number(minutes) * MINUTE_MS),
    marginMs: Number(margin) * MINUTE_MS,
    revealMs: Number(reveal) * HOUR_MS,
  }
}

/**
 * Verifies a whole day.
 *
 * @param {unknown} file the parsed day file
 * @param {object} [known] facts from elsewhere that the file is compared with
 * @param {string} [known.commitment] the commitment that was published before the day
 * @param {string} [known.root] the root that was published after it
 * @param {string} [known.rootSeenAt] when you first saw that root
 * @param {(number: number) => Promise<Block | undefined>} [known.readBlock] reads a block of the chain
 * @returns {Promise<{ valid: boolean, findings: Finding[], counts: Partial<Record<Code, number>>, warnings: Warning[] }>}
 */
export async function verifyDay(file, known = {}) {
  const report = createReport()
  const faults = faultsOfFormat(file)
  for (const fault of faults) report.add('wrong_format', fault)
  if (faults.length > 0) return { ...report.result(), warnings: [] }
  const day = /** @type {DayFile} */ (file)
  verifyKnown(day, known, report)
  verifyTimes(day, report)
  if (day.seed !== null && toHex(await sha256(fromHex(day.seed))) !== day.commitment)
    report.add('changed_seed', day.seed)
  await verifyTree(day, report)
  if ((await rootOf(day)) !== day.boxes_root) report.add('wrong_root', day.boxes_root)
  await verifyDraws(day, report)
  verifyShares(day, report)
  if (known.readBlock) await verifyBlocks(day, known.readBlock, report)
  return { ...report.result(), warnings: warningsOf(day, known) }
}

/**
 * Verifies one box with its inclusion path, without the other boxes. The total power is taken from the header: only the
 * whole file proves it.
 *
 * @param {{ header: DayHeader, box: Box, index: number, path: string[] }} proof
 * @returns {Promise<{ name: 'commitment' | 'inclusion' | 'root' | 'draw' | 'share', valid: boolean }[]>}
 */
export async function verifyBox({ header, box, index, path }) {
  const day = { ...header, boxes: [box] }
  const faults = faultsOfFormat({ ...day, box_count: 1 })
  const report = createReport()
  verifyTimes(day, report)
  if (faults.length === 0) await verifyDraws({ ...day, total_power: box.power }, report)
  if (faults.length === 0) verifyShares(day, report)
  const { counts } = report.result()
  const has = (/** @type {Code[]} */ ...codes) => codes.some((code) => counts[code] !== undefined)
  const isSeedRight = header.seed === null || toHex(await sha256(fromHex(header.seed))) === header.commitment
  const tree = await treeFromPath(await leafOf(header.day, box), { index, size: header.box_count, path })
  const isWhole = faults.length === 0
  return [
    { name: 'commitment', valid: isWhole && isSeedRight && !has('late_commitment', 'early_seed', 'late_seed') },
    { name: 'inclusion', valid: isWhole && tree === header.tree },
    { name: 'root', valid: isWhole && (await rootOf(header)) === header.boxes_root && !has('early_root', 'late_root') },
    { name: 'draw', valid: isWhole && !has('wrong_factor', 'wrong_draw', 'wrong_power', 'later_block') },
    { name: 'share', valid: isWhole && !has('wrong_pool', 'wrong_share') },
  ]
}

// ---- facts that the file is compared with

/** @typedef {ReturnType<typeof createReport>} Report */

/** @param {DayFile} day @param {{ commitment?: string, root?: string, rootSeenAt?: string }} known @param {Report} report */
function verifyKnown(day, { commitment, root, rootSeenAt }, report) {
  if (commitment !== undefined && commitment !== day.commitment) report.add('other_commitment', `${day.commitment}`)
  if (root !== undefined && root !== day.boxes_root) report.add('other_root', day.boxes_root)
  if (rootSeenAt !== undefined && msOf(rootSeenAt) + CLOCKS_MS < msOf(day.root_at))
    report.add('redated_root', rootSeenAt)
}

/**
 * @param {DayHeader} day
 * @param {(number: number) => Promise<Block | undefined>} readBlock
 * @param {Report} report
 */
async function verifyBlocks(day, readBlock, report) {
  if (day.block_number === null) return
  const [block, previous] = [await readBlock(day.block_number), await readBlock(day.block_number - 1)]
  const isSame = block?.hash === day.block_hash && msOf(block.time) === msOf(day.block_time)
  if (!isSame || !previous || msOf(previous.time) !== msOf(day.previous_block_time)) {
    report.add('other_block', `${day.block_number}`)
  }
}

// ---- times

/** @param {DayHeader} day @param {Report} report */
function verifyTimes(day, report) {
  const opensMs = msOf(`${day.day}T00:00:00.000+08:00`)
  const closesMs = opensMs + 24 * HOUR_MS
  if (msOf(day.opens_at) !== opensMs || msOf(day.closes_at) !== closesMs) report.add('wrong_bounds', day.day)
  const isCommitted = day.committed_at !== null && msOf(day.committed_at) <= opensMs
  if (day.rule === 'table' && !isCommitted) report.add('late_commitment', `${day.committed_at}`)
  if (msOf(day.root_at) < closesMs) report.add('early_root', day.root_at)
  const { blocksMs, marginMs, revealMs } = numbersOf(day.rules)
  const earliestMs = blocksMs.map((ms) => closesMs + ms).find((ms) => ms >= msOf(day.root_at) + marginMs)
  if (earliestMs === undefined) report.add('void_root', day.root_at)
  else if (day.block_time !== null) {
    const isNamed = msOf(day.block_not_before) === earliestMs
    if (msOf(day.block_time) < earliestMs || !isNamed) report.add('late_root', day.root_at)
    if (msOf(day.previous_block_time) >= earliestMs) report.add('later_block', `${day.previous_block_time}`)
  }
  if (day.seed_at !== null) {
    if (msOf(day.seed_at) < msOf(day.block_time)) report.add('early_seed', day.seed_at)
    if (msOf(day.seed_at) > msOf(day.block_time) + revealMs) report.add('late_seed', day.seed_at)
  }
}

/** @param {DayHeader} day @param {{ rootSeenAt?: string }} known @returns {Warning[]} */
function warningsOf({ block_time }, { rootSeenAt }) {
  const isLate = rootSeenAt !== undefined && block_time !== null && msOf(rootSeenAt) > msOf(block_time)
  return isLate ? [{ code: 'unseen_root', detail: rootSeenAt }] : []
}

/** @param {string | null} time */
function msOf(time) {
  return new Date(time ?? Number.NaN).getTime()
}

// ---- tree and root

/** @param {DayFile} day @param {Report} report */
async function verifyTree(day, report) {
  day.boxes.forEach(({ box_id }, index) => {
    const previous = day.boxes[index - 1]
    if (previous && previous.box_id >= box_id) report.add('box_order', box_id)
  })
  let row = await inBatches(day.boxes, (box) => leafOf(day.day, box))
  if (row.length === 0) row = [await sha256(new Uint8Array())]
  while (row.length > 1) {
    const lefts = row.filter((_, index) => index % 2 === 0)
    const below = row
    row = await inBatches(lefts, async (left, index) => {
      const right = below[2 * index + 1]
      // The last hash of an odd row moves up unchanged.
      return right ? nodeOf(left, right) : left
    })
  }
  const [difference, detail] = [day.boxes.length - day.box_count, `${day.boxes.length} of ${day.box_count}`]
  if (difference < 0) report.add('removed_box', detail)
  else if (difference > 0) report.add('added_box', detail)
  else if (toHex(/** @type {Uint8Array} */ (row[0])) !== day.tree) report.add('changed_box', day.tree)
}

/** @param {string} day @param {Pick<Box, 'box_id' | 'level' | 'streak' | 'fees'>} box */
function leafOf(day, { box_id, level, streak, fees }) {
  return sha256(Uint8Array.of(0, ...encode(`box ${day} ${box_id} ${level} ${streak} ${fees}`)))
}

/** @param {Uint8Array} left @param {Uint8Array} right */
function nodeOf(left, right) {
  return sha256(Uint8Array.of(1, ...left, ...right))
}

/**
 * @param {Uint8Array} leaf
 * @param {{ index: number, size: number, path: string[] }} proof
 */
async function treeFromPath(leaf, { index, size, path }) {
  let [hash, used] = [leaf, 0]
  for (let [at, count] = [index, size]; count > 1; at = at >> 1, count = (count + 1) >> 1) {
    // The last place of an odd row has no neighbour.
    if (at === count - 1 && count % 2 === 1) continue
    const sibling = fromHex(path[used] ?? '')
    hash = at % 2 === 1 ? await nodeOf(sibling, hash) : await nodeOf(hash, sibling)
    used += 1
  }
  return used === path.length && index < size ? toHex(hash) : undefined
}

/** @param {DayHeader} day */
async function rootOf(day) {
  const lines = [
    FORMAT,
    `day ${day.day}`,
    `rule ${day.rule}`,
    `rules ${day.rules}`,
    day.commitment === null ? 'commitment none' : `commitment ${day.commitment} ${day.committed_at}`,
    `published ${day.root_at}`,
    `boxes ${day.box_count}`,
    `tree ${day.tree}`,
    `ledger ${day.ledger_seq} ${day.entry_hash}`,
    ...day.pool.map(({ asset, rewards, contributed }) => `rewards ${asset} ${rewards} ${contributed}`),
  ]
  return toHex(await sha256(encode(`${lines.join('\n')}\n`)))
}

// ---- draws and powers

/** @param {DayFile} day @param {Report} report */
async function verifyDraws(day, report) {
  const tickets = await ticketsOf(day)
  const { level: levelStep, streak: streakStep, streakMax, table } = numbersOf(day.rules)
  let total = 0n
  day.boxes.forEach((box, index) => {
    const level = 10_000 + levelStep * box.level
    const streak = 10_000 + Math.min(streakStep * box.streak, streakMax)
    if (unitsOf(box.level_factor, 4) !== BigInt(level) || unitsOf(box.streak_factor, 4) !== BigInt(streak)) {
      report.add('wrong_factor', box.box_id)
    }
    const ticket = tickets[index] ?? null
    const draw = ticket === null ? 1 : table.find(({ below }) => ticket < below)?.draw
    if (box.ticket !== ticket || box.draw !== draw) report.add('wrong_draw', box.box_id)
    // Both factors have four decimals.
    const power = (unitsOf(box.fees, 18) * BigInt(level) * BigInt(streak) * BigInt(draw ?? 1)) / 100_000_000n
    if (unitsOf(box.power, 18) !== power) report.add('wrong_power', box.box_id)
    total += power
  })
  if (unitsOf(day.total_power, 18) !== total) report.add('wrong_total', day.total_power)
}

/** No tickets where the day draws ×1. @param {DayFile} day @returns {Promise<number[]>} */
async function ticketsOf({ rule, seed, block_hash: block, boxes }) {
  if (rule === 'flat' || seed === null || block === null) return []
  const key = await crypto.subtle.importKey('raw', fromHex(seed), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const hmac = async (/** @type {string} */ text) => new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text)))
  return inBatches(boxes, async ({ box_id }) => {
    let digest = await hmac(`${block}${box_id}`)
    for (;;) {
      for (let at = 0; at < 32; at += 4) {
        const number = new DataView(digest.buffer).getUint32(at)
        if (number < 4_294_967_200) return number % 100
      }
      digest = await hmac(toHex(digest))
    }
  })
}

// ---- pool and shares

/** @param {DayFile} day @param {Report} report */
function verifyShares(day, report) {
  const total = unitsOf(day.total_power, 18)
  const { parts } = numbersOf(day.rules)
  const isWhole = day.boxes.length === day.box_count
  for (const { asset, rewards, contributed, pool, shared } of day.pool) {
    const units = lesserOf(unitsOf(rewards, 18), unitsOf(contributed, 18)) / parts
    if (unitsOf(pool, 18) !== units) report.add('wrong_pool', asset)
    let sum = 0n
    for (const box of day.boxes) {
      const share = total === 0n ? 0n : (units * unitsOf(box.power, 18)) / total
      const found = box.rewards.filter((each) => each.asset === asset)
      // A share of less than one unit is not listed.
      const listed = found.length === 0 ? 0n : unitsOf(found[0]?.amount ?? '', 18)
      if (listed !== share || found.length !== (share === 0n ? 0 : 1)) report.add('wrong_share', box.box_id)
      sum += share
    }
    if (isWhole && unitsOf(shared, 18) !== sum) report.add('wrong_shared', asset)
  }
  const assets = new Set(day.pool.map(({ asset }) => asset))
  for (const box of day.boxes) {
    if (box.rewards.some(({ asset }) => !assets.has(asset))) report.add('wrong_share', box.box_id)
  }
}

// ---- format

const HEX = /^[0-9a-f]{64}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const decimal = (/** @type {number} */ digits) => new RegExp(`^(0|[1-9]\\d{0,59})(\\.\\d{0,${digits - 1}}[1-9])?$`)
const [FACTOR, AMOUNT] = [decimal(4), decimal(18)]

/** @typedef {(value: any) => boolean} Check */
/** @type {(pattern: RegExp) => Check} */
const text = (pattern) => (value) => typeof value === 'string' && pattern.test(value)
/** @type {(check: Check) => Check} */
const orNull = (check) => (value) => value === null || check(value)
/** @type {(max?: number) => Check} */
const whole =
  (max = Number.MAX_SAFE_INTEGER) =>
  (value) =>
    Number.isSafeInteger(value) && value >= 0 && value <= max
/** @type {Check} */
const time = (value) => text(TIME)(value) && !Number.isNaN(msOf(value)) && new Date(value).toISOString() === value
/** @type {(fields: Record<string, Check>) => Check} */
const listOf = (fields) => (value) =>
  Array.isArray(value) && value.every((each) => faultsOfObject(each, fields).length === 0)

const AMOUNT_FIELDS = { asset: text(/^[A-Z]{2,10}$/), amount: text(AMOUNT) }
const POOL_FIELDS = {
  asset: AMOUNT_FIELDS.asset,
  rewards: text(AMOUNT),
  contributed: text(AMOUNT),
  pool: text(AMOUNT),
  shared: text(AMOUNT),
}
const BOX_FIELDS = {
  box_id: text(/^[0-9a-f]{32}$/),
  level: whole(5),
  streak: whole(1_000_000),
  fees: text(AMOUNT),
  level_factor: text(FACTOR),
  streak_factor: text(FACTOR),
  ticket: orNull(whole(99)),
  draw: whole(1_000),
  power: text(AMOUNT),
  rewards: listOf(AMOUNT_FIELDS),
}
const DAY_FIELDS = {
  format: (/** @type {unknown} */ value) => value === FORMAT,
  header_number: orNull(whole()),
  day: text(/^\d{4}-\d{2}-\d{2}$/),
  opens_at: time,
  closes_at: time,
  rule: text(/^(table|flat)$/),
  rules: (/** @type {unknown} */ value) => text(RULES)(value) && areUsable(numbersOf(`${value}`)),
  commitment: orNull(text(HEX)),
  committed_at: orNull(time),
  ledger_seq: whole(),
  entry_hash: text(HEX),
  tree: text(HEX),
  boxes_root: text(HEX),
  root_at: time,
  block_not_before: orNull(time),
  block_number: orNull(whole()),
  block_hash: orNull(text(/^0x[0-9a-f]{64}$/)),
  block_time: orNull(time),
  previous_block_time: orNull(time),
  seed: orNull(text(HEX)),
  seed_at: orNull(time),
  box_count: whole(),
  total_power: text(AMOUNT),
  pool: listOf(POOL_FIELDS),
  boxes: listOf(BOX_FIELDS),
}

/** @param {ReturnType<typeof numbersOf>} numbers */
function areUsable({ parts, table }) {
  return parts > 0n && table.at(-1)?.below === 100
}

/** Fields of which either all are null or none. */
const TOGETHER = [
  ['commitment', 'committed_at'],
  ['block_not_before', 'block_number', 'block_hash', 'block_time', 'previous_block_time'],
  ['seed', 'seed_at'],
]

/** @param {any} file @returns {string[]} */
function faultsOfFormat(file) {
  const faults = faultsOfObject(file, DAY_FIELDS)
  if (faults.length > 0) return faults
  for (const names of TOGETHER) {
    if (new Set(names.map((name) => file[name] === null)).size > 1) faults.push(names.join(', '))
  }
  if (file.rule === 'table' && (file.seed === null || file.block_hash === null))
    faults.push('seed or block missing: the day is void')
  if (file.rule === 'flat' && (file.seed !== null || file.block_hash !== null))
    faults.push('seed or block of a flat day')
  const assets = file.pool.map((/** @type {Pool} */ each) => each.asset)
  if (assets.join() !== [...new Set(assets)].sort().join()) faults.push('pool: not one row for each asset, in order')
  return faults
}

/** Names the fields that are missing, malformed or unknown. @param {any} value @param {Record<string, Check>} fields */
function faultsOfObject(value, fields) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['not an object']
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
  return [...Object.keys(fields).filter((name) => !fields[name]?.(value[name])), ...unknown]
}

// ---- small parts

function createReport() {
  /** @type {Finding[]} */
  const findings = []
  /** @type {Partial<Record<Code, number>>} */
  const counts = {}
  return {
    /** @param {Code} code @param {string} detail */
    add(code, detail) {
      const count = (counts[code] ?? 0) + 1
      counts[code] = count
      if (count <= MAX_DETAILS) findings.push({ code, detail })
    },
    result: () => ({ valid: findings.length === 0, findings, counts }),
  }
}

/**
 * @template From, To
 * @param {readonly From[]} items
 * @param {(item: From, index: number) => Promise<To>} map
 */
async function inBatches(items, map) {
  /** @type {To[]} */
  const done = []
  for (let start = 0; start < items.length; start += BATCH) {
    const batch = items.slice(start, start + BATCH)
    for (const each of await Promise.all(batch.map((item, at) => map(item, start + at)))) done.push(each)
  }
  return done
}

/** @param {bigint} one @param {bigint} other */
function lesserOf(one, other) {
  if (one < other) return one
  return other
}

/** Decimal text as a whole number of its smallest units. @param {string} decimals @param {number} digits */
function unitsOf(decimals, digits) {
  const [before = '', after = ''] = decimals.split('.')
  return BigInt(before + after.padEnd(digits, '0'))
}

/** @param {Uint8Array<ArrayBuffer>} message */
async function sha256(message) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', message))
}

/** @param {string} ascii */
function encode(ascii) {
  return new TextEncoder().encode(ascii)
}

/** @param {Uint8Array} bytes */
function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** @param {string} hex */
function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
