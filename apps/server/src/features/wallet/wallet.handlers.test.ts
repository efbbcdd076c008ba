import { parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlChain, localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { vaultDeposit } from '../../platform/chain/vault-deposit.ts'
import { endExact, newKey, startTestServer, type TestUser } from '../../testing/server.ts'
import { testRejectedTransfersOut } from './testing/test-rejected-transfers-out.ts'
import { testTransfersIn, usdtOf } from './testing/test-transfers-in.ts'
import { testTransfersOut } from './testing/test-transfers-out.ts'
import { CONFIRMATIONS, DECIMALS, type WalletWorld } from './testing/wallet-world.ts'

const world = {} as WalletWorld
let file: Awaited<ReturnType<typeof localConfigFile>>
beforeAll(async () => {
  file = await localConfigFile(({ chain, withdrawals }) => {
    chain.pollMs = 3_600_000
    chain.confirmations = CONFIRMATIONS
    chain.tokens.USDT.decimals = DECIMALS.USDT
    withdrawals.caps.BNB = { perVoucher: '5', perAccountPerDay: '6', perDay: '5000' }
    withdrawals.caps.ETH = { perVoucher: '1', perAccountPerDay: '1.5', perDay: '1.5' }
  })
  const server = await startTestServer({ CONFIG_FILE: file.path })
  const control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
  Object.assign(world, { server, control })
})
afterAll(() => endExact(world.server, { first: () => world.control.mine(CONFIRMATIONS), file }))

describe('buy', () => {
  test('rejects amounts outside the limits with both limits', async () => {
    const user = await world.server.newUser({ faucet: false })
    for (const amount of ['9.999999', '1000000.000001', '0']) {
      const reply = await world.server.call('buy', { asset: 'USDT', amount }, { token: user.token })
      expect(reply).toMatchObject({ status: 200, code: 20006, data: { min: '10', max: '1000000' } })
    }
    for (const amount of ['10', '1000000'])
      await world.server.ok('buy', { asset: 'USDT', amount }, { token: user.token })
    expect((await world.server.ok('buyOrders', {}, { token: user.token })).items).toHaveLength(2)
  })

  test.each(['1.0000000000000000001', '1e3', '-5', '0x10', '', '01', ' 1', '1,5'])(
    'rejects an amount of "%s" and names the field',
    async (amount) => {
      const user = await world.server.newUser({ faucet: false })
      const reply = await world.server.call('buy', { asset: 'USDT', amount }, { token: user.token })
      expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { amount: expect.any(String) } } })
    },
  )

  test('rejects RT and unknown assets', async () => {
    const user = await world.server.newUser({ faucet: false })
    const rt = await world.server.call('buy', { asset: 'RT', amount: '10' }, { token: user.token })
    expect(rt).toMatchObject({ code: 20000, data: { fields: { asset: 'cannot be transferred in' } } })
    const doge = await world.server.call('buy', { asset: 'DOGE' as 'RT', amount: '10' }, { token: user.token })
    expect(doge).toMatchObject({ code: 20000, data: { fields: { asset: expect.any(String) } } })
  })

  test('returns the same order for a key, rejects another amount', async () => {
    const user = await world.server.newUser({ faucet: false })
    const options = { token: user.token, key: newKey() }
    const first = await world.server.ok('buy', { asset: 'USDT', amount: '25' }, options)
    expect(await world.server.ok('buy', { asset: 'USDT', amount: '25' }, options)).toEqual(first)
    const other = await world.server.call('buy', { asset: 'USDT', amount: '26' }, options)
    expect(other).toMatchObject({ status: 409, code: 20010 })
    expect((await world.server.ok('buyOrders', {}, options)).items).toHaveLength(1)
  })

  test("an order's call pays the exact amount to the vault", async () => {
    const user = await world.server.newUser({ faucet: false })
    for (const asset of ['BNB', 'USDT'] as const) {
      const order = await world.server.ok('buy', { asset, amount: '12.5' }, { token: user.token })
      const token = asset === 'USDT' ? usdtOf(world) : null
      const call = vaultDeposit({
        vault: world.server.custody.vault,
        token,
        units: parseUnits('12.5', DECIMALS[asset]),
        orderId: order.order_id,
      })
      expect(order).toMatchObject({
        to: world.server.custody.vault,
        calldata: call.data,
        value: asset === 'BNB' ? parseEther('12.5').toString() : '0',
        amount: '12.5',
      })
    }
  })
})

describe('balances and orders', () => {
  let user: TestUser
  beforeAll(async () => {
    user = await world.server.newUser()
    for (const amount of ['20', '30', '40']) await user.transferIn('USDT', amount)
    await user.transferIn('BNB', '2')
    await user.activateByBalance()
    const { time } = await world.server.ok('localAdvance', { seconds: 60 })
    const deadline = new Date(new Date(time).getTime() + 600_000).toISOString()
    const order = { pool_id: 'bnb-usdt', amount: '1', inverse: 0, min_amount_out: '0', deadline } as const
    await world.server.ok('doSwap', order, { token: user.token })
  })

  test('users see only their own orders', async () => {
    const other = await world.server.newUser({ faucet: false })
    expect((await world.server.ok('buyOrders', {}, { token: other.token })).items).toEqual([])
  })

  test('lists every asset with a USDT value not above spot', async () => {
    const balances = await world.server.ok('balances', {}, { token: user.token })
    expect(balances.map((each) => each.asset)).toEqual(['BNB', 'USDT', 'ETH', 'RT'])
    const bnb = balances.find((each) => each.asset === 'BNB')
    expect(bnb).toMatchObject({ available: '1', locked: '0', pledged: '0', collateral: '0', total: '1' })
    await world.server.ok('localPrice', { symbol: 'BNBUSDT', price: '650' })
    const valued = (await world.server.ok('balances', {}, { token: user.token })).find((each) => each.asset === 'BNB')
    // The market moves from 650 by less than 1 % meanwhile.
    expect(Math.abs(Number(valued?.value_usdt) / 650 - 1)).toBeLessThan(0.01)
    const tether = balances.find((each) => each.asset === 'USDT')
    expect(tether?.value_usdt).toBe(tether?.total)
  })

  test('lists orders newest first, in pages', async () => {
    const { items } = await world.server.ok('buyOrders', { limit: 100 }, { token: user.token })
    expect(items.map(({ amount, asset, status }) => `${amount} ${asset} ${status}`)).toEqual([
      '2 BNB credited',
      '40 USDT credited',
      '30 USDT credited',
      '20 USDT credited',
    ])
    const first = await world.server.ok('buyOrders', { limit: 3 }, { token: user.token })
    const second = await world.server.ok(
      'buyOrders',
      { limit: 3, cursor: first.next_cursor ?? '' },
      { token: user.token },
    )
    expect([...first.items, ...second.items]).toEqual(items)
    expect(second.next_cursor).toBeNull()
  })
})

describe('transfers in', () => testTransfersIn(world))
describe('transfers out', () => testTransfersOut(world))
describe('a rejected transfer out', () => testRejectedTransfersOut(world))
