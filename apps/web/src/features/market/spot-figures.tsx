import type { UseQueryResult } from '@tanstack/react-query'
import { useConfig } from '../../api/config.ts'
import { Badge } from '../../components/badge.tsx'
import { Section } from '../../components/card.tsx'
import { FactList } from '../../components/fact-list.tsx'
import { PriceChange } from '../../components/price-change.tsx'
import { FactsSkeleton } from '../../components/skeleton-shapes.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatTime } from '../../i18n/format-date.ts'
import { formatPrice } from '../../i18n/price-text.ts'
import type { Ticker } from './market.queries.ts'

/** The spot price, its age and its sources. */
export function SpotFigures({
  base,
  symbol,
  query,
  decimals,
}: {
  base: string
  symbol: string | null
  query: UseQueryResult<Ticker>
  decimals: number
}) {
  const ticker = query.data
  const isStale = query.isError || ticker?.stale === true
  return (
    <Section
      title={m.market_spot()}
      action={
        ticker && (isStale ? <Badge tone="warning">{m.market_stale_price()}</Badge> : <Source name={ticker.source} />)
      }
    >
      {ticker ? (
        <>
          <FactList
            facts={[
              { label: m.market_spot_price(), value: formatPrice(ticker.price, decimals) },
              { label: m.market_change(), value: <PriceChange fraction={ticker.change_24h} /> },
              { label: m.market_high(), value: formatPrice(ticker.high_24h, decimals) },
              { label: m.market_low(), value: formatPrice(ticker.low_24h, decimals) },
              { label: m.market_time(), value: formatTime(ticker.time) },
            ]}
          />
          {isStale && (
            <p className="flex flex-wrap items-center gap-2 pt-2 text-warn">
              {m.market_stale_text()} <Source name={ticker.source} />
            </p>
          )}
          <Sources sources={ticker.sources} decimals={decimals} />
        </>
      ) : symbol === null ? (
        <p className="text-muted">{m.market_no_spot({ base })}</p>
      ) : isStale ? (
        <p className="text-muted">{m.market_spot_missing()}</p>
      ) : (
        <FactsSkeleton count={5} />
      )}
    </Section>
  )
}

/** The price of each source, where there are several; the spot price is their median. */
function Sources({ sources, decimals }: { sources: Ticker['sources']; decimals: number }) {
  if (sources.length < 2) return null
  return (
    <section aria-label={m.market_sources()} className="pt-3">
      <h3 className="text-label text-muted">{m.market_sources()}</h3>
      <FactList
        facts={sources.map(({ name, price, time, stale }) => ({
          label: name,
          value: (
            <span className="flex flex-wrap items-center justify-end gap-2">
              {stale && <Badge tone="warning">{m.market_stale_price()}</Badge>}
              <span>{formatPrice(price, decimals)}</span>
              <span className="text-label text-muted">{formatTime(time)}</span>
            </span>
          ),
        }))}
      />
    </section>
  )
}

function Source({ name }: { name: string }) {
  const simulated = useConfig()?.simulated_market
  if (simulated === undefined) return null
  return <Badge>{simulated ? m.market_simulated() : m.market_source({ name })}</Badge>
}
