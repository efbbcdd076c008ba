import { parseArgs } from 'node:util'
import { auditBooks } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { addDays } from '@clearwell/rules/hong-kong-day'
import { findHubFaults } from '@clearwell/server/src/features/rich/check-hub.ts'
import { collectRt } from '@clearwell/server/src/features/rich/move-rt.ts'
import { releaseRt } from '@clearwell/server/src/features/rich/release-rt.ts'
import { formatTable } from '../../scripts/format-table.ts'
import type { Bench } from './bench.ts'
import { openHub, RULES, userOf } from './hub.ts'
import { benchHubShapes } from './hub-shapes.ts'
import { machine } from './machine.ts'
import { meansOf, type PairFigure, type PairTimes, printRatios, quantileOf } from './size-pair.ts'
import { wholeNumber } from './whole-number.ts'

/** Days that warm the code up. */
const WARM_DAYS = 10
/** Days that the peer releases: at a million accounts each takes most of a minute. */
const PEER_DAYS = 3
/** The longest time that one command may hold the writer. */
const HELD_LIMIT_MS = 20

export default {
  about:
    'calls and jobs of the upgrade hub in a line of inviters beside a flat team; a daily release of RT and a collection with few and with many accounts, beside a release that writes to each account (--small 1000, --large 1000000, --days 200)',
  run: benchRelease,
} satisfies Bench

/**
 * Measures a daily release of RT and a collection with few and with many accounts, in turn, on the server's own commands. Before,
 * the calls and jobs of the hub where all accounts are one line of inviters, and where they are a flat team.
 */
async function benchRelease(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'string', default: '1000' },
      large: { type: 'string', default: '1000000' },
      days: { type: 'string', default: '200' },
    },
  })
  const sizes = [wholeNumber('--small', values.small), wholeNumber('--large', values.large)] as const
  const days = wholeNumber('--days', values.days)
  console.log(`${machine()} PGlite in this process, with a folder. Times are processor time of its thread.`)
  await benchHubShapes(sizes[1])
  const hubs = [await openHub(sizes[0]), await openHub(sizes[1])] as const
  const release: PairTimes = [[], []]
  const collect: PairTimes = [[], []]
  const peer: PairTimes = [[], []]
  console.log(`… ${days} days`)
  for (let index = -WARM_DAYS; index < days; index++)
    for (const side of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { writer } = hubs[side]
      const released = await timeMs(() => writer.execute(releaseRt(RULES, addDays('2030-01-01', index))))
      const userId = userOf((index + WARM_DAYS) % sizes[0])
      const collected = await timeMs(() => writer.execute(collectRt(RULES, { userId, key: undefined })))
      if (index < 0) continue
      release[side].push(released)
      collect[side].push(collected)
    }
  for (const { db } of hubs) await checkBooks(db)
  console.log(`… ${PEER_DAYS} days of the peer`)
  for (let day = 0; day < PEER_DAYS; day++)
    for (const side of [0, 1] as const) peer[side].push(await timeMs(() => payEachAccount(hubs[side].db)))
  for (const hub of hubs) await hub.close()
  printTables(sizes, { release, collect, peer })
}

function printTables(
  sizes: readonly [number, number],
  { release, collect, peer }: { readonly release: PairTimes; readonly collect: PairTimes; readonly peer: PairTimes },
): void {
  const columns = [`${sizes[0]} accounts`, `${sizes[1]} accounts`] as const
  const figures: PairFigure[] = [
    // The system counts a thread's time in ticks, and a release takes less than one.
    meansOf({ what: 'release a day', times: release }),
    meansOf({ what: 'collect', times: collect }),
    { what: 'peer: add a share to each account', times: peer, hasNoLimit: true },
  ]
  printRatios('one day', columns, figures)
  const rows = Object.entries({ release, collect }).map(([what, times]) => {
    const held = times.flatMap((each) => [0.99, 1].map((part) => quantileOf(each, part)))
    return [what, ...held.map((ms) => ms.toFixed(1)), Math.max(...held) <= HELD_LIMIT_MS ? 'within' : 'beyond']
  })
  const head = columns.flatMap((size) => [`p99, ${size}`, 'longest'])
  console.log(`${formatTable([['writer held, ms', ...head, `limit ${HELD_LIMIT_MS}`], ...rows])}\n`)
}

/** The peer: a release that writes to every account instead of one sum for all of them. */
async function payEachAccount(db: Database): Promise<void> {
  await db.query('update rich_accounts set to_collect = to_collect + trunc(2::numeric ^ (star - 1))')
}

/** @throws Error if the books are wrong. */
async function checkBooks(db: Database): Promise<void> {
  const faults = [...(await auditBooks(db)), ...(await findHubFaults(db))]
  if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
}

/** Processor time of this thread, which PGlite shares: it does not grow while other processes have the processors. */
async function timeMs(run: () => Promise<unknown>): Promise<number> {
  const startedMs = processorMs()
  await run()
  return processorMs() - startedMs
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
