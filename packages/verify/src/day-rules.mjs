// @ts-check
import { FORMAT, msOf, numbersOf } from './day-file.mjs'

/**
 * The rules of a day, with separate code: each function makes one figure from what is published. Read it beside
 * docs/concepts/draw.md, which defines every byte that is hashed. WebCrypto is all it needs.
 *
 * @typedef {import('./day-file.mjs').Box} Box
 * @typedef {import('./day-file.mjs').Pool} Pool
 * @typedef {import('./day-file.mjs').DayHeader} DayHeader
 * @typedef {import('./day-file.mjs').DayFile} DayFile
 */

const BATCH = 1_000
const DAY_MS = 86_400_000

/** When a day begins and ends. @param {DayHeader} day */
export function boundsOf({ day }) {
  const opensMs = msOf(`${day}T00:00:00.000+08:00`)
  return { opensMs, closesMs: opensMs + DAY_MS }
}

/** The first time of the ladder after the root; undefined if the root came too late. @param {DayHeader} day */
export function blockDueMs(day) {
  const { blocksMs, marginMs } = numbersOf(day.rules)
  const { closesMs } = boundsOf(day)
  return blocksMs.map((ms) => closesMs + ms).find((ms) => ms >= msOf(day.root_at) + marginMs)
}

/** @param {DayFile} day */
export async function treeOf({ day, boxes }) {
  let row = await inBatches(boxes, (box) => sha256(leafOf(day, box)))
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
  return toHex(/** @type {Uint8Array} */ (row[0]))
}

/** @param {string} day @param {Pick<Box, 'box_id' | 'level' | 'streak' | 'fees'>} box */
export function leafTextOf(day, { box_id, level, streak, fees }) {
  return `box ${day} ${box_id} ${level} ${streak} ${fees}`
}

/** The bytes that a leaf hashes. @param {string} day @param {Box} box */
export function leafOf(day, box) {
  return Uint8Array.of(0, ...encode(leafTextOf(day, box)))
}

/** @param {Uint8Array} left @param {Uint8Array} right */
function nodeOf(left, right) {
  return sha256(Uint8Array.of(1, ...left, ...right))
}

/**
 * The tree that a leaf and its path make; undefined if the path has another length.
 *
 * @param {Uint8Array} leaf
 * @param {{ index: number, size: number, path: readonly string[] }} proof
 */
export async function treeFromPath(leaf, { index, size, path }) {
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
export async function rootOf(day) {
  return toHex(await sha256(encode(rootTextOf(day))))
}

/** The text whose hash is the root. @param {DayHeader} day */
export function rootTextOf(day) {
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
  return `${lines.join('\n')}\n`
}

/** @typedef {{ level: bigint, streak: bigint, ticket: number | null, draw: number, power: bigint }} Figures */

/**
 * The figures that the rules make of each box. Both factors have four decimals, a power has 18.
 *
 * @param {DayFile} day
 * @returns {Promise<Figures[]>}
 */
export async function figuresOf(day) {
  const tickets = await ticketsOf(day)
  const { level: levelStep, streak: streakStep, streakMax, table } = numbersOf(day.rules)
  return day.boxes.map((box, index) => {
    const level = BigInt(10_000 + levelStep * box.level)
    const streak = BigInt(10_000 + Math.min(streakStep * box.streak, streakMax))
    const ticket = tickets[index] ?? null
    const draw = ticket === null ? 1 : (table.find(({ below }) => ticket < below)?.draw ?? 1)
    const power = (unitsOf(box.fees, 18) * level * streak * BigInt(draw)) / 100_000_000n
    return { level, streak, ticket, draw, power }
  })
}

/** No tickets where the day draws ×1. @param {DayFile} day @returns {Promise<number[]>} */
async function ticketsOf({ rule, seed, block_hash: block, boxes }) {
  if (rule === 'flat' || seed === null || block === null) return []
  const hmac = await hmacWith(seed)
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

/** @param {string} seed */
export async function hmacWith(seed) {
  const key = await crypto.subtle.importKey('raw', fromHex(seed), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (/** @type {string} */ text) => new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text)))
}

/** The units that a day shares of an asset. @param {Pool} pool @param {bigint} parts */
export function poolOf({ rewards, contributed }, parts) {
  const [one, other] = [unitsOf(rewards, 18), unitsOf(contributed, 18)]
  if (one < other) return one / parts
  return other / parts
}

/** The units of a box in a pool. @param {bigint} pool @param {Box} box @param {bigint} total the power of all boxes */
export function shareOf(pool, { power }, total) {
  return total === 0n ? 0n : (pool * unitsOf(power, 18)) / total
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

/** @param {bigint[]} numbers */
export function sumOf(numbers) {
  return numbers.reduce((sum, each) => sum + each, 0n)
}

/** Decimal text as a whole number of its smallest units. @param {string} decimals @param {number} digits */
export function unitsOf(decimals, digits) {
  const [before = '', after = ''] = decimals.split('.')
  return BigInt(before + after.padEnd(digits, '0'))
}

/** The smallest units as decimal text, without trailing zeros. @param {bigint} units @param {number} digits */
export function textOf(units, digits) {
  const sign = units < 0n ? '-' : ''
  const text = `${units < 0n ? -units : units}`.padStart(digits + 1, '0')
  const decimals = text.slice(-digits).replace(/0+$/, '')
  return `${sign}${text.slice(0, -digits)}${decimals === '' ? '' : `.${decimals}`}`
}

/** @param {Uint8Array<ArrayBuffer>} message */
export async function sha256(message) {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', message))
}

/** @param {string} ascii */
function encode(ascii) {
  return new TextEncoder().encode(ascii)
}

/** @param {Uint8Array} bytes */
export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** @param {string} hex */
export function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
