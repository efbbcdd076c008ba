import type { Amount } from '@clearwell/money/amount'
import type { BoxRules } from './box-rules.ts'
import { DAY_MS } from './spans.ts'

/**
 * The statuses of a box (specification: "Blind-box reward status"). Each function takes the one status that it leaves, so
 * no other transition compiles:
 *
 *   2 to be divided  → 0 to be assigned  divideBox
 *   2 to be divided  → -1 failed         divideBox, if there is nothing to divide
 *   0 to be assigned → 1 success         claimBox
 *   0 to be assigned → -1 failed         expireBox
 */
export type BoxStatus = ToBeDivided | ToBeAssigned | Success | Failed

/** The day is not divided yet. */
export interface ToBeDivided {
  readonly status: 2
}

/** The reward is known and can be claimed. */
export interface ToBeAssigned {
  readonly status: 0
  /** Never empty, and each amount is above zero. */
  readonly reward: readonly Amount[]
  /** The first moment at which the box can no longer be claimed. */
  readonly expiresAt: Date
}

/** The reward is claimed. */
export interface Success {
  readonly status: 1
  readonly reward: readonly Amount[]
  readonly claimedAt: Date
}

/** There was nothing to divide, or the reward went back to `rewards`. */
export type Failed =
  | { readonly status: -1; readonly reason: 'nothing_to_divide' }
  | { readonly status: -1; readonly reason: 'expired'; readonly reward: readonly Amount[] }

/** Returns the first moment at which a reward can no longer be claimed. */
export function expiryOf(dividedAt: Date, { claimableDays }: Pick<BoxRules, 'claimableDays'>): Date {
  return new Date(dividedAt.getTime() + claimableDays * DAY_MS)
}

/** A notice reminds of a reward this long before it expires. */
export const REMINDER_MS = 3 * DAY_MS

/** Assigns the reward of a box when the day's pool is shared. */
export function divideBox(
  _box: ToBeDivided,
  reward: readonly Amount[],
  { now, rules }: { readonly now: Date; readonly rules: Pick<BoxRules, 'claimableDays'> },
): ToBeAssigned | (Failed & { reason: 'nothing_to_divide' }) {
  if (reward.length === 0) return { status: -1, reason: 'nothing_to_divide' }
  if (reward.some(({ units }) => units <= 0n)) throw new RangeError('divideBox: an amount must be above zero')
  return { status: 0, reward, expiresAt: expiryOf(now, rules) }
}

/** Claims a reward; `undefined` once it has expired, also before {@link expireBox} has returned it. */
export function claimBox(box: ToBeAssigned, now: Date): Success | undefined {
  if (now >= box.expiresAt) return undefined
  return { status: 1, reward: box.reward, claimedAt: now }
}

/** Returns an unclaimed reward to `rewards`; `undefined` while it can be claimed. */
export function expireBox(box: ToBeAssigned, now: Date): (Failed & { reason: 'expired' }) | undefined {
  if (now < box.expiresAt) return undefined
  return { status: -1, reason: 'expired', reward: box.reward }
}

/** Returns when the owner is reminded of an unclaimed reward. */
export function reminderOf({ expiresAt }: ToBeAssigned): Date {
  return new Date(expiresAt.getTime() - REMINDER_MS)
}
