import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'

/**
 * What a person typed, as plain decimal text on its way: full-width digits become plain ones, grouping goes, a leading
 * point gets its zero. @returns `undefined` when it is not an amount, so that the key press is ignored.
 */
export function cleanAmountInput(typed: string, decimals: number): string | undefined {
  const plain = typed
    .normalize('NFKC')
    .replace(/[\s,]/g, '')
    .replace('。', '.')
    .replace(/^\./, '0.')
    .replace(/^0+(?=\d)/, '')
  if (plain === '') return ''
  const match = /^\d{1,30}(?:\.(\d*))?$/.exec(plain)
  if (!match || (match[1]?.length ?? 0) > decimals) return undefined
  return plain
}

/** A part of a balance. Down: a part is never more than there is. */
export function percentOf(balance: string, percent: number, decimals: number): string {
  const units = parseUnits(balance, decimals) ?? 0n
  return formatUnits(mulDiv(units, BigInt(percent), 100n, 'down'), decimals)
}
