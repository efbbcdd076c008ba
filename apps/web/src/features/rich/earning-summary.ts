import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { intlLocale } from '@clearwell/ui/i18n/locale.ts'
import type { Earning, Interval } from './rich.queries.ts'

/** Candles of collected RT, in words. Days, weeks and months are those of Hong Kong. */

/** The sum of all candles, and the best; none without anything collected. */
export function summarizeEarnings(candles: readonly Earning[]): { total: string; best: Earning | undefined } {
  let total = 0n
  let best: Earning | undefined
  for (const candle of candles) {
    const volume = units(candle.volume)
    total += volume
    if (volume > 0n && (!best || volume > units(best.volume))) best = candle
  }
  return { total: formatUnits(total, ASSET_DECIMALS.RT), best }
}

/** The start of a candle: its day, or its month, on one line. */
export function dayText(time: string, interval: Interval): string {
  const options: Intl.DateTimeFormatOptions =
    interval === '1M' ? { year: 'numeric', month: 'short' } : { dateStyle: 'medium' }
  return new Intl.DateTimeFormat(intlLocale(), { ...options, timeZone: 'Asia/Hong_Kong' })
    .format(new Date(time))
    .replaceAll(' ', '\u00a0')
}

function units(amount: string): bigint {
  return parseUnits(amount, ASSET_DECIMALS.RT) ?? 0n
}
