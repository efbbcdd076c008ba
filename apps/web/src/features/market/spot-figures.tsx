import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { PriceChange } from '@clearwell/ui/components/price-change.tsx'
import { formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { useConfig } from '../../api/config.ts'
import { PriceStateBadge, PriceStateText } from '../../components/price-state.tsx'
import { m } from '../../generated/messages.ts'
import { spotState, type Ticker } from './market.queries.ts'
import { SPOT } from './market.samples.ts'

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
  const state = spotState(query)
  return (
    <Section
      title={m.market_spot()}
      action={
        ticker && (state === 'fresh' ? <Source name={ticker.source} /> : state && <PriceStateBadge state={state} />)
      }
    >
      {ticker ? (
        <>
          <Facts ticker={ticker} decimals={decimals} />
          {state && state !== 'fresh' && (
            <div className="flex flex-col gap-2 pt-2">
              <PriceStateText state={state} />
              {ticker.source !== '' && <Source name={ticker.source} />}
            </div>
          )}
          <Sources sources={ticker.sources} decimals={decimals} />
        </>
      ) : symbol === null ? (
        <p className="text-muted">{m.market_no_spot({ base })}</p>
      ) : query.isError ? (
        <p className="text-muted">{m.market_spot_missing()}</p>
      ) : (
        <Pending>
          <Facts ticker={SPOT} decimals={decimals} />
        </Pending>
      )}
    </Section>
  )
}

function Facts({ ticker, decimals }: { ticker: Ticker; decimals: number }) {
  return (
    <FactList
      facts={[
        {
          label: m.market_spot_price(),
          value: ticker.price === null ? m.ui_price_unknown() : formatPrice(ticker.price, decimals),
        },
        ...(ticker.change_24h === null
          ? []
          : [{ label: m.market_change(), value: <PriceChange fraction={ticker.change_24h} /> }]),
        ...dayFacts(ticker, decimals),
        ...(ticker.time === null ? [] : [{ label: m.market_time(), value: formatTime(ticker.time) }]),
      ]}
    />
  )
}

/** The highest and lowest price of 24 hours, where they are known. */
function dayFacts({ high_24h: high, low_24h: low }: Ticker, decimals: number) {
  if (high === null || low === null) return []
  return [
    { label: m.market_high(), value: formatPrice(high, decimals) },
    { label: m.market_low(), value: formatPrice(low, decimals) },
  ]
}

/** The price of each source, where there are several; the spot price is half-way between them. */
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
