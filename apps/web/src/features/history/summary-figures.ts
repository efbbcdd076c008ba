import type { ResponseOf } from '@clearwell/api/routes'
import { CENT_UNITS, centsHeld, centsOwed } from '@clearwell/money/cents'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'

export type Summary = ResponseOf<'summary'>
type History = Summary['history']
export type Performance = NonNullable<Summary['performance']>

const DECIMALS = 18

/** The history from the first time at which the user held anything. */
export function heldHistory(history: History): History {
  const first = history.findIndex(({ value_usdt }) => value_usdt !== null && unitsOf(value_usdt) !== 0n)
  return first === -1 ? [] : history.slice(first)
}

/** A figure between the net value at the start and now. Signed plain decimal text in USDT. */
export interface ChangePart {
  readonly name: 'transferred_in' | 'transferred_out' | 'activation' | 'change'
  readonly usdt: string
}

/** The figures that lead from the net value at the start to the one now, without those that are zero. Loans are none. */
export function changeParts(performance: Performance): ChangePart[] {
  const parts: ChangePart[] = [
    { name: 'transferred_in', usdt: performance.transferred_in_usdt },
    { name: 'transferred_out', usdt: minus(performance.transferred_out_usdt) },
    { name: 'activation', usdt: minus(performance.activation_usdt) },
    { name: 'change', usdt: performance.change_usdt },
  ]
  return parts.filter(({ usdt }) => /[1-9]/.test(usdt))
}

/** The parts with an amount or a value; the others say nothing. */
export function filledParts<Part extends { amount?: string; value_usdt: string | null }>(
  parts: readonly Part[],
): Part[] {
  return parts.filter(({ amount, value_usdt }) =>
    amount === undefined ? value_usdt === null || unitsOf(value_usdt) !== 0n : unitsOf(amount) !== 0n,
  )
}

/** A part and its share of the whole as a fraction; `null` where it has no value. */
export interface Share<Part> {
  readonly part: Part
  readonly share: string | null
}

/** A share is shown in tenths of a percent. */
const SHARE_DECIMALS = 3

/**
 * The share of each part in thousandths, the greatest first and parts without a value last. The shares add up to one: those that lose most by
 * rounding down get the thousandths that are left (the method of the largest remainder).
 */
export function sharesOf<Part extends { value_usdt: string | null }>(parts: readonly Part[]): Share<Part>[] {
  const valued = parts.flatMap((part) =>
    part.value_usdt === null ? [] : [{ part, units: unitsOf(part.value_usdt), thousandths: 0n }],
  )
  const whole = valued.reduce((sum, { units }) => sum + units, 0n)
  const one = 10n ** BigInt(SHARE_DECIMALS)
  if (whole > 0n) {
    for (const each of valued) each.thousandths = (each.units * one) / whole
    const left = valued.reduce((rest, { thousandths }) => rest - thousandths, one)
    const lost = ({ units }: { units: bigint }) => (units * one) % whole
    const first = valued.toSorted((x, y) => compare(lost(y), lost(x))).slice(0, Number(left))
    for (const each of first) each.thousandths++
  }
  return [
    ...valued
      .toSorted((x, y) => compare(y.units, x.units))
      .map(({ part, thousandths }) => ({ part, share: formatUnits(thousandths, SHARE_DECIMALS) })),
    ...parts.filter(({ value_usdt }) => value_usdt === null).map((part) => ({ part, share: null })),
  ]
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

/** The value held to the cent, so that it less the debts is the net value as shown. `undefined` where a price is missing. */
export function shownAssets({
  total_usdt: total,
  owed_usdt: owed,
  net_usdt: net,
}: Pick<Summary, 'total_usdt' | 'owed_usdt' | 'net_usdt'>): string | undefined {
  if (total === null || owed === null || net === null) return undefined
  // Below zero the net value is cut the other way, so the parts are left as they are.
  if (net.startsWith('-')) return total
  return formatUnits((centsHeld(unitsOf(net)) + centsOwed(unitsOf(owed))) * CENT_UNITS, DECIMALS)
}

function minus(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
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
