import { beforeAll, expect, test } from 'vitest'
import type { TestUser } from '../testing/server.ts'
import { shareOperatorWorld } from './testing/operator-world.ts'

// On PGlite a command runs after its server: one process has the data folder. Beside a server: operator.test.ts.
const world = shareOperatorWorld()
let user: TestUser
beforeAll(async () => {
  user = await world.server.newUser()
  await user.transferIn('BNB', '3.75')
})

test('reconcile reports a running server and changes nothing', async () => {
  const { code, stdout, stderr } = await world.run(['reconcile'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^The data folder .* is in use by process \d+\. End it first/)
  expect(await user.available('BNB')).toBe('3.75')
}, 60_000)

test('reconcile reads the head where older state is gone', async () => {
  const order = await world.server.ok('buy', { asset: 'BNB', amount: '2' }, { token: user.token })
  await user.pay('BNB', order)
  await world.pause()
  const { code, stdout, stderr } = await world.run(['reconcile', '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({
    lag: '1',
    vault_read_at: report.head,
    unconfirmed: { in: { count: 1, units: { BNB: '2' } } },
    difference: { BNB: '0', USDT: '0', ETH: '0', RT: '0' },
  })
  expect((await world.run(['reconcile'])).stdout).toContain(`the vault was read at block ${report.head}`)
}, 60_000)

test('pools suspends a pool for the next start', async () => {
  await world.pause()
  const suspend = ['pools', 'suspend', 'eth-usdt', '--reason', 'the token moves', '--execute']
  expect(await world.run(suspend)).toEqual({ code: 0, stdout: 'eth-usdt is suspended.\n', stderr: '' })
  expect((await world.run(['pools'])).stdout).toMatch(/^eth-usdt {2}suspended by the operator since /m)
}, 60_000)
