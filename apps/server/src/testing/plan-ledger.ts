import type { Command, Plan } from '@clearwell/ledger/command'
import { E18 } from '@clearwell/money/scale'
import type { SwapPool, Swaps } from '../domain/pools/swaps.ts'
import { type CreatePlanInput, createPlan, type PlanWish } from '../features/plan/create-plan.ts'
import { type PlanRules, planConfig, planRules } from '../features/plan/plan.config.ts'
import { type PlanRow, planOwners, plans } from '../features/plan/plan.tables.ts'
import { type LimitOutcome, runLimit } from '../features/plan/run-limit.ts'
import { type RunOutcome, runSchedule } from '../features/plan/run-schedule.ts'
import { changePool } from '../features/swap/change-pool.ts'
import { provideSwaps } from '../features/swap/provide-swaps.ts'
import { swapOrders } from '../features/swap/swap.tables.ts'
import type { NoticeDraft } from '../platform/notices/notice.store.ts'
import { unsentNotices } from '../platform/notices/unsent-notices.ts'
import { BNB_POOL, RT_POOL, SWAP_RULES, SwapLedger, units } from './swap-ledger.ts'

export const POOL: SwapPool = { id: 'bnb-usdt', base: 'BNB', quote: 'USDT', symbol: 'BNBUSDT' }
export const RULES: PlanRules = planRules({ plan: planConfig.shape.plan.parse(undefined) })
/** The middle of the hour: each run's moment. */
const HALF_AN_HOUR = '0000001b7740'

/** Planned swaps on the ledger of the swaps: `trader` has 2 BNB and 490 USDT, and the pool 1,000 BNB at 600 USDT. */
export class PlanLedger extends SwapLedger {
  /** The spot price; `undefined` while it is unknown. */
  spotE18: bigint | undefined = 600n * E18
  /** The draw of each run's moment within its hour. */
  moment = HALF_AN_HOUR
  /** The pool's allowed prices. */
  band: { readonly lowE18: bigint; readonly highE18: bigint } | undefined
  readonly swaps: Swaps = provideSwaps({
    store: { candles: async () => [], lastCandleBefore: async () => undefined },
    clock: { now: () => this.now },
    pools: [BNB_POOL, RT_POOL],
    rules: SWAP_RULES,
    guard: { bandOf: () => this.band, marketOf: () => this.spotE18, spotOf: () => this.spotE18 },
    spotSymbols: new Set(['BNBUSDT']),
  })

  override plan<Result>(command: Command<Result>): Plan<Result> {
    return super.plan({
      ...command,
      decide: (state, { now, id }) =>
        command.decide(state, { now, id: (label) => (label === 'moment' ? this.moment : id(label)) }),
    })
  }

  creation(wish: PlanWish, more: Partial<Omit<CreatePlanInput, 'wish'>> = {}) {
    const input = { userId: 'trader', pool: POOL, inverse: false, amount: units('1'), key: undefined }
    return createPlan({ swaps: this.swaps, rules: RULES }, { ...input, ...more, wish })
  }

  /** Creates a plan of the trader to sell 1 BNB, where `more` says nothing else. Returns its id. */
  create(wish: PlanWish, more: Partial<Omit<CreatePlanInput, 'wish'>> = {}): string {
    return this.execute(this.creation(wish, more)).plan_id
  }

  /** The receipts of all swaps, in their order. */
  receipts() {
    return this.rows(swapOrders)
  }

  /** Suspends the pool of BNB, or lets it trade again. */
  setSuspended(isSuspended: boolean): void {
    const kind = isSuspended ? 'suspended' : 'resumed'
    this.execute(changePool({ poolId: POOL.id, kind, by: 'operator', detail: 'test' }))
  }

  rowOf(planId: string): PlanRow {
    const row = this.row(plans, planId)
    if (!row) throw new Error(`${planId} does not exist`)
    return row
  }

  openOf(userId: string): number {
    return this.row(planOwners, userId)?.open ?? 0
  }

  /** Runs a limit as the leader does once its trigger is reached. */
  runLimit(planId: string): LimitOutcome {
    const row = this.rowOf(planId)
    const due = { ...dueOf(row), priceE18: row.price_e18 ?? 0n }
    return this.execute(runLimit({ swaps: this.swaps, pool: POOL }, due))
  }

  /** Runs a schedule as the leader does at its moment, to which the clock moves. */
  runSchedule(planId: string, { day }: { day?: NonNullable<PlanRow['next_day']> } = {}): RunOutcome {
    const row = this.rowOf(planId)
    if (row.next_run_at && row.next_run_at > this.now) this.now = row.next_run_at
    const due = { ...dueOf(row), slippageBps: row.slippage_bps ?? 0, day: day ?? row.next_day ?? '2026-1-1' }
    const deps = { swaps: this.swaps, pool: POOL, rules: RULES, referenceE18: this.spotE18 }
    return this.execute(runSchedule(deps, due))
  }

  /** The notices that commands decided so far, in their order. */
  notices(): NoticeDraft[] {
    return this.rows(unsentNotices).flatMap(({ drafts }) => JSON.parse(drafts) as NoticeDraft[])
  }
}

function dueOf({ id, user_id: userId, pool_id: poolId, inverse, amount }: PlanRow) {
  return { id, userId, parentId: null, poolId, inverse, amount }
}

/** A limit at a price, until ten days from the ledger's start. */
export function limitAt(price: string, endsAt = new Date('2026-12-02T00:00:00Z')): PlanWish {
  return { kind: 'limit', priceE18: units(price), endsAt }
}

/** A daily schedule at 14:00 in Hong Kong with half a percent of slippage, where `more` says nothing else. */
export function schedule(more: Partial<Extract<PlanWish, { kind: 'schedule' }>> = {}): PlanWish {
  return {
    kind: 'schedule',
    every: 'day',
    hour: 14,
    startsAt: undefined,
    endsAt: undefined,
    slippageBps: 50,
    referenceE18: 600n * E18,
    ...more,
  }
}
