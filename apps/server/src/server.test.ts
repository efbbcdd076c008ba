import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routes } from '@clearwell/api/routes'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { FEATURES } from './features.ts'
import { METRIC_TABLES } from './metric-tables.ts'
import { ALARMS } from './platform/alarms/alarm-kinds.ts'
import { expectCustodyExact } from './platform/chain/testing/local-chain.ts'
import { createMetrics } from './platform/metrics/metrics.ts'
import { platformMetrics } from './platform/metrics/platform-metrics.ts'
import { startTestServer, type TestServer, type TestUser } from './testing/server.ts'

const DASHBOARD = join(import.meta.dirname, '../../../docs/reference/metrics-dashboard.json')
const definitions = Object.fromEntries(METRIC_TABLES.flatMap(({ table }) => Object.entries(table)))
const PASSWORD = 'planted-password'

let server: TestServer
let token: string
let userId: string
beforeAll(async () => {
  server = await startTestServer({ METRICS_PORT: '0' })
  const user = await server.newUser()
  token = user.token
  userId = user.id
  await user.transferIn('USDT', '1000')
  await user.activateByBalance()
  await server.call('balances', {}, { token: PASSWORD })
  await server.app.inject({ method: 'POST', url: `/api/nowhere/${userId}` })
  await server.app.inject({ url: `/${userId}` })
})
afterAll(() => server.destroy())

async function read(): Promise<string> {
  const response = await fetch(server.metricsUrl ?? '')
  expect(response.headers.get('content-type')).toContain('text/plain')
  return response.text()
}

/** The values of a metric by its labels. */
function valuesOf(text: string, name: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return new Map(lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

test('the server names its open features, without the local controls', async () => {
  const { features } = await server.ok('config', {})
  expect(features.toSorted()).toEqual(FEATURES.map(({ name }) => name).toSorted())
})

test('the metrics show requests, ledger, watcher, jobs, tables and readiness', async () => {
  const text = await read()
  const requests = valuesOf(text, 'clearwell_requests_total')
  expect(requests.get('{call="login",code="1"}')).toBe(1)
  expect(requests.get('{call="balances",code="10001"}')).toBe(1)
  expect(requests.get('{call="other",code="20009"}')).toBe(1)
  expect(requests.get('{call="page",code="404"}')).toBe(1)
  expect(valuesOf(text, 'clearwell_request_seconds_count').get('{call="login"}')).toBe(1)
  expect(valuesOf(text, 'clearwell_writer_leader').get('')).toBe(1)
  expect(valuesOf(text, 'clearwell_writer_batch_commands_count').get('')).toBeGreaterThan(3)
  expect(valuesOf(text, 'clearwell_writer_batch_seconds_count').get('{stage="write"}')).toBeGreaterThan(3)
  expect(valuesOf(text, 'clearwell_watcher_lag_blocks').get('')).toBeLessThan(10)
  expect(valuesOf(text, 'clearwell_watcher_halted').get('')).toBe(0)
  expect(valuesOf(text, 'clearwell_node_requests_total').get('{node="primary",outcome="ok"}')).toBeGreaterThan(0)
  expect(valuesOf(text, 'clearwell_withdrawals_open').get('{status="locked"}')).toBe(0)
  expect(valuesOf(text, 'clearwell_database_table_rows').has('{table="entries"}')).toBe(true)
  // The rows of jobs are made by their first look, a second after the start.
  const failuresOfJobs = async () => valuesOf(await read(), 'clearwell_job_failures')
  await expect.poll(async () => (await failuresOfJobs()).get('{name="jobs.forget-finished"}')).toBe(0)
  const ready = valuesOf(text, 'clearwell_ready')
  const parts = ['server', 'database', 'chain', 'watcher', 'market', 'ledger', 'features']
  expect(ready).toEqual(new Map(parts.map((part) => [`{part="${part}"}`, 1])))
})

test('counters with known labels start at 0, and other gauges are absent', async () => {
  const metrics = createMetrics()
  for (const { table } of METRIC_TABLES) metrics.add(table)
  const text = await metrics.text()
  for (const [name, { type, labels = {} }] of Object.entries(definitions)) {
    const isKnown = Object.values(labels).every((label) => typeof label !== 'string')
    const values = [...valuesOf(text, name).values()]
    if (type === 'counter' && isKnown) expect(new Set(values), name).toEqual(new Set([0]))
    else if (type !== 'histogram') expect(values, name).toEqual([])
  }
  const alarms = Object.keys(ALARMS).map((kind) => `{alarm="${kind}"}`)
  expect([...valuesOf(text, 'clearwell_alarms_total').keys()]).toEqual(alarms)
  // Gauges that prom-client names like counters.
  expect(text).not.toMatch(/nodejs_active_\w+_total/)
})

test('a gauge without a measurement is absent again', async () => {
  const metrics = createMetrics()
  const recorder = metrics.add(platformMetrics)
  const values = async () => [...valuesOf(await metrics.text(), 'clearwell_watcher_lag_seconds').values()]
  recorder.set('clearwell_watcher_lag_seconds', [{ labels: {}, value: 7 }])
  expect(await values()).toEqual([7])
  recorder.set('clearwell_watcher_lag_seconds', [])
  expect(await values()).toEqual([])
})

test('the metrics show the money of the custody', async () => {
  const text = await read()
  expect(valuesOf(text, 'clearwell_reserve_difference').get('{asset="USDT"}')).toBe(0)
  expect(valuesOf(text, 'clearwell_reserve_check_age_seconds').get('')).toBeLessThan(60)
  expect(valuesOf(text, 'clearwell_account_balance').has('{account="insurance",asset="USDT"}')).toBe(true)
  expect(valuesOf(text, 'clearwell_pool_reserve').get('{pool="bnb-usdt",asset="USDT"}')).toBeGreaterThan(0)
  expect(valuesOf(text, 'clearwell_daily_cap_used').get('{asset="BNB"}')).toBe(0)
  expect(valuesOf(text, 'clearwell_withdrawals_oldest_seconds').get('{status="locked"}')).toBe(0)
  expect(valuesOf(text, 'clearwell_http_responses_total').get('{status="200"}')).toBeGreaterThan(1)
  const build = [...valuesOf(text, 'clearwell_build_info')]
  expect(build).toEqual([
    [expect.stringMatching(/^\{version="[\d.]+",commit="source",node="v\d.*",config="[0-9a-f]{12}"\}$/), 1],
  ])
})

test('labels have values from code and configuration only', async () => {
  const text = await read()
  for (const secret of [token, PASSWORD, userId, userId.slice(2)]) expect(text).not.toContain(secret)
  const calls = new Set([...Object.keys(routes), 'stream', 'other', 'page'])
  for (const [, call = ''] of text.matchAll(/call="([^"]*)"/g)) expect(calls).toContain(call)
  for (const [, alarm = ''] of text.matchAll(/alarm="([^"]*)"/g)) expect(Object.keys(ALARMS)).toContain(alarm)
  // A label that grows with the number of users or requests would show here.
  expect(text.split('\n').length).toBeLessThan(1_500)
})

test('every defined metric is exported, and no other of Clearwell', async () => {
  const exported = [...(await read()).matchAll(/^# TYPE (clearwell_\S+) (\S+)$/gm)].map(([, name, type]) => [
    name,
    type,
  ])
  const defined = Object.entries(definitions).map(([name, { type }]) => [name, type])
  expect(exported.toSorted()).toEqual(defined.toSorted())
})

test('the dashboard names every metric, and only labels that exist', async () => {
  const { panels, annotations } = JSON.parse(await readFile(DASHBOARD, 'utf8'))
  const queries: { expr: string }[] = [...panels.flatMap(({ targets = [] }) => targets), ...annotations.list]
  const expressions = queries.map(({ expr }) => expr)
  const text = await read()
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const named = new Set<string>()
  for (const expression of expressions) {
    const names = expression.match(/\b(clearwell|process|nodejs)_\w+/g) ?? []
    expect(names).toHaveLength(1)
    const [name = ''] = names.map((each) => (known.has(each) ? each : each.replace(/_(bucket|sum|count)$/, '')))
    expect(known).toContain(name)
    named.add(name)
    const labels = [...Object.keys(definitions[name]?.labels ?? {}), 'le', 'instance']
    for (const [, list = ''] of expression.matchAll(/by \(([^)]*)\)/g))
      for (const label of list.split(', ')) expect(labels).toContain(label)
  }
  expect([...named].filter((name) => name.startsWith('clearwell_')).toSorted()).toEqual(
    Object.keys(definitions).toSorted(),
  )
})

// Last: the server loses its chain, and then its database.
describe('a server that loses its parts', () => {
  const ready = () => server.app.inject({ url: '/readyz' })
  let visitor: TestUser
  beforeAll(async () => {
    visitor = await server.newUser({ faucet: false })
    await server.watcher.poll()
    await expectBooksBalanced(server.db)
    await expectCustodyExact(server)
    expect(server.errors).toEqual([])
    await vi.waitFor(async () => expect((await ready()).json()).toEqual({ status: 'ready' }), 20_000)
    // Here and not in the test: a repetition of the test has no process left to kill.
    process.kill(Number(await readFile(join(server.config.env.dataDir, 'chain/anvil.pid'), 'utf8')), 'SIGKILL')
  })

  test('a server reports its dead local chain once and is degraded', async () => {
    await expect.poll(async () => (await ready()).json()).toEqual({ status: 'degraded', parts: ['chain'] })
    expect(server.errors.filter(({ task }) => task === 'local chain')).toEqual([
      {
        error: expect.objectContaining({ message: 'the local chain exited unexpectedly: SIGKILL' }),
        task: 'local chain',
      },
    ])
    await expect.poll(async () => valuesOf(await read(), 'clearwell_ready').get('{part="chain"}')).toBe(0)
  })

  test('a server responds with 50300 and reports no bug without its database', async () => {
    await server.db.close()
    const address = `0x${'ab'.repeat(20)}`
    for (const reply of [
      await server.call('getNonce', { address }),
      await server.call('userinfo', {}, { token: visitor.token }),
      await server.call('logs', {}, { token: visitor.token }),
      await server.call('activeByBalance', {}, { token: visitor.token }),
    ]) {
      expect(reply).toMatchObject({ status: 503, code: 50300, data: {} })
    }
    const status = async () => {
      const response = await ready()
      return [response.statusCode, response.json()]
    }
    await expect.poll(status).toMatchObject([503, { failing: expect.arrayContaining(['database']) }])
    expect(server.errors.filter(({ task }) => task.startsWith('request'))).toEqual([])
  })
})
