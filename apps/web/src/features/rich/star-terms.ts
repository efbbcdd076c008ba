import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import type { RichOverview, RichProgram } from './rich.queries.ts'

/** Figures that follow from the server's terms. Amounts are RT as plain decimal text. */

const DECIMALS = ASSET_DECIMALS.RT

/** The action that brings a user to the next star. */
export type NextStep = 'link' | 'deposit' | 'request' | 'none'

/** The step after what is done. While a request is open only a deposit is left, and during a step down nothing. */
export function nextStep({ uid, next, missing, request, step_down }: NextStepOf): NextStep {
  if (uid === null) return 'link'
  if (step_down !== null || next === null) return 'none'
  return request?.status === 'Requested' || isSome(missing) ? 'deposit' : 'request'
}

type NextStepOf = Pick<RichOverview, 'uid' | 'next' | 'missing' | 'request' | 'step_down'>

type StarTerms = Pick<RichProgram['stars'][number], 'star' | 'required'>

/** The highest star that a deposit is enough for; 0 for none. */
export function starFor(deposit: string, stars: readonly StarTerms[]): number {
  return stars.reduce((highest, { star, required }) => (units(deposit) >= units(required) ? star : highest), 0)
}

/** The most that can be deposited: the rest of the highest star's deposit. */
export function depositRoom(deposit: string, stars: readonly StarTerms[]): string | undefined {
  const highest = stars.at(-1)
  if (!highest) return undefined
  const room = units(highest.required) - units(deposit)
  return formatUnits(room > 0n ? room : 0n, DECIMALS)
}

/**
 * A user's share of the next release on a star, rounded down. The weight of that star replaces the weight of the user's
 * present star, and all other weights stay.
 */
export function releaseOn(star: number, { stars, weight, next_release }: ReleaseTerms, ownStar: number): string {
  const weightOf = (each: number) => BigInt(stars.find((terms) => terms.star === each)?.weight ?? 0)
  const others = BigInt(weight) - weightOf(ownStar)
  const wanted = weightOf(star)
  const all = (others > 0n ? others : 0n) + wanted
  return all === 0n ? '0' : formatUnits(mulDiv(units(next_release), wanted, all, 'down'), DECIMALS)
}

type ReleaseTerms = Pick<RichProgram, 'weight' | 'next_release'> & {
  readonly stars: readonly Pick<RichProgram['stars'][number], 'star' | 'weight'>[]
}

/** The deposit after another one. */
export function depositAfter(deposit: string, amount: string): string {
  return formatUnits(units(deposit) + units(amount), DECIMALS)
}

/** Returns whether an amount is above zero. */
export function isSome(amount: string): boolean {
  return /[1-9]/.test(amount)
}

function units(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n
}
