import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { decodeFunctionData, type Hex, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findNewestRoot } from '../../domain/proofs/signed-roots.ts'
import { controlChain } from '../../platform/chain/testing/local-chain.ts'
import { endExact, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { newTrader, trySwap } from '../../testing/traders.ts'
import { startTestBookkeeper, type TestBookkeeper } from './testing/test-bookkeeper.ts'
import { balancePartsOf, type Order, ordersOut, sell, submit, type WalletWorld } from './testing/wallet-world.ts'

/** The account that posts headers: of the published mnemonic of local test chains. */
const POSTER_KEY = '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356'
const HOUR_S = 3_600

/** The whole server on a local chain with the vault with exits. */
let bookkeeper: TestBookkeeper
let server: TestServer
let world: WalletWorld
let user: TestUser
beforeAll(async () => {
  bookkeeper = await startTestBookkeeper()
  server = await startTestServer({ VAULT_KIND: 'exits', PROOFS: 'on', ...bookkeeper.variables })
  bookkeeper.serve(server.db)
  world = { server, control: controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id }) }
  user = await server.newUser()
  await user.transferIn('BNB', '5')
}, 120_000)
afterAll(async () => {
  await endExact(server)
  await bookkeeper.close()
})

async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (const deadline = performance.now() + 50_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error('it did not happen in time')
  }
}
const orderOf = async ({ order_id }: Pick<Order, 'order_id'>, of = user) =>
  (await ordersOut(world, of)).find((each) => each.order_id === order_id)
const signed = (order: Order, of = user) =>
  until(async () => {
    const found = await orderOf(order, of)
    return found?.signed ? found : undefined
  })

test('an order waits for the second signature, and can be cancelled', async () => {
  bookkeeper.isAwake = false
  const order = await sell(world, user, 'BNB', '1')
  expect(order).toMatchObject({ status: 'locked', signed: false, voucher: null, signature: null, calldata: null })
  const { order_id } = order
  const cancelled = await server.ok('cancelSell', { order_id }, { token: user.token })
  expect(cancelled).toMatchObject({ status: 'cancelled', signed: false })
  expect(await balancePartsOf(world, user, 'BNB')).toMatchObject({ available: '5', locked: '0' })
  bookkeeper.isAwake = true
})

test('a voucher names a root that holds its lock, and pays', async () => {
  const order = await signed(await sell(world, user, 'BNB', '2'))
  expect(order).toMatchObject({ status: 'signed', header_signatures: { root: expect.any(String) } })
  const call = decodeFunctionData({ abi: exitVaultAbi, data: order.calldata as Hex })
  expect(call.functionName).toBe('withdrawWithRoot')
  expect(BigInt(order.header?.number ?? 0)).toBeGreaterThanOrEqual(BigInt(order.voucher?.root ?? 0))
  const tooLate = server.call('cancelSell', { order_id: order.order_id }, { token: user.token })
  expect(await tooLate).toMatchObject({ code: 20010, data: { reason: 'voucher_signed' } })

  expect((await submit(world, user, order)).status).toBe('success')
  await server.watcher.poll()
  expect(await orderOf(order)).toMatchObject({ status: 'completed' })
  expect(await balancePartsOf(world, user, 'BNB')).toMatchObject({ available: '3', locked: '0' })
})

test('a header has the totals of the contract, its paths once posted', async () => {
  const { vault } = server.custody
  const order = await signed(await sell(world, user, 'BNB', '1'))
  const root = await findNewestRoot(server.db)
  const figures = root?.header.assets.find(({ token }) => token === zeroAddress)
  const read = { address: vault, abi: exitVaultAbi, functionName: 'totalsOf', args: [zeroAddress] } as const
  const totals = await world.control.client.readContract(read)
  expect(figures).toMatchObject({
    ...{ depositedSeen: totals.deposited, paidSeen: totals.paid, exitedSeen: totals.exited },
    locked: parseEther('1'),
  })
  expect(totals.paid).toBe(parseEther('2'))

  // An exit needs a path in a header that the vault has.
  const number = Number(order.header?.number)
  const mine = () => server.call('proofMine', { number }, { token: user.token })
  expect(await mine()).toMatchObject({ code: 20009 })
  expect((await submit(world, user, order)).status).toBe('success')
  await server.watcher.poll()
  expect(await mine()).toMatchObject({ code: 1, data: { posted_at: expect.any(String) } })
})

test('trading stops while headers are signed and none is posted', async () => {
  const trader = await newTrader(server)
  const sold = await signed(await sell(world, trader, 'BNB', '1'), trader)
  await submit(world, trader, sold)
  await server.watcher.poll()
  await server.ok('localAdvance', { seconds: HOUR_S })
  expect(await trySwap(server, trader, { amount: '0.01' })).toMatchObject({ code: 1 })
  await server.ok('localAdvance', { seconds: HOUR_S + 60 })
  expect(await trySwap(server, trader, { amount: '0.01' })).toMatchObject({
    ...{ code: 20005, data: { reason: 'no_header' } },
  })
  await vi.waitUntil(async () => (await server.ok('config', {})).degraded.includes('headers'), { timeout: 30_000 })
  const alarms = () => server.errors.splice(0).map(({ error, task }) => `${task}: ${(error as Error).message}`)
  const late = /^header age: the newest header on the vault is 12\d minutes old/
  expect(alarms()).toContainEqual(expect.stringMatching(late))

  // A transfer out works, and brings its root.
  const posting = await signed(await sell(world, trader, 'BNB', '0.5'), trader)
  await submit(world, trader, posting)
  await server.watcher.poll()
  expect(await trySwap(server, trader, { amount: '0.01' })).toMatchObject({ code: 1 })

  // A poster follows the clock: an advance of days is no silence.
  server = await server.restart({ POSTER_PRIVATE_KEY: POSTER_KEY })
  bookkeeper.serve(server.db)
  world = { ...world, server }
  await server.ok('localAdvance', { seconds: 72 * HOUR_S })
  expect(await trySwap(server, trader, { amount: '0.01' })).toMatchObject({ code: 1 })
  expect(await server.db.query('select 1 from repayment_stops')).toEqual([])
  // The clock passed 90 minutes before the header of the new time was there.
  expect(alarms().filter((each) => !/^(header age|roots): .*(minutes old|was posted since)/.test(each))).toEqual([])
}, 120_000)
