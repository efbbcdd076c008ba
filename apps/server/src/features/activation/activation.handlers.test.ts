import type { ResponseOf } from '@clearwell/api/routes'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { vaultDeposit } from '../../platform/chain/vault-deposit.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { testOpeningHours, untilHongKong } from './testing/test-opening-hours.ts'

// The rules are decided in activate.test.ts. Here are payments, sessions, keys and one case of the opening hours each.
const TERMS = { version: '2026-11', url: 'https://pool.example/terms' }

let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
beforeAll(async () => {
  file = await localConfigFile((config) => {
    config.activation.opening = { opens: '09:30', closes: '17:00' }
    Object.assign(config, { operator: { name: null, place: null, terms: TERMS, helpUrl: null, audits: [] } })
    // The watcher runs only when a test calls it.
    config.chain.pollMs = 86_400_000
  })
  server = await startTestServer({ CONFIG_FILE: file.path })
  await untilHongKong(server, 10)
})
afterAll(() => endExact(server, { file }))

const statusOf = (user: TestUser) => server.ok('getActiveStatus', {}, { token: user.token })
const order = (user: TestUser) => server.ok('active', {}, { token: user.token, key: newKey() })

async function activationsOf(user: TestUser): Promise<number> {
  const rows = await server.db.query(
    `select 1 from entries join postings on entry_seq = seq where entries.kind = 'activation' and account = $1`,
    [`user:${user.id}:available`],
  )
  return rows.length
}

/** Pays an order's id with another amount, asset or wallet than the order says, and waits until it is credited. */
async function payDifferently(payer: TestUser, orderId: string, asset: 'USDT' | 'ETH' | 'BNB', amount: string) {
  const token = server.custody.tokens.find((each) => each.asset === asset)?.address ?? null
  const { to, data, value } = vaultDeposit({ vault: server.custody.vault, token, units: parseEther(amount), orderId })
  const hash = await payer.pay(asset, { to, calldata: data, value: value.toString(), amount })
  await server.watcher.poll()
  return hash
}

async function payAndWait(user: TestUser, call: ResponseOf<'active'>) {
  const hash = await user.pay('USDT', call)
  await server.watcher.poll()
  return hash
}

describe('an account that never did anything', () => {
  test('a new account is inactive and sees the activation price', async () => {
    const user = await server.newUser({ faucet: false })
    expect(await statusOf(user)).toEqual({ status: 0, price: '10', asset: 'USDT' })
    expect(await server.ok('userinfo', {}, { token: user.token })).toMatchObject({ activated: false })
  })
})

describe('activation by balance', () => {
  test('activation by balance moves the price to insurance and activates immediately', {
    tags: ['§1.05'],
  }, async () => {
    const user = await server.newUser()
    await user.transferIn('USDT', '25')
    expect(await server.ok('activeByBalance', {}, { token: user.token, key: newKey() })).toEqual({ status: 2 })
    expect(await user.available('USDT')).toBe('15')
    expect(await statusOf(user)).toEqual({ status: 2, price: '10', asset: 'USDT' })
    expect(await server.ok('userinfo', {}, { token: user.token })).toMatchObject({ activated: true })
    const postings = await server.db.query(
      `select account, asset, units from entries join postings on entry_seq = seq
       where entries.kind = 'activation' and reference = $1 order by position`,
      [user.id],
    )
    expect(postings).toEqual([
      { account: `user:${user.id}:available`, asset: 'USDT', units: -parseEther('10') },
      { account: 'insurance', asset: 'USDT', units: parseEther('10') },
    ])
  })

  test('activation by balance needs the last unit of the price', async () => {
    const user = await server.newUser()
    const { order_id } = await server.ok('buy', { asset: 'USDT', amount: '10' }, { token: user.token })
    await payDifferently(user, order_id, 'USDT', '9.999999999999999999')
    const reply = await server.call('activeByBalance', {}, { token: user.token })
    expect(reply).toMatchObject({ status: 200, code: 20001, msg: 'Balance not enough' })
    expect(await user.available('USDT')).toBe('9.999999999999999999')
    expect((await statusOf(user)).status).toBe(0)
  })

  test('activation by balance charges once for repeated and concurrent calls', async () => {
    const user = await server.newUser()
    await user.transferIn('USDT', '50')
    const key = newKey()
    const options = [{ key }, { key }, { key: newKey() }, {}, {}].map((each) => ({ token: user.token, ...each }))
    const responses = await Promise.all(options.map((each) => server.ok('activeByBalance', {}, each)))
    responses.push(await server.ok('activeByBalance', {}, { token: user.token, key: newKey() }))
    for (const response of responses) expect(response).toEqual({ status: 2 })
    expect(await user.available('USDT')).toBe('40')
    expect(await activationsOf(user)).toBe(1)
  })

  test('a refused activation repeats its refusal for the same key only', async () => {
    const user = await server.newUser()
    const options = { token: user.token, key: newKey() }
    expect((await server.call('activeByBalance', {}, options)).code).toBe(20001)
    await user.transferIn('USDT', '10')
    expect((await server.call('activeByBalance', {}, options)).code).toBe(20001)
    expect((await server.call('activeByBalance', {}, { ...options, key: newKey() })).code).toBe(1)
  })

  test('activation rejects an idempotency key of another call', async () => {
    const user = await server.newUser()
    const options = { token: user.token, key: newKey() }
    await server.ok('active', {}, options)
    expect(await server.call('activeByBalance', {}, options)).toMatchObject({ status: 409, code: 20010 })
    expect((await statusOf(user)).status).toBe(1)
  })

  test('activation by balance needs a session', async () => {
    expect((await server.call('activeByBalance', {})).code).toBe(10001)
    expect((await server.call('active', {})).code).toBe(10001)
    expect((await server.call('getActiveStatus', {})).code).toBe(10001)
  })
})

describe('the terms of the operator', () => {
  const termsOf = async ({ token }: TestUser) => (await server.ok('userinfo', {}, { token })).terms
  const accepted = { version: TERMS.version, accepted_at: expect.stringMatching(/^\d{4}-.*Z$/) }

  test('are published, and their acceptance by balance is stored', async () => {
    expect((await server.ok('config', {})).terms).toEqual(TERMS)
    const user = await server.newUser()
    await user.transferIn('USDT', '10')
    expect(await termsOf(user)).toBeNull()
    await server.ok('activeByBalance', { terms_version: TERMS.version }, { token: user.token, key: newKey() })
    expect(await termsOf(user)).toEqual(accepted)
  })

  test('are accepted with an order to pay by wallet, new or open', async () => {
    const user = await server.newUser({ faucet: false })
    const { order_id } = await order(user)
    expect(await termsOf(user)).toBeNull()
    const again = await server.ok('active', { terms_version: TERMS.version }, { token: user.token, key: newKey() })
    expect(again.order_id).toBe(order_id)
    expect(await termsOf(user)).toEqual(accepted)
  })

  test.each(['active', 'activeByBalance'] as const)('of another version refuse %s', async (name) => {
    const user = await server.newUser()
    await user.transferIn('USDT', '10')
    const call = () => server.call(name, { terms_version: '2025-01' }, { token: user.token })
    expect(await call()).toMatchObject({
      status: 409,
      code: 20010,
      msg: 'The operator’s terms have changed. Reload the app, read them and try again.',
      data: { reason: 'unknown_terms' },
    })
    expect([await statusOf(user), await user.available('USDT')]).toMatchObject([{ status: 0 }, '10'])
  })

  test('are stored for an activated account too, without a charge', async () => {
    const user = await server.newUser()
    await user.transferIn('USDT', '25')
    await user.activateByBalance()
    expect(await termsOf(user)).toBeNull()
    await server.ok('activeByBalance', { terms_version: TERMS.version }, { token: user.token, key: newKey() })
    expect([await termsOf(user), await user.available('USDT')]).toEqual([accepted, '15'])
  })
})

describe('activation by wallet', () => {
  test('activation by wallet names the payment and activates once it arrives', { tags: ['§1.04'] }, async () => {
    const user = await server.newUser()
    const call = await order(user)
    expect(call).toMatchObject({
      to: server.custody.vault,
      asset: 'USDT',
      amount: '10',
      value: '0',
      status: 'created',
      tx_hash: null,
      confirmations: 0,
      required: 1,
    })
    expect(call.order_id).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await statusOf(user)).toEqual({ status: 1, price: '10', asset: 'USDT', order: call })

    const hash = await payAndWait(user, call)

    expect(await statusOf(user)).toEqual({ status: 2, price: '10', asset: 'USDT' })
    expect(await user.available('USDT')).toBe('0')
    expect(await activationsOf(user)).toBe(1)
    expect(await server.call('active', {}, { token: user.token, key: newKey() })).toMatchObject({
      status: 409,
      code: 20010,
      data: { reason: 'already_activated' },
    })
    const again = await server.ok('active', { tx_hash: hash }, { token: user.token })
    expect(again).toMatchObject({ order_id: call.order_id, status: 'credited', tx_hash: hash, confirmations: 1 })
  })

  test('activation by wallet keeps one open order for repeated calls', async () => {
    const user = await server.newUser({ faucet: false })
    const [first, ...others] = await Promise.all([
      order(user),
      order(user),
      server.ok('active', {}, { token: user.token }),
    ])
    for (const other of others) expect(other).toEqual(first)
    expect(await order(user)).toEqual(first)
  })

  test('activation by wallet keeps an overpayment in the balance', async () => {
    const user = await server.newUser()
    const { order_id } = await order(user)
    await payDifferently(user, order_id, 'USDT', '33')
    expect((await statusOf(user)).status).toBe(2)
    expect(await user.available('USDT')).toBe('23')
  })

  test('an underpaid order credits the balance and asks for the rest', async () => {
    const user = await server.newUser()
    const { order_id } = await order(user)
    await payDifferently(user, order_id, 'USDT', '9.999999999999999999')
    const missing = { order_id, amount: '0.000000000000000001', status: 'created', tx_hash: null }
    expect(await statusOf(user)).toMatchObject({ status: 1, order: missing })
    expect(await user.available('USDT')).toBe('9.999999999999999999')
  })

  test('an order paid in three parts activates with the last part', async () => {
    const user = await server.newUser()
    const { order_id } = await order(user)
    await payDifferently(user, order_id, 'USDT', '3')
    await payDifferently(user, order_id, 'USDT', '4')
    const { order: open } = await statusOf(user)
    expect(open).toMatchObject({ order_id, amount: '3', status: 'created' })
    await payAndWait(user, open as ResponseOf<'active'>)
    expect((await statusOf(user)).status).toBe(2)
    expect(await user.available('USDT')).toBe('0')
    expect(await activationsOf(user)).toBe(1)
  })

  test('an order whose first payment was withdrawn closes without charging', async () => {
    const user = await server.newUser()
    await payDifferently(user, `0x${'0'.repeat(63)}1`, 'USDT', '2')
    const { order_id } = await order(user)
    await payDifferently(user, order_id, 'USDT', '9')
    await server.ok('sell', { asset: 'USDT', amount: '11' }, { token: user.token })
    await payDifferently(user, order_id, 'USDT', '1')
    expect(await statusOf(user)).toMatchObject({ status: 0 })
    expect(await user.available('USDT')).toBe('1')
    expect(await activationsOf(user)).toBe(0)
    const next = await order(user)
    expect(next).toMatchObject({ amount: '10', status: 'created' })
    expect(next.order_id).not.toBe(order_id)
  })

  test('a payment in another asset does not activate', async () => {
    const user = await server.newUser()
    const { order_id } = await order(user)
    await payDifferently(user, order_id, 'BNB', '9')
    expect((await statusOf(user)).status).toBe(1)
    expect(await user.available('BNB')).toBe('9')
  })

  test("another user's payment activates no account and is credited to its sender", async () => {
    const [user, stranger] = [await server.newUser(), await server.newUser()]
    const { order_id } = await order(user)
    await payDifferently(stranger, order_id, 'USDT', '10')
    expect((await statusOf(user)).status).toBe(1)
    expect((await statusOf(stranger)).status).toBe(0)
    expect(await stranger.available('USDT')).toBe('10')
    expect(await user.available('USDT')).toBe('0')
  })

  test('a payment after activation by balance stays in the balance', async () => {
    const user = await server.newUser()
    await user.transferIn('USDT', '10')
    const call = await order(user)
    await user.activateByBalance()
    await payAndWait(user, call)
    expect((await statusOf(user)).status).toBe(2)
    expect(await user.available('USDT')).toBe('10')
    expect(await activationsOf(user)).toBe(1)
  })

  test('an activation order that is paid twice charges once', async () => {
    const user = await server.newUser()
    const call = await order(user)
    await user.pay('USDT', call)
    await user.pay('USDT', call)
    await server.watcher.poll()
    expect((await statusOf(user)).status).toBe(2)
    expect(await user.available('USDT')).toBe('10')
    expect(await activationsOf(user)).toBe(1)
  })

  test('activation by wallet rejects a malformed transaction hash', async () => {
    const user = await server.newUser({ faucet: false })
    const reply = await server.call('active', { tx_hash: '0x1234' }, { token: user.token })
    expect(reply).toMatchObject({ status: 400, code: 20000, data: { fields: { tx_hash: 'not a transaction hash' } } })
    expect((await statusOf(user)).status).toBe(0)
  })

  test('an unknown or foreign transaction hash activates no account', async () => {
    const [user, other] = [await server.newUser({ faucet: false }), await server.newUser()]
    const call = await order(other)
    const hash = await other.pay('USDT', call)
    for (const tx_hash of [`0x${'ab'.repeat(32)}`, hash]) {
      const response = await server.ok('active', { tx_hash }, { token: user.token })
      expect(response).toMatchObject({ status: 'created', tx_hash: null })
      expect(response.order_id).not.toBe(call.order_id)
    }
    expect((await statusOf(user)).status).toBe(1)
    expect((await statusOf(other)).status).toBe(2)
  })
})

describe('with opening hours', () => testOpeningHours(() => server))
