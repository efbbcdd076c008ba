import type { Queryable } from '@clearwell/ledger/database'
import { DAY_MS } from '@clearwell/rules/spans'
import { type CapUse, type Day, voucherStore } from './signer.store.ts'

/** The window of the rolling caps, and the longest validity of a voucher: else many days' vouchers could be paid in one. */

/** The daily caps of an asset, in the token's own base units. */
export interface DailyCaps {
  /** The cap on the sum of one account's vouchers in any 24 hours. */
  readonly perAccountPerDay: bigint
  /** The cap on all vouchers of any 24 hours, net of the deposits that came in after them. */
  readonly perDay: bigint
  /** The ledger's units per unit of the token. */
  readonly unit: bigint
}

/** The part of the daily caps that is left for an account, in the token's own base units. */
export interface DayRoom {
  readonly left: bigint
  /** The cap that leaves the least: the account's own, or the one of all accounts. */
  readonly limitedBy: 'account' | 'all_accounts'
  /** The latest time at which that cap leaves more; `undefined` while none of it is used. */
  readonly moreAt: Date | undefined
}

/** Returns the time from which vouchers and deposits count at a time. */
export function dayOf(asset: string, now: Date): Day {
  return { asset, now, since: new Date(now.getTime() - DAY_MS) }
}

/**
 * Reads the part of the daily caps that an account can still use.
 *
 * @param usedByAll replaces the read of the global cap, which is the same for all accounts.
 */
export async function readDayRoom(
  db: Queryable,
  input: { readonly day: Day; readonly caps: DailyCaps; readonly account: string },
  usedByAll: () => Promise<CapUse> = () => voucherStore.usedByAll(db, input.day, input.caps.unit),
): Promise<DayRoom> {
  const { day, caps, account } = input
  const own = roomOf('account', caps.perAccountPerDay, await voucherStore.usedByAccount(db, day, account))
  const all = roomOf('all_accounts', caps.perDay, await usedByAll())
  return own.left < all.left ? own : all
}

function roomOf(limitedBy: DayRoom['limitedBy'], cap: bigint, { used, firstAt }: CapUse): DayRoom {
  const left = cap > used ? cap - used : 0n
  return { left, limitedBy, moreAt: firstAt && new Date(firstAt.getTime() + DAY_MS) }
}
