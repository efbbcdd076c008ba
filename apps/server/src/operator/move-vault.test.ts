import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import type { Hex } from 'viem'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { expectCustodyExact } from '../platform/chain/testing/local-chain.ts'
import type { TestUser } from '../testing/server.ts'
import { shareOperatorWorld } from './testing/operator-world.ts'
import { commandsOf } from './testing/runbook.ts'
import { configuredVault, configureVault, deployVault, send } from './testing/vault-moves.ts'

const world = shareOperatorWorld()
let user: TestUser
beforeAll(async () => {
  user = await world.server.newUser()
  await user.transferIn('BNB', '5')
})
afterEach(() => void vi.unstubAllEnvs())

const configure = (...of: readonly [vault: string, block: string]) => configureVault(world, ...of)
async function checkNextBlock() {
  await world.control.mine(1)
  await world.server.watcher.poll()
  return world.server.solvency.check()
}
const sell = (amount: string) => world.server.call('sell', { asset: 'BNB', amount }, { token: user.token })
const PAUSED = { code: 20005, data: { reason: 'withdrawals_paused' } }
const [stop, tryMove, move, transfer, status, reconcile, open] = commandsOf('move-to-a-new-vault') as string[][]

test('the runbook of a move leaves no voucher behind', async () => {
  const paying = await world.server.ok('sell', { asset: 'BNB', amount: '1' }, { token: user.token })
  await world.server.ok('sell', { asset: 'BNB', amount: '2' }, { token: user.token })
  const before = await configuredVault(world)
  await deployVault(world)
  const after = await configuredVault(world)

  await world.pause()
  expect((await world.run(move ?? [])).stderr).toMatch(/not stopped: run `vault stop`/)
  for (let again = 0; again < 2; again++)
    expect(await world.run(stop ?? [])).toMatchObject({ code: 0, stdout: expect.stringMatching(/are stopped/) })
  expect((await world.run(move ?? [])).stderr).toMatch(/^2 vouchers are open/)
  await configure(...before)
  await world.restart()
  expect(await sell('1')).toMatchObject(PAUSED)

  // One voucher is paid, the other expires.
  await send(world, [{ to: paying.to as Hex, calldata: paying.calldata as Hex }])
  await checkNextBlock()
  await world.pause()
  await configure(...after)
  expect((await world.run(move ?? [])).stderr).toMatch(/^1 vouchers are open/)
  await configure(...before)
  await world.resume()
  await world.control.client.increaseTime({ seconds: 7_200 })
  await checkNextBlock()
  const orders = (await world.server.ok('sellOrders', {}, { token: user.token })).items
  expect(orders.map((order) => order.status)).toEqual(['expired', 'completed'])

  await world.pause()
  await configure(...after)
  expect((await world.run(tryMove ?? [])).stdout).toMatch(/^Dry run, nothing was changed/)
  for (let again = 0; again < 2; again++) expect(await world.run(move ?? [])).toMatchObject({ code: 0, stderr: '' })
  const signed = await world.run([...(transfer ?? []), '--json'])
  await world.restart()
  await send(world, JSON.parse(signed.stdout).transactions)
  for (let again = 0; again < 2; again++) expect(await checkNextBlock()).toMatchObject({ ok: true })
  // The solvency breaker is closed, and the stop lasts.
  expect(await sell('1')).toMatchObject(PAUSED)

  await world.pause()
  for (const args of [status, reconcile, open, open])
    expect(await world.run(args ?? [])).toMatchObject({ code: 0, stderr: '' })
  await world.restart()
  expect(await sell('1')).toMatchObject({ code: 1, data: { to: world.server.custody.vault } })
  expect(world.server.custody.vault.toLowerCase()).toBe(after[0].toLowerCase())
  await expectBooksBalanced(world.server.db)
  await expectCustodyExact(world.server)
}, 180_000)
