import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Database } from '@clearwell/ledger/database'
import { migrate } from '@clearwell/ledger/migrate'
import { addPartitions } from '@clearwell/ledger/partitions'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { formatTable } from '../../scripts/format-table.ts'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import { runCommand } from '../../scripts/run-command.ts'
import type { Bench } from './bench.ts'
import { endLater } from './clean-up.ts'
import { fillPartition } from './fill-partition.ts'
import { machine } from './machine.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { openNewDatabase, quantileOf } from './size-pair.ts'
import { type BenchUser, makeUsers } from './users.ts'
import { wholeNumber } from './whole-number.ts'

const root = join(import.meta.dirname, '../..')
const USERS = 4
const DAY_MS = 86_400_000
/** Older than the youngest entry that can be detached. */
const AGE_MS = 420 * DAY_MS
const [POLL_MS, READERS_MS, QUIET_MS, FILL_MS] = [500, 1_800_000, 10_000, 600_000]

export default {
  about:
    'a full partition is written to an archive, checked and detached by the operator’s commands, while users swap (--entries 200000)',
  run: benchArchive,
} satisfies Bench

/** Times the commands that detach a partition, and the swaps meanwhile beside swaps without. */
async function benchArchive(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { entries: { type: 'string', default: '200000' } } })
  const size = wholeNumber('--entries', values.entries)
  if (!findPostgres()) throw new Error(HOW_TO_GET_POSTGRES)
  console.log(`${machine()} Clients, server, commands and database share the machine.`)
  const postgres = await startPostgres({ fsync: true, settings: { max_wal_size: '4GB', shared_buffers: '512MB' } })
  endLater(postgres.stop)
  const site = await openSite(postgres.url, size)
  const path = join(dirname(site.server.dataDir), `archive-${size}.jsonl`)
  endLater(() => rm(path, { force: true }))
  const operator = (...words: string[]) => time(['run', '--silent', 'operator', '--', 'archive', ...words], site.url)
  const rows: string[][] = [['command', 'seconds']]
  const step = async (name: string, run: () => Promise<number>) => rows.push([name, (await run()).toFixed(1)])
  await step('archive list', () => operator('list'))
  await step('archive: write and check', () => operator('1', path))
  await step('clearwell-verify archive', () => time(['exec', '--', 'clearwell-verify', 'archive', path], site.url))
  await step('archive detach, without --execute', () => operator('detach', '1', path))
  const quiet = await swapUntil(site, new Promise((resolve) => setTimeout(resolve, QUIET_MS)))
  let busy: number[] = []
  await step('archive detach --execute', async () => {
    const dropped = operator('detach', '1', path, '--execute')
    busy = await swapUntil(site, dropped)
    return dropped
  })
  await step('audit', () => time(['run', '--silent', 'operator', '--', 'audit'], site.url))
  await step('archive attach --execute', () => operator('attach', path, '--execute'))
  console.log(`\n${size} entries, ${((await stat(path)).size / 1e6).toFixed(0)} MB\n${formatTable(rows)}`)
  const figures = [quiet, busy].map((times) => [0.5, 0.99, 1].map((part) => quantileOf(times, part).toFixed(0)))
  const head = ['swaps by 4 clients, ms', 'p50', 'p99', 'longest']
  console.log(
    `\n${formatTable([head, ['without other work', ...(figures[0] ?? [])], ['during the detach', ...(figures[1] ?? [])]])}`,
  )
}

interface Site {
  readonly url: string
  readonly db: Database
  readonly server: ServerProcess
  readonly users: readonly BenchUser[]
}

/** A server whose ledger has one full partition, older than a year, that everything has read. */
async function openSite(postgres: string, size: number): Promise<Site> {
  const db = await openNewDatabase(postgres, 'archive')
  endLater(() => db.close())
  await migrate(db, MIGRATION_FOLDERS)
  await makeSmaller(db, size)
  const url = new URL(postgres)
  url.pathname = '/archive'
  const first = await startServerProcess({ DATABASE_URL: url.href })
  const users = await makeUsers(first.url, USERS)
  await first.stop()
  console.log(`… filling ${size} entries`)
  const startedMs = performance.now()
  const filling = await openPostgresDatabase(url.href, { maxConnections: 1, maxQueryMs: FILL_MS })
  const last = BigInt(size - 1)
  await fillPartition(filling, { last, users: users.map(({ id }) => id), firstAt: new Date(Date.now() - AGE_MS) })
  await filling.close()
  console.log(`… filled in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`)
  const server = await startServerProcess({ DATABASE_URL: url.href, DATA_DIR: first.dataDir })
  const site = { url: url.href, db, server, users }
  await swapUntil(site, everyoneHasRead(db, last))
  return site
}

/** The first partition of a new ledger has as few entries as the bench wants. */
async function makeSmaller(db: Database, size: number): Promise<void> {
  const tables = await db.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent in ('entries'::regclass, 'owner_postings'::regclass)`,
  )
  await db.script(`drop table ${tables.map(({ name }) => name).join(', ')}`)
  await addPartitions(db, size)
}

/** The jobs that follow the ledger, and a header. The bench has no bookkeeper, so it signs for one. */
async function everyoneHasRead(db: Database, last: bigint): Promise<void> {
  const startedMs = performance.now()
  for (;;) {
    const [row] = await db.query<{ seq: bigint }>(
      `select least((select min(seq) from ledger_followers), (select min(seq) from box_source_cursor),
         (select max(ledger_seq) from proof_headers join proof_header_bodies using (id) where root_signature is not null)) as seq`,
    )
    if ((row?.seq ?? 0n) > last) break
    if (performance.now() - startedMs > READERS_MS) throw new Error(`the jobs have read up to entry ${row?.seq} only`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  console.log(`… the jobs and the next header took ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`)
  await db.query('update proof_header_bodies set book_signature = root_signature where book_signature is null')
}

/** Runs a command as an operator does, from a shell. Returns its seconds. */
async function time(words: readonly string[], url: string): Promise<number> {
  const startedMs = performance.now()
  const { exitCode, all } = await runCommand('npm', words, { cwd: root, env: { DATABASE_URL: url }, output: 'keep' })
  console.log(`… ${words.slice(2).join(' ')}: ${all.trim().split('\n').at(-1)}`)
  if (exitCode !== 0) throw new Error(all)
  return (performance.now() - startedMs) / 1_000
}

/** Each user swaps to and fro until `end`. Returns the times in ms. */
async function swapUntil({ server, users }: Site, end: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isOver = false
  const over = end.finally(() => (isOver = true))
  const client = async ({ token }: BenchUser) => {
    for (let turn = 0; !isOver; turn++) {
      const sale = turn % 2 === 0 ? { amount: '0.01', inverse: 0 } : { amount: '6.2', inverse: 1 }
      const deadline = Math.floor(Date.now() / 1_000) + 600
      const startedMs = performance.now()
      const response = await fetch(`${server.url}/api/SwapPool/doSwap`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'xx-token': token, 'idempotency-key': randomUUID() },
        body: JSON.stringify({ pool_id: 'bnb-usdt', ...sale, min_amount_out: '0', deadline }),
      })
      times.push(performance.now() - startedMs)
      const { code, msg } = (await response.json()) as { readonly code: number; readonly msg: string }
      if (code !== 1) throw new Error(`a swap was answered with ${code} ${msg}`)
    }
  }
  await Promise.all([over, ...users.map(client)])
  return times
}
