import { encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlChain, localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { vaultDeposit } from '../../platform/chain/vault-deposit.ts'
import { TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let control: ReturnType<typeof controlChain>
let usdt: Hex

beforeAll(async () => {
  // The watcher polls only on request, so that tests see the states in between.
  file = await localConfigFile((config) => Object.assign(config.chain, { pollMs: 3_600_000 }))
  server = await startTestServer({ CONFIG_FILE: file.path })
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
  usdt = server.custody.tokens.find((token) => token.asset === 'USDT')?.address as Hex
}, 60_000)
afterAll(() => endExact(server, { file }))

/** Sends a transaction from the user's wallet. Returns its hash once it is mined, even if it failed. */
async function send(user: TestUser, call: { to: Hex; data?: Hex; value?: bigint }): Promise<Hex> {
  const wallet = control.wallet(user.account)
  const hash = await wallet.sendTransaction({ gas: 500_000n, ...call, account: user.account, chain: wallet.chain })
  await control.receipt(hash)
  return hash
}

const transferToken = (user: TestUser, to: Hex, amount: string) =>
  send(user, {
    to: usdt,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, parseEther(amount)] }),
  })

async function balance(account: string, asset: string): Promise<bigint> {
  const [row] = await server.db.query<{ units: bigint }>(
    'select units from balances where account = $1 and asset = $2',
    [account, asset],
  )
  return row?.units ?? 0n
}

async function orderOf(user: TestUser, orderId: string) {
  const { items } = await server.ok('buyOrders', { limit: 100 }, { token: user.token })
  return items.find((item) => item.order_id === orderId)
}

describe('buy', () => {
  test('rejects amounts outside the limits with both limits', async () => {
    const user = await server.newUser({ faucet: false })
    for (const amount of ['9.999999999999999999', '1000000.000000000000000001', '0']) {
      const reply = await server.call('buy', { asset: 'USDT', amount }, { token: user.token })
      expect(reply).toMatchObject({ status: 200, code: 20006, data: { min: '10', max: '1000000' } })
    }
    for (const amount of ['10', '1000000']) await server.ok('buy', { asset: 'USDT', amount }, { token: user.token })
    expect((await server.ok('buyOrders', {}, { token: user.token })).items).toHaveLength(2)
  })

  test.each(['1.0000000000000000001', '1e3', '-5', '0x10', '', '01', ' 1', '1,5'])(
    'rejects an amount of "%s" and names the field',
    async (amount) => {
      const user = await server.newUser({ faucet: false })
      const reply = await server.call('buy', { asset: 'USDT', amount }, { token: user.token })
      expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { amount: expect.any(String) } } })
    },
  )

  test('rejects RT and unknown assets', async () => {
    const user = await server.newUser({ faucet: false })
    const rt = await server.call('buy', { asset: 'RT', amount: '10' }, { token: user.token })
    expect(rt).toMatchObject({ code: 20000, data: { fields: { asset: 'cannot be transferred in' } } })
    const doge = await server.call('buy', { asset: 'DOGE' as 'RT', amount: '10' }, { token: user.token })
    expect(doge).toMatchObject({ code: 20000, data: { fields: { asset: expect.any(String) } } })
  })

  test('returns the same order for a key, rejects another amount', async () => {
    const user = await server.newUser({ faucet: false })
    const options = { token: user.token, key: newKey() }
    const first = await server.ok('buy', { asset: 'USDT', amount: '25' }, options)
    expect(await server.ok('buy', { asset: 'USDT', amount: '25' }, options)).toEqual(first)
    const other = await server.call('buy', { asset: 'USDT', amount: '26' }, options)
    expect(other).toMatchObject({ status: 409, code: 20010 })
    expect((await server.ok('buyOrders', {}, options)).items).toHaveLength(1)
  })

  test("an order's call pays the exact amount to the vault", async () => {
    const user = await server.newUser({ faucet: false })
    for (const asset of ['BNB', 'USDT'] as const) {
      const order = await server.ok('buy', { asset, amount: '12.5' }, { token: user.token })
      const token = asset === 'USDT' ? usdt : null
      const call = vaultDeposit({
        vault: server.custody.vault,
        token,
        units: parseEther('12.5'),
        orderId: order.order_id,
      })
      expect(order).toMatchObject({
        to: server.custody.vault,
        calldata: call.data,
        value: asset === 'BNB' ? parseEther('12.5').toString() : '0',
        amount: '12.5',
      })
    }
  })
})

describe('payments', () => {
  test('credits a paid order in full and shows its transaction', async () => {
    const user = await server.newUser()
    const order = await server.ok('buy', { asset: 'USDT', amount: '40' }, { token: user.token })
    expect(await orderOf(user, order.order_id)).toMatchObject({
      status: 'created',
      credited: '0',
      tx_hash: null,
      confirmations: 0,
    })
    const hash = await user.pay('USDT', order)
    await server.watcher.poll()
    expect(await orderOf(user, order.order_id)).toMatchObject({
      status: 'credited',
      credited: '40',
      amount: '40',
      tx_hash: hash,
      confirmations: 1,
      required: 1,
    })
    expect(await user.available('USDT')).toBe('40')
  })

  test('credits plain transfers to the vault to their sender', async () => {
    const user = await server.newUser()
    await send(user, { to: server.custody.vault, value: parseEther('1.25') })
    await transferToken(user, server.custody.vault, '3.5')
    await server.watcher.poll()
    expect([await user.available('BNB'), await user.available('USDT')]).toEqual(['1.25', '3.5'])
  })

  test('credits a wallet that paid before its first sign-in', async () => {
    const user = await server.newUser()
    const account = privateKeyToAccount(generatePrivateKey())
    await send(user, { to: account.address, value: parseEther('2') })
    const wallet = control.wallet(account)
    await control.receipt(
      await wallet.sendTransaction({ account, chain: wallet.chain, to: server.custody.vault, value: parseEther('1') }),
    )
    await server.watcher.poll()
    const { nonceStr } = await server.ok('getNonce', { address: account.address })
    const signature = await account.signMessage({ message: nonceStr })
    const { token } = await server.ok('login', { address: account.address, signature, device_type: 'web' })
    const balances = await server.ok('balances', {}, { token })
    expect(balances.find((each) => each.asset === 'BNB')?.available).toBe('1')
  })

  test("credits the payer of another user's order", async () => {
    const [owner, payer] = [await server.newUser(), await server.newUser()]
    const order = await server.ok('buy', { asset: 'BNB', amount: '2' }, { token: owner.token })
    await payer.pay('BNB', order)
    await server.watcher.poll()
    expect(await payer.available('BNB')).toBe('2')
    expect(await owner.available('BNB')).toBe('0')
    expect(await orderOf(owner, order.order_id)).toMatchObject({ status: 'created', credited: '0', tx_hash: null })
  })

  test('credits a payment in another asset than its order', async () => {
    const user = await server.newUser()
    const order = await server.ok('buy', { asset: 'USDT', amount: '20' }, { token: user.token })
    const call = vaultDeposit({
      vault: server.custody.vault,
      token: null,
      units: parseEther('0.5'),
      orderId: order.order_id,
    })
    await send(user, call)
    await server.watcher.poll()
    expect([await user.available('BNB'), await user.available('USDT')]).toEqual(['0.5', '0'])
    expect(await orderOf(user, order.order_id)).toMatchObject({ status: 'created', credited: '0' })
  })

  test('credits partial payments below the minimum and adds them up', async () => {
    const user = await server.newUser()
    const order = await server.ok('buy', { asset: 'BNB', amount: '1' }, { token: user.token })
    for (const units of [1n, 2n]) {
      await send(user, vaultDeposit({ vault: server.custody.vault, token: null, units, orderId: order.order_id }))
    }
    await server.watcher.poll()
    expect(await orderOf(user, order.order_id)).toMatchObject({ status: 'credited', credited: '0.000000000000000003' })
    expect(await user.available('BNB')).toBe('0.000000000000000003')
  })

  test('credits two payments of one transaction, each once', async () => {
    const user = await server.newUser()
    const contract = privateKeyToAccount(generatePrivateKey()).address
    const args = [user.account.address, server.custody.vault, parseEther('7')] as const
    const pull = { to: usdt, data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args }) }
    await control.putCalls(contract, [pull, pull])
    const allowed = [contract, parseEther('14')] as const
    await send(user, { to: usdt, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: allowed }) })
    const hash = await send(user, { to: contract })
    await server.watcher.poll()
    await server.watcher.poll()
    expect(await user.available('USDT')).toBe('14')
    const found = await server.ok('retrieve', { tx_hash: hash }, { token: user.token })
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
    const user = await server.newUser()
    const contract = privateKeyToAccount(generatePrivateKey()).address
    const order = await server.ok('buy', { asset: 'BNB', amount: '1' }, { token: user.token })
    const { vault } = server.custody
    const call = vaultDeposit({ vault, token: null, units: parseEther('0.5'), orderId: order.order_id })
    await control.putCalls(contract, [call, call])
    await send(user, { to: contract, value: parseEther('1') })
    await server.watcher.poll()
    expect(await balance(userAccount(contract.toLowerCase(), 'available'), 'BNB')).toBe(parseEther('1'))
    expect(await user.available('BNB')).toBe('0')
    expect(await orderOf(user, order.order_id)).toMatchObject({ status: 'created', credited: '0' })
  })

  test("credits the operator's payment to the treasury", async () => {
    const account = mnemonicToAccount('test test test test test test test test test test test junk')
    const before = await balance(TREASURY, 'BNB')
    const wallet = control.wallet(account)
    await control.receipt(
      await wallet.sendTransaction({ account, chain: wallet.chain, to: server.custody.vault, value: parseEther('3') }),
    )
    await server.watcher.poll()
    expect((await balance(TREASURY, 'BNB')) - before).toBe(parseEther('3'))
    expect(await balance(userAccount(account.address.toLowerCase(), 'available'), 'BNB')).toBe(0n)
  })

  test('credits a payment for an expired order', async () => {
    const user = await server.newUser()
    const order = await server.ok('buy', { asset: 'BNB', amount: '1' }, { token: user.token })
    await server.ok('localAdvance', { seconds: server.config.orders.ttlMs / 1000 + 1 })
    expect(await orderOf(user, order.order_id)).toMatchObject({ status: 'expired' })
    await user.pay('BNB', order)
    await server.watcher.poll()
    expect(await orderOf(user, order.order_id)).toMatchObject({ status: 'credited', credited: '1' })
    expect(await user.available('BNB')).toBe('1')
  })
})

describe('retrieve', () => {
  test('credits a missed payment once by its hash in either case', async () => {
    const user = await server.newUser()
    const hash = await send(user, { to: server.custody.vault, value: parseEther('1') })
    const shouted = `0x${hash.slice(2).toUpperCase()}`
    const first = await server.ok('retrieve', { tx_hash: shouted }, { token: user.token })
    expect(first).toEqual({
      status: 'credited',
      confirmations: 1,
      required: 1,
      items: [{ asset: 'BNB', amount: '1', mine: true }],
    })
    const again = await server.ok('retrieve', { tx_hash: hash }, { token: user.token })
    expect(again).toEqual({ ...first, status: 'already' })
    await server.watcher.poll()
    expect(await user.available('BNB')).toBe('1')
  })

  test('concurrent requests for the same payment credit it once', async () => {
    const user = await server.newUser()
    const hash = await send(user, { to: server.custody.vault, value: parseEther('1') })
    const asks = Array.from({ length: 8 }, () => server.ok('retrieve', { tx_hash: hash }, { token: user.token }))
    await Promise.all([...asks, server.watcher.poll()])
    expect(await user.available('BNB')).toBe('1')
    expect((await server.ok('logs', {}, { token: user.token })).items).toHaveLength(1)
  })

  test("credits another user's payment to its sender and reports that", async () => {
    const [sender, asker] = [await server.newUser(), await server.newUser({ faucet: false })]
    const hash = await send(sender, { to: server.custody.vault, value: parseEther('1') })
    const found = await server.ok('retrieve', { tx_hash: hash }, { token: asker.token })
    expect(found).toMatchObject({
      status: 'credited',
      reason: 'sender_credited',
      items: [{ amount: '1', mine: false }],
    })
    expect([await sender.available('BNB'), await asker.available('BNB')]).toEqual(['1', '0'])
  })

  test('returns not found for unknown, foreign and failed transactions', async () => {
    const user = await server.newUser()
    const nothing = { status: 'not_found', confirmations: 0, required: 1, items: [] }
    const retrieve = (tx_hash: string) => server.ok('retrieve', { tx_hash }, { token: user.token })
    expect(await retrieve(`0x${'0'.repeat(64)}`)).toEqual(nothing)
    const elsewhere = await send(user, { to: user.account.address, value: 1n })
    expect(await retrieve(elsewhere)).toEqual({ ...nothing, reason: 'not_ours' })
    // The transfer fails without an approval.
    const failed = await send(
      user,
      vaultDeposit({ vault: server.custody.vault, token: usdt, units: 1n, orderId: null }),
    )
    expect(await retrieve(failed)).toEqual({ ...nothing, reason: 'failed_on_chain' })
    expect(await user.available('USDT')).toBe('0')
  })

  test.each(['', '0x12', `${'0'.repeat(64)}`, `0x${'g'.repeat(64)}`])(
    'rejects a hash of "%s" as invalid input',
    async (tx_hash) => {
      const user = await server.newUser({ faucet: false })
      const reply = await server.call('retrieve', { tx_hash }, { token: user.token })
      expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { tx_hash: expect.any(String) } } })
    },
  )
})

describe('balances and orders', () => {
  let user: TestUser
  beforeAll(async () => {
    user = await server.newUser()
    for (const amount of ['20', '30', '40']) await user.transferIn('USDT', amount)
    await user.transferIn('BNB', '2')
    await user.activateByBalance()
    const { time } = await server.ok('localAdvance', { seconds: 60 })
    const deadline = new Date(new Date(time).getTime() + 600_000).toISOString()
    const order = { pool_id: 'bnb-usdt', amount: '1', inverse: 0, min_amount_out: '0', deadline } as const
    await server.ok('doSwap', order, { token: user.token })
  })

  test('users see only their own orders', async () => {
    const other = await server.newUser({ faucet: false })
    expect((await server.ok('buyOrders', {}, { token: other.token })).items).toEqual([])
  })

  test('lists every asset with a USDT value not above spot', async () => {
    const balances = await server.ok('balances', {}, { token: user.token })
    expect(balances.map((each) => each.asset)).toEqual(['BNB', 'USDT', 'ETH', 'RT'])
    const bnb = balances.find((each) => each.asset === 'BNB')
    expect(bnb).toMatchObject({ available: '1', locked: '0', pledged: '0', collateral: '0', total: '1' })
    await server.ok('localPrice', { symbol: 'BNBUSDT', price: '650' })
    const valued = (await server.ok('balances', {}, { token: user.token })).find((each) => each.asset === 'BNB')
    // The market moves from 650 by less than 1 % meanwhile.
    expect(Math.abs(Number(valued?.value_usdt) / 650 - 1)).toBeLessThan(0.01)
    const tether = balances.find((each) => each.asset === 'USDT')
    expect(tether?.value_usdt).toBe(tether?.total)
  })

  test('lists orders newest first, in pages', async () => {
    const { items } = await server.ok('buyOrders', { limit: 100 }, { token: user.token })
    expect(items.map(({ amount, asset, status }) => `${amount} ${asset} ${status}`)).toEqual([
      '2 BNB credited',
      '40 USDT credited',
      '30 USDT credited',
      '20 USDT credited',
    ])
    const first = await server.ok('buyOrders', { limit: 3 }, { token: user.token })
    const second = await server.ok('buyOrders', { limit: 3, cursor: first.next_cursor ?? '' }, { token: user.token })
    expect([...first.items, ...second.items]).toEqual(items)
    expect(second.next_cursor).toBeNull()
  })
})
