import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'

export type Summary = ResponseOf<'summary'>
type History = Summary['history']

/** The change of a value, in plain decimal text. */
export interface Change {
  /** The start of the change, ISO 8601. */
  readonly since: string
  readonly value: string
  /** As a fraction of the first value; `undefined` where that was zero. */
  readonly fraction: string | undefined
}

const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)

/**
 * The change from the first known value of the period to the last; `undefined` where the last value is unknown or the
 * only one.
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

/** A part and its share of the whole as a fraction; `null` where it has no value. */
export interface Share<Part> {
  readonly part: Part
  readonly share: string | null
}

/** The share of each part, the greatest first and parts without a value last. Shares are rounded down. */
export function sharesOf<Part extends { value_usdt: string | null }>(parts: readonly Part[]): Share<Part>[] {
  const whole = parts.reduce((sum, { value_usdt }) => sum + (value_usdt === null ? 0n : unitsOf(value_usdt)), 0n)
  const shares = parts.map((part) => {
    const units = part.value_usdt === null ? undefined : unitsOf(part.value_usdt)
    if (units === undefined) return { part, units: -1n, share: null }
    return { part, units, share: whole === 0n ? '0' : formatUnits(mulDiv(units, ONE, whole, 'down'), DECIMALS) }
  })
  return shares.sort((a, b) => compare(b.units, a.units)).map(({ part, share }) => ({ part, share }))
}

/** `true` if the user holds nothing now and held nothing in the period. */
export function isNothing({ by_asset, history }: Pick<Summary, 'by_asset' | 'history'>): boolean {
  return (
    by_asset.every(({ amount }) => unitsOf(amount) === 0n) &&
    history.every(({ value_usdt }) => value_usdt === null || unitsOf(value_usdt) === 0n)
  )
}

/** The held assets without a price. */
export function unpricedAssets({ by_asset }: Pick<Summary, 'by_asset'>): string[] {
  return by_asset
    .filter(({ amount, value_usdt }) => value_usdt === null && unitsOf(amount) !== 0n)
    .map(({ asset }) => asset)
}

/** Rounded towards zero: no change is shown greater than it was. */
function fractionOf(change: bigint, of: bigint): bigint {
  return change < 0n ? -mulDiv(-change, ONE, of, 'down') : mulDiv(change, ONE, of, 'down')
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** A figure of the server: an unreadable one is a bug, and a wrong sum would be worse than none. */
function unitsOf(text: string): bigint {
  const units = parseUnits(text, DECIMALS)
  if (units === undefined) throw new TypeError(`not an amount: ${JSON.stringify(text)}`)
  return units
}
