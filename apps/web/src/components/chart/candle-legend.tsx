import { m } from '../../generated/paraglide/messages.js'
import { type CandleFormats, changeText, changeWithin, volumeText } from './candle-text.ts'
import { type Candle, secondsOf } from './candles.ts'
import { formatMoment } from './time-axis.ts'

/** The figures of the candle at the crosshair, or of the latest. Always two lines, so that nothing moves under a finger. */
export function CandleLegend({ candle, formats }: { candle: Candle; formats: CandleFormats }) {
  const change = changeWithin(candle)
  const tone = change?.startsWith('-') ? 'text-down' : /[1-9]/.test(change ?? '') ? 'text-up' : 'text-text'
  const prices = [
    [m.chart_open_short(), candle.open],
    [m.chart_high_short(), candle.high],
    [m.chart_low_short(), candle.low],
    [m.chart_close_short(), candle.close],
  ] as const
  return (
    <div aria-hidden="true" className="figures flex flex-col gap-0.5 text-label text-muted">
      <p className="flex flex-wrap justify-between gap-x-2">
        <span>{formatMoment(secondsOf(candle))}</span>
        <span className={tone}>{changeText(change)}</span>
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
