import { PerformanceObserver } from 'node:perf_hooks'
import type { Database } from '@clearwell/ledger/database'
import { migrate } from '@clearwell/ledger/migrate'
import { Writer, type WrittenBatch } from '@clearwell/ledger/writer'
import { createLendingStore } from '@clearwell/server/src/domain/lending/lending.store.ts'
import { createLendingParameters } from '@clearwell/server/src/domain/lending/lending-parameters.ts'
import { stakeConfig } from '@clearwell/server/src/domain/lending/stake-config.ts'
import { storeFirstParameters } from '@clearwell/server/src/features/stake/announce-parameters.ts'
import { loanDrain } from '@clearwell/server/src/features/stake/loan-drain.ts'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { createNotices } from '@clearwell/server/src/platform/notices/notices.ts'
import { AccountFollower } from '@clearwell/server/src/platform/stream/account-follower.ts'
import { eventFrame } from '@clearwell/server/src/platform/stream/frame.ts'
import { createLedgerFeed } from '@clearwell/server/src/platform/stream/ledger-feed.ts'
import { Listener, type Wire } from '@clearwell/server/src/platform/stream/listener.ts'
import { systemClock } from '@clearwell/server/src/platform/time/clock.ts'
import { repeat } from '@clearwell/server/src/platform/time/repeat.ts'
import { throwIt } from './bench-writer.ts'
import { exactCpuMs, threadCpuMs } from './cpu.ts'

/** In how many milliseconds all orders fall due. */
const MINUTE_MS = 60_000
/** From the first look to the first order that falls due. */
const LEAD_MS = 3_000
const USERS = 1_000

/** Milliseconds of processor time. */
export interface HoldWork {
  readonly threadMs: number
  /** 0 for a database in this process. */
  readonly connectionsMs: number
}

/** Milliseconds. */
export interface DueFigures {
  /** From the moment of an order to its notice on its owner's stream, one for each order. */
  readonly lateMs: readonly number[]
  /** How long each batch held the writer, from loading its state to its commit: processor time of this thread on PGlite. */
  readonly holdMs: readonly number[]
  /** How much of each hold passed before its first statement of writing: to load state and to decide. */
  readonly decideMs: readonly number[]
  /**
   * Processor time of each hold: of this thread and of the database's connections, without waits for a processor or a disk. Those
   * depend on the other work of the machine. NaN where the system does not report it.
   */
  readonly work: readonly HoldWork[]
  /** How much of each hold the garbage collector stopped this thread for. */
  readonly collectedMs: readonly number[]
  /** Processor time of this process for one order, from its search to its stream. PGlite runs in this process. */
  readonly processorMs: number
}

/** Lets many orders fall due within one minute, on the server's own desk, writer, notices and streams. */
export async function measureDueLoans(db: Database, loans: number): Promise<DueFigures> {
  await migrate(db, MIGRATION_FOLDERS)
  const batches: (WrittenBatch & { readonly endMs: number; readonly work: HoldWork })[] = []
  const work = observeWork(db)
  const writer = await openMeasuredWriter(db, {
    onTime: work.mark,
    onBatch: (batch) => batches.push({ ...batch, endMs: performance.now(), work: work.last() }),
  })
  const first = stakeConfig.shape.stake.parse(undefined)
  await writer.execute(storeFirstParameters(first))
  const firstMs = await addDueLoans(db, loans)
  const late = new Map<string, number>()
  const publish = await openAccountStreams((orderId) =>
    late.set(orderId, Date.now() - momentOf(orderId, firstMs, loans)),
  )
  const notices = createNotices({ db, publish, onError: throwIt })
  const parameters = createLendingParameters({ db, clock: systemClock, first })
  const moneyPrices = { price: async () => ({ state: 'unknown', lastE18: undefined, time: undefined }) as const }
  const store = createLendingStore(db)
  const { drain, everyMs } = loanDrain({ store, writer, clock: systemClock, moneyPrices, notices, parameters })
  const timer = repeat({ run: drain, everyMs, onError: throwIt })
  await notices.start()
  batches.length = 0
  const collections = observeCollections()
  const startedMs = processorMs()
  timer.start()
  const endMs = firstMs + MINUTE_MS * 4
  while (late.size < loans && Date.now() < endMs) {
    await work.findConnections()
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const processor = (processorMs() - startedMs) / loans
  await timer.stop()
  await notices.stop()
  await writer.close()
  collections.stop()
  await expectAllNotified(db, loans, late.size)
  return {
    lateMs: [...late.values()],
    decideMs: batches.map(({ decideMs }) => decideMs),
    holdMs: batches.map(({ decideMs, writeMs }) => decideMs + writeMs),
    work: batches.map(({ work }) => work),
    collectedMs: batches.map(({ decideMs, writeMs, endMs }) => collections.withinMs(endMs - decideMs - writeMs, endMs)),
    processorMs: processor,
  }
}

/**
 * Notes the processor time at each moment that the writer takes. It takes three of a batch: at its start, before it writes and
 * after its commit. The drain waits for each of its commands, so batches do not overlap.
 */
function observeWork(db: Database) {
  let connections: readonly number[] = []
  let marks: { readonly threadMs: number; readonly connectionsMs: ReadonlyMap<number, number> }[] = []
  return {
    /** The connections of this process: they open as they are needed. */
    async findConnections() {
      if (db.kind === 'pglite') return
      const rows = await db.query<{ pid: number }>(
        'select pid from pg_stat_activity where datname = current_database()',
      )
      connections = rows.map(({ pid }) => pid)
    },
    mark() {
      const connectionsMs = new Map(connections.map((pid) => [pid, exactCpuMs(pid)]))
      marks = [...marks, { threadMs: exactCpuMs('thread'), connectionsMs }].slice(-3)
    },
    last(): HoldWork {
      const [first, last] = [marks[0], marks.at(-1)]
      // A connection that was found or has ended in between is not counted.
      const ofConnections = [...(last?.connectionsMs ?? [])].map(
        ([pid, ms]) => ms - (first?.connectionsMs.get(pid) ?? ms),
      )
      return {
        threadMs: (last?.threadMs ?? 0) - (first?.threadMs ?? 0),
        connectionsMs: ofConnections.filter((ms) => ms > 0).reduce((sum, ms) => sum + ms, 0),
      }
    },
  }
}

/** Notes when the garbage collector stops this thread. */
function observeCollections() {
  const pauses: { readonly startMs: number; readonly endMs: number }[] = []
  const note = (entries: readonly { readonly startTime: number; readonly duration: number }[]) => {
    for (const { startTime, duration } of entries) pauses.push({ startMs: startTime, endMs: startTime + duration })
  }
  const observer = new PerformanceObserver((list) => note(list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  return {
    stop() {
      note(observer.takeRecords())
      observer.disconnect()
    },
    withinMs: (fromMs: number, toMs: number) =>
      pauses.reduce(
        (sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, toMs) - Math.max(startMs, fromMs)),
        0,
      ),
  }
}

/** Opens a stream for each user. @returns what publishes to them. @param onNotice called when a notice reaches a stream. */
async function openAccountStreams(onNotice: (orderId: string) => void) {
  const times = { pollMs: MINUTE_MS, gapMs: MINUTE_MS, failingMs: MINUTE_MS }
  const feed = createLedgerFeed({
    store: { tip: async () => 0n, userPostings: async () => [] },
    times,
    onError: throwIt,
  })
  const write = (frame: Buffer) => {
    for (const [, id] of frame.toString().matchAll(/"order_id":"([^"]+)"/g)) onNotice(id as string)
    return true
  }
  const wire = { write, writableLength: 0, writableNeedDrain: false } as unknown as Wire
  for (let user = 0; user < USERS; user++) {
    const follower = new AccountFollower(new Listener(wire, [], () => undefined), () => {})
    follower.begin({ seq: await feed.follow(userOf(user), follower), missed: [] })
  }
  feed.stop()
  return (userId: string, { name, data }: { readonly name: string; readonly data: unknown }) =>
    feed.publish(userId, eventFrame(name, JSON.stringify(data)))
}

/** @throws Error unless each order has one notice, on the stream and in the table, and can be cleared. */
async function expectAllNotified(db: Database, loans: number, onStream: number): Promise<void> {
  const [found] = await db.query<{ stored: number; cleared: number }>(
    `select (select count(*)::integer from notices where kind = 'loan_to_be_cleared') as stored,
       (select count(*)::integer from loans where status = 0) as cleared`,
  )
  if (onStream !== loans || found?.stored !== loans || found.cleared !== loans)
    throw new Error(`of ${loans} orders, ${onStream} were on the stream: ${JSON.stringify(found)}`)
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function userOf(index: number): string {
  return `0x${index.toString(16).padStart(40, '0')}`
}

function openMeasuredWriter(
  db: Database,
  { onTime, onBatch }: { onTime(): void; onBatch(batch: WrittenBatch): void },
): Promise<Writer> {
  // A database in this process shares its thread. Time by the clock would count what else the machine does.
  const nowMs = db.kind === 'pglite' ? threadCpuMs : () => performance.now()
  return Writer.open({
    db,
    clock: systemClock,
    randomId: () => 'bench'.repeat(8),
    holder: 'bench',
    leaseTtlMs: 60_000,
    exclusive: true,
    measure: {
      nowMs() {
        onTime()
        return nowMs()
      },
      onBatch,
    },
    onError: throwIt,
  })
}

function momentOf(orderId: string, firstMs: number, loans: number): number {
  return firstMs + (Number(orderId.slice('loan-'.length)) * MINUTE_MS) / loans
}

/** @returns the moment of the first order. */
async function addDueLoans(db: Database, loans: number): Promise<number> {
  await db.query(
    `insert into users select '0x' || lpad(to_hex(number), 40, '0'), 'bench' || number, null, '', now()
     from generate_series(0, ${USERS - 1}) as number`,
  )
  const firstMs = Date.now() + LEAD_MS + loans / 2
  await db.query(
    `insert into loans (id, user_id, status, collateral_asset, collateral, borrow_asset, borrowed, principal, debt_shares,
       term_days, created_at, repayment_time, status_at, clear_ratio, watch_until, warned, reminded, is_announced)
     select 'loan-' || n, '0x' || lpad(to_hex(n % ${USERS}), 40, '0'), 2, 'BNB', 1e18, 'USDT', 1e20, 1e20, 1e20, 30,
       now() - interval '30 days', due, now(), 1, due, 0, 3, true
     from generate_series(0, $1::integer - 1) n
     cross join lateral (select $2::timestamptz + n * interval '1 millisecond' * $3::float8) as moment (due)`,
    [loans, new Date(firstMs), MINUTE_MS / loans],
  )
  await db.script('vacuum analyze loans')
  if (Date.now() > firstMs) throw new Error('the orders took longer to add than expected')
  return firstMs
}
