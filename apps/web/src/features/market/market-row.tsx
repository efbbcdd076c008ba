import { Pending } from '@clearwell/ui/components/pending.tsx'
import { PriceChange } from '@clearwell/ui/components/price-change.tsx'
import { formatChange } from '@clearwell/ui/i18n/format.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { priceStateWords } from '../../components/price-state-words.ts'
import { TokenMark } from '../../components/token-mark.tsx'
import { m } from '../../generated/messages.ts'
import { type DayPrice, poolGap, useDayPrice } from './day-price.ts'
import { DAY } from './pair.samples.ts'
import { fillsLine, Sparkline } from './sparkline.tsx'
import type { Pair } from './use-pairs.ts'

const ROW = 'flex min-h-16 items-center gap-3 py-2'
const LINE = 'h-7 w-16 shrink-0 max-magnified:hidden'
const FIGURES = 'figures flex w-24 shrink-0 flex-col items-end max-magnified:w-auto'

/** A market: its price, with the change and the line of 24 hours from the same source. */
export function MarketRow({ pair }: { pair: Pair }) {
  return <PricedRow pair={pair} day={useDayPrice(pair)} />
}

/** The row with the price of its day; `undefined` while that is read. */
export function PricedRow({ pair, day }: { pair: Pair; day: DayPrice | undefined }) {
  return (
    <Link
      to="/{-$locale}/markets/$name"
      params={(current) => ({ ...current, name: pair.symbol })}
      className={`${ROW} hover:bg-input`}
    >
      <TokenMark asset={pair.base} className="size-8 max-narrow:hidden max-magnified:hidden" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-semibold">
          {pair.base}
          <span className="font-normal text-muted"> / {pair.quote}</span>
        </span>
        <span className="figures min-h-4 text-label text-muted">{day && <Note pair={pair} day={day} />}</span>
      </span>
      {day?.prices && !fillsLine(day.prices) ? null : (
        <span className={LINE}>{day?.prices && <Sparkline prices={day.prices} change={day.change ?? '0'} />}</span>
      )}
      <span className={FIGURES}>
        {day ? (
          <Figures day={day} />
        ) : (
          <Pending>
            <Figures day={DAY} />
          </Pending>
        )}
      </span>
    </Link>
  )
}

function Figures({ day: { price, change } }: { day: DayPrice }) {
  return (
    <>
      <span>{price === null ? '—' : formatPrice(price)}</span>
      {change !== null && <PriceChange fraction={change} className="text-label" />}
    </>
  )
}

/** The state of the market in a few words; else how far the pool is from spot. */
function Note({ pair, day }: { pair: Pair; day: DayPrice }): ReactNode {
  if (pair.suspended) return <span className="text-warn">{m.market_suspended()}</span>
  const state = priceStateWords(day.state)
  if (state) return <span className="text-warn">{state}</span>
  if (day.source === 'spot') {
    const gap = poolGap(pair.price, day.price ?? '')
    return gap && m.market_pool_gap({ gap: formatChange(gap) })
  }
  // A line of fewer points would be a drawing of nothing: a sentence says how few trades there were.
  if (!day.prices || fillsLine(day.prices)) return m.market_pool_price()
  return m.market_pool_traded()
}
