import type { VaultFacts } from './judge-vault.ts'

/** The newest header with valid signatures of keys that count. */
export interface Postable {
  readonly number: bigint
  readonly cursorBlock: bigint
  /** In seconds since 1970. */
  readonly cursorTimeS: number
}

/** Wei for each unit of gas. */
export interface Fees {
  readonly maxFee: bigint
  readonly tip: bigint
}

/** The vault takes a header until two hours after its cursor's block. One that is nearly as old would arrive too late. */
const POSTABLE_S = 7_200 - 120
/** The vault takes no number that skips further: `Roots.MAX_SKIP`. */
const MAX_SKIP = 2n ** 40n

/**
 * Decides whether the newest header is posted now.
 *
 * @param of.afterS the age of the last post, in seconds
 * @returns why not, or `post`
 */
export function decidePost(
  vault: Pick<VaultFacts, 'timeS' | 'pausedAt' | 'endingAt' | 'movedAt' | 'newest'>,
  header: Postable | undefined,
  of: { readonly afterS: number },
): 'post' | 'closed' | 'no_header' | 'not_higher' | 'not_due' | 'too_old' {
  const { timeS, newest } = vault
  if (vault.pausedAt !== 0 || vault.endingAt !== 0 || vault.movedAt !== 0) return 'closed'
  if (!header) return 'no_header'
  const { number, cursorBlock, cursorTimeS } = header
  if (number <= newest.number || number - newest.number > MAX_SKIP || cursorBlock < newest.cursorBlock)
    return 'not_higher'
  if (newest.seq !== 0 && timeS - newest.postedAt < of.afterS) return 'not_due'
  if (cursorTimeS > timeS || timeS - cursorTimeS > POSTABLE_S) return 'too_old'
  return 'post'
}

/**
 * Returns the fees of a transaction: those of the market, or a quarter more than the one that it replaces.
 *
 * @returns `undefined` if that is more than `most` for each unit of gas
 */
export function chooseFees(market: Fees, most: bigint, stuck?: Fees): Fees | undefined {
  const raised = (now: bigint, before: bigint) => {
    const more = (before * 5n + 3n) / 4n
    return more > now ? more : now
  }
  const fees = stuck ? { maxFee: raised(market.maxFee, stuck.maxFee), tip: raised(market.tip, stuck.tip) } : market
  return fees.maxFee > most ? undefined : fees
}
