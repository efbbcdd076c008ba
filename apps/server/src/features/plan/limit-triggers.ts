import { isTriggerReached } from '@clearwell/rules/plans'
import type { PoolReserves } from '@clearwell/rules/swap'
import type { SwapPool } from '../../domain/pools/swaps.ts'
import type { LimitSide, PlanStore, WaitingLimit } from './plan.store.ts'
import type { LimitOutcome } from './run-limit.ts'

/** Limits that are made in one batch: with 16, a batch held the writer for up to 21 ms on a busy machine. */
const AT_ONCE = 8
/** Limits of one side that are kept in memory. */
const NEAREST = 32

export interface LimitTriggers {
  /** Compares the nearest limits with the committed prices, and runs those that are reached. Costs next to nothing otherwise. */
  check(): void
  /** Reads the nearest limits of a side again, after a plan of it has changed. */
  reload(side: LimitSide): Promise<void>
  /** Reads all sides again, also those that waited for a pool to trade, and checks. Resolves once nothing is due. */
  reloadAll(): Promise<void>
}

export interface TriggerDependencies {
  readonly store: Pick<PlanStore, 'nearestLimits'>
  readonly pools: () => readonly SwapPool[]
  /** Committed reserves, if they are in memory. */
  readonly reserves: (pool: SwapPool) => PoolReserves | undefined
  /** Reads them from the database: a new leader has none in memory. */
  readonly readReserves: (pool: SwapPool) => Promise<PoolReserves>
  /** Runs due limits before all waiting commands, in their order. One outcome each. */
  readonly run: (pool: SwapPool, due: readonly WaitingLimit[]) => readonly Promise<LimitOutcome>[]
  readonly isLeader: () => boolean
  readonly onError: (error: unknown) => void
}

interface Side extends LimitSide {
  /** The nearest first. */
  waiting: readonly WaitingLimit[]
  /** True while due limits run: their commits do not make the same ones due again. */
  isRunning: boolean
  /** The pool does not trade: one limit asks once a second, not all of them after each commit. */
  isStopped: boolean
  /** The read in progress, and the one after it, for a change that it may have missed. */
  reading: Promise<void> | undefined
  next: Promise<void> | undefined
}

/**
 * The leader's memory of the nearest limits, so that a trade touches only those that it triggers. The database stays the only
 * record: a new leader reads it, and a periodic reload finds what a lost response hid.
 */
export function createLimitTriggers(deps: TriggerDependencies): LimitTriggers {
  const sides = new Map<string, Side>()

  function sideOf(of: LimitSide): Side {
    const key = `${of.poolId} ${of.inverse}`
    const side = sides.get(key) ?? newSide(of)
    sides.set(key, side)
    return side
  }

  const poolOf = (side: Side) => deps.pools().find(({ id }) => id === side.poolId)

  /** Runs the reached limits of a side. @returns `undefined` if there are none, or they have to wait. */
  function runReached(side: Side, { asks = false, read = undefined as PoolReserves | undefined } = {}) {
    if (side.waiting.length === 0 || side.isRunning || (side.isStopped && !asks) || !deps.isLeader()) return undefined
    const pool = poolOf(side)
    if (!pool) return undefined
    const reserves = deps.reserves(pool) ?? read
    if (!reserves) return undefined
    const reached = takeReached(side, reserves)
    if (reached.length === 0) return undefined
    side.isRunning = true
    return finish(side, deps.run(pool, reached))
  }

  async function finish(side: Side, outcomes: readonly Promise<LimitOutcome>[]): Promise<void> {
    const results = await Promise.allSettled(outcomes)
    for (const result of results) if (result.status === 'rejected') deps.onError(result.reason)
    side.isStopped = results.some((result) => result.status === 'rejected' || result.value === 'waits')
    side.isRunning = false
  }

  /** Reads a side and runs what is due, until nothing is. */
  async function settle(side: Side, { asks = false } = {}): Promise<void> {
    let mayAsk = asks
    for (;;) {
      // Those that are known come first: a read would let waiting commands overtake them.
      for (let known = runReached(side); known; known = runReached(side)) await known
      await readSide(deps.store, side)
      const pool = poolOf(side)
      const isUnknown = pool && side.waiting.length > 0 && !deps.reserves(pool)
      const run = runReached(side, { asks: mayAsk, read: isUnknown ? await deps.readReserves(pool) : undefined })
      if (!run) return
      await run
      mayAsk = false
    }
  }

  return {
    check() {
      for (const side of sides.values()) {
        const run = runReached(side)
        if (run) void run.then(() => settle(side)).catch(deps.onError)
      }
    },
    reload: (side) => settle(sideOf(side)),
    async reloadAll() {
      const all = deps.pools().flatMap(({ id }) => [false, true].map((inverse) => sideOf({ poolId: id, inverse })))
      await Promise.all(all.map((side) => settle(side, { asks: true })))
    },
  }
}

function newSide({ poolId, inverse }: LimitSide): Side {
  return {
    poolId,
    inverse,
    waiting: [],
    isRunning: false,
    isStopped: false,
    reading: undefined,
    next: undefined,
  }
}

/** Takes the reached limits out of a side's memory; only one while its pool may not trade. */
function takeReached(side: Side, reserves: PoolReserves): readonly WaitingLimit[] {
  const reached: WaitingLimit[] = []
  for (const each of side.waiting) {
    if (!isTriggerReached(each, reserves) || reached.length >= (side.isStopped ? 1 : AT_ONCE)) break
    reached.push(each)
  }
  side.waiting = side.waiting.slice(reached.length)
  return reached
}

/** Reads a side's nearest limits. A read that is asked for while one is in progress is done once more after it. */
function readSide(store: TriggerDependencies['store'], side: Side): Promise<void> {
  const again = () => {
    side.next = undefined
    return readSide(store, side)
  }
  if (side.reading) {
    side.next ??= side.reading.then(again, again)
    return side.next
  }
  side.reading = store
    .nearestLimits(side, NEAREST)
    .then((limits) => {
      side.waiting = limits
    })
    .finally(() => {
      side.reading = undefined
    })
  return side.reading
}
