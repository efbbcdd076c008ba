import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { decodeFunctionData, type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { controlChain, expectCustodyExact, localConfigFile } from '../chain/testing/local-chain.ts'

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let control: ReturnType<typeof controlChain>

function connect(): void {
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
}

beforeAll(async () => {
  file = await localConfigFile(({ chain }) => {
    chain.confirmations = 3
    // The watcher polls only when a test calls it.
    chain.pollMs = 3_600_000
    // USDT as it is on Ethereum.
    chain.tokens.USDT.decimals = 6
  })
  server = await startTestServer({ CONFIG_FILE: file.path })
  connect()
})
afterAll(async () => {
  await server.destroy()
  await file.remove()
})

async function orderOf(user: TestUser, orderId: string) {
  const { items } = await server.ok('buyOrders', { limit: 100 }, { token: user.token })
  return items.find((item) => item.order_id === orderId)
}

const retrieve = (user: TestUser, tx_hash: string) => server.ok('retrieve', { tx_hash }, { token: user.token })

/** Creates an order that the user has paid in the newest block. */
async function paidOrder(user: TestUser, asset: 'BNB' | 'USDT', amount: string) {
  const order = await server.ok('buy', { asset, amount }, { token: user.token })
  const hash = await user.pay(asset, order)
  return { order, hash, block: (await control.receipt(hash)).blockNumber }
}

describe('with three confirmations and a token of 6 decimals', () => {
  afterAll(async () => {
    await control.mine(3)
    await server.watcher.poll()
    await expectBooksBalanced(server.db)
    await expectCustodyExact(server)
    expect(server.errors).toEqual([])
  })

  test('a real deposit fills the pools with exactly the configured amounts', async () => {
    const [bnb] = await server.ok('pairs', {})
    expect(bnb).toMatchObject({ id: 'bnb-usdt', reserve_base: '5000', reserve_quote: '3100000' })
    await expectCustodyExact(server)
  })

  test('a payment shows its confirmations and is credited at the third', async () => {
    const user = await server.newUser()
    const { order, hash } = await paidOrder(user, 'USDT', '12.345678')
    for (const confirmations of [1, 2]) {
      await server.watcher.poll()
      expect(await orderOf(user, order.order_id)).toMatchObject({
        status: 'seen',
        confirmations,
        required: 3,
        tx_hash: hash,
        credited: '0',
      })
      expect(await retrieve(user, hash)).toMatchObject({
        status: 'pending',
        confirmations,
        required: 3,
        items: [{ asset: 'USDT', amount: '12.345678', mine: true }],
      })
      expect(await user.available('USDT')).toBe('0')
      await control.mine(1)
    }
    await server.watcher.poll()
    expect(await orderOf(user, order.order_id)).toMatchObject({
      status: 'credited',
      confirmations: 3,
      credited: '12.345678',
    })
    expect(await user.available('USDT')).toBe('12.345678')
    expect(await retrieve(user, hash)).toMatchObject({ status: 'already', confirmations: 3 })
  })

  test('an order with more decimals than the token is refused', async () => {
    const user = await server.newUser({ faucet: false })
    const finer = await server.call('buy', { asset: 'USDT', amount: '10.1234567' }, { token: user.token })
    expect(finer).toMatchObject({ status: 400, code: 20000, data: { fields: { amount: 'too many decimals' } } })
    const order = await server.ok('buy', { asset: 'USDT', amount: '10.123456' }, { token: user.token })
    const { args } = decodeFunctionData({ abi: clearwellVaultAbi, data: order.calldata as Hex })
    expect(args?.[1]).toBe(10_123_456n)
    await server.ok('buy', { asset: 'BNB', amount: '1.123456789012345678' }, { token: user.token })
  })

  test('a payment removed by a reorg is credited once when mined again', async () => {
    const user = await server.newUser()
    await server.watcher.poll()
    const snapshot = await control.snapshot()
    const { order, hash, block } = await paidOrder(user, 'BNB', '1')
    const raw = await control.rawTransaction(hash)
    await control.mine(1)
    const hashBefore = await control.hashOf(block)
    await server.watcher.poll()
    expect(await orderOf(user, order.order_id)).toMatchObject({ status: 'seen', confirmations: 2 })

    await control.revert(snapshot)
    await control.mine(4)
    expect(await control.hashOf(block)).not.toBe(hashBefore)
    await server.watcher.poll()
    expect(await orderOf(user, order.order_id)).toMatchObject({ status: 'created', confirmations: 0, tx_hash: null })
    expect(await retrieve(user, hash)).toMatchObject({ status: 'not_found', items: [] })
    expect(await user.available('BNB')).toBe('0')

    expect(await control.sendRaw(raw)).toBe(hash)
    const again = await control.receipt(hash)
    expect(again.blockNumber).toBeGreaterThan(block)
    await control.mine(2)
    await server.watcher.poll()
    await server.watcher.poll()
    expect(await orderOf(user, order.order_id)).toMatchObject({ status: 'credited', credited: '1', tx_hash: hash })
    expect(await user.available('BNB')).toBe('1')
    expect(server.watcher.halted).toBeUndefined()
  })

  test('a removed payment is never credited after its money is spent', async () => {
    const user = await server.newUser()
    await server.watcher.poll()
    const { hash, block } = await paidOrder(user, 'BNB', '1')
    await control.mine(1)
    const hashBefore = await control.hashOf(block)
    await control.reorg(2)
    expect(await control.hashOf(block)).not.toBe(hashBefore)
    // Another transaction uses the same nonce, so the payment can never be mined again.
    const wallet = control.wallet(user.account)
    const nonce = await control.client.getTransactionCount({ address: user.account.address })
    const spent = await wallet.sendTransaction({
      account: user.account,
      chain: wallet.chain,
      to: user.account.address,
      value: 1n,
      nonce,
    })
    await control.receipt(spent)
    await control.mine(5)
    await server.watcher.poll()
    expect(await retrieve(user, hash)).toMatchObject({ status: 'not_found' })
    expect(await user.available('BNB')).toBe('0')
  })

  test('a payment that moves during a lookup is credited once', async () => {
    const user = await server.newUser()
    await server.watcher.poll()
    const snapshot = await control.snapshot()
    const { hash } = await paidOrder(user, 'BNB', '1')
    const raw = await control.rawTransaction(hash)
    await control.revert(snapshot)
    await control.mine(1)
    await control.sendRaw(raw)
    // The node responds before it mines. Without this wait, the payment may be in the first of the next two blocks.
    await control.receipt(hash)
    await control.mine(2)
    const [first, second] = await Promise.all([retrieve(user, hash), retrieve(user, hash), server.watcher.poll()])
    expect(['credited', 'already']).toContain(first.status)
    expect(['credited', 'already']).toContain(second.status)
    expect(await user.available('BNB')).toBe('1')
  })
})

// Last: the watcher halts.
describe('a reorg below the cursor', () => {
  test('halts all crediting with an alarm, also after a restart', async () => {
    const user = await server.newUser()
    const { block } = await paidOrder(user, 'BNB', '2')
    await control.mine(2)
    await server.watcher.poll()
    expect(await user.available('BNB')).toBe('2')
    const hashBefore = await control.hashOf(block)

    await control.reorg(3)
    await control.mine(3)
    expect(await control.hashOf(block)).not.toBe(hashBefore)
    await server.watcher.poll()
    await server.watcher.poll()
    expect(server.watcher.halted).toContain(`block ${block} was ${hashBefore}`)
    expect(server.errors).toEqual([{ error: new Error(server.watcher.halted), task: 'watcher halted' }])
    expect((await server.app.inject('/readyz')).statusCode).toBe(503)

    const wallet = control.wallet(user.account)
    const later = await wallet.sendTransaction({
      account: user.account,
      chain: wallet.chain,
      to: server.custody.vault,
      value: parseEther('1'),
    })
    await control.receipt(later)
    await control.mine(3)
    await server.watcher.poll()
    const asked = await server.call('retrieve', { tx_hash: later }, { token: user.token })
    expect(asked).toMatchObject({ status: 503, code: 50300 })
    expect(await user.available('BNB')).toBe('2')

    server = await server.restart()
    connect()
    await server.watcher.poll()
    expect(server.watcher.halted).toContain(`block ${block} was ${hashBefore}`)
    const balances = await server.ok('balances', {}, { token: user.token })
    expect(balances.find((each) => each.asset === 'BNB')?.available).toBe('2')
    await expectBooksBalanced(server.db)
    // The credited payment is gone from the chain, which is the reason for the alarm.
    await expect(expectCustodyExact(server)).rejects.toThrow('the vault holds')
  })
})
