import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { formatDay } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import { PlanConfirmSheet } from './plan-confirm-sheet.tsx'
import { endOfDay, hourText, runText, startOfDay } from './plan-times.ts'
import { boughtAsset, soldAsset, type Trade } from './plan-trade.ts'
import { amountWords, everyText } from './plan-words.ts'
import { SCHEDULE_FORM, type Times } from './schedule-form.ts'

/** The confirmation of a schedule. */
export default function ScheduleConfirmSheet({
  plan: { trade, amount, times, slippage, firstRun, maxSkipped },
  onClose,
}: {
  plan: { trade: Trade; amount: string; times: Times; slippage: string; firstRun: string; maxSkipped: number }
  onClose: () => void
}) {
  const { pair, inverse } = trade
  const [sold, bought] = [soldAsset(trade), boughtAsset(trade)]
  const { every, hour, firstDay, lastDay } = times
  const amountText = amountWords(amount, sold)
  const words = { amount: amountText, asset: bought, every: everyText(every), hour: hourText(hour) }
  const percent = formatPercent(slippage)
  return (
    <PlanConfirmSheet
      title={m.plan_schedule_confirm()}
      text={inverse ? m.plan_schedule_text_buy(words) : m.plan_schedule_text_sell(words)}
      rows={[
        { label: inverse ? m.plan_run_spent() : m.plan_run_sold(), value: amountText },
        { label: m.plan_every(), value: everyText(every) },
        { label: m.plan_hour(), value: hourText(hour) },
        { label: m.plan_first_run(), value: runText(firstRun) },
        { label: m.plan_last_day(), value: lastDay === undefined ? m.plan_end_open() : formatDay(lastDay) },
        { label: m.plan_slippage(), value: percent },
      ]}
      limits={[
        m.plan_schedule_nothing_locked(),
        pair.spot_symbol === null ? m.plan_schedule_mean({ percent }) : m.plan_schedule_spot({ percent }),
        m.plan_schedule_skips({ n: maxSkipped }),
        m.plan_schedule_outage(),
        ...(every === 'month' && Number(firstDay.slice(8)) > 28 ? [m.plan_schedule_short_month()] : []),
        m.plan_schedule_moment(),
        m.plan_operator_sees(),
      ]}
      payload={{
        pool_id: pair.id,
        inverse: inverse ? 1 : 0,
        amount,
        kind: 'schedule',
        every,
        hour,
        starts_at: startOfDay(firstDay),
        ...(lastDay === undefined ? {} : { ends_at: endOfDay(lastDay) }),
        slippage,
      }}
      facts={{ sold, bought }}
      form={SCHEDULE_FORM}
      onClose={onClose}
    />
  )
}
