import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { formatDay } from '@clearwell/ui/i18n/format-date.ts'
import { exactPrice } from '@clearwell/ui/i18n/price-text.ts'
import { ExactAmount } from '../../components/exact-amount.tsx'
import { m } from '../../generated/messages.ts'
import { LIMIT_FORM } from './limit-form.ts'
import { PlanConfirmSheet } from './plan-confirm-sheet.tsx'
import { endOfDay } from './plan-times.ts'
import { boughtAsset, soldAsset, type Trade } from './plan-trade.ts'
import { limitWords } from './plan-words.ts'

/** The confirmation of a limit. */
export default function LimitConfirmSheet({
  plan: { trade, amount, price, least, lastDay },
  onClose,
}: {
  plan: { trade: Trade; amount: string; price: string; least: string; lastDay: HongKongDay }
  onClose: () => void
}) {
  const { pair, inverse } = trade
  const [sold, bought] = [soldAsset(trade), boughtAsset(trade)]
  const words = { ...limitWords({ amount, sold, least, bought }), day: formatDay(lastDay) }
  return (
    <PlanConfirmSheet
      title={m.plan_limit_confirm()}
      text={m.plan_limit_text(words)}
      rows={[
        { label: inverse ? m.plan_amount_spent() : m.plan_amount_sold(), value: words.amount },
        {
          label: inverse ? m.plan_price_buy({ asset: pair.base }) : m.plan_price_sell({ asset: pair.base }),
          value: `${exactPrice(price)} ${pair.quote}`,
        },
        { label: m.plan_least(), value: <ExactAmount amount={least} asset={bought} text={words.least} /> },
        { label: m.plan_last_day(), value: words.day },
      ]}
      limits={[
        m.plan_limit_nothing_locked(),
        m.plan_limit_whole(),
        inverse ? m.plan_limit_no_stop_buy() : m.plan_limit_no_stop(),
        m.plan_operator_sees(),
      ]}
      payload={{
        pool_id: pair.id,
        inverse: inverse ? 1 : 0,
        amount,
        kind: 'limit',
        price,
        ends_at: endOfDay(lastDay),
      }}
      facts={{ sold, bought }}
      form={LIMIT_FORM}
      onClose={onClose}
    />
  )
}
