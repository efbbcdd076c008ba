import { DAY_MS, HOUR_MS } from '@clearwell/rules/spans'

/** In quiet hours a header is posted this long after the last one. */
const EVERY_MS = HOUR_MS
/** The vault takes a header until two hours after its cursor's block. One that is nearly as old would arrive too late. */
const POSTABLE_MS = 2 * HOUR_MS - 120_000
/** The vault takes no number that skips further: `Roots.MAX_SKIP`. */
const MAX_SKIP = 2n ** 40n
/** One an hour, and one after each day of boxes. */
const POSTS_A_DAY = 25
/** No header is worth more for each unit of gas, in wei: a post then costs about a dollar. */
const MOST_FEE = 5_000_000_000n

export interface PostMoment {
  /** The later one of the server's clock and the newest block. */
  readonly now: Date
  /** The newest root of the vault; absent before the first. */
  readonly newest: { readonly number: bigint; readonly cursorBlock: bigint; readonly postedAt: Date } | undefined
  /** The last closed day of boxes that is on the chain. */
  readonly postedBoxDay: number
  /** The newest header that both keys have signed. */
  readonly header:
    | {
        readonly number: bigint
        readonly cursorBlock: bigint
        readonly cursorTime: Date
        readonly boxDay: number
      }
    | undefined
}

/** Why a header is posted, or why none is. */
export type PostDecision =
  | { readonly post: true; readonly why: 'first' | 'hour' | 'box_day' }
  | { readonly post: false; readonly why: 'no_header' | 'posted' | 'not_due' | 'too_old' | 'not_higher' }

/** Decides whether the newest header is posted now. One that the vault would refuse is left. */
export function decidePost({ now, newest, postedBoxDay, header }: PostMoment): PostDecision {
  if (!header) return { post: false, why: 'no_header' }
  if (newest && header.number === newest.number) return { post: false, why: 'posted' }
  const [after, cursorAfter] = newest ? [newest.number, newest.cursorBlock] : [0n, 0n]
  if (header.number <= after || header.number - after > MAX_SKIP || header.cursorBlock < cursorAfter)
    return { post: false, why: 'not_higher' }
  const why = reasonToPost({ now, newest, postedBoxDay, header })
  if (!why) return { post: false, why: 'not_due' }
  const ageMs = now.getTime() - header.cursorTime.getTime()
  if (ageMs < 0 || ageMs > POSTABLE_MS) return { post: false, why: 'too_old' }
  return { post: true, why }
}

function reasonToPost({ now, newest, postedBoxDay, header }: PostMoment) {
  if (!newest) return 'first'
  if (header && header.boxDay > postedBoxDay) return 'box_day'
  return now.getTime() - newest.postedAt.getTime() >= EVERY_MS ? 'hour' : undefined
}

/** Wei for each unit of gas. */
export interface Fees {
  readonly maxFee: bigint
  readonly tip: bigint
}

/**
 * Returns the fees that replace a stuck transaction: a quarter higher, for nodes ask for a tenth, and at least those of the market.
 *
 * @returns `undefined` if that is more than a post is worth.
 */
export function raiseFees(stuck: Fees, market: Fees): Fees | undefined {
  const raised = (fee: bigint, now: bigint) => {
    const more = (fee * 5n + 3n) / 4n
    return more > now ? more : now
  }
  return affordable({ maxFee: raised(stuck.maxFee, market.maxFee), tip: raised(stuck.tip, market.tip) })
}

/** Returns the fees unless they are more than a post is worth. */
export function affordable(fees: Fees): Fees | undefined {
  return fees.maxFee > MOST_FEE ? undefined : fees
}

/** Returns for how many hours of posting a balance suffices. All in wei, and `gas` in units of gas for a post. */
export function hoursOfGas(
  balance: bigint,
  { gas, maxFee }: { readonly gas: bigint; readonly maxFee: bigint },
): number {
  const posts = Number((balance * 100n) / (gas * (maxFee > 0n ? maxFee : 1n))) / 100
  return (posts / POSTS_A_DAY) * (DAY_MS / HOUR_MS)
}
