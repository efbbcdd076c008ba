import { CENT_UNITS, centsHeld, centsOwed } from '@clearwell/money/cents'
import { cutDecimals, formatUnits, parseUnits } from '@clearwell/money/decimal'
import { m } from '../generated/messages.ts'
import { intlLocale } from './locale.ts'

/** All of this works on text: money never becomes a floating-point number. */

const SIGNIFICANT_DIGITS = 6
/** Decimals of a value in USDT. */
const VALUE_DECIMALS = 18

interface AmountOptions {
  readonly decimals?: number
  /** With + where it is above zero. */
  readonly signed?: boolean
  readonly fixed?: boolean
  /** Raises a negative amount that is cut by one of its last shown digit. */
  readonly raisesOut?: boolean
  /** Raises every amount that is cut: one that is owed, or was paid beside the balance that it left. One cut to zero keeps its `<`. */
  readonly raises?: boolean
}

/**
 * Plain decimal text for reading: grouped by thousands and truncated to `decimals` decimals. An amount that
 * would be truncated to zero is shown as less than the smallest visible amount, such as `<0.0001`, without a plus.
 *
 * @param options `fixed` writes all decimals, so that the digits of a column line up. `raisesOut`: for money that leaves a balance
 *   beside it: with both cut, and the shown amount would be less than the balance lost.
 */
export function formatAmount(
  amount: string,
  { decimals = 6, signed = false, fixed = false, raisesOut = false, raises = false }: AmountOptions = {},
): string {
  const negative = amount.startsWith('-')
  const magnitude = negative ? amount.slice(1) : amount
  const sign = negative ? '−' : signed && !isZero(magnitude) ? '+' : ''
  const kept = cutDecimals(magnitude, decimals)
  const isRaised =
    (raises || (raisesOut && negative)) && !isZero(kept) && kept !== cutDecimals(magnitude, VALUE_DECIMALS)
  const [whole = '0', fraction] = (isRaised ? raise(kept, decimals) : kept).split('.')
  const shown = fixed ? (fraction ?? '').padEnd(decimals, '0') : (fraction ?? '')
  const cut = shown === '' ? group(whole) : `${group(whole)}.${shown}`
  if (!isZero(cut)) return sign + cut
  if (isZero(magnitude)) return cut
  // Less than something has no plus.
  return `${negative ? sign : ''}<${decimals === 0 ? '1' : `0.${'1'.padStart(decimals, '0')}`}`
}

/** Decimals to show of an amount: six, and of an amount below one so many that six significant digits are seen. */
export function significantDecimals(amount: string): number {
  const zeros = /^-?0?\.(0*)[1-9]/.exec(amount)?.[1]?.length ?? 0
  return zeros + SIGNIFICANT_DIGITS
}

/** Decimals of interest, also below one: that of seconds reads `<0.000001`, not a row of zeros. */
export const INTEREST_DECIMALS = 6

/** Decimals to show of an amount in a list: four significant digits, and never fewer than two decimals. */
export function listDecimals(amount: string): number {
  const [whole = '0', fraction = ''] = amount.replace(/^-/, '').split('.')
  if (/[1-9]/.test(whole)) return Math.max(2, 4 - whole.length)
  return Math.max(2, (/^0*(?=[1-9])/.exec(fraction)?.[0].length ?? 0) + 4)
}

/** A value in the currency of account that is held: two decimals, always, rounded down apart from dust. */
export function formatUsdt(amount: string): string {
  return formatCents(amount, centsHeld)
}

/** A debt in the currency of account: two decimals, always, rounded up apart from dust. */
export function formatOwedUsdt(amount: string): string {
  return formatCents(amount, centsOwed)
}

function formatCents(amount: string, centsOf: (units: bigint) => bigint): string {
  const sign = amount.startsWith('-') ? '-' : ''
  const units = parseUnits(amount.slice(sign.length), VALUE_DECIMALS)
  const cents = units === undefined ? 0n : centsOf(units)
  // Less than a cent keeps its mark: `<0.01` is not nothing.
  const shown = cents === 0n ? amount : sign + formatUnits(cents * CENT_UNITS, VALUE_DECIMALS)
  return formatAmount(shown, { decimals: 2, fixed: true })
}

/** A fraction as a percentage: `0.0455` becomes `4.55%`. */
export function formatPercent(fraction: string, options: AmountOptions = {}): string {
  return `${formatAmount(shiftTwoDecimals(fraction), { decimals: 2, ...options })}%`
}

/** A change as a percentage with its sign and two decimals. A change too small for them reads `0.00%`. */
export function formatChange(fraction: string): string {
  const text = formatPercent(fraction, { signed: true, fixed: true })
  return text.includes('<') ? '0.00%' : text
}

/** An address or a hash: its first six and last four characters. */
export function shortHex(text: string): string {
  return text.length > 12 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text
}

/**
 * How long ago something was, in whole seconds, minutes, hours or days: `5 sec ago`, `5 秒前`. Its words are messages,
 * because a slow phone takes 60 ms to make the first `Intl.RelativeTimeFormat`.
 */
export function formatAgo(seconds: number): string {
  const past = Math.max(0, Math.floor(seconds))
  if (past < MINUTE) return m.ui_ago_seconds({ count: String(past) })
  if (past < HOUR) return m.ui_ago_minutes({ count: String(Math.floor(past / MINUTE)) })
  if (past < DAY) return m.ui_ago_hours({ count: String(Math.floor(past / HOUR)) })
  return m.ui_ago_days({ count: group(String(Math.floor(past / DAY))) })
}

/** Things as a phrase: `swap, pledge and borrow`, `閃兌、質押及借貸`, `0.03 RT 及 2 ETH`. Empty for none. */
export function formatList(things: readonly string[]): string {
  // Between Chinese and Latin there is a space, as in every other text.
  return new Intl.ListFormat(intlLocale()).format(things).replace(/(?<=[\w.)])(?=及)|(?<=及)(?=\w)/g, ' ')
}

/** In seconds. */
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Adds one of the last decimal. */
function raise(amount: string, decimals: number): string {
  return formatUnits((parseUnits(amount, decimals) ?? 0n) + 1n, decimals)
}

function group(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',')
}

function isZero(magnitude: string): boolean {
  return /^0*(\.0*)?$/.test(magnitude)
}

function shiftTwoDecimals(text: string): string {
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  const digits = `${whole}${fraction.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '')
  const rest = fraction.slice(2)
  return `${negative ? '-' : ''}${digits}${rest === '' ? '' : `.${rest}`}`
}
