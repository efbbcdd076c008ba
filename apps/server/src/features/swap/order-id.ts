import { createHash } from 'node:crypto'
import { invalidField } from '../../platform/ledger/refuse.ts'

const TAG = 4
const TIME = 12
const RANDOM = 20
/** Reading a pool's latest trades needs no extra index: the primary key sorts its orders by pool and time. */
export const ORDER_ID_LENGTH = TAG + TIME + RANDOM
/** Digits of an order's id in a cursor: its time, and enough random digits to separate orders of one millisecond. */
const CURSOR = TIME + 6

const tags = new Map<string, string>()

/** The prefix of all order ids of a pool. Two pools may share a prefix. */
export function poolTag(poolId: string): string {
  let tag = tags.get(poolId)
  if (tag === undefined) {
    tag = createHash('sha256').update(poolId).digest('hex').slice(0, TAG)
    tags.set(poolId, tag)
  }
  return tag
}

/**
 * The id of a swap: the pool's tag, the time in milliseconds and 80 unguessable bits, all in hex.
 *
 * @param random hex, unguessable, at least 20 digits.
 */
export function swapOrderId(poolId: string, at: Date, random: string): string {
  return poolTag(poolId) + at.getTime().toString(16).padStart(TIME, '0') + random.slice(0, RANDOM)
}

/** The public id of a trade: unique, and reveals neither the order nor its owner. */
export function tradeIdOf(orderId: string): string {
  return createHash('sha256').update(`trade ${orderId}`).digest('hex').slice(0, 32)
}

export function tradeCursorOf(orderId: string): string {
  return orderId.slice(TAG, TAG + CURSOR)
}

/**
 * The range of order ids for a page of a pool's trades, from `from` (included) to `below` (excluded).
 *
 * @throws Refusal `invalid_input` for a malformed cursor.
 */
export function tradeIdRange(poolId: string, cursor: string | undefined): { from: string; below: string } {
  if (cursor !== undefined && !new RegExp(`^[0-9a-f]{${CURSOR}}$`).test(cursor)) {
    throw invalidField('cursor', 'not a cursor of this list')
  }
  const tag = poolTag(poolId)
  // No hex digit comes after "f".
  return { from: tag, below: tag + (cursor ?? 'g') }
}
