import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { exactPrice } from '@clearwell/ui/i18n/price-text.ts'
import type { ReactNode } from 'react'
import { m } from '../../generated/messages.ts'
import { hourText, lastDayText, runText } from './plan-times.ts'
import type { Plan } from './plan-words.ts'
import { everyText, sidesOf, statusOf } from './plan-words.ts'

const ALL_DECIMALS = 18

interface Fact {
  readonly label: string
  readonly value: ReactNode
}

/** The terms of a plan, and where it is. */
export function planFacts(plan: Plan): Fact[] {
  const { tone, text } = statusOf(plan.status)
  return [
    { label: m.plan_status(), value: <Badge tone={tone}>{text}</Badge> },
    ...(plan.kind === 'limit' ? limitFacts(plan) : scheduleFacts(plan)),
    ...(plan.last_run ? [{ label: m.plan_last_run(), value: formatDateTime(plan.last_run) }] : []),
    { label: m.plan_created_at(), value: formatDateTime(plan.created_at) },
  ]
}

function limitFacts(plan: Plan): Fact[] {
  const { base, quote, sold } = sidesOf(plan)
  const isBuying = plan.inverse === 1
  return [
    {
      label: isBuying ? m.plan_amount_spent() : m.plan_amount_sold(),
      value: <AmountText amount={plan.amount} asset={sold} decimals={ALL_DECIMALS} />,
    },
    {
      label: isBuying ? m.plan_price_buy({ asset: base }) : m.plan_price_sell({ asset: base }),
      value: `${exactPrice(plan.price ?? '0')} ${quote}`,
    },
    ...lastDayFact(plan),
  ]
}

function scheduleFacts(plan: Plan): Fact[] {
  const { sold } = sidesOf(plan)
  return [
    {
      label: plan.inverse === 1 ? m.plan_run_spent() : m.plan_run_sold(),
      value: <AmountText amount={plan.amount} asset={sold} decimals={ALL_DECIMALS} />,
    },
    { label: m.plan_every(), value: everyText(plan.every ?? 'day') },
    { label: m.plan_hour(), value: hourText(plan.hour ?? 0) },
    ...(plan.next_at ? [{ label: m.plan_next_run(), value: runText(plan.next_at) }] : []),
    ...lastDayFact(plan),
    ...(plan.slippage ? [{ label: m.plan_slippage(), value: formatPercent(plan.slippage) }] : []),
  ]
}

function lastDayFact({ ends_at }: Plan): Fact[] {
  return ends_at ? [{ label: m.plan_last_day(), value: lastDayText(ends_at) }] : []
}
