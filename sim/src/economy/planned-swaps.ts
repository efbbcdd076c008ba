import type { Command } from '@clearwell/ledger/command'
import { mulDiv } from '@clearwell/money/mul-div'
import { isTriggerReached } from '@clearwell/rules/plans'
import type { SwapPool, Swaps } from '@clearwell/server/src/domain/pools/swaps.ts'
import { createPlan, type PlanWish } from '@clearwell/server/src/features/plan/create-plan.ts'
import { type PlanRules, planConfig, planRules } from '@clearwell/server/src/features/plan/plan.config.ts'
import { planRuns, plans } from '@clearwell/server/src/features/plan/plan.tables.ts'
import { runLimit } from '@clearwell/server/src/features/plan/run-limit.ts'
import { runSchedule } from '@clearwell/server/src/features/plan/run-schedule.ts'
import { provideSwaps } from '@clearwell/server/src/features/swap/provide-swaps.ts'
import { POOLS } from './production.ts'
import { E18, type World } from './world.ts'

const POOL: SwapPool = { id: 'bnb-usdt', base: 'BNB', quote: 'USDT', symbol: 'BNBUSDT' }
const RULES: PlanRules = planRules({ plan: planConfig.shape.plan.parse(undefined) })

/** Planned swaps in the world: the commands of the server, run as its leader runs them. */
export class PlannedSwaps {
  readonly #world: World
  readonly #swaps: Swaps

  constructor(world: World) {
    this.#world = world
    this.#swaps = provideSwaps({
      store: { candles: async () => [], lastCandleBefore: async () => undefined },
      clock: { now: () => world.ledger.now },
      pools: POOLS,
      rules: world.ruled,
      guard: { bandOf: (id) => world.bandOf(id), marketOf: (id) => world.spotOf(id), spotOf: (id) => world.spotOf(id) },
      spotSymbols: new Set(['BNBUSDT']),
    })
  }

  create(
    userId: string,
    plan: { readonly inverse: boolean; readonly amount: bigint; readonly wish: PlanWish },
  ): string {
    const command = createPlan({ swaps: this.#swaps, rules: RULES }, { ...plan, userId, pool: POOL, key: undefined })
    return this.#execute(command).plan_id
  }

  /** A schedule at an hour, with the default slippage. */
  schedule(userId: string, usdt: bigint, hour: number): string {
    const times = { startsAt: undefined, endsAt: undefined, referenceE18: this.#world.spot.BNB }
    const wish = { kind: 'schedule', every: 'day', hour, slippageBps: RULES.slippageBps, ...times } as const
    return this.create(userId, { inverse: true, amount: usdt, wish })
  }

  /** Moves the clock to the moment of a schedule. */
  goToRun(planId: string): void {
    const at = this.#row(planId).next_run_at
    if (at && at > this.#world.ledger.now) this.#world.ledger.now = at
  }

  /**
   * Runs a schedule that is due. Returns what its owner lost against the spot price, less the fee, in USDT.
   *
   * @throws RangeError if the loss is above the slippage.
   */
  run(planId: string): bigint {
    const row = this.#row(planId)
    const day = row.next_day
    if (day === null) return 0n
    const due = { ...this.#due(planId), slippageBps: RULES.slippageBps, day }
    const deps = { swaps: this.#swaps, pool: POOL, rules: RULES, referenceE18: this.#world.spot.BNB }
    if (this.#execute(runSchedule(deps, due)) !== 'made') return 0n
    const run = this.#world.ledger.row(planRuns, `${planId}:${day}`)
    const fair = mulDiv(row.amount, 10_000n - this.#world.swapRules.fees.totalBps, 10_000n, 'down')
    const got = mulDiv(run?.amount_out ?? 0n, this.#world.spot.BNB, E18, 'up')
    const most = mulDiv(fair, BigInt(RULES.slippageBps), 10_000n, 'up')
    if (fair - got > most) throw new RangeError(`a schedule lost ${fair - got}, and ${most} are allowed`)
    return fair - got
  }

  /**
   * Runs the limits that the pool's price has reached, the nearest first, until none is. Returns how many commands that took.
   *
   * @throws RangeError if one was made below its price.
   */
  runLimits(): number {
    for (let commands = 0; ; commands++) {
      const reserves = this.#world.reserves(POOL.id)
      const reached = this.#world.ledger
        .rows(plans)
        .filter((row) => row.trigger_e18 !== null)
        .filter(({ trigger_e18, inverse }) => isTriggerReached({ triggerE18: trigger_e18 ?? 0n, inverse }, reserves))
        .toSorted((a, b) => Number((a.trigger_e18 ?? 0n) - (b.trigger_e18 ?? 0n)))
      const [next] = reached
      if (!next) return commands
      const priceE18 = next.price_e18 ?? 0n
      this.#execute(runLimit({ swaps: this.#swaps, pool: POOL }, { ...this.#due(next.id), priceE18 }))
      const run = this.#world.ledger.rows(planRuns).find(({ plan_id }) => plan_id === next.id)
      if (run && !next.inverse && run.amount_out * E18 < next.amount * priceE18)
        throw new RangeError('a limit was made below its price')
    }
  }

  statusOf(planId: string): string {
    return this.#row(planId).status
  }

  #row(planId: string) {
    const row = this.#world.ledger.row(plans, planId)
    if (!row) throw new RangeError(`${planId} does not exist`)
    return row
  }

  #due(planId: string) {
    const { id, user_id: userId, pool_id: poolId, inverse, amount } = this.#row(planId)
    return { id, userId, parentId: this.#world.parentOf(userId), poolId, inverse, amount }
  }

  /** Draws the moments by the world's numbers. */
  #execute<Result>(command: Command<Result>): Result {
    return this.#world.ledger.execute({
      ...command,
      decide: (state, { now, id }) =>
        command.decide(state, { now, id: (label) => (label === 'moment' ? this.#draw() : id(label)) }),
    })
  }

  #draw(): string {
    return Math.floor(this.#world.random() * 2 ** 44)
      .toString(16)
      .padStart(12, '0')
  }
}
