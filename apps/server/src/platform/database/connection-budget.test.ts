import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKey, startTestServer } from '../../testing/server.ts'
import { canShareLedger } from '../../testing/two-servers.ts'
import { budgetFault, connectionsPerServer, readConnectionBudget } from './connection-budget.ts'

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

let started: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  if (canShareLedger) started = await startServer()
})

async function startServer() {
  const server = await startTestServer()
  ends.push(server.destroy)
  const url = server.config.env.databaseUrl ?? ''
  const observer = await openPostgresDatabase(url, { maxConnections: 1, name: 'observer' })
  ends.push(observer.close)
  return { server, observer, perServer: connectionsPerServer(server.config.database, false) }
}

test.runIf(canShareLedger)(
  'a server under load opens all its connections and no more',
  async () => {
    const { server, observer, perServer } = started
    const user = await server.newUser()
    await user.transferIn('USDT', '1000')
    await user.activateByBalance()
    const { token } = user
    const opened = `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and application_name <> 'observer'`
    const counts: number[] = []
    for (let round = 0; round < 5; round++) {
      const calls = Array.from({ length: 60 }, () => [
        server.ok('balances', {}, { token }),
        server.ok('logs', {}, { token }),
        server.ok('buy', { asset: 'USDT', amount: '10' }, { token, key: newKey() }),
      ]).flat()
      const [row] = await observer.query<{ count: number }>(opened)
      await Promise.all(calls)
      counts.push(row?.count ?? 0)
    }
    expect(Math.max(...counts)).toBe(perServer)
    expect((await readConnectionBudget(observer, perServer)).needed).toBe(perServer)
  },
  60_000,
)

test.runIf(canShareLedger)(
  'a role with too few connections for all servers is reported',
  async () => {
    const { server, observer, perServer } = started
    const { allowed, needed } = await readConnectionBudget(observer, perServer)
    expect([allowed, needed]).toEqual([197, perServer])
    await observer.script(
      `alter database ${new URL(server.config.env.databaseUrl ?? '').pathname.slice(1)} connection limit 20`,
    )
    expect((await readConnectionBudget(observer, perServer)).allowed).toBe(20)
    expect(budgetFault({ allowed: 20, needed: 28 })).toBe(
      'PostgreSQL allows 20 connections, and the servers may open 28: raise max_connections or the limit of the role, or lower database.readConnections',
    )
    expect(budgetFault({ allowed: 28, needed: 28 })).toBeUndefined()
  },
  60_000,
)
