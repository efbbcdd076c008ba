import { erc20Abi, type Hex, parseEther, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { expectCustodyExact } from '../../../platform/chain/testing/local-chain.ts'
import { newKey, type TestUser } from '../../../testing/server.ts'
import {
  balancePartsOf,
  CONFIRMATIONS,
  mineAndPoll,
  newFundedUser,
  type Order,
  ordersOut,
  sell,
  submit,
  trySell,
  type WalletWorld,
} from './wallet-world.ts'

/** Tests the steps of a transfer out, from the order to the payment or the expiry. */
export function testTransfersOut(world: WalletWorld): void {
  const coins = (user: TestUser) => world.control.client.getBalance({ address: user.account.address })

  describe('a transfer out', () => {
    test('a transfer out is locked, signed, submitted, completed and paid exactly', async () => {
      const user = await newFundedUser(world, { BNB: '3' })
      const order = await sell(world, user, 'BNB', '1.25')
      expect(order).toMatchObject({
        asset: 'BNB',
        amount: '1.25',
        status: 'signed',
        to: world.server.custody.vault,
        voucher: { account: user.account.address, asset: zeroAddress, amount: parseEther('1.25').toString() },
        signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
        tx_hash: null,
        confirmations: 0,
        required: 2,
      })
      expect(Number(order.voucher?.deadline) * 1000).toBe(new Date(order.expires_at).getTime())
      expect(await balancePartsOf(world, user, 'BNB')).toEqual({ available: '1.75', locked: '1.25', total: '3' })

      const before = await coins(user)
      const receipt = await submit(world, user, order)
      expect(receipt.status).toBe('success')
      expect((await coins(user)) - before).toBe(parseEther('1.25') - receipt.gasUsed * receipt.effectiveGasPrice)
      await world.server.watcher.poll()
      const submitted = { status: 'submitted', tx_hash: receipt.transactionHash, confirmations: 1 }
      expect((await ordersOut(world, user))[0]).toMatchObject(submitted)
      expect(await balancePartsOf(world, user, 'BNB')).toMatchObject({ locked: '1.25' })

      await mineAndPoll(world)
      expect(await ordersOut(world, user)).toEqual([
        {
          ...order,
          status: 'completed',
          voucher: null,
          signature: null,
          calldata: null,
          tx_hash: receipt.transactionHash,
          confirmations: 2,
          ended_at: expect.any(String),
        },
      ])
      expect(await balancePartsOf(world, user, 'BNB')).toEqual({ available: '1.75', locked: '0', total: '1.75' })
      await expectCustodyExact(world.server)
    })

    test("pays the order's owner in token units, regardless of the submitter", async () => {
      const [user, stranger] = [await newFundedUser(world, { USDT: '100' }), await world.server.newUser()]
      const order = await sell(world, user, 'USDT', '12.345678')
      expect(order.voucher).toMatchObject({ asset: world.server.custody.tokens[0]?.address, amount: '12345678' })
      const usdt = {
        address: world.server.custody.tokens[0]?.address as Hex,
        abi: erc20Abi,
        functionName: 'balanceOf',
      } as const
      const held = (who: TestUser) => world.control.client.readContract({ ...usdt, args: [who.account.address] })
      const [mine, theirs] = [await held(user), await held(stranger)]
      expect((await submit(world, stranger, order)).status).toBe('success')
      expect([(await held(user)) - mine, (await held(stranger)) - theirs]).toEqual([12_345_678n, 0n])
      await mineAndPoll(world)
      expect((await ordersOut(world, user))[0]).toMatchObject({ status: 'completed' })
      expect(await ordersOut(world, stranger)).toEqual([])
      await expectCustodyExact(world.server)
    })

    test('a transfer out needs no activation and shows locked, then paid', async () => {
      const user = await newFundedUser(world, { BNB: '2' })
      const order = await sell(world, user, 'BNB', '0.5')
      const { transactionHash } = await submit(world, user, order)
      await mineAndPoll(world)
      const { items } = await world.server.ok('logs', { limit: 100 }, { token: user.token })
      const entries = items.map(({ kind, amount, reference }) => `${kind} ${amount} ${reference}`)
      expect(entries.slice(0, 3).toSorted()).toEqual(
        [
          `withdrawal -0.5 ${transactionHash}`,
          `withdrawal_lock -0.5 ${order.order_id}`,
          `withdrawal_lock 0.5 ${order.order_id}`,
        ].toSorted(),
      )
      expect(items).toHaveLength(4)
    })

    test('a voucher that is submitted again fails on the chain', async () => {
      const user = await newFundedUser(world, { BNB: '3' })
      const order = await sell(world, user, 'BNB', '1')
      expect((await submit(world, user, order)).status).toBe('success')
      expect((await submit(world, user, order)).status).toBe('reverted')
      await mineAndPoll(world, CONFIRMATIONS)
      expect(await balancePartsOf(world, user, 'BNB')).toEqual({ available: '2', locked: '0', total: '2' })
      await expectCustodyExact(world.server)
    })

    test('a looked-up withdrawal shows as pending, then credited', async () => {
      const user = await newFundedUser(world, { BNB: '2' })
      const { transactionHash: tx_hash } = await submit(world, user, await sell(world, user, 'BNB', '0.75'))
      const retrieve = (by: TestUser) => world.server.ok('retrieve', { tx_hash }, { token: by.token })
      const items = [{ asset: 'BNB', amount: '-0.75', mine: true }]
      expect(await retrieve(user)).toEqual({ status: 'pending', confirmations: 1, required: 2, items })
      await world.control.mine(1)
      expect(await retrieve(user)).toEqual({ status: 'already', confirmations: 2, required: 2, items })
      expect((await ordersOut(world, user))[0]).toMatchObject({ status: 'completed' })
      const other = await world.server.newUser({ faucet: false })
      expect(await retrieve(other)).toMatchObject({ status: 'already', items: [{ mine: false }] })
    })
  })

  describe('a repeated order', () => {
    test('returns the same voucher for its key, rejects another amount', async () => {
      const user = await newFundedUser(world, { BNB: '3' })
      const key = newKey()
      const responses = await Promise.all([sell(world, user, 'BNB', '1', key), sell(world, user, 'BNB', '1', key)])
      responses.push(await sell(world, user, 'BNB', '1', key))
      for (const response of responses) expect(response).toEqual(responses[0])
      expect(await trySell(world, user, 'BNB', '1.1', key)).toMatchObject({ status: 409, code: 20010 })
      expect(await balancePartsOf(world, user, 'BNB')).toMatchObject({ available: '2', locked: '1' })
    })

    test('returns its voucher on another device, which submits it', async () => {
      const user = await newFundedUser(world, { BNB: '3' })
      const order = await sell(world, user, 'BNB', '1')
      const { nonceStr } = await world.server.ok('getNonce', { address: user.account.address })
      const signature = await user.account.signMessage({ message: nonceStr })
      const { token } = await world.server.ok('login', { address: user.account.address, signature, device_type: 'web' })
      const [fetched] = (await world.server.ok('sellOrders', {}, { token })).items
      expect(fetched).toEqual(order)
      expect((await submit(world, user, fetched as Order)).status).toBe('success')
      await mineAndPoll(world)
    })

    test("the owner's list shows orders newest first, in pages", async () => {
      const [user, other] = [await newFundedUser(world, { BNB: '3' }), await world.server.newUser({ faucet: false })]
      for (const amount of ['0.1', '0.2', '0.3']) await sell(world, user, 'BNB', amount)
      const first = await world.server.ok('sellOrders', { limit: 2 }, { token: user.token })
      const second = await world.server.ok(
        'sellOrders',
        { limit: 2, cursor: first.next_cursor ?? '' },
        { token: user.token },
      )
      expect([...first.items, ...second.items].map((each) => each.amount)).toEqual(['0.3', '0.2', '0.1'])
      expect(second.next_cursor).toBeNull()
      expect(await ordersOut(world, other)).toEqual([])
    })
  })

  describe('an unsubmitted voucher', () => {
    test('a voucher expires at its final deadline, then fails on-chain', async () => {
      const user = await newFundedUser(world, { BNB: '3' })
      const order = await sell(world, user, 'BNB', '1')
      const seconds = world.server.config.withdrawals.voucherTtlMs / 1000 + 1
      await world.server.ok('localAdvance', { seconds })
      const [shown] = await ordersOut(world, user)
      expect(shown).toMatchObject({ status: 'signed', expires_at: order.expires_at })
      const { time } = await world.server.ok('config', {})
      expect(new Date(order.expires_at) < new Date(time)).toBe(true)
      expect(await balancePartsOf(world, user, 'BNB')).toMatchObject({ locked: '1' })
      await mineAndPoll(world)
      expect(await ordersOut(world, user)).toEqual([
        {
          ...order,
          status: 'expired',
          voucher: null,
          signature: null,
          calldata: null,
          ended_at: expect.any(String),
        },
      ])
      expect(await balancePartsOf(world, user, 'BNB')).toEqual({ available: '3', locked: '0', total: '3' })
      expect((await submit(world, user, order)).status).toBe('reverted')
      await mineAndPoll(world, CONFIRMATIONS)
      expect(await balancePartsOf(world, user, 'BNB')).toEqual({ available: '3', locked: '0', total: '3' })
      const { items } = await world.server.ok('logs', { kind: 'withdrawal_release' }, { token: user.token })
      expect(items.map(({ amount, reference }) => [amount, reference]).toSorted()).toEqual([
        ['-1', order.order_id],
        ['1', order.order_id],
      ])
    })
  })

  test('a transfer out requires signing in', async () => {
    expect(await world.server.call('sell', { asset: 'BNB', amount: '1' })).toMatchObject({ code: 10001 })
    expect(await world.server.call('sellOrders', {})).toMatchObject({ code: 10001 })
  })
}
