import type { PLAN_REASONS, PLAN_SKIP_REASONS } from '@clearwell/api/plan.routes'
import { m } from '../../generated/messages.ts'

/** Why a plan paused or ended, and why a run was skipped, each with what came of the funds and what to do next. */

export type PlanReason = (typeof PLAN_REASONS)[number]
export type SkipReason = (typeof PLAN_SKIP_REASONS)[number]
type Kind = 'limit' | 'schedule'

const REASONS: Readonly<Record<Exclude<PlanReason, 'user'>, (kind: Kind) => string>> = {
  three_skipped: m.plan_reason_skipped,
  balance: m.plan_reason_balance,
  not_activated: m.plan_reason_not_activated,
  date: (kind) => (kind === 'limit' ? m.plan_reason_date_limit() : m.plan_reason_date()),
  freeze: m.plan_reason_freeze,
  exit: m.plan_reason_exit,
}

const SKIP_REASONS: Readonly<Record<SkipReason, () => string>> = {
  balance: m.plan_skip_balance,
  suspended: m.plan_skip_suspended,
  price_unknown: m.plan_skip_price_unknown,
  price_deviation: m.plan_skip_price_deviation,
  slippage: m.plan_skip_slippage,
  not_activated: m.plan_skip_not_activated,
}

/** Why a plan paused or ended; `undefined` where its owner did it, or for a reason that this build does not know. */
export function reasonText({ kind, reason }: { readonly kind: Kind; readonly reason: PlanReason | null }) {
  return reason === null || reason === 'user' ? undefined : REASONS[reason]?.(kind)
}

/** Why a run was skipped. */
export function skipReasonText(reason: SkipReason): string {
  return SKIP_REASONS[reason]()
}
