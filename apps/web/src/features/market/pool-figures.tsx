import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { changeBetween } from '@clearwell/ui/components/chart/candles.ts'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { PriceChange } from '@clearwell/ui/components/price-change.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { m } from '../../generated/messages.ts'
import type { Ticker } from './market.queries.ts'
import { SimulatedMark } from './price-head.tsx'
import type { Pair } from './use-pairs.ts'

const RESERVE_DECIMALS = 2
/** How far from spot a swap may leave the pool (the `swap` section of the server's configuration). */
const STOP_AT = '0.1'

/** The pool's reserves, fee and price, and its distance from spot. */
export function PoolFigures({ pair, ticker, decimals }: { pair: Pair; ticker: Ticker | undefined; decimals: number }) {
  const spot = ticker?.price ?? undefined
  const gap = spot === undefined ? undefined : changeBetween(spot, pair.price)
  return (
    <Section title={m.market_pool()} action={<SimulatedMark kind="pool" />}>
      <FactList
        facts={[
          { label: m.market_pool_price(), value: formatPrice(pair.price, decimals) },
          ...(spot !== undefined && gap !== undefined
            ? [
                { label: m.market_spot_price(), value: formatPrice(spot, decimals) },
                { label: m.market_gap(), value: <PriceChange fraction={gap} /> },
              ]
            : []),
          {
            label: m.market_reserves(),
            value: (
              <span className="flex flex-col items-end">
                <AmountText
                  isPublic
                  amount={pair.reserve_base}
                  asset={pair.base}
                  decimals={RESERVE_DECIMALS}
                  className="whitespace-normal!"
                />
                <AmountText
                  isPublic
                  amount={pair.reserve_quote}
                  asset={pair.quote}
                  decimals={RESERVE_DECIMALS}
                  className="whitespace-normal!"
                />
              </span>
            ),
          },
          { label: m.market_fee(), value: formatPercent(pair.fee) },
        ]}
      />
      {gap !== undefined && <Gap fraction={gap} />}
    </Section>
  )
}

/** The pool's price between the two limits of a swap. Decorative: the figure above is the same. */
function Gap({ fraction }: { fraction: string }) {
  const limit = formatPercent(STOP_AT)
  // A position on the screen, not money.
  const position = Math.min(Math.max(50 + (Number(fraction) / Number(STOP_AT)) * 50, 0), 100)
  const isNear = Math.abs(Number(fraction)) > Number(STOP_AT) / 2
  return (
    <div className="flex flex-col gap-1 pt-2">
      <div aria-hidden="true" className="relative h-4">
        <div className="absolute inset-x-0 top-1.5 h-1 rounded-full bg-line" />
        <div className="absolute inset-y-0 left-0 w-0.5 bg-warn" />
        <div className="absolute inset-y-0 right-0 w-0.5 bg-warn" />
        <div className="absolute top-1 left-1/2 h-2 w-px bg-muted" />
        <div
          className={`absolute top-0.5 size-3 -translate-x-1/2 rounded-full ${isNear ? 'bg-warn' : 'bg-text'}`}
          style={{ left: `${position}%` }}
        />
      </div>
      <p aria-hidden="true" className="figures flex justify-between text-label text-muted">
        <span>−{limit}</span>
        <span>{m.market_spot_price()}</span>
        <span>+{limit}</span>
      </p>
      <p className="text-label text-muted">{m.market_stop_line({ limit })}</p>
    </div>
  )
}
