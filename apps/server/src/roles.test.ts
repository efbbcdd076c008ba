import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localConfigFile } from './platform/chain/testing/local-chain.ts'
import { VERSION } from './platform/process/version.ts'
import { newKey, startTestServer, type TestServer } from './testing/server.ts'
import { canShareLedger, openSharedLedger, type SharedLedger } from './testing/two-servers.ts'

const ALERT = { symbol: 'BNBUSDT', direction: 'above', price: '5000' } as const
const KEY = `0x${'7'.repeat(64)}`

const ends: (() => Promise<unknown>)[] = []
let ledger: SharedLedger
let writer: TestServer
let web: TestServer
beforeAll(async () => {
  if (!canShareLedger) return
  ledger = await openSharedLedger()
  ends.push(ledger.end)
  const start = async (role: string) => {
    const server = await startTestServer({ ...ledger.variablesFor(role), ROLE: role })
    ends.push(server.destroy)
    return server
  }
  writer = await start('writer')
  web = await start('web')
})
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const readLeader = async () =>
  (await web.db.query<{ role: string }>('select role from servers join writer_lease using (holder)'))[0]?.role

describe.runIf(canShareLedger)('servers with roles', () => {
  test('a web server forwards commands to the writer', async () => {
    const { token } = await web.newUser()
    const { alert_id: id } = await web.ok('setAlert', ALERT, { token, key: newKey() })
    expect((await web.ok('alerts', {}, { token })).items).toMatchObject([{ alert_id: id }])
    expect(await readLeader()).toBe('writer')
    await expect.poll(async () => (await web.app.inject('/readyz')).json()).toEqual({ status: 'ready' })
  })

  test('a writer serves its health and nothing else to the public', async () => {
    await expect.poll(async () => (await writer.app.inject('/readyz')).json()).toEqual({ status: 'ready' })
    expect((await writer.app.inject('/healthz')).statusCode).toBe(200)
    expect(await writer.call('pairs', {})).toMatchObject({ status: 503, code: 50300 })
    for (const path of ['/', '/api/openapi.json', '/api/stream', '/nothing'])
      expect((await writer.app.inject(path)).statusCode, path).toBe(503)
  })

  test.each(['/healthz', '/readyz'])('%s for the public says which servers it may use', async (path) => {
    const statusOf = async ({ app }: TestServer) => (await app.inject(`${path}?for=public`)).statusCode
    expect([await statusOf(web), await statusOf(writer)]).toEqual([200, 503])
  })

  test('a server whose configuration differs from the leader raises an alarm', async () => {
    const file = await localConfigFile((config) => {
      config.swap.feeBps += 5
      config.limits.BNB.minIn = '0.2'
      config.swap.quoteTtlMs += 1_000
    })
    ends.push(file.remove)
    const changes = { CONFIG_FILE: file.path, SERVER_KEY: KEY }
    const other = await startTestServer({ ...ledger.variablesFor('other'), ...changes })
    ends.push(other.destroy)
    const alarmsOf = ({ errors }: TestServer) =>
      errors.filter(({ task }) => task === 'configuration').map(({ error }) => (error as Error).message)
    expect([writer, web].map(alarmsOf)).toEqual([[], []])
    expect(alarmsOf(other)).toEqual([
      `this server and the leader at ${writer.url} have different values of SERVER_KEY, swap.quoteTtlMs`,
    ])
    // The file's fees and limits count for a new ledger alone, so the alarm does not name them.
    const feesOf = async (server: TestServer) => [
      (await server.ok('config', {})).fees.swap_total,
      (await server.ok('pairs', {})).map(({ fee }) => fee),
    ]
    expect(await feesOf(other)).toEqual(await feesOf(web))
    expect((await feesOf(other))[0]).toBe('0.0025')
    const versions = await web.db.query("select distinct version, calls ? '/SwapPool/doSwap' as swaps from servers")
    expect(versions).toEqual([{ version: VERSION, swaps: true }])
    expect(JSON.stringify(await web.db.query('select config from servers'))).not.toContain(KEY.slice(2, 20))
    await other.stop()
  }, 60_000)

  test('a web server never leads, not even without a writer', async () => {
    const { token } = await web.newUser()
    await writer.stop()
    // It gives up after ten seconds, three times as long as the lease lasts.
    expect(await web.call('setAlert', ALERT, { token, key: newKey() })).toMatchObject({ code: 50300 })
    expect(await readLeader()).toBeUndefined()
    expect((await web.call('alerts', {}, { token })).code).toBe(1)
  })
})
