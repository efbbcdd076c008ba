import type { ResponseOf } from '@clearwell/api/routes'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { encodeFunctionData, erc20Abi, type Hex, parseEther, parseUnits, zeroAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlChain, expectCustodyExact, localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'

type Order = ResponseOf<'sell'>

const MNEMONIC = 'test test test test test test test test test test test junk'
const [operator, guardian] = [0, 2].map((addressIndex) => mnemonicToAccount(MNEMONIC, { addressIndex }))

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let control: ReturnType<typeof controlChain>

beforeAll(async () => {
  file = await localConfigFile(({ chain, withdrawals }) => {
    // The watcher polls only on request, so that tests see the states in between.
    chain.pollMs = 3_600_000
    chain.confirmations = 2
    chain.tokens.USDT.decimals = 6
    withdrawals.caps.BNB = { perVoucher: '5', perAccountPerDay: '6', perDay: '5000' }
    withdrawals.caps.ETH = { perVoucher: '1', perAccountPerDay: '1.5', perDay: '1.5' }
  })
  server = await startTestServer({ CONFIG_FILE: file.path })
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
}, 60_000)
afterAll(() => endExact(server, { first: () => control.mine(2), file }))

async function mineAndPoll(blocks: number): Promise<void> {
  await control.mine(blocks)
  await server.watcher.poll()
}

/** Creates a user with funds. */
async function funded(amounts: Partial<Record<'BNB' | 'USDT' | 'ETH', string>>): Promise<TestUser> {
  const user = await server.newUser()
  const decimals = { BNB: 18, USDT: 6, ETH: 18 }
  for (const [asset, amount] of Object.entries(amounts) as ['BNB' | 'USDT' | 'ETH', string][]) {
    const units = parseUnits(amount, decimals[asset])
    const token = server.custody.tokens.find((each) => each.asset === asset)
    const to = token?.address ?? server.custody.vault
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [server.custody.vault, units] } as const
    await send(user, token ? { to, data: encodeFunctionData(transfer) } : { to, value: units })
  }
  await mineAndPoll(2)
  return user
}

/** Sends a transaction from a wallet. Returns its receipt, even if it failed. */
async function send(from: Pick<TestUser, 'account'>, call: { to: Hex; data?: Hex; value?: bigint }) {
  const wallet = control.wallet(from.account)
  const sent = { gas: 500_000n, ...call, account: from.account, chain: wallet.chain }
  return control.receipt(await wallet.sendTransaction(sent))
}

const submit = (from: Pick<TestUser, 'account'>, order: Order) =>
  send(from, { to: order.to as Hex, data: order.calldata as Hex })
const sell = (user: TestUser, asset: 'BNB' | 'USDT' | 'ETH', amount: string, key?: string) =>
  server.ok('sell', { asset, amount }, { token: user.token, ...(key ? { key } : {}) })
const tryToSell = (user: TestUser, asset: 'BNB' | 'USDT' | 'ETH' | 'RT', amount: string, key?: string) =>
  server.call('sell', { asset, amount }, { token: user.token, ...(key ? { key } : {}) })
const orders = async (user: TestUser) => (await server.ok('sellOrders', { limit: 100 }, { token: user.token })).items
const callVault = (by: typeof operator, functionName: 'pause' | 'unpause') =>
  send(
    { account: by as never },
    { to: server.custody.vault, data: encodeFunctionData({ abi: clearwellVaultAbi, functionName }) },
  )
const coins = (user: TestUser) => control.client.getBalance({ address: user.account.address })

async function balancePartsOf(user: TestUser, asset: string) {
  const found = (await server.ok('balances', {}, { token: user.token })).find((each) => each.asset === asset)
  return { available: found?.available, locked: found?.locked, total: found?.total }
}

describe('a transfer out', () => {
  test('a transfer out is locked, signed, submitted, completed and paid exactly', async () => {
    const user = await funded({ BNB: '3' })
    const order = await sell(user, 'BNB', '1.25')
    expect(order).toMatchObject({
      asset: 'BNB',
      amount: '1.25',
      status: 'signed',
      to: server.custody.vault,
      voucher: { account: user.account.address, asset: zeroAddress, amount: parseEther('1.25').toString() },
      signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
      tx_hash: null,
      confirmations: 0,
      required: 2,
    })
    expect(Number(order.voucher?.deadline) * 1000).toBe(new Date(order.expires_at).getTime())
    expect(await balancePartsOf(user, 'BNB')).toEqual({ available: '1.75', locked: '1.25', total: '3' })

    const before = await coins(user)
    const receipt = await submit(user, order)
    expect(receipt.status).toBe('success')
    expect((await coins(user)) - before).toBe(parseEther('1.25') - receipt.gasUsed * receipt.effectiveGasPrice)
    await server.watcher.poll()
    const submitted = { status: 'submitted', tx_hash: receipt.transactionHash, confirmations: 1 }
    expect((await orders(user))[0]).toMatchObject(submitted)
    expect(await balancePartsOf(user, 'BNB')).toMatchObject({ locked: '1.25' })

    await mineAndPoll(1)
    expect(await orders(user)).toEqual([
      {
        ...order,
        status: 'completed',
        voucher: null,
        signature: null,
        calldata: null,
        tx_hash: receipt.transactionHash,
        confirmations: 2,
      },
    ])
    expect(await balancePartsOf(user, 'BNB')).toEqual({ available: '1.75', locked: '0', total: '1.75' })
    await expectCustodyExact(server)
  })

  test("pays the order's owner in token units, regardless of the submitter", async () => {
    const [user, stranger] = [await funded({ USDT: '100' }), await server.newUser()]
    const order = await sell(user, 'USDT', '12.345678')
    expect(order.voucher).toMatchObject({ asset: server.custody.tokens[0]?.address, amount: '12345678' })
    const usdt = {
      address: server.custody.tokens[0]?.address as Hex,
      abi: erc20Abi,
      functionName: 'balanceOf',
    } as const
    const held = (who: TestUser) => control.client.readContract({ ...usdt, args: [who.account.address] })
    const [mine, theirs] = [await held(user), await held(stranger)]
    expect((await submit(stranger, order)).status).toBe('success')
    expect([(await held(user)) - mine, (await held(stranger)) - theirs]).toEqual([12_345_678n, 0n])
    await mineAndPoll(1)
    expect((await orders(user))[0]).toMatchObject({ status: 'completed' })
    expect(await orders(stranger)).toEqual([])
    await expectCustodyExact(server)
  })

  test('a transfer out needs no activation and shows locked, then paid', async () => {
    const user = await funded({ BNB: '2' })
    const order = await sell(user, 'BNB', '0.5')
    const { transactionHash } = await submit(user, order)
    await mineAndPoll(1)
    const { items } = await server.ok('logs', { limit: 100 }, { token: user.token })
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
    const user = await funded({ BNB: '3' })
    const order = await sell(user, 'BNB', '1')
    expect((await submit(user, order)).status).toBe('success')
    expect((await submit(user, order)).status).toBe('reverted')
    await mineAndPoll(2)
    expect(await balancePartsOf(user, 'BNB')).toEqual({ available: '2', locked: '0', total: '2' })
    await expectCustodyExact(server)
  })

  test('a looked-up withdrawal shows as pending, then credited', async () => {
    const user = await funded({ BNB: '2' })
    const { transactionHash: tx_hash } = await submit(user, await sell(user, 'BNB', '0.75'))
    const retrieve = (by: TestUser) => server.ok('retrieve', { tx_hash }, { token: by.token })
    const items = [{ asset: 'BNB', amount: '-0.75', mine: true }]
    expect(await retrieve(user)).toEqual({ status: 'pending', confirmations: 1, required: 2, items })
    await control.mine(1)
    expect(await retrieve(user)).toEqual({ status: 'already', confirmations: 2, required: 2, items })
    expect((await orders(user))[0]).toMatchObject({ status: 'completed' })
    const other = await server.newUser({ faucet: false })
    expect(await retrieve(other)).toMatchObject({ status: 'already', items: [{ mine: false }] })
  })
})

describe('a repeated order', () => {
  test('returns the same voucher for its key, rejects another amount', async () => {
    const user = await funded({ BNB: '3' })
    const key = newKey()
    const responses = await Promise.all([sell(user, 'BNB', '1', key), sell(user, 'BNB', '1', key)])
    responses.push(await sell(user, 'BNB', '1', key))
    for (const response of responses) expect(response).toEqual(responses[0])
    expect(await tryToSell(user, 'BNB', '1.1', key)).toMatchObject({ status: 409, code: 20010 })
    expect(await balancePartsOf(user, 'BNB')).toMatchObject({ available: '2', locked: '1' })
  })

  test('returns its voucher on another device, which submits it', async () => {
    const user = await funded({ BNB: '3' })
    const order = await sell(user, 'BNB', '1')
    const { nonceStr } = await server.ok('getNonce', { address: user.account.address })
    const signature = await user.account.signMessage({ message: nonceStr })
    const { token } = await server.ok('login', { address: user.account.address, signature, device_type: 'web' })
    const [fetched] = (await server.ok('sellOrders', {}, { token })).items
    expect(fetched).toEqual(order)
    expect((await submit(user, fetched as Order)).status).toBe('success')
    await mineAndPoll(1)
  })

  test("the owner's list shows orders newest first, in pages", async () => {
    const [user, other] = [await funded({ BNB: '3' }), await server.newUser({ faucet: false })]
    for (const amount of ['0.1', '0.2', '0.3']) await sell(user, 'BNB', amount)
    const first = await server.ok('sellOrders', { limit: 2 }, { token: user.token })
    const second = await server.ok('sellOrders', { limit: 2, cursor: first.next_cursor ?? '' }, { token: user.token })
    expect([...first.items, ...second.items].map((each) => each.amount)).toEqual(['0.3', '0.2', '0.1'])
    expect(second.next_cursor).toBeNull()
    expect(await orders(other)).toEqual([])
  })
})

describe('a rejected order', () => {
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
  ] as const)('%s', async (_what, asset, amount, expected) => {
    const user = await funded({ BNB: '3', ETH: '2' })
    expect(await tryToSell(user, asset, amount)).toMatchObject(expected)
    expect(await balancePartsOf(user, 'BNB')).toEqual({ available: '3', locked: '0', total: '3' })
    expect(await orders(user)).toEqual([])
  })

  test.each(['', '-1', '1e3', '0x10', '1,5', '1.0000000000000000001'])(
    'an order with the amount "%s" is rejected as invalid',
    async (amount) => {
      const user = await server.newUser({ faucet: false })
      const reply = await tryToSell(user, 'BNB', amount)
      expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { amount: expect.any(String) } } })
    },
  )

  test('an order over the daily cap reports the amount left', async () => {
    const user = await funded({ ETH: '4' })
    await sell(user, 'ETH', '1')
    expect(await tryToSell(user, 'ETH', '0.6')).toMatchObject({
      code: 20006,
      data: { min: '0.005', max: '0.5', reason: 'daily_limit', limited_by: 'all_accounts' },
    })
    await sell(user, 'ETH', '0.499')
    expect(await tryToSell(user, 'ETH', '0.005')).toMatchObject({
      code: 20005,
      data: { reason: 'daily_limit_reached', available_today: '0.001', limited_by: 'all_accounts' },
    })
    expect(await balancePartsOf(user, 'ETH')).toEqual({ available: '2.501', locked: '1.499', total: '4' })
    // A day later, both vouchers are expired and the cap is free again.
    await server.ok('localAdvance', { seconds: 86_400 })
    await mineAndPoll(1)
    expect(await balancePartsOf(user, 'ETH')).toEqual({ available: '4', locked: '0', total: '4' })
    await sell(user, 'ETH', '1')
  })

  test("an order over the account's cap leaves other accounts theirs", async () => {
    const [user, other] = [await funded({ BNB: '8' }), await funded({ BNB: '3' })]
    const order = await sell(user, 'BNB', '5')
    const limitsOf = async ({ token }: { token: string }) => {
      const limits = await server.ok('sellLimits', {}, { token })
      expect(limits.map(({ asset }) => asset)).toEqual(['BNB', 'USDT', 'ETH'])
      return limits[0]
    }
    const limit = await limitsOf(user)
    expect(limit).toMatchObject({ available_today: '1', limited_by: 'account' })
    const dayMs = Date.parse(limit?.more_at ?? '') - Date.parse(order.created_at)
    expect(Math.abs(dayMs - 86_400_000)).toBeLessThan(10_000)
    expect(await tryToSell(user, 'BNB', '1.5')).toMatchObject({
      code: 20006,
      data: { max: '1', reason: 'daily_limit', limited_by: 'account', available_today: '1', more_at: limit?.more_at },
    })
    await sell(user, 'BNB', '1')
    expect(await tryToSell(user, 'BNB', '1')).toMatchObject({
      code: 20005,
      data: { reason: 'daily_limit_reached', available_today: '0', limited_by: 'account' },
    })
    expect(await limitsOf(other)).toEqual({ asset: 'BNB', available_today: '6', limited_by: 'account', more_at: null })
    await sell(other, 'BNB', '2')
  })

  test('a paused vault locks nothing, and lists stay readable', async () => {
    const user = await funded({ BNB: '3' })
    const before = await sell(user, 'BNB', '1')
    await callVault(guardian as never, 'pause')
    const key = newKey()
    expect(await tryToSell(user, 'BNB', '1', key)).toMatchObject({
      code: 20005,
      data: { reason: 'withdrawals_paused' },
    })
    expect(await balancePartsOf(user, 'BNB')).toEqual({ available: '2', locked: '1', total: '3' })
    expect(await orders(user)).toEqual([before])
    expect((await submit(user, before)).status).toBe('reverted')
    await callVault(operator as never, 'unpause')
    // The same request succeeds after the pause.
    const order = await sell(user, 'BNB', '1', key)
    for (const each of [before, order]) expect((await submit(user, each)).status).toBe('success')
    await mineAndPoll(1)
    expect(await balancePartsOf(user, 'BNB')).toEqual({ available: '1', locked: '0', total: '1' })
  })
})

describe('an unsubmitted voucher', () => {
  test('a voucher expires at its final deadline, then fails on-chain', async () => {
    const user = await funded({ BNB: '3' })
    const order = await sell(user, 'BNB', '1')
    const seconds = server.config.withdrawals.voucherTtlMs / 1000 + 1
    await server.ok('localAdvance', { seconds })
    const [shown] = await orders(user)
    expect(shown).toMatchObject({ status: 'signed', expires_at: order.expires_at })
    const { time } = await server.ok('config', {})
    expect(new Date(order.expires_at) < new Date(time)).toBe(true)
    expect(await balancePartsOf(user, 'BNB')).toMatchObject({ locked: '1' })
    await mineAndPoll(1)
    expect(await orders(user)).toEqual([
      { ...order, status: 'expired', voucher: null, signature: null, calldata: null },
    ])
    expect(await balancePartsOf(user, 'BNB')).toEqual({ available: '3', locked: '0', total: '3' })
    expect((await submit(user, order)).status).toBe('reverted')
    await mineAndPoll(2)
    expect(await balancePartsOf(user, 'BNB')).toEqual({ available: '3', locked: '0', total: '3' })
    const { items } = await server.ok('logs', { kind: 'withdrawal_release' }, { token: user.token })
    expect(items.map(({ amount, reference }) => [amount, reference]).toSorted()).toEqual([
      ['-1', order.order_id],
      ['1', order.order_id],
    ])
  })
})

test('a transfer out requires signing in', async () => {
  expect(await server.call('sell', { asset: 'BNB', amount: '1' })).toMatchObject({ code: 10001 })
  expect(await server.call('sellOrders', {})).toMatchObject({ code: 10001 })
})
