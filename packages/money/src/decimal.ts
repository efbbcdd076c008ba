/** Plain digits, at most 30 before the point and 18 behind it, no sign, no exponent, no leading zero. */
const PLAIN_DECIMAL = /^(0|[1-9]\d{0,29})(\.\d{1,18})?$/

/**
 * The one parser of amounts: turns plain decimal text into base units.
 *
 * `BigInt('')` is 0 and `BigInt('0x10')` is 16, so nothing else in the product may parse money.
 *
 * @param text what a person or a client wrote, such as `12.5`.
 * @param decimals how many decimals the asset has (0 to 18).
 * @returns base units, or `undefined` when the text is not a plain decimal of at most that many decimals.
 */
export function parseUnits(text: string, decimals: number): bigint | undefined {
  const match = PLAIN_DECIMAL.exec(text)
  if (!match) return undefined
  const whole = match[1] as string
  const fraction = match[2]?.slice(1) ?? ''
  if (fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/**
 * Writes base units as plain decimal text: no exponent, no grouping, no needless zeros behind the point.
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
 * Cuts plain decimal text to `places` decimals towards zero, for reading by people.
 *
 * @param text the output of {@link formatUnits}.
 */
export function cutDecimals(text: string, places: number): string {
  const [whole = '0', fraction = ''] = text.split('.')
  const kept = fraction.slice(0, places).replace(/0+$/, '')
  const cut = kept === '' ? whole : `${whole}.${kept}`
  return cut === '-0' ? '0' : cut
}
