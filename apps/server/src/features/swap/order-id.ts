import { createHash } from 'node:crypto'
import { invalidField } from '../../platform/ledger/refuse.ts'

const TAG = 4
const TIME = 12
const RANDOM = 20
/** Nobody needs an index to read a pool's latest trades: its orders stand together in the primary key, in order of time. */
export const ORDER_ID_LENGTH = TAG + TIME + RANDOM
/** How much of an order's id a cursor tells: its time, and enough to tell two of one millisecond apart. */
const CURSOR = TIME + 6

const tags = new Map<string, string>()

/** What the ids of all orders of a pool begin with. Two pools may share it. */
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

/** What everyone may see instead of an order's id: unique, and of no use to find the order or who made it. */
export function tradeIdOf(orderId: string): string {
  return createHash('sha256').update(`trade ${orderId}`).digest('hex').slice(0, 32)
}

export function tradeCursorOf(orderId: string): string {
  return orderId.slice(TAG, TAG + CURSOR)
}

/**
 * Which ids a page of a pool's trades is made of: from `from` on, and below `below`.
 *
 * @throws Refusal `invalid_input` for a cursor that no page of ours ended with.
 */
export function tradeIdRange(poolId: string, cursor: string | undefined): { from: string; below: string } {
  if (cursor !== undefined && !new RegExp(`^[0-9a-f]{${CURSOR}}$`).test(cursor)) {
    throw invalidField('cursor', 'not a cursor of this list')
  }
  const tag = poolTag(poolId)
  // No hex digit comes after "f".
  return { from: tag, below: tag + (cursor ?? 'g') }
}
