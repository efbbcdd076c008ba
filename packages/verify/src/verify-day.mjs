// @ts-check
import { faultsOfFormat, msOf, numbersOf } from './day-file.mjs'
import {
  blockDueMs,
  boundsOf,
  figuresOf,
  fromHex,
  poolOf,
  rootOf,
  sha256,
  shareOf,
  sumOf,
  toHex,
  treeOf,
  unitsOf,
} from './day-rules.mjs'

/**
 * Verifies a published day of blind boxes, in Node 20 and later, in a browser and in a worker. It repeats the rules with separate
 * code and shares none with the server.
 *
 * @typedef {import('./day-file.mjs').DayHeader} DayHeader
 * @typedef {import('./day-file.mjs').DayFile} DayFile
 * @typedef {import('./day-rules.mjs').Figures} Figures
 * @typedef {{ code: Code, detail: string }} Finding
 * @typedef {{ hash: string, time: string }} Block
 */

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

/** Findings of one kind beyond this many are counted only. */
const MAX_DETAILS = 20
/** The clocks of two computers may differ by so much. */
const CLOCKS_MS = 60_000

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
  await verifyHashes(day, report)
  await verifyTree(day, report)
  await verifyDraws(day, report)
  verifyShares(day, report)
  if (known.readBlock) await verifyBlocks(day, known.readBlock, report)
  return { ...report.result(), warnings: warningsOf(day, known) }
}

/** @typedef {ReturnType<typeof createReport>} Report */

/**
 * Adds the findings of what is known from elsewhere.
 *
 * @param {DayHeader} day
 * @param {{ commitment?: string | undefined, root?: string | undefined, rootSeenAt?: string | undefined }} known
 * @param {Report} report
 */
export function verifyKnown(day, { commitment, root, rootSeenAt }, report) {
  if (commitment !== undefined && commitment !== day.commitment) report.add('other_commitment', `${day.commitment}`)
  if (root !== undefined && root !== day.boxes_root) report.add('other_root', day.boxes_root)
  // A time that cannot be read does not pass either.
  if (rootSeenAt !== undefined && !(msOf(rootSeenAt) + CLOCKS_MS >= msOf(day.root_at)))
    report.add('redated_root', rootSeenAt)
}

/**
 * Adds a finding if the chain has another block, or another one before it.
 *
 * @param {DayHeader} day
 * @param {(number: number) => Promise<Block | undefined>} readBlock
 * @param {Report} report
 */
export async function verifyBlocks(day, readBlock, report) {
  if (day.block_number === null) return
  const [block, previous] = [await readBlock(day.block_number), await readBlock(day.block_number - 1)]
  const isSame = block?.hash === day.block_hash && msOf(block.time) === msOf(day.block_time)
  if (!isSame || !previous || msOf(previous.time) !== msOf(day.previous_block_time)) {
    report.add('other_block', `${day.block_number}`)
  }
}

/** Adds the findings of the day's times. @param {DayHeader} day @param {Report} report */
export function verifyTimes(day, report) {
  const { opensMs, closesMs } = boundsOf(day)
  if (msOf(day.opens_at) !== opensMs || msOf(day.closes_at) !== closesMs) report.add('wrong_bounds', day.day)
  const isCommitted = day.committed_at !== null && msOf(day.committed_at) <= opensMs
  if (day.rule === 'table' && !isCommitted) report.add('late_commitment', `${day.committed_at}`)
  if (msOf(day.root_at) < closesMs) report.add('early_root', day.root_at)
  const { revealMs } = numbersOf(day.rules)
  const earliestMs = blockDueMs(day)
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

/** @param {DayHeader} day @param {{ rootSeenAt?: string | undefined }} known @returns {Warning[]} */
export function warningsOf({ block_time }, { rootSeenAt }) {
  const isLate = rootSeenAt !== undefined && block_time !== null && msOf(rootSeenAt) > msOf(block_time)
  return isLate ? [{ code: 'unseen_root', detail: rootSeenAt }] : []
}

/** Adds the findings of the seed and of the root. @param {DayHeader} day @param {Report} report */
export async function verifyHashes(day, report) {
  if (day.seed !== null && toHex(await sha256(fromHex(day.seed))) !== day.commitment)
    report.add('changed_seed', day.seed)
  if ((await rootOf(day)) !== day.boxes_root) report.add('wrong_root', day.boxes_root)
}

/** Adds the findings of the list of boxes. @param {DayFile} day @param {Report} report */
export async function verifyTree(day, report) {
  day.boxes.forEach(({ box_id }, index) => {
    const previous = day.boxes[index - 1]
    if (previous && previous.box_id >= box_id) report.add('box_order', box_id)
  })
  const [difference, detail] = [day.boxes.length - day.box_count, `${day.boxes.length} of ${day.box_count}`]
  if (difference < 0) report.add('removed_box', detail)
  else if (difference > 0) report.add('added_box', detail)
  else if ((await treeOf(day)) !== day.tree) report.add('changed_box', day.tree)
}

/** Adds the findings of all boxes' factors, draws and powers. @param {DayFile} day @param {Report} report */
export async function verifyDraws(day, report) {
  const figures = await figuresOf(day)
  day.boxes.forEach((box, index) => {
    const { level, streak, ticket, draw, power } = /** @type {Figures} */ (figures[index])
    const isFactorRight = unitsOf(box.level_factor, 4) === level && unitsOf(box.streak_factor, 4) === streak
    if (!isFactorRight) report.add('wrong_factor', box.box_id)
    if (box.ticket !== ticket || box.draw !== draw) report.add('wrong_draw', box.box_id)
    if (unitsOf(box.power, 18) !== power) report.add('wrong_power', box.box_id)
  })
  if (unitsOf(day.total_power, 18) !== sumOf(figures.map(({ power }) => power)))
    report.add('wrong_total', day.total_power)
}

/** Adds the findings of the pool and of the boxes' rewards. @param {DayFile} day @param {Report} report */
export function verifyShares(day, report) {
  const total = unitsOf(day.total_power, 18)
  const { parts } = numbersOf(day.rules)
  const isWhole = day.boxes.length === day.box_count
  for (const each of day.pool) {
    const { asset, pool, shared } = each
    const units = poolOf(each, parts)
    if (unitsOf(pool, 18) !== units) report.add('wrong_pool', asset)
    let sum = 0n
    for (const box of day.boxes) {
      const share = shareOf(units, box, total)
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

export function createReport() {
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
