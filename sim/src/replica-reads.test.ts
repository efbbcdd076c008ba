import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '@clearwell/ledger/database'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { newKey, startTestServer, type TestServer, type TestUser } from '@clearwell/server/src/testing/server.ts'
import { canShareLedger, openSharedLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../../scripts/postgres.ts'
import { startStandby } from '../../scripts/start-standby.ts'
import { type CuttableProxy, startCuttableProxy } from './drills/cuttable-proxy.ts'

const ROUNDS = 10
/** A lag in milliseconds beyond which the standby is not used. */
const LAG_MS = 5_000
/** A port that nothing listens on. */
const NOTHING = 1

interface Site {
  readonly servers: readonly [TestServer, TestServer]
  readonly user: TestUser
  /** The servers' way to the primary. */
  readonly way: CuttableProxy
  readonly primaryPort: number
  readonly standby: Database
}

const ends: (() => Promise<unknown>)[] = []
let site: Site
beforeAll(async () => {
  if (canShareLedger) site = await openSite()
}, 120_000)
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A primary with a standby, and two servers that read from the standby. */
async function openSite(): Promise<Site> {
  const primary = await startPostgres({ fsync: false, settings: { synchronous_commit: 'on' } })
  ends.push(primary.stop)
  const { url: standbyUrl } = await startStandby(primary, ends)
  const standby = await openPostgresDatabase(standbyUrl, { maxConnections: 1 })
  ends.push(standby.close)
  const primaryPort = Number(new URL(primary.url).port)
  const way = await startCuttableProxy(primaryPort, ends)
  const url = new URL(primary.url)
  url.port = String(way.port)
  const ledger = await openSharedLedger((config) => {
    Object.assign(config, { database: { replicaLagMs: LAG_MS, replicaWaitMs: 5_000 } })
    config.chain.pollMs = 3_600_000
  }, url.href)
  ends.push(ledger.end)
  const start = async (name: string) => {
    const variables = { ...ledger.variablesFor(name), READ_DATABASE_URL: standbyUrl, METRICS_PORT: '0' }
    const server = await startTestServer(variables)
    ends.push(server.destroy)
    return server
  }
  const servers = [await start('first'), await start('other')] as const
  const user = await servers[0].newUser()
  await user.transferIn('USDT', '1000')
  await user.activateByBalance()
  return { servers, user, way, primaryPort, standby }
}

/** Reads that a server served from each source. */
async function readsOf(server: TestServer): Promise<Record<string, number>> {
  const text = await (await fetch(server.metricsUrl ?? '')).text()
  const found = text.matchAll(/^clearwell_replica_reads_total\{source="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...found].map(([, source = '', count]) => [source, Number(count)]))
}

async function lagOf(server: TestServer): Promise<number> {
  const text = await (await fetch(server.metricsUrl ?? '')).text()
  return Number(/^clearwell_replica_lag_seconds (\S+)$/m.exec(text)?.[1])
}

describe.runIf(canShareLedger)('with a standby to read from', () => {
  test('every read on another server sees the acknowledged command', async () => {
    const [first, other] = site.servers
    const { token } = site.user
    const before = await readsOf(other)
    for (let round = 0; round < ROUNDS; round++) {
      const price = String(2_000 + round)
      const { alert_id: id } = await first.ok(
        'setAlert',
        { symbol: 'BNBUSDT', direction: 'above', price },
        { token, key: newKey() },
      )
      const { items } = await other.ok('alerts', {}, { token })
      expect(items.map((each) => each.alert_id)).toContain(id)
      await first.ok('cancelAlert', { alert_id: id }, { token, key: newKey() })
    }
    const after = await readsOf(other)
    expect((after.replica ?? 0) - (before.replica ?? 0)).toBeGreaterThanOrEqual(ROUNDS)
    await expect.poll(() => lagOf(other)).toBe(0)
  })

  test('the primary serves reads while the standby is behind', async () => {
    const [first, other] = site.servers
    const { token } = site.user
    await site.standby.query('select pg_wal_replay_pause()')
    const payload = { symbol: 'BNBUSDT', direction: 'above', price: '3000' } as const
    const { alert_id: id } = await first.ok('setAlert', payload, { token, key: newKey() })
    const before = await readsOf(other)
    const { items } = await other.ok('alerts', {}, { token })
    expect(items.map((each) => each.alert_id)).toContain(id)
    expect((await readsOf(other)).primary).toBeGreaterThan(before.primary ?? 0)
    await expect.poll(() => lagOf(other)).toBeGreaterThan(LAG_MS / 1_000)
    await expect.poll(() => other.errors.map(({ task }) => task)).toContain('replica')
    await site.standby.query('select pg_wal_replay_resume()')
    await expect.poll(() => lagOf(other)).toBe(0)
    const again = await readsOf(other)
    await other.ok('alerts', {}, { token })
    expect((await readsOf(other)).replica).toBeGreaterThan(again.replica ?? 0)
  })

  test('a writer takes no lease on a standby', async () => {
    const reports: string[] = []
    const writer = await Writer.open({
      db: site.standby,
      clock: { now: () => new Date() },
      randomId: newKey,
      holder: newKey(),
      leaseTtlMs: 60_000,
      onError: (error, task) => reports.push(`${task}: ${(error as Error).message}`),
    })
    expect([writer.isWriting, reports]).toEqual([
      false,
      ['writer lease: the database is a standby, which no server writes to'],
    ])
    await writer.close()
  })

  test('reads go on from the standby while the primary is away', async () => {
    const [first, other] = site.servers
    const { token } = site.user
    const known = await first.ok('balances', {}, { token })
    // A session that neither server has in memory.
    await wait(5_100)
    // A standby that is behind serves no one: on a busy machine it still was.
    for (const server of site.servers) await expect.poll(() => lagOf(server)).toBe(0)
    site.way.hang()
    for (const server of site.servers) {
      // As the app does, which asks again: a busy standby may take too long for the first response.
      await expect.poll(() => server.call('balances', {}, { token })).toMatchObject({ code: 1, data: known })
      await expect.poll(() => server.call('userinfo', {}, { token })).toMatchObject({ code: 1 })
      await expect.poll(() => server.call('liquidations', {})).toMatchObject({ code: 1 })
    }
    expect((await readsOf(other)).replica_alone).toBeGreaterThan(0)
    const ready = await other.app.inject('/readyz')
    expect([ready.statusCode, ready.json().parts]).toEqual([200, expect.arrayContaining(['database'])])

    site.way.heal(NOTHING)
    const payload = { symbol: 'BNBUSDT', direction: 'above', price: '4000' } as const
    expect(await other.call('setAlert', payload, { token, key: newKey() })).toMatchObject({ code: 50300 })
    site.way.heal(site.primaryPort)
    await expect
      .poll(async () => (await other.call('setAlert', payload, { token, key: newKey() })).code, { timeout: 30_000 })
      .toBe(1)
    await expectBooksBalanced(other.db)
  }, 90_000)
})
