import { m } from '../../generated/paraglide/messages.js'
import { formatDayAndTime } from '../../i18n/format.ts'
import { type CandleFormats, volumeColumnText } from './candle-text.ts'
import { type Candle, secondsOf } from './candles.ts'
import { formatMoment } from './time-axis.ts'

/** The candles in sight as a table, the newest first, in the place of their drawing. */
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
    // It scrolls, so it can be reached by keys.
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrolled by keys, too.
      tabIndex={0}
      className="absolute inset-0 overflow-auto rounded-control border border-line"
    >
      <table className="figures w-full text-end text-label whitespace-nowrap">
        <thead className="sticky top-0 bg-raised text-muted">
          <tr>
            {heads.map((head) => (
              <th
                key={head}
                scope="col"
                className="px-0.5 py-1.5 align-bottom font-normal whitespace-normal first:ps-1 first:text-start last:pe-1"
              >
                {head}
                {/* On a line of its own: in one line it would take the room from between the prices. */}
                {head === m.chart_volume() && formats.base !== '' && <span className="block">{formats.base}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {candles.toReversed().map((candle) => (
            <tr key={candle.time}>
              <th scope="row" className="py-1.5 ps-1 pe-0.5 text-start font-normal text-muted">
                <span className="sr-only">{formatMoment(secondsOf(candle))}</span>
                <span aria-hidden="true">{formatDayAndTime(candle.time)}</span>
              </th>
              <td className="px-0.5 last:pe-1">{formats.price(candle.open)}</td>
              <td className="px-0.5 last:pe-1">{formats.price(candle.high)}</td>
              <td className="px-0.5 last:pe-1">{formats.price(candle.low)}</td>
              <td className="px-0.5 last:pe-1">{formats.price(candle.close)}</td>
              <td className="px-0.5 last:pe-1">{volumeColumnText(candle)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
