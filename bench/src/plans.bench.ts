import { parseArgs } from 'node:util'
import { auditBooks } from '@clearwell/ledger/audit'
import { createLimitTriggers } from '@clearwell/server/src/features/plan/limit-triggers.ts'
import { planConfig, planRules } from '@clearwell/server/src/features/plan/plan.config.ts'
import { createPlanStore } from '@clearwell/server/src/features/plan/plan.store.ts'
import { planDrains } from '@clearwell/server/src/features/plan/plan-drains.ts'
import { runLimit } from '@clearwell/server/src/features/plan/run-limit.ts'
import { poolAccount } from '@clearwell/server/src/platform/ledger/accounts.ts'
import { systemClock } from '@clearwell/server/src/platform/time/clock.ts'
import { formatTable } from '../../scripts/format-table.ts'
import type { Bench } from './bench.ts'
import { throwIt } from './bench-writer.ts'
import { threadCpuMs } from './cpu.ts'
import { machine } from './machine.ts'
import { openPlannedPool, type PlannedPool, TRADER } from './planned-pool.ts'
import { quantileOf } from './size-pair.ts'
import { wholeNumber } from './whole-number.ts'

const RUNS = 5
const SWAP_LIMIT = 1.05
const HELD_LIMIT_MS = 20
const E15 = 10n ** 15n

export default {
  about:
    'a swap that reaches no limit with no plans and with many, and schedules that are due together (--plans 100000, --due 1000, --swaps 2000)',
  run: benchPlans,
} satisfies Bench

/**
 * Measures a swap that reaches no limit with no plans and with many, in turn, and the runs of schedules that are due together:
 * how long one batch of them holds the writer.
 */
async function benchPlans(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      plans: { type: 'string', default: '100000' },
      due: { type: 'string', default: '1000' },
      swaps: { type: 'string', default: '2000' },
    },
  })
  const [limits, due, swaps] = [
    wholeNumber('--plans', values.plans),
    wholeNumber('--due', values.due),
    wholeNumber('--swaps', values.swaps),
  ]
  console.log(`${machine()} PGlite in this process, with a folder. Times of swaps are processor time of its thread.`)
  const pools = [
    await openPlannedPool({ limits: 0, schedules: 0 }),
    await openPlannedPool({ limits, schedules: due }),
  ] as const
  const features = [await openPlans(pools[0]), await openPlans(pools[1])] as const
  const times: [number[], number[]] = [[], []]
  for (const pool of pools) await swapMs(pool, swaps)
  for (let run = 0; run < RUNS; run++)
    for (const side of run % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      times[side].push(await swapMs(pools[side], swaps))
  const [without = 0, withPlans = 0] = times.map((each) => quantileOf(each, 0.5))
  const ratio = withPlans / without
  const verdict = ratio <= SWAP_LIMIT ? 'within' : 'beyond'
  const head = ['a swap, median µs', 'no plans', `${limits} limits`, 'ratio', `limit ${SWAP_LIMIT} ×`]
  const micros = [without, withPlans].map((ms) => ((ms / swaps) * 1_000).toFixed(1))
  console.log(`\n${formatTable([head, ['processor time', ...micros, `${ratio.toFixed(3)} ×`, verdict]])}\n`)
  await runDue(pools[1], features[1], due)
  for (const { db, writer } of pools) {
    await writer.close()
    const faults = await auditBooks(db)
    if (JSON.stringify(faults) !== '[]') console.log('books:', faults)
    await db.close()
  }
}

/** The leader's part of the feature, as its manifest wires it. */
async function openPlans({ db, writer, swaps, pool }: PlannedPool) {
  const store = createPlanStore(db)
  const reserves = ({ id, base, quote }: typeof pool) => {
    const [baseUnits, quoteUnits] = [base, quote].map((asset) => writer.committedBalance(poolAccount(id), asset))
    return baseUnits === undefined || quoteUnits === undefined ? undefined : { base: baseUnits, quote: quoteUnits }
  }
  const triggers = createLimitTriggers({
    store,
    pools: () => [pool],
    reserves: () => reserves(pool),
    readReserves: () => Promise.reject(new Error('the reserves are in memory')),
    run: (_pool, due) => writer.executeFirst(due.map((each) => runLimit({ swaps, pool }, each))),
    isLeader: () => true,
    onError: throwIt,
  })
  writer.onCommitted(triggers.check)
  await triggers.reloadAll()
  const rules = planRules({ plan: planConfig.shape.plan.parse(undefined) })
  const [schedules] = planDrains({
    store,
    writer,
    clock: systemClock,
    swaps: () => swaps,
    rules,
    findPool: () => pool,
    triggers,
    reserves: () => reserves(pool),
    leadsSince: () => undefined,
  })
  return { schedules }
}

/** Swaps there and back, and returns the processor time. */
async function swapMs({ writer, swaps, pool }: PlannedPool, count: number): Promise<number> {
  const startedMs = threadCpuMs()
  for (let from = 0; from < count; from += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const inverse = index % 2 === 0
        const amountIn = inverse ? 6_200n * E15 : 10n * E15
        return writer.execute(
          swaps.sell({ userId: TRADER, parentId: null, poolId: pool.id, inverse, amountIn, minAmountOut: 0n }),
        )
      }),
    )
  return threadCpuMs() - startedMs
}

async function runDue(
  { db, batches }: PlannedPool,
  { schedules }: Awaited<ReturnType<typeof openPlans>>,
  due: number,
): Promise<void> {
  batches.length = 0
  const startedMs = performance.now()
  await schedules?.drain()
  const tookMs = performance.now() - startedMs
  const [made] = await db.query<{ status: string; runs: number }>(
    'select status, count(*)::integer as runs from plan_runs group by status order by status',
  )
  if (made?.status !== 'made' || made.runs !== due) throw new Error(`of ${due} runs: ${JSON.stringify(made)}`)
  const held = batches.map(({ decideMs, writeMs }) => decideMs + writeMs)
  const longest = Math.max(...held)
  console.log(
    `${formatTable([
      ['runs due together', 'runs', 'in ms', 'batches', 'held p50, ms', 'longest', `limit ${HELD_LIMIT_MS}`],
      [
        'schedules',
        String(due),
        tookMs.toFixed(0),
        String(held.length),
        quantileOf(held, 0.5).toFixed(1),
        longest.toFixed(1),
        longest <= HELD_LIMIT_MS ? 'within' : 'beyond',
      ],
    ])}\n`,
  )
}
