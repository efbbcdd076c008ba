import type { Command } from '@clearwell/ledger/command'
import type { Writer } from '@clearwell/ledger/writer'
import { poolDepth } from '@clearwell/rules/plans'
import type { SwapPool, Swaps } from '../../domain/pools/swaps.ts'
import { type Drain, defineDrain, drainRows } from '../../platform/jobs/drain.ts'
import { createBatchPace } from '../../platform/time/batch-pace.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { armLimits, expirePlans, type FindPool } from './end-plans.ts'
import type { LimitTriggers } from './limit-triggers.ts'
import type { PlanRules } from './plan.config.ts'
import type { PlanStore } from './plan.store.ts'
import { type DueRun, type RunOutcome, runSchedule } from './run-schedule.ts'

const RUNS_EVERY_MS = 500
const LIMITS_EVERY_MS = 1_000
const ENDS_EVERY_MS = 1_000
const DEPTH_EVERY_MS = 10_000
/** Plans that one command ends or arms: each takes the writer about 0.05 ms. */
const CHANGED_AT_ONCE = 100
/** A limit is armed again when its pool became deeper by more than this part: 1 %. */
const DEEPER = 100n
/** A new leader has no prices yet. For so long, an unknown price delays a run instead of skipping it. */
const FIRST_PRICES_MS = 60_000

interface DrainDependencies {
  readonly store: PlanStore
  readonly writer: Pick<Writer, 'execute' | 'executeFirst'>
  readonly clock: Clock
  readonly swaps: () => Swaps
  readonly rules: PlanRules
  readonly findPool: FindPool
  readonly triggers: Pick<LimitTriggers, 'reload' | 'reloadAll'>
  readonly reserves: (pool: SwapPool) => ReturnType<Swaps['reserves']> | undefined
  /** When this server became the leader; `undefined` before. */
  readonly leadsSince: () => Date | undefined
}

/** The due work of planned swaps. */
export function planDrains(deps: DrainDependencies): Drain[] {
  const { store, writer, clock, findPool, triggers } = deps
  return [
    defineDrain({ name: 'plan.run-schedules', everyMs: RUNS_EVERY_MS, drain: () => runDue(deps) }),
    defineDrain({ name: 'plan.find-limits', everyMs: LIMITS_EVERY_MS, drain: () => triggers.reloadAll() }),
    defineDrain({
      name: 'plan.expire',
      everyMs: ENDS_EVERY_MS,
      drain: drainRows({
        limit: CHANGED_AT_ONCE,
        read: (limit) => store.overdue(clock.now(), limit),
        idOf: ({ id }) => id,
        act: (rows) =>
          writer.execute(
            expirePlans(
              findPool,
              rows.map(({ id }) => id),
            ),
          ),
      }),
    }),
    defineDrain({ name: 'plan.follow-depth', everyMs: DEPTH_EVERY_MS, drain: () => followDepth(deps) }),
  ]
}

/** Runs all schedules that are due, the oldest first and before waiting commands, in batches of a few milliseconds. */
async function runDue(deps: DrainDependencies): Promise<void> {
  const { store, writer, clock } = deps
  const pace = createBatchPace({ least: 8, most: 64 })
  // Each batch leaves the due runs: a row is due until its command has moved it on.
  let last: readonly DueRun[] = []
  for (;;) {
    let isDone = false
    await pace.run(async (most) => {
      const due = await store.dueRuns(clock.now(), most)
      isDone = due.length === 0 || isSame(due, last)
      if (isDone) return 0
      last = due
      await Promise.all(writer.executeFirst(await commandsFor(deps, due)))
      return due.length
    })
    if (isDone) return
  }
}

async function commandsFor(
  { clock, swaps, rules, findPool, leadsSince }: DrainDependencies,
  due: readonly DueRun[],
): Promise<Command<RunOutcome>[]> {
  const references = new Map<string, bigint | undefined>()
  for (const poolId of new Set(due.map((each) => each.poolId)))
    references.set(poolId, await swaps().referenceE18(poolId))
  const isNew = clock.now().getTime() - (leadsSince()?.getTime() ?? 0) < FIRST_PRICES_MS
  return due.flatMap((each) => {
    const referenceE18 = references.get(each.poolId)
    if (referenceE18 === undefined && isNew) return []
    return [runSchedule({ swaps: swaps(), pool: findPool(each.poolId), rules, referenceE18 }, each)]
  })
}

/** A run that a fault left due is tried at the next drain, not again in this one. */
function isSame(due: readonly DueRun[], last: readonly DueRun[]): boolean {
  return (
    due.length === last.length && due.every(({ id, day }, index) => id === last[index]?.id && day === last[index]?.day)
  )
}

/** Arms limits again whose pool became deeper, or whose fee changed: a larger pool moves less. */
async function followDepth(deps: DrainDependencies): Promise<void> {
  const { store, writer, swaps, triggers } = deps
  const { fees, pools } = swaps()
  const { totalBps } = await fees.now()
  for (const pool of pools()) {
    const reserves = deps.reserves(pool)
    if (!reserves) continue
    const depth = poolDepth(reserves)
    const wanted = { depth: depth - depth / DEEPER, feeBps: Number(totalBps), limit: CHANGED_AT_ONCE }
    let hasChanged = false
    for (;;) {
      const ids = await store.staleLimits(pool.id, wanted)
      if (ids.length > 0) await writer.execute(armLimits(swaps(), pool, ids))
      hasChanged ||= ids.length > 0
      if (ids.length < CHANGED_AT_ONCE) break
    }
    if (hasChanged) for (const inverse of [false, true]) await triggers.reload({ poolId: pool.id, inverse })
  }
}
