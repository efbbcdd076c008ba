import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { encodeFunctionData } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newKey } from '../../../testing/server.ts'
import {
  balancePartsOf,
  mineAndPoll,
  newFundedUser,
  ordersOut,
  sell,
  send,
  submit,
  trySell,
  type WalletWorld,
} from './wallet-world.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const operator = mnemonicToAccount(MNEMONIC)
const guardian = mnemonicToAccount(MNEMONIC, { addressIndex: 2 })

/** Tests which transfers out are rejected, with the caps of the server: 5 BNB and 1 ETH per voucher, 6 BNB and 1.5 ETH per day. */
export function testRejectedTransfersOut(world: WalletWorld): void {
  const callVault = (by: typeof operator, functionName: 'pause' | 'unpause') =>
    send(
      world,
      { account: by },
      { to: world.server.custody.vault, data: encodeFunctionData({ abi: clearwellVaultAbi, functionName }) },
    )

  test.each([
    ['under the minimum', 'USDT', '9.999999', { code: 20006, data: { min: '10', max: '1000000' } }],
    ['over the maximum', 'USDT', '1000000.000001', { code: 20006, data: { min: '10', max: '1000000' } }],
    ['over what the signer signs with one voucher', 'ETH', '1.000000000000000001', { code: 20006, data: { max: '1' } }],
    ['more than is available', 'BNB', '3.000000000000000001', { code: 20001 }],
    ['finer than the token', 'USDT', '10.0000001', { code: 20000, data: { fields: { amount: 'too many decimals' } } }],
    [
      'in an asset of the ledger alone',
      'RT',
      '1',
      { code: 20000, data: { fields: { asset: 'cannot be transferred out' } } },
    ],
  ] as const)('rejects an order %s', async (_what, asset, amount, expected) => {
    const user = await newFundedUser(world, { BNB: '3', ETH: '2' })
    expect(await trySell(world, user, asset, amount)).toMatchObject(expected)
    expect(await balancePartsOf(world, user, 'BNB')).toEqual({ available: '3', locked: '0', total: '3' })
    expect(await ordersOut(world, user)).toEqual([])
  })

  test.each(['', '-1', '1e3', '0x10', '1,5', '1.0000000000000000001'])(
    'an order with the amount "%s" is rejected as invalid',
    async (amount) => {
      const user = await world.server.newUser({ faucet: false })
      const reply = await trySell(world, user, 'BNB', amount)
      expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { amount: expect.any(String) } } })
    },
  )

  test('an order over the daily cap reports the amount left', async () => {
    const user = await newFundedUser(world, { ETH: '4' })
    await sell(world, user, 'ETH', '1')
    expect(await trySell(world, user, 'ETH', '0.6')).toMatchObject({
      code: 20006,
      data: { min: '0.005', max: '0.5', reason: 'daily_limit', limited_by: 'all_accounts' },
    })
    await sell(world, user, 'ETH', '0.499')
    expect(await trySell(world, user, 'ETH', '0.005')).toMatchObject({
      code: 20005,
      data: { reason: 'daily_limit_reached', available_today: '0.001', limited_by: 'all_accounts' },
    })
    expect(await balancePartsOf(world, user, 'ETH')).toEqual({ available: '2.501', locked: '1.499', total: '4' })
    // A day later, both vouchers are expired and the cap is free again.
    await world.server.ok('localAdvance', { seconds: 86_400 })
    await mineAndPoll(world)
    expect(await balancePartsOf(world, user, 'ETH')).toEqual({ available: '4', locked: '0', total: '4' })
    await sell(world, user, 'ETH', '1')
  })

  test("an order over the account's cap leaves other accounts theirs", async () => {
    const [user, other] = [await newFundedUser(world, { BNB: '8' }), await newFundedUser(world, { BNB: '3' })]
    const order = await sell(world, user, 'BNB', '5')
    const limitsOf = async ({ token }: { token: string }) => {
      const limits = await world.server.ok('sellLimits', {}, { token })
      expect(limits.map(({ asset }) => asset)).toEqual(['BNB', 'USDT', 'ETH'])
      return limits[0]
    }
    const limit = await limitsOf(user)
    expect(limit).toMatchObject({ available_today: '1', limited_by: 'account' })
    const dayMs = Date.parse(limit?.more_at ?? '') - Date.parse(order.created_at)
    expect(Math.abs(dayMs - 86_400_000)).toBeLessThan(10_000)
    expect(await trySell(world, user, 'BNB', '1.5')).toMatchObject({
      code: 20006,
      data: { max: '1', reason: 'daily_limit', limited_by: 'account', available_today: '1', more_at: limit?.more_at },
    })
    await sell(world, user, 'BNB', '1')
    expect(await trySell(world, user, 'BNB', '1')).toMatchObject({
      code: 20005,
      data: { reason: 'daily_limit_reached', available_today: '0', limited_by: 'account' },
    })
    expect(await limitsOf(other)).toEqual({ asset: 'BNB', available_today: '6', limited_by: 'account', more_at: null })
    await sell(world, other, 'BNB', '2')
  })

  test('a paused vault locks nothing, and lists stay readable', async () => {
    const user = await newFundedUser(world, { BNB: '3' })
    const before = await sell(world, user, 'BNB', '1')
    await callVault(guardian, 'pause')
    const key = newKey()
    expect(await trySell(world, user, 'BNB', '1', key)).toMatchObject({
      code: 20005,
      data: { reason: 'withdrawals_paused' },
    })
    expect(await balancePartsOf(world, user, 'BNB')).toEqual({ available: '2', locked: '1', total: '3' })
    expect(await ordersOut(world, user)).toEqual([before])
    expect((await submit(world, user, before)).status).toBe('reverted')
    await callVault(operator, 'unpause')
    // The same request succeeds after the pause.
    const order = await sell(world, user, 'BNB', '1', key)
    for (const each of [before, order]) expect((await submit(world, user, each)).status).toBe('success')
    await mineAndPoll(world)
    expect(await balancePartsOf(world, user, 'BNB')).toEqual({ available: '1', locked: '0', total: '1' })
  })
}
