import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { shareAfterChange } from '@clearwell/rules/rich-release'
import { starWeight } from '@clearwell/rules/rich-star'
import type { RichOverview, RichProgram } from './rich.queries.ts'

/** Figures that follow from the server's terms. Amounts are RT as plain decimal text. */

const DECIMALS = ASSET_DECIMALS.RT
/** A fraction as basis points. */
const BPS_DECIMALS = 4
/** More than a percentage shows. */
const PART_DECIMALS = 8n

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
  return formatUnits(maxUnits(units(highest.required) - units(deposit), 0n), DECIMALS)
}

/** The user's share of a whole day on another star, if nothing else changes. */
export function releaseOn(star: number, terms: ReleaseTerms, ownStar: number): string {
  const { remaining, release_rate, max_per_weight, next_weight } = terms
  const program = {
    remaining: units(remaining),
    releaseBps: parseUnits(release_rate, BPS_DECIMALS) ?? 0n,
    maxPerWeight: units(max_per_weight),
    weight: BigInt(next_weight),
  }
  return formatUnits(shareAfterChange(program, { from: ownStar, to: star }), DECIMALS)
}

/** Part of the whole weight that a star has, if nothing else changes: a fraction as decimal text, rounded down. */
export function partOfAll(star: number, { next_weight }: Pick<RichProgram, 'next_weight'>, ownStar: number): string {
  const weight = starWeight(star)
  const others = maxUnits(BigInt(next_weight) - starWeight(ownStar), 0n)
  return formatUnits(mulDiv(weight, 10n ** PART_DECIMALS, others + weight, 'down'), Number(PART_DECIMALS))
}

/**
 * How often the weight of all stars would have to grow, as a power of ten, until star 1 receives less than now; with what it
 * receives then. `undefined` where it never falls within a million times, or nothing is released.
 */
export function fallingExample(
  terms: ReleaseTerms,
  ownStar: number,
): { times: bigint; now: string; later: string } | undefined {
  const now = releaseOn(1, terms, ownStar)
  if (BigInt(terms.next_weight) === 0n || !isSome(now)) return undefined
  for (let times = 10n; times <= 1_000_000n; times *= 10n) {
    const later = releaseOn(1, { ...terms, next_weight: String(BigInt(terms.next_weight) * times) }, ownStar)
    if (units(later) < units(now)) return { times, now, later }
  }
  return undefined
}

type ReleaseTerms = Pick<RichProgram, 'remaining' | 'release_rate' | 'max_per_weight' | 'next_weight'>

/** The deposit after another one. */
export function depositAfter(deposit: string, amount: string): string {
  return formatUnits(units(deposit) + units(amount), DECIMALS)
}

/** The deposit after its spare part was taken back. */
export function depositAfterTakeBack(deposit: string, spare: string): string {
  return formatUnits(maxUnits(units(deposit) - units(spare), 0n), DECIMALS)
}

export function smaller(one: string, other: string): string {
  return formatUnits(minUnits(units(one), units(other)), DECIMALS)
}

/** Returns whether an amount is above zero. */
export function isSome(amount: string): boolean {
  return /[1-9]/.test(amount)
}

function units(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n
}
