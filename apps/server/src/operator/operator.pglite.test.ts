import { afterAll, beforeAll, expect, test } from 'vitest'
import { localConfigFile } from '../platform/chain/testing/local-chain.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/server.ts'
import { runInEnvironment } from './testing/run-in-environment.ts'

// On PGlite a command runs after its server: one process has the data folder. Beside a server: operator.test.ts.
let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let user: TestUser
beforeAll(async () => {
  file = await localConfigFile((config) => Object.assign(config.chain, { pollMs: 3_600_000 }))
  server = await startTestServer({ CONFIG_FILE: file.path })
  user = await server.newUser()
  await user.transferIn('BNB', '3.75')
}, 60_000)
afterAll(async () => {
  await server.destroy()
  await file.remove()
})

const runCommand = (...args: string[]) =>
  runInEnvironment(
    {
      PROFILE: 'local',
      DATA_DIR: server.config.env.dataDir,
      CONFIG_FILE: file.path,
      CHAIN_PORT: '0',
      DATABASE_URL: '',
      CHAIN_RPC_URL: '',
    },
    args,
  )

test('reconcile reports a running server and changes nothing', async () => {
  const { code, stdout, stderr } = await runCommand('reconcile')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^The data folder .* is in use by process \d+\. End it first/)
  expect(await user.available('BNB')).toBe('3.75')
}, 60_000)

test('reconcile reads the head where older state is gone', async () => {
  const order = await server.ok('buy', { asset: 'BNB', amount: '2' }, { token: user.token })
  await user.pay('BNB', order)
  await server.stop()
  const { code, stdout, stderr } = await runCommand('reconcile', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({
    lag: '1',
    vault_read_at: report.head,
    unconfirmed: { in: { count: 1, units: { BNB: '2' } } },
    difference: { BNB: '0', USDT: '0', ETH: '0', RT: '0' },
  })
  expect((await runCommand('reconcile')).stdout).toContain(`the vault was read at block ${report.head}`)
}, 60_000)

test('pools suspends a pool that the next start finds suspended', async () => {
  await server.stop()
  const suspend = await runCommand('pools', 'suspend', 'eth-usdt', '--reason', 'the token moves', '--execute')
  expect(suspend).toEqual({ code: 0, stdout: 'eth-usdt is suspended.\n', stderr: '' })
  server = await server.restart()
  const pair = (await server.ok('pairs', {})).find((each) => each.id === 'eth-usdt')
  expect(pair).toMatchObject({ suspended: true, suspended_reason: 'operator' })
}, 60_000)
