import type { planRoutes } from '@clearwell/api/plan.routes'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import type { BadgeTone } from '@clearwell/ui/components/badge.tsx'
import { formatAmount, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { exactPrice } from '@clearwell/ui/i18n/price-text.ts'
import type * as z from 'zod/mini'
import { m } from '../../generated/messages.ts'
import { hourText, lastDayText, runText } from './plan-times.ts'

/** How plans and their runs are named on every screen, in notices and in the sheet of lost commands. */

export type Plan = z.output<typeof planRoutes.createPlan.response>
export type PlanRun = z.output<typeof planRoutes.planRuns.response>['items'][number]

const ALL_DECIMALS = 18

/** An amount to its last unit, with its asset. */
export function amountWords(amount: string, asset: string): string {
  return `${formatAmount(amount, { decimals: ALL_DECIMALS })} ${asset}`
}

/** An amount for a row or a notice, with its asset: cut where it is long, never rounded up. */
export function shortAmount(amount: string, asset: string): string {
  return `${formatAmount(amount, { decimals: significantDecimals(amount) })} ${asset}`
}

/** The amounts of a limit for its confirmation: what is sold to the last unit, and the least cut, so that it is a promise kept. */
export function limitWords({
  amount,
  sold,
  least,
  bought,
}: {
  amount: string
  sold: string
  least: string
  bought: string
}) {
  return { amount: amountWords(amount, sold), least: shortAmount(least, bought) }
}

interface Sides {
  readonly base: AssetId
  readonly quote: AssetId
  readonly sold: AssetId
  readonly bought: AssetId
}

/** The assets of a plan, by the symbol of its pair: the pool may no longer be offered. */
export function sidesOf({ symbol, inverse }: Pick<Plan, 'symbol' | 'inverse'>): Sides {
  for (const base of ASSET_IDS) {
    const quote = ASSET_IDS.find((each) => `${base}${each}` === symbol)
    if (quote) return { base, quote, sold: inverse === 1 ? quote : base, bought: inverse === 1 ? base : quote }
  }
  throw new TypeError(`${symbol} is no pair of two assets`)
}

/** The trade of a plan: `Sell 1 BNB`, `Buy BNB for 620 USDT`. */
export function tradeText(plan: Pick<Plan, 'symbol' | 'inverse' | 'amount'>): string {
  const { base, sold } = sidesOf(plan)
  const amount = shortAmount(plan.amount, sold)
  return plan.inverse === 1 ? m.plan_buy_for({ asset: base, amount }) : m.plan_sell_amount({ amount })
}

/** The facts that a command on a plan keeps for its words. */
export function factsOf({ symbol, inverse, amount }: Plan) {
  return { symbol, inverse, amount }
}

type Terms = Pick<Plan, 'kind' | 'symbol' | 'inverse' | 'price' | 'every' | 'hour'>

/** When a plan trades: at its price, or at its hour. */
export function termsText(plan: Terms): string {
  if (plan.kind === 'limit') {
    const price = `${exactPrice(plan.price ?? '0')} ${sidesOf(plan).quote}`
    return plan.inverse === 1 ? m.plan_at_most({ price }) : m.plan_at_least({ price })
  }
  return m.plan_every_at({ every: everyText(plan.every ?? 'day'), hour: hourText(plan.hour ?? 0) })
}

export function everyText(every: NonNullable<Plan['every']>): string {
  return { day: m.plan_every_day, week: m.plan_every_week, month: m.plan_every_month }[every]()
}

/** How long an active limit waits, or the next run of an active schedule. */
export function nextText({ kind, status, next_at, ends_at }: Plan): string | undefined {
  if (status !== 'active') return undefined
  if (kind === 'limit') return ends_at ? m.plan_until({ day: lastDayText(ends_at) }) : undefined
  return next_at ? m.plan_next({ time: runText(next_at) }) : undefined
}

/** The name of a status; its tone says whether there is something to do. */
export function statusOf(status: Plan['status']): { text: string; tone: BadgeTone } {
  switch (status) {
    case 'active':
      return { text: m.plan_status_active(), tone: 'pending' }
    case 'paused':
      return { text: m.plan_status_paused(), tone: 'warning' }
    case 'done':
      return { text: m.plan_status_done(), tone: 'done' }
    case 'cancelled':
      return { text: m.plan_status_cancelled(), tone: 'plain' }
    case 'expired':
      return { text: m.plan_status_expired(), tone: 'plain' }
    case 'ended':
      return { text: m.plan_status_ended(), tone: 'warning' }
  }
}

export function runStatusOf(status: PlanRun['status']): { text: string; tone: BadgeTone } {
  return status === 'made' ? { text: m.plan_run_made(), tone: 'done' } : { text: m.plan_run_skipped(), tone: 'warning' }
}
