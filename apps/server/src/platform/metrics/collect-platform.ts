import type { Database, PoolState } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import type { PublicClient } from 'viem'
import { readCursor } from '../custody/chain-cursors.ts'
import type { Watcher } from '../custody/watcher.ts'
import { readJobStates } from '../jobs/job.store.ts'
import type { PartState } from '../readiness.ts'
import type { Streams } from '../stream/stream.ts'
import { cached } from '../time/cached.ts'
import type { Clock } from '../time/clock.ts'
import type { Metrics, Recorder } from './metrics.ts'
import type { platformMetrics } from './platform-metrics.ts'

/** Sizes of tables change slowly. */
const SIZES_MS = 60_000

export type PlatformRecorder = Recorder<typeof platformMetrics>

/** Sets the gauges of the platform whenever the metrics are read. */
export function collectPlatform(
  {
    metrics,
    recorder,
    readiness,
  }: {
    readonly metrics: Pick<Metrics, 'onCollect'>
    readonly recorder: PlatformRecorder
    /** Each part of the server, and whether it can serve. */
    readonly readiness: () => Promise<ReadonlyMap<string, PartState>>
  },
  parts: {
    readonly db: Database
    /** The connections of the ledger's writer, where it has separate ones. */
    readonly writerDb: Database
    readonly writer: Writer
    readonly watcher: Watcher
    readonly client: Pick<PublicClient, 'getBlockNumber'>
    readonly streams: Streams
    readonly clock: Clock
    readonly chainId: number
  },
): void {
  const { db, writerDb, writer, watcher, client, streams, clock, chainId } = parts
  metrics.onCollect(() => {
    recorder.set('clearwell_writer_leader', one(writer.isWriting))
    recorder.set('clearwell_writer_queue_commands', one(writer.queueLength))
    recorder.set('clearwell_watcher_halted', one(watcher.halted !== undefined))
    recorder.set('clearwell_stream_clients', one(streams.count))
    const { lagMs } = streams
    recorder.set('clearwell_stream_lag_seconds', lagMs === undefined ? [] : one(lagMs / 1000))
    recorder.set(
      'clearwell_database_connections',
      poolsOf(db, writerDb).flatMap(({ pool, busy, idle, waiting }) => [
        { labels: { pool, state: 'busy' }, value: busy },
        { labels: { pool, state: 'idle' }, value: idle },
        { labels: { pool, state: 'waiting' }, value: waiting },
      ]),
    )
  })
  metrics.onCollect(async () => {
    const states = await readiness()
    recorder.set(
      'clearwell_ready',
      [...states].map(([part, state]) => ({ labels: { part }, value: state === 'ok' ? 1 : 0 })),
    )
  })
  metrics.onCollect(async () => {
    const cursor = writer.isWriting ? await readCursor(db, chainId) : undefined
    const ageMs = cursor && clock.now().getTime() - cursor.time.getTime()
    recorder.set('clearwell_watcher_lag_seconds', ageMs === undefined ? [] : one(Math.max(0, ageMs / 1000)))
    // Without the node the lag in blocks is unknown.
    recorder.set('clearwell_watcher_lag_blocks', [])
    const lag = cursor && Number((await client.getBlockNumber()) - cursor.number)
    if (lag !== undefined) recorder.set('clearwell_watcher_lag_blocks', one(Math.max(0, lag)))
  })
  metrics.onCollect(() => collectBreakers(db, recorder))
  metrics.onCollect(() => collectJobs(db, recorder, clock))
  const sizes = cached({ read: () => collectTables(db, recorder), maxAgeMs: SIZES_MS, clock })
  metrics.onCollect(() => sizes.get(undefined))
}

function poolsOf(db: Database, writerDb: Database): readonly PoolState[] {
  const own = writerDb === db ? [] : (writerDb.pools?.() ?? [])
  return [...(db.pools?.() ?? []), ...own.map((each) => ({ ...each, pool: `writer ${each.pool}` }))]
}

function one(value: number | boolean) {
  return [{ labels: {}, value: Number(value) }]
}

async function collectBreakers(db: Database, recorder: PlatformRecorder): Promise<void> {
  const rows = await db.query<{ id: string; is_open: boolean }>(
    'select id, stopped_at is not null as is_open from breakers order by id limit 200',
  )
  recorder.set(
    'clearwell_breaker_open',
    rows.map(({ id, is_open: isOpen }) => ({ labels: { breaker: id }, value: Number(isOpen) })),
  )
}

async function collectJobs(db: Database, recorder: PlatformRecorder, clock: Clock): Promise<void> {
  const nowMs = clock.now().getTime()
  const rows = await readJobStates(db)
  recorder.set(
    'clearwell_job_overdue_seconds',
    rows.map((row) => ({ labels: { name: row.name }, value: Math.max(0, (nowMs - row.due_at.getTime()) / 1000) })),
  )
  recorder.set(
    'clearwell_job_failures',
    rows.map(({ name, attempts }) => ({ labels: { name }, value: attempts })),
  )
}

/** Estimates that PostgreSQL keeps for its planner: reading them costs the same for a table of any size. */
async function collectTables(db: Database, recorder: PlatformRecorder): Promise<void> {
  const rows = await db.query<{ name: string; rows: number; bytes: number }>(
    `select coalesce(whole.relname, part.relname) as name, sum(greatest(part.reltuples, 0))::float8 as rows,
       sum(part.relpages::float8 * 8192) as bytes
     from pg_class part left join pg_inherits on inhrelid = part.oid left join pg_class whole on whole.oid = inhparent
     where part.relkind = 'r' and part.relnamespace = current_schema()::regnamespace
     group by 1 order by 1 limit 200`,
  )
  recorder.set(
    'clearwell_database_table_rows',
    rows.map(({ name, rows: value }) => ({ labels: { table: name }, value })),
  )
  recorder.set(
    'clearwell_database_table_bytes',
    rows.map(({ name, bytes: value }) => ({ labels: { table: name }, value })),
  )
}
