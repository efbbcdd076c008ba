import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { parentOf } from './cpu.ts'

/** The process that all of a PostgreSQL's processes are children of. */
export async function postmasterOf(url: string): Promise<number> {
  const db = await openPostgresDatabase(url, { maxConnections: 1 })
  const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = await parentOf(row?.pid ?? 0)
  await db.close()
  return postmaster
}
