import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDate, formatDayAndTime, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { type Trade, tradeOfOrder, useTrades } from './market.queries.ts'
import { TRADES } from './market.samples.ts'
import { SimulatedMark } from './price-head.tsx'
import type { Pair } from './use-pairs.ts'

const AMOUNT_DECIMALS = 4

/** The latest trades of a pool, by all users. */
export function LatestTrades({ pair, decimals }: { pair: Pair; decimals: number }) {
  const trades = useTrades(pair.id)
  const items: readonly Trade[] | undefined = trades.data?.items
  return (
    <Section
      title={m.market_trades()}
      action={trades.isError && items ? <Badge tone="warning">{m.ui_stale()}</Badge> : <SimulatedMark kind="pool" />}
    >
      <Loaded read={{ ...trades, data: items }} sample={TRADES}>
        {(listed) =>
          listed.length === 0 ? (
            <EmptyState icon="history" title={m.market_no_trades()} text={m.market_no_trades_text()} />
          ) : (
            <TradeTable pair={pair} trades={listed} decimals={decimals} />
          )
        }
      </Loaded>
    </Section>
  )
}

function TradeTable({ pair, trades, decimals }: { pair: Pair; trades: readonly Trade[]; decimals: number }) {
  const now = new Date()
  const { data: orders = [] } = useListCall('orders', { pool_id: pair.id })
  const own = new Set(orders.map(tradeOfOrder))
  return (
    // With large text the table scrolls instead of the page.
    <div className="-mx-4 overflow-x-auto px-4">
      <table className="figures w-full text-label">
        <thead className="text-muted">
          <tr>
            <Head className="text-start">{m.ui_chart_time()}</Head>
            <Head className="text-start">{m.market_trade_side()}</Head>
            <Head className="text-end">{m.market_trade_price({ quote: pair.quote })}</Head>
            <Head className="text-end">{m.market_trade_amount({ base: pair.base })}</Head>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {trades.map(({ id, time, side, price, amount_base }) => (
            <tr key={id}>
              <td className="py-2 text-muted">{tradeTime(time, now)}</td>
              <td className={`space-x-2 ps-2 ${side === 'buy' ? 'text-up' : 'text-down'}`}>
                {side === 'buy' ? m.market_buy() : m.market_sell()}
                {own.has(`${time} ${amount_base}`) && <Badge>{m.market_trade_own()}</Badge>}
              </td>
              <td className={`ps-2 text-end ${side === 'buy' ? 'text-up' : 'text-down'}`}>
                {formatPrice(price, decimals)}
              </td>
              <td className="ps-2 text-end" title={`${amount_base} ${pair.base}`}>
                {formatAmount(amount_base, { decimals: AMOUNT_DECIMALS, fixed: true })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head({ className, children }: { className: string; children: string }) {
  return (
    <th scope="col" className={`ps-2 pb-1 font-normal first:ps-0 ${className}`}>
      {children}
    </th>
  )
}

/** A moment in the user's time zone: the time of today, day and time of this year, else the day. */
export function tradeTime(iso: string, now: Date): string {
  const at = new Date(iso)
  if (at.toDateString() === now.toDateString()) return formatTime(iso)
  return at.getFullYear() === now.getFullYear() ? formatDayAndTime(iso) : formatDate(iso)
}
