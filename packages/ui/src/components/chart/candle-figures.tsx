import { HIDDEN_TEXT } from '../../browser/hidden-amounts.ts'
import { m } from '../../generated/messages.ts'
import { formatAmount, formatChange } from '../../i18n/format.ts'
import { formatDayAndTime } from '../../i18n/format-date.ts'
import { type Candle, changeBetween, secondsOf, summarizeCandles } from './candles.ts'
import { formatMoment } from './chart-axes.ts'

/** The figures of candles: in words, as a legend and as a table. */

/** How figures of candles are formatted. */
export interface CandleFormats {
  /** Decimals of the price axis; `price` formats the same number. */
  readonly decimals: number
  readonly price: (price: string) => string
  /** The asset of volumes. */
  readonly base: string
  /** A running total of the user: it only grows, so a change as a percentage would mislead. */
  readonly isTotal?: boolean
  /** The user hides amounts: no volume and no axis either. `price` hides the prices itself. */
  readonly isHidden?: boolean
}

const VOLUME_DECIMALS = 2

function volumeText({ volume }: Candle, { base, isHidden }: CandleFormats): string {
  if (isHidden) return `${HIDDEN_TEXT} ${base}`
  return `${formatAmount(volume, { decimals: VOLUME_DECIMALS })} ${base}`
}

/** A change as a percentage; a dash where it is unknown. */
export function changeText(change: string | undefined): string {
  return change === undefined ? '–' : formatChange(change)
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

/** A candle's volume in a column, with aligned decimals. */
export function volumeColumnText({ volume }: Candle, { isHidden }: Pick<CandleFormats, 'isHidden'> = {}): string {
  if (isHidden) return HIDDEN_TEXT
  return formatAmount(volume, { decimals: VOLUME_DECIMALS, fixed: true })
}

/**
 * The latest price and the price range of the visible candles in a sentence; empty without candles.
 *
 * @param latest the last candle of all, visible or not.
 */
export function describePriceRange(
  candles: readonly Candle[],
  latest: Candle | undefined,
  formats: CandleFormats,
): string {
  const range = summarizeCandles(candles)
  if (!range || !latest) return ''
  const words = {
    last: formats.price(latest.close),
    from: formatMoment(secondsOf(range.first)),
    to: formatMoment(secondsOf(range.last)),
    high: formats.price(range.high),
    low: formats.price(range.low),
  }
  return formats.isTotal
    ? m.chart_total_range(words)
    : m.chart_price_range({ ...words, change: changeText(range.change) })
}

/** The figures of the candle at the crosshair, or of the latest. Always two lines, so that nothing moves under a finger. */
export function CandleLegend({ candle, formats }: { candle: Candle; formats: CandleFormats }) {
  const change = formats.isTotal ? undefined : changeBetween(candle.open, candle.close)
  const tone = change?.startsWith('-') ? 'text-down' : /[1-9]/.test(change ?? '') ? 'text-up' : 'text-text'
  const prices = [
    [m.chart_open_short(), candle.open],
    [m.chart_high_short(), candle.high],
    [m.chart_low_short(), candle.low],
    [m.chart_close_short(), candle.close],
  ] as const
  return (
    <div aria-hidden="true" className="figures flex flex-col gap-1 text-label text-muted">
      <p className="flex flex-wrap justify-between gap-x-2">
        <span>{formatMoment(secondsOf(candle))}</span>
        {!formats.isTotal && <span className={tone}>{changeText(change)}</span>}
        <span>
          {m.chart_volume_short()} <span className="text-text">{volumeText(candle, formats)}</span>
        </span>
      </p>
      <p className="flex flex-wrap justify-between gap-x-1">
        {prices.map(([label, price]) => (
          <span key={label}>
            {label} <span className={tone}>{formats.price(price)}</span>
          </span>
        ))}
      </p>
    </div>
  )
}

/** The visible candles as a table, newest first, instead of the drawing. */
export function CandleTable({
  label,
  candles,
  formats,
}: {
  label: string
  candles: readonly Candle[]
  formats: CandleFormats
}) {
  const heads = [m.ui_chart_time(), m.chart_open(), m.chart_high(), m.chart_low(), m.chart_close(), m.chart_volume()]
  return (
    // A scrolling region must be reachable by keys.
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to scroll it, too.
      tabIndex={0}
      className="absolute inset-0 overflow-auto rounded-control border border-line"
    >
      <table className="figures w-full text-end text-label whitespace-nowrap">
        <thead className="sticky top-0 bg-surface text-muted">
          <tr>
            {heads.map((head) => (
              <th
                key={head}
                scope="col"
                className="px-1 py-2 align-bottom font-normal whitespace-normal first:ps-1 first:text-start last:pe-1"
              >
                {head}
                {/* On its own line: in one line it would narrow the price columns. */}
                {head === m.chart_volume() && formats.base !== '' && <span className="block">{formats.base}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {candles.toReversed().map((candle) => (
            <tr key={candle.time}>
              <th scope="row" className="py-2 ps-1 pe-1 text-start font-normal text-muted">
                <span className="sr-only">{formatMoment(secondsOf(candle))}</span>
                <span aria-hidden="true">{formatDayAndTime(candle.time)}</span>
              </th>
              <td className="px-1 last:pe-1">{formats.price(candle.open)}</td>
              <td className="px-1 last:pe-1">{formats.price(candle.high)}</td>
              <td className="px-1 last:pe-1">{formats.price(candle.low)}</td>
              <td className="px-1 last:pe-1">{formats.price(candle.close)}</td>
              <td className="px-1 last:pe-1">{volumeColumnText(candle, formats)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
