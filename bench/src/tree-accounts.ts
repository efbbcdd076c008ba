import { hash } from 'node:crypto'
import type { PlacedAccount } from '@clearwell/proofs/balance-trees'
import type { Hex } from '@clearwell/proofs/bytes'

/** Places of a tree of depth 20. */
export const PLACES = 2 ** 20

/** An odd factor: it gives each account another place, spread over the whole tree. */
const SPREAD = 654_435_769

/** Four assets, as in the product. */
export const BENCH_ASSETS: readonly Hex[] = [1, 2, 3, 4].map((index): Hex => `0x${`${index}`.padStart(40, '0')}`)

/** Returns one of 1,048,576 accounts. */
export function benchAccount(index: number): PlacedAccount {
  const salt = hash('sha256', `salt ${index}`)
  return { place: placeOf(index), account: `0x${salt.slice(0, 40)}`, salt: `0x${salt}` }
}

/** Returns the place of an account. */
export function placeOf(index: number): number {
  return Number((BigInt(index) * BigInt(SPREAD)) % BigInt(PLACES))
}
