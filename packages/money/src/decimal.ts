/** Plain digits, at most 30 before the point and 18 behind it, no sign, no exponent, no leading zero. */
const PLAIN_DECIMAL = /^(0|[1-9]\d{0,29})(\.\d{1,18})?$/

/**
 * Parses plain decimal text into base units. The only parser of amounts.
 *
 * `BigInt('')` is 0 and `BigInt('0x10')` is 16, so nothing else in the product may parse money.
 *
 * @param text input of a person or a client, such as `12.5`.
 * @param decimals number of the asset's decimals (0 to 18).
 * @returns base units, or `undefined` if the text is not a plain decimal with at most that many decimals.
 */
export function parseUnits(text: string, decimals: number): bigint | undefined {
  const match = PLAIN_DECIMAL.exec(text)
  if (!match) return undefined
  const whole = match[1] as string
  const fraction = match[2]?.slice(1) ?? ''
  if (fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Base units from `from` (included) to `below` (excluded). */
export interface UnitRange {
  readonly from: bigint
  readonly below: bigint
}

/**
 * Finds the amounts that begin with these digits: `12.34` means all from 12.34 to 12.35. A shown amount is cut and never
 * rounded, so its digits find it.
 *
 * @returns `undefined` if `digits` are not a plain decimal with at most that many decimals.
 */
export function unitsThatBeginWith(digits: string, decimals: number): UnitRange | undefined {
  const from = parseUnits(digits, decimals)
  if (from === undefined) return undefined
  const typedDecimals = digits.split('.')[1]?.length ?? 0
  return { from, below: from + 10n ** BigInt(decimals - typedDecimals) }
}

/**
 * Formats base units as plain decimal text: no exponent, no grouping, no trailing zeros after the point.
 *
 * @param units base units, negative allowed (a log shows money leaving as a negative amount).
 */
export function formatUnits(units: bigint, decimals: number): string {
  const negative = units < 0n
  const digits = (negative ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * Truncates plain decimal text to `decimals` decimals, towards zero, for display.
 *
 * @param text the output of {@link formatUnits}.
 */
export function cutDecimals(text: string, decimals: number): string {
  const [whole = '0', fraction = ''] = text.split('.')
  const kept = fraction.slice(0, decimals).replace(/0+$/, '')
  const cut = kept === '' ? whole : `${whole}.${kept}`
  return cut === '-0' ? '0' : cut
}
