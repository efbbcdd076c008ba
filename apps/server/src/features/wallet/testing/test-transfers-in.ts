import { encodeFunctionData, erc20Abi, type Hex, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { vaultDeposit } from '../../../platform/chain/vault-deposit.ts'
import { TREASURY, userAccount } from '../../../platform/ledger/accounts.ts'
import {
  CONFIRMATIONS,
  DECIMALS,
  mineAndPoll,
  orderIn,
  send,
  transferToVault,
  type WalletWorld,
} from './wallet-world.ts'

export const usdtOf = ({ server }: WalletWorld) =>
  server.custody.tokens.find((token) => token.asset === 'USDT')?.address as Hex

async function balance({ server }: WalletWorld, account: string, asset: string): Promise<bigint> {
  const [row] = await server.db.query<{ units: bigint }>(
    'select units from balances where account = $1 and asset = $2',
    [account, asset],
  )
  return row?.units ?? 0n
}

/** Tests to whom payments are credited, and how a payment is found by its hash. */
export function testTransfersIn(world: WalletWorld): void {
  describe('payments', () => {
    test('credits a paid order in full and shows its transaction', async () => {
      const user = await world.server.newUser()
      const order = await world.server.ok('buy', { asset: 'USDT', amount: '40' }, { token: user.token })
      expect(await orderIn(world, user, order.order_id)).toMatchObject({
        status: 'created',
        credited: '0',
        tx_hash: null,
        confirmations: 0,
      })
      const hash = await user.pay('USDT', order)
      await mineAndPoll(world)
      expect(await orderIn(world, user, order.order_id)).toMatchObject({
        status: 'credited',
        credited: '40',
        amount: '40',
        tx_hash: hash,
        confirmations: CONFIRMATIONS,
        required: CONFIRMATIONS,
      })
      expect(await user.available('USDT')).toBe('40')
    })

    test('credits plain transfers to the vault to their sender', async () => {
      const user = await world.server.newUser()
      await transferToVault(world, user, 'BNB', '1.25')
      await transferToVault(world, user, 'USDT', '3.5')
      await mineAndPoll(world)
      expect([await user.available('BNB'), await user.available('USDT')]).toEqual(['1.25', '3.5'])
    })

    test('credits a wallet that paid before its first sign-in', async () => {
      const user = await world.server.newUser()
      const account = privateKeyToAccount(generatePrivateKey())
      await send(world, user, { to: account.address, value: parseEther('2') })
      await transferToVault(world, { account }, 'BNB', '1')
      await mineAndPoll(world)
      const { nonceStr } = await world.server.ok('getNonce', { address: account.address })
      const signature = await account.signMessage({ message: nonceStr })
      const { token } = await world.server.ok('login', { address: account.address, signature, device_type: 'web' })
      const balances = await world.server.ok('balances', {}, { token })
      expect(balances.find((each) => each.asset === 'BNB')?.available).toBe('1')
    })

    test("credits the payer of another user's order", async () => {
      const [owner, payer] = [await world.server.newUser(), await world.server.newUser()]
      const order = await world.server.ok('buy', { asset: 'BNB', amount: '2' }, { token: owner.token })
      await payer.pay('BNB', order)
      await mineAndPoll(world)
      expect(await payer.available('BNB')).toBe('2')
      expect(await owner.available('BNB')).toBe('0')
      expect(await orderIn(world, owner, order.order_id)).toMatchObject({
        status: 'created',
        credited: '0',
        tx_hash: null,
      })
    })

    test('credits a payment in another asset than its order', async () => {
      const user = await world.server.newUser()
      const order = await world.server.ok('buy', { asset: 'USDT', amount: '20' }, { token: user.token })
      const call = vaultDeposit({
        vault: world.server.custody.vault,
        token: null,
        units: parseEther('0.5'),
        orderId: order.order_id,
      })
      await send(world, user, call)
      await mineAndPoll(world)
      expect([await user.available('BNB'), await user.available('USDT')]).toEqual(['0.5', '0'])
      expect(await orderIn(world, user, order.order_id)).toMatchObject({ status: 'created', credited: '0' })
    })

    test('credits partial payments below the minimum and adds them up', async () => {
      const user = await world.server.newUser()
      const order = await world.server.ok('buy', { asset: 'BNB', amount: '1' }, { token: user.token })
      for (const units of [1n, 2n]) {
        await send(
          world,
          user,
          vaultDeposit({ vault: world.server.custody.vault, token: null, units, orderId: order.order_id }),
        )
      }
      await mineAndPoll(world)
      expect(await orderIn(world, user, order.order_id)).toMatchObject({
        status: 'credited',
        credited: '0.000000000000000003',
      })
      expect(await user.available('BNB')).toBe('0.000000000000000003')
    })

    test('credits two payments of one transaction, each once', async () => {
      const user = await world.server.newUser()
      const contract = privateKeyToAccount(generatePrivateKey()).address
      const args = [user.account.address, world.server.custody.vault, parseUnits('7', DECIMALS.USDT)] as const
      const pull = {
        to: usdtOf(world),
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args }),
      }
      await world.control.putCalls(contract, [pull, pull])
      const allowed = [contract, parseUnits('14', DECIMALS.USDT)] as const
      await send(world, user, {
        to: usdtOf(world),
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: allowed }),
      })
      const { transactionHash: hash } = await send(world, user, { to: contract })
      await mineAndPoll(world)
      await mineAndPoll(world)
      expect(await user.available('USDT')).toBe('14')
      const found = await world.server.ok('retrieve', { tx_hash: hash }, { token: user.token })
      expect(found).toMatchObject({
        status: 'already',
        items: [
          { amount: '7', mine: true },
          { amount: '7', mine: true },
        ],
      })
      expect(await user.available('USDT')).toBe('14')
    })

    test('credits a contract that pays twice, not its caller', async () => {
      const user = await world.server.newUser()
      const contract = privateKeyToAccount(generatePrivateKey()).address
      const order = await world.server.ok('buy', { asset: 'BNB', amount: '1' }, { token: user.token })
      const { vault } = world.server.custody
      const call = vaultDeposit({ vault, token: null, units: parseEther('0.5'), orderId: order.order_id })
      await world.control.putCalls(contract, [call, call])
      await send(world, user, { to: contract, value: parseEther('1') })
      await mineAndPoll(world)
      expect(await balance(world, userAccount(contract.toLowerCase(), 'available'), 'BNB')).toBe(parseEther('1'))
      expect(await user.available('BNB')).toBe('0')
      expect(await orderIn(world, user, order.order_id)).toMatchObject({ status: 'created', credited: '0' })
    })

    test("credits the operator's payment to the treasury", async () => {
      const account = mnemonicToAccount('test test test test test test test test test test test junk')
      const before = await balance(world, TREASURY, 'BNB')
      await transferToVault(world, { account }, 'BNB', '3')
      await mineAndPoll(world)
      expect((await balance(world, TREASURY, 'BNB')) - before).toBe(parseEther('3'))
      expect(await balance(world, userAccount(account.address.toLowerCase(), 'available'), 'BNB')).toBe(0n)
    })

    test('credits a payment for an expired order', async () => {
      const user = await world.server.newUser()
      const order = await world.server.ok('buy', { asset: 'BNB', amount: '1' }, { token: user.token })
      await world.server.ok('localAdvance', { seconds: world.server.config.orders.ttlMs / 1000 + 1 })
      expect(await orderIn(world, user, order.order_id)).toMatchObject({ status: 'expired' })
      await user.pay('BNB', order)
      await mineAndPoll(world)
      expect(await orderIn(world, user, order.order_id)).toMatchObject({ status: 'credited', credited: '1' })
      expect(await user.available('BNB')).toBe('1')
    })
  })

  describe('retrieve', () => {
    test('credits a missed payment once by its hash in either case', async () => {
      const user = await world.server.newUser()
      const { transactionHash: hash } = await transferToVault(world, user, 'BNB', '1')
      await world.control.mine(CONFIRMATIONS - 1)
      const shouted = `0x${hash.slice(2).toUpperCase()}`
      const first = await world.server.ok('retrieve', { tx_hash: shouted }, { token: user.token })
      expect(first).toEqual({
        status: 'credited',
        confirmations: CONFIRMATIONS,
        required: CONFIRMATIONS,
        items: [{ asset: 'BNB', amount: '1', mine: true }],
      })
      const again = await world.server.ok('retrieve', { tx_hash: hash }, { token: user.token })
      expect(again).toEqual({ ...first, status: 'already' })
      await mineAndPoll(world)
      expect(await user.available('BNB')).toBe('1')
    })

    test('concurrent requests for the same payment credit it once', async () => {
      const user = await world.server.newUser()
      const { transactionHash: hash } = await transferToVault(world, user, 'BNB', '1')
      await world.control.mine(CONFIRMATIONS - 1)
      const asks = Array.from({ length: 8 }, () =>
        world.server.ok('retrieve', { tx_hash: hash }, { token: user.token }),
      )
      await Promise.all([...asks, world.server.watcher.poll()])
      expect(await user.available('BNB')).toBe('1')
      expect((await world.server.ok('logs', {}, { token: user.token })).items).toHaveLength(1)
    })

    test("credits another user's payment to its sender and reports that", async () => {
      const [sender, asker] = [await world.server.newUser(), await world.server.newUser({ faucet: false })]
      const { transactionHash: hash } = await transferToVault(world, sender, 'BNB', '1')
      await world.control.mine(CONFIRMATIONS - 1)
      const found = await world.server.ok('retrieve', { tx_hash: hash }, { token: asker.token })
      expect(found).toMatchObject({
        status: 'credited',
        reason: 'sender_credited',
        items: [{ amount: '1', mine: false }],
      })
      expect([await sender.available('BNB'), await asker.available('BNB')]).toEqual(['1', '0'])
    })

    test('returns not found for unknown, foreign and failed transactions', async () => {
      const user = await world.server.newUser()
      const nothing = { status: 'not_found', confirmations: 0, required: CONFIRMATIONS, items: [] }
      const retrieve = (tx_hash: string) => world.server.ok('retrieve', { tx_hash }, { token: user.token })
      expect(await retrieve(`0x${'0'.repeat(64)}`)).toEqual(nothing)
      const { transactionHash: elsewhere } = await send(world, user, { to: user.account.address, value: 1n })
      expect(await retrieve(elsewhere)).toEqual({ ...nothing, reason: 'not_ours' })
      // The transfer fails without an approval.
      const { transactionHash: failed } = await send(
        world,
        user,
        vaultDeposit({ vault: world.server.custody.vault, token: usdtOf(world), units: 1n, orderId: null }),
      )
      expect(await retrieve(failed)).toEqual({ ...nothing, reason: 'failed_on_chain' })
      expect(await user.available('USDT')).toBe('0')
    })

    test.each(['', '0x12', `${'0'.repeat(64)}`, `0x${'g'.repeat(64)}`])(
      'rejects a hash of "%s" as invalid input',
      async (tx_hash) => {
        const user = await world.server.newUser({ faucet: false })
        const reply = await world.server.call('retrieve', { tx_hash }, { token: user.token })
        expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { tx_hash: expect.any(String) } } })
      },
    )
  })
}
