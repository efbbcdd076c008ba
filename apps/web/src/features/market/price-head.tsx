import { Badge } from '../../components/badge.tsx'
import { PriceChange } from '../../components/price-change.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatAmount } from '../../i18n/format.ts'
import { formatPrice } from '../../i18n/price-text.ts'
import type { CandleSource } from './candles.queries.ts'
import type { Ticker } from './market.queries.ts'
import type { Pair } from './use-pairs.ts'

const VOLUME_DECIMALS = 2
/** A volume with more whole digits is shown without decimals. */
const LONG_DIGITS = 4

/** The current price of the pool or of spot, with its 24 hours. */
export function PriceHead({
  kind,
  pair,
  ticker,
  isStale,
  decimals,
}: {
  kind: CandleSource['kind']
  pair: Pair | undefined
  ticker: Ticker | undefined
  isStale: boolean
  decimals: number
}) {
  const shown = kind === 'pool' ? pair : ticker
  if (!shown) return <Skeleton className="h-24" />
  const price = (text: string) => formatPrice(text, decimals)
  const { volume_24h: volume } = shown
  const isLarge = (volume.split('.')[0] ?? '').length > LONG_DIGITS
  const day = [
    { label: m.market_high(), value: price(shown.high_24h) },
    { label: m.market_low(), value: price(shown.low_24h) },
    {
      label: m.market_volume(),
      value: formatAmount(volume, { decimals: isLarge ? 0 : VOLUME_DECIMALS }),
      unit: pair?.base,
    },
  ]
  return (
    <section aria-label={m.market_price()} className="flex min-h-24 flex-col gap-2">
      <div className="flex flex-col">
        <span className="flex items-center gap-2 text-label text-muted">
          {kind === 'pool' ? m.market_pool_price() : m.market_spot_price()}
          {isStale && <Badge tone="warning">{kind === 'pool' ? m.ui_stale() : m.market_stale_price()}</Badge>}
        </span>
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span className="figures text-amount max-narrow:text-screen [overflow-wrap:anywhere]">
            {price(shown.price)}
          </span>
          <span>
            <PriceChange fraction={shown.change_24h} /> <span className="text-label text-muted">{m.market_24h()}</span>
          </span>
        </span>
      </div>
      <dl className="figures flex flex-wrap justify-between gap-x-3 gap-y-1 text-label">
        {day.map(({ label, value, unit }) => (
          <div key={label}>
            <dt className="text-muted">{label}</dt>
            <dd>
              {value}
              {unit && <span className="text-muted"> {unit}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
