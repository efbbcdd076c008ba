// @ts-check

/**
 * The file of a day, as docs/concepts/draw.md defines it: its fields, and the numbers of its rules. Like the other files of this
 * package it imports nothing from elsewhere, and it shares no code with the server.
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
 */

export const FORMAT = 'clearwell box day 2'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const RULES =
  /^level (\d+) streak (\d+) (\d+) odds (\d+:\d+(?:,\d+:\d+)*) days (\d+) parts (\d+) claim (\d+) block (\d+(?:,\d+)*) margin (\d+) reveal (\d+)$/

/** Reads the numbers of a day, which its root fixes. @param {string} line */
export function numbersOf(line) {
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

/** @param {string | null} time */
export function msOf(time) {
  return new Date(time ?? Number.NaN).getTime()
}

export const HEX = /^[0-9a-f]{64}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const decimal = (/** @type {number} */ digits) => new RegExp(`^(0|[1-9]\\d{0,59})(\\.\\d{0,${digits - 1}}[1-9])?$`)
const FACTOR = decimal(4)
export const AMOUNT = decimal(18)

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
export function faultsOfFormat(file) {
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
