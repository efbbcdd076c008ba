import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { routes } from '@clearwell/api/routes'
import { auditBooks } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres } from '../../scripts/postgres.ts'
import type { Bench } from './bench.ts'
import { endLater } from './clean-up.ts'
import { machine } from './machine.ts'
import { startServerProcess } from './server-process.ts'
import { type BenchUser, makeUsers } from './users.ts'
import { wholeNumber } from './whole-number.ts'

const CLIENTS = 16
/** Fewer swaps than this are made before the first measurement, so that every table has its first pages. */
const WARM_UP = 500

export default {
  about: 'disk and log of PostgreSQL for one swap, memory of the server, and time of an audit (--swaps 20000)',
  run: benchDisk,
} satisfies Bench

/** Swaps through HTTP, and reads how much PostgreSQL has grown: the figures of docs/reference/capacity.md. */
async function benchDisk(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { swaps: { type: 'string', default: '20000' } } })
  const swaps = wholeNumber('--swaps', values.swaps)
  if (!findPostgres()) return console.log(`PostgreSQL is not installed. ${HOW_TO_GET_POSTGRES}`)
  console.log(machine())
  const postgres = await startPostgres({ fsync: true, settings: { full_page_writes: 'on' } })
  endLater(postgres.stop)
  const server = await startServerProcess({ DATABASE_URL: postgres.url })
  const users = await makeUsers(server.url, CLIENTS)
  const db = await openPostgresDatabase(postgres.url, { maxConnections: 1 })
  endLater(() => db.close())
  await swap(server.url, users, WARM_UP)
  const before = await sizesOf(db)
  await swap(server.url, users, swaps)
  const after = await sizesOf(db)
  const perSwap = (key: keyof typeof before) => Math.round(Number(after[key] - before[key]) / swaps)
  console.log(
    `disk ${perSwap('disk')} B, of it kept for 30 days ${perSwap('short')} B; log ${perSwap('log')} B for a swap`,
  )
  console.log(`memory of the server: ${await memoryMb(server.pid)} MB`)
  const startedMs = performance.now()
  const faults = await auditBooks(db)
  const seconds = (performance.now() - startedMs) / 1_000
  if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
  console.log(`audit: ${after.entries} entries in ${seconds.toFixed(1)} s`)
}

/** Clients that swap to and fro, until there are so many swaps. */
async function swap(url: string, users: readonly BenchUser[], count: number): Promise<void> {
  let left = count
  const client = async ({ token }: BenchUser, first: number) => {
    for (let turn = first; left-- > 0; turn++) {
      const [amount, inverse] = turn % 2 === 0 ? (['0.01', 0] as const) : (['6.2', 1] as const)
      const deadline = new Date(Date.now() + 600_000).toISOString()
      const response = await fetch(`${url}/api${routes.doSwap.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'xx-token': token, 'idempotency-key': randomUUID() },
        body: JSON.stringify({ pool_id: 'bnb-usdt', amount, inverse, min_amount_out: '0', deadline }),
      })
      const { code } = (await response.json()) as { readonly code: number }
      if (code !== 1) throw new Error(`a swap was answered with ${code}`)
    }
  }
  await Promise.all(users.map(client))
}

/** Bytes of all tables with their indexes, of those that retention empties, and of the log. */
async function sizesOf(db: Database) {
  await db.query('select pg_switch_wal()')
  const [row] = await db.query<{ disk: bigint; short: bigint; log: bigint; entries: bigint }>(
    `select sum(pg_total_relation_size(oid))::bigint as disk,
       (sum(pg_total_relation_size(oid)) filter (where relname in ('stored_answers', 'command_outcomes')))::bigint as short,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as log,
       (select count(*) from entries) as entries
     from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  )
  if (!row) throw new Error('the sizes cannot be read')
  return row
}

async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_000)
}
