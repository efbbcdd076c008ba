import { PLAN_REASONS, PLAN_SKIP_REASONS, PLAN_STATUSES } from '@clearwell/api/plan.routes'
import { column, daysAfter, defineWriterTable, forever, type RowOf, type Table } from '@clearwell/ledger/table'

/** Planned swaps. A limit has a price and a trigger, a schedule an hour and its next run. */
export const plans = defineWriterTable(
  'plans',
  daysAfter('the plan ended: its runs are deleted first', {
    days: 'retention.ordersDays',
    condition: 'ended_at < $1 and not exists (select from plan_runs where plan_runs.plan_id = plans.id)',
  }),
  {
    id: column.text,
    user_id: column.user('keeps'),
    pool_id: column.text,
    inverse: column.boolean,
    /** Of the asset sold, each run. */
    amount: column.units,
    kind: column.oneOf(['limit', 'schedule']),
    price_e18: column.optional(column.units),
    /** The pool's price from which on a limit can be made whole, at the depth and the fee below. Null unless it waits. */
    trigger_e18: column.optional(column.units),
    armed_depth: column.optional(column.units),
    armed_fee_bps: column.optional(column.integer),
    every: column.optional(column.oneOf(['day', 'week', 'month'])),
    hour: column.optional(column.integer),
    slippage_bps: column.optional(column.integer),
    /** The day that gives a schedule its day of the week or of the month. */
    anchor_day: column.optional(column.day),
    /** The next run: the day that it counts for, the start of its hour, and the drawn moment, which no call shows. */
    next_day: column.optional(column.day),
    next_hour_at: column.optional(column.time),
    next_run_at: column.optional(column.time),
    ends_at: column.optional(column.time),
    status: column.oneOf(PLAN_STATUSES),
    reason: column.optional(column.oneOf(PLAN_REASONS)),
    /** Runs skipped in a row. */
    skipped: column.integer,
    last_run_at: column.optional(column.time),
    created_at: column.time,
    /** When it left the states active and paused. */
    ended_at: column.optional(column.time),
  },
)

export type PlanRow = RowOf<typeof plans>

/** Runs that were made or skipped. The id is the plan and the day: a run counts once. */
export const planRuns = defineWriterTable(
  'plan_runs',
  daysAfter('its plan ended', {
    days: 'retention.ordersDays',
    condition: 'exists (select from plans where plans.id = plan_runs.plan_id and plans.ended_at < $1)',
  }),
  {
    id: column.text,
    plan_id: column.text,
    user_id: column.user('implied'),
    day: column.day,
    status: column.oneOf(['made', 'skipped']),
    reason: column.optional(column.oneOf(PLAN_SKIP_REASONS)),
    swap_id: column.optional(column.text),
    amount_in: column.units,
    amount_out: column.units,
    created_at: column.time,
  },
  { rowsAreFinal: true },
)

export type PlanRunRow = RowOf<typeof planRuns>

export function planRunId(planId: string, day: string): string {
  return `${planId}:${day}`
}

/** How many open plans an account has. A user without a plan has no row. */
export const planOwners = defineWriterTable(
  'plan_owners',
  forever('one row for each account that ever planned a swap'),
  { id: column.user('implied'), open: column.integer },
)

export const PLAN_TABLES: readonly Table<unknown>[] = [plans, planRuns, planOwners]
