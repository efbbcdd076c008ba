import type { Database } from '@clearwell/ledger/database'
import { type Cursor, cursorParams, olderThan } from '../../platform/database/page.ts'
import { type PlanRow, type PlanRunRow, planRuns, plans } from './plan.tables.ts'
import type { DueLimit } from './run-limit.ts'
import type { DueRun } from './run-schedule.ts'

/** A limit that waits, and its trigger at 10^18. */
export interface WaitingLimit extends DueLimit {
  readonly triggerE18: bigint
}

/** The limits of one pool that sell the same asset. */
export interface LimitSide {
  readonly poolId: string
  readonly inverse: boolean
}

const DUE = `plans.id, user_id as "userId", parent_id as "parentId", pool_id as "poolId", inverse, amount`

/** The only SQL on planned swaps. What users ask for has the owner in its `where`. */
export function createPlanStore(db: Database) {
  return { ...readsOfOwner(db), ...readsOfLeader(db) }
}

export type PlanStore = ReturnType<typeof createPlanStore>

function readsOfOwner(db: Database) {
  return {
    plan: async (userId: string, id: string) =>
      (await db.query<PlanRow>(`select ${plans.columns} from plans where id = $1 and user_id = $2`, [id, userId]))[0],
    plans: (userId: string, status: string | undefined, after: Cursor | undefined, limit: number) =>
      db.query<PlanRow>(
        `select ${plans.columns} from plans
         where user_id = $1 and ${olderThan('$2', '$3')} ${status === undefined ? '' : 'and status = $5'}
         order by created_at desc, id desc limit $4`,
        [userId, ...cursorParams(after), limit, ...(status === undefined ? [] : [status])],
      ),
    runs: (userId: string, planId: string, after: Cursor | undefined, limit: number) =>
      db.query<PlanRunRow>(
        `select ${planRuns.columns} from plan_runs where plan_id = $1 and user_id = $2 and ${olderThan('$3', '$4')}
         order by created_at desc, id desc limit $5`,
        [planId, userId, ...cursorParams(after), limit],
      ),
    openIds: async (userId: string, limit: number) =>
      (
        await db.query<{ id: string }>(
          `select id from plans where user_id = $1 and status in ('active', 'paused') order by created_at, id limit $2`,
          [userId, limit],
        )
      ).map(({ id }) => id),
  }
}

function readsOfLeader(db: Database) {
  return {
    /** The waiting limits of a side that the price reaches first, the oldest first at one price. */
    nearestLimits: ({ poolId, inverse }: LimitSide, limit: number) =>
      db.query<WaitingLimit>(
        `select ${DUE}, price_e18 as "priceE18", trigger_e18 as "triggerE18"
         from (
           select * from plans where pool_id = $1 and inverse = $2 and trigger_e18 is not null
           order by trigger_e18 ${inverse ? 'desc' : 'asc'}, created_at, id limit $3
         ) plans join users on users.id = user_id
         order by trigger_e18 ${inverse ? 'desc' : 'asc'}, plans.created_at, plans.id`,
        [poolId, inverse, limit],
      ),
    /** The runs of schedules whose moment has come, the oldest first. */
    dueRuns: (now: Date, limit: number) =>
      db.query<DueRun>(
        `select ${DUE}, slippage_bps as "slippageBps", next_day as day
         from (select * from plans where next_run_at <= $1 order by next_run_at, id limit $2) plans
         join users on users.id = user_id order by next_run_at, plans.id`,
        [now, limit],
      ),
    overdue: (now: Date, limit: number) =>
      db.query<{ id: string }>(
        `select id from plans where status in ('active', 'paused') and ends_at <= $1
         and (kind = 'limit' or status = 'paused') order by ends_at limit $2`,
        [now, limit],
      ),
    /** Waiting limits that were armed at another fee, or while the pool was shallower than `depth`. */
    staleLimits: async (poolId: string, { depth, feeBps, limit }: { depth: bigint; feeBps: number; limit: number }) =>
      (
        await db.query<{ id: string }>(
          `(select id from plans where pool_id = $1 and trigger_e18 is not null and armed_fee_bps = $3 and armed_depth < $2 limit $4)
           union all (select id from plans where pool_id = $1 and trigger_e18 is not null and armed_fee_bps < $3 limit $4)
           union all (select id from plans where pool_id = $1 and trigger_e18 is not null and armed_fee_bps > $3 limit $4)
           limit $4`,
          [poolId, depth, feeBps, limit],
        )
      ).map(({ id }) => id),
    /** The active schedules whose next hour opens before a time: for the stops of the local clock. */
    schedulesBefore: (time: Date, limit: number) =>
      db.query<PlanRow>(
        `select ${plans.columns} from plans where next_run_at is not null and next_hour_at < $1 order by next_run_at limit $2`,
        [time, limit],
      ),
  }
}
