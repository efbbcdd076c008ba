import { intlLocale } from '../../i18n/format.ts'

const MOST_DECIMALS = 8
/** Decimals where everything has one height, so that the axis has no range to go by. */
const FLAT_DECIMALS = 2

/** How many decimals an axis needs to tell its marks apart: fewer the further its values reach. */
export function axisDecimals(values: readonly number[]): number {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const range = high - low
  if (!(range > 0)) return FLAT_DECIMALS
  return Math.min(Math.max(Math.ceil(2 - Math.log10(range)), 0), MOST_DECIMALS)
}

/** A mark on the axis of values. The numbers of an axis are the chart's own, not money. */
export function formatAxisValue(value: number, decimals: number): string {
  return new Intl.NumberFormat(intlLocale(), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(value)
}
