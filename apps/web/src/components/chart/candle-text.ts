import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, formatPercent } from '../../i18n/format.ts'
import { type Candle, changeBetween, courseOfCandles, secondsOf } from './candles.ts'
import { formatMoment } from './time-axis.ts'

/** How the figures of candles are written. */
export interface CandleFormats {
  /** Of the prices on the axis, as many as `price` writes. */
  readonly decimals: number
  readonly price: (price: string) => string
  /** The asset that volumes are in. */
  readonly base: string
}

const VOLUME_PLACES = 2

export function volumeText({ volume }: Candle, { base }: CandleFormats): string {
  return `${formatAmount(volume, { places: VOLUME_PLACES })} ${base}`
}

/** From a candle's open to its close; a dash where that cannot be told. */
export function changeText(change: string | undefined): string {
  return change === undefined ? '–' : formatPercent(change, { signed: true, fixed: true })
}

/** A candle in words. */
export function candleText(candle: Candle, formats: CandleFormats): string {
  return m.chart_candle({
    time: formatMoment(secondsOf(candle)),
    open: formats.price(candle.open),
    high: formats.price(candle.high),
    low: formats.price(candle.low),
    close: formats.price(candle.close),
    volume: volumeText(candle, formats),
  })
}

/** A candle's volume where it stands under others, digit under digit. */
export function volumeColumnText({ volume }: Candle): string {
  return formatAmount(volume, { places: VOLUME_PLACES, fixed: true })
}

/**
 * The price now and how it went over the candles in sight, in a sentence; nothing over none.
 *
 * @param latest the last candle of all, which need not be in sight.
 */
export function courseText(candles: readonly Candle[], latest: Candle | undefined, formats: CandleFormats): string {
  const course = courseOfCandles(candles)
  if (!course || !latest) return ''
  return m.chart_course({
    last: formats.price(latest.close),
    from: formatMoment(secondsOf(course.first)),
    to: formatMoment(secondsOf(course.last)),
    change: changeText(course.change),
    high: formats.price(course.high),
    low: formats.price(course.low),
  })
}

/** The change within a candle, as a fraction. */
export function changeWithin({ open, close }: Candle): string | undefined {
  return changeBetween(open, close)
}
