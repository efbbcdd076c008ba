import type { Answer } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'

export type Summary = Answer<'summary'>
type History = Summary['history']

/** How a value changed. All plain decimal text. */
export interface Change {
  /** Since when. */
  readonly since: string
  readonly value: string
  /** As a fraction of what there was; `undefined` where there was nothing. */
  readonly fraction: string | undefined
}

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)

/**
 * How the value changed from the first moment of the period that has one to the last; `undefined` where the last has
 * none, or no other has.
 */
export function changeOf(history: History): Change | undefined {
  const known = history.flatMap(({ time, value_usdt }) =>
    value_usdt === null ? [] : [{ time, value: unitsOf(value_usdt) }],
  )
  const [first] = known
  const last = known.at(-1)
  if (!first || !last || first === last || history.at(-1)?.value_usdt === null) return undefined
  const change = last.value - first.value
  return {
    since: first.time,
    value: formatUnits(change, DECIMALS),
    fraction: first.value === 0n ? undefined : formatUnits(fractionOf(change, first.value), DECIMALS),
  }
}

/** A part of a whole, and its share of it as a fraction; `null` where it has no value. */
export interface Share<Part> {
  readonly part: Part
  readonly share: string | null
}

/** Which share of the whole each part is, the greatest first, what has no value last. Shares are cut, never rounded up. */
export function sharesOf<Part extends { value_usdt: string | null }>(parts: readonly Part[]): Share<Part>[] {
  const whole = parts.reduce((sum, { value_usdt }) => sum + (value_usdt === null ? 0n : unitsOf(value_usdt)), 0n)
  const shares = parts.map((part) => {
    const units = part.value_usdt === null ? undefined : unitsOf(part.value_usdt)
    if (units === undefined) return { part, units: -1n, share: null }
    return { part, units, share: whole === 0n ? '0' : formatUnits(mulDiv(units, ONE, whole, 'down'), DECIMALS) }
  })
  return shares.sort((a, b) => compare(b.units, a.units)).map(({ part, share }) => ({ part, share }))
}

/** Whether nothing is held now, nor was in the period. */
export function isNothing({ by_asset, history }: Pick<Summary, 'by_asset' | 'history'>): boolean {
  return (
    by_asset.every(({ amount }) => unitsOf(amount) === 0n) &&
    history.every(({ value_usdt }) => value_usdt === null || unitsOf(value_usdt) === 0n)
  )
}

/** What is held and has no price. */
export function unpricedAssets({ by_asset }: Pick<Summary, 'by_asset'>): string[] {
  return by_asset
    .filter(({ amount, value_usdt }) => value_usdt === null && unitsOf(amount) !== 0n)
    .map(({ asset }) => asset)
}

/** Towards zero on both sides: no rise and no fall is shown greater than it was. */
function fractionOf(change: bigint, of: bigint): bigint {
  return change < 0n ? -mulDiv(-change, ONE, of, 'down') : mulDiv(change, ONE, of, 'down')
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The server's own figures: what cannot be read is a bug, and a wrong sum would be worse than none. */
function unitsOf(text: string): bigint {
  const units = parseUnits(text, DECIMALS)
  if (units === undefined) throw new TypeError(`not an amount: ${JSON.stringify(text)}`)
  return units
}
