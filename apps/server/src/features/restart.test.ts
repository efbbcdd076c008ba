import type { ResponseOf } from '@clearwell/api/routes'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { type Account, encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlChain, localConfigFile } from '../platform/chain/testing/local-chain.ts'
import { openStream } from '../platform/stream/testing/stream.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../testing/server.ts'
import { pairOf } from '../testing/traders.ts'
import { startPushService } from './alert/testing/push-service.ts'
import { PUBLIC_KEY, VAPID } from './alert/testing/vapid.ts'

// Each feature prepares its case before one restart that they share, because every start costs seconds.

type Order = ResponseOf<'sell'>

const OWNER = mnemonicToAccount('test test test test test test test test test test test junk')
let server: TestServer
let file: Awaited<ReturnType<typeof localConfigFile>>
let service: Awaited<ReturnType<typeof startPushService>>
let control: ReturnType<typeof controlChain>
const preparations: (() => Promise<void>)[] = []

beforeAll(async () => {
  service = await startPushService(PUBLIC_KEY, Date.now)
  file = await localConfigFile((config) => {
    // The watcher and the guard of the pools run only when a test calls them.
    config.chain.pollMs = 3_600_000
    Object.assign(config.swap.breaker, { checkMs: 3_600_000 })
    config.push = { services: [service.origin] }
  })
  server = await startTestServer({ CONFIG_FILE: file.path, ...VAPID })
  connect()
  for (const prepare of preparations) await prepare()
  await restart()
}, 120_000)
afterAll(async () => {
  try {
    await endExact(server, { first: async () => expectNoErrors(), file })
    expect(service.faults).toEqual([])
  } finally {
    await service.stop()
  }
})

/** The local chain listens on another port after each start. */
function connect(): void {
  control = controlChain({ rpcUrl: server.rpcUrl, chainId: server.config.chain.id })
}

const expectNoErrors = () => expect(server.errors).toEqual([])

async function restart(changes?: NodeJS.ProcessEnv): Promise<void> {
  expectNoErrors()
  server = await server.restart(changes)
  connect()
}

/** Prepares before the restart. The test is the check that `prepare` returns, after the restart. */
function testAcrossRestart(title: string, prepare: () => Promise<() => Promise<void>>): void {
  let check: () => Promise<void>
  preparations.push(async () => {
    check = await prepare()
  })
  test(title, () => check())
}

const advance = (seconds: number) => server.ok('localAdvance', { seconds })
const spot = (price: string) => server.ok('localPrice', { symbol: 'BNBUSDT', price })
const setAlert = ({ token }: TestUser, price: string) =>
  server.ok('setAlert', { symbol: 'BNBUSDT', direction: 'above', price }, { token, key: newKey() })

async function send({ account }: { account: Account }, call: { to: Hex; data?: Hex; value?: bigint }) {
  const wallet = control.wallet(account)
  const hash = await wallet.sendTransaction({ gas: 500_000n, ...call, account, chain: wallet.chain })
  expect((await control.receipt(hash)).status).toBe('success')
}

/** Creates a user with 3 BNB. */
async function funded(): Promise<TestUser> {
  const user = await server.newUser()
  await user.transferIn('BNB', '3')
  return user
}

const sell = ({ token }: TestUser, key: string) => server.ok('sell', { asset: 'BNB', amount: '1' }, { token, key })
const ordersOf = async ({ token }: TestUser) => (await server.ok('sellOrders', {}, { token })).items

async function bnbOf({ token }: TestUser) {
  const found = (await server.ok('balances', {}, { token })).find((each) => each.asset === 'BNB')
  return { available: found?.available, locked: found?.locked }
}

async function submitAndPoll(user: TestUser, order: Order | undefined): Promise<void> {
  await send(user, { to: order?.to as Hex, data: order?.calldata as Hex })
  await server.watcher.poll()
}

testAcrossRestart('the set price and both clocks move on', async () => {
  await advance(100_000)
  await server.ok('localPrice', { symbol: 'ETHUSDT', price: '5000' })
  const { time } = await advance(600)
  return async () => {
    const { price, stale, source } = await server.ok('spotTicker', { symbol: 'ETHUSDT' })
    expect({ stale, source }).toEqual({ stale: false, source: 'simulated market' })
    // As far as the shorter waves can carry it in the meantime; without the setting it is near 3,300.
    expect(Math.abs(Number(price) - 5_000)).toBeLessThan(100)
    expect(Date.parse((await server.ok('config', {})).time)).toBeGreaterThanOrEqual(Date.parse(time))
    const { timestamp } = await control.client.getBlock()
    expect(Number(timestamp)).toBeGreaterThanOrEqual(Math.floor(Date.parse(time) / 1_000))
  }
})

testAcrossRestart('tokens stay valid or revoked', async () => {
  const { account, token: kept } = await server.newUser({ faucet: false })
  const { address } = account
  const { nonceStr } = await server.ok('getNonce', { address })
  const signature = await account.signMessage({ message: nonceStr })
  const { token: revoked } = await server.ok('login', { address, signature, device_type: 'web' })
  await server.ok('logout', {}, { token: revoked })
  return async () => {
    expect((await server.call('userinfo', {}, { token: kept })).code).toBe(1)
    expect((await server.call('userinfo', {}, { token: revoked })).code).toBe(10001)
  }
})

testAcrossRestart('an activation order is the same, and payable', async () => {
  const user = await server.newUser()
  const order = await server.ok('active', {}, { token: user.token })
  return async () => {
    const status = () => server.ok('getActiveStatus', {}, { token: user.token })
    expect(await status()).toEqual({ status: 1, price: '10', asset: 'USDT', order })
    const usdt = server.custody.tokens.find((token) => token.asset === 'USDT')?.address as Hex
    const args = [server.custody.vault, parseEther('10')] as const
    await send(user, { to: usdt, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) })
    await send(user, { to: server.custody.vault, data: order.calldata as Hex })
    await server.watcher.poll()
    expect((await status()).status).toBe(2)
  }
})

testAcrossRestart('a voucher is the same, and pays', async () => {
  const user = await funded()
  const key = newKey()
  const order = await sell(user, key)
  return async () => {
    expect(await sell(user, key)).toEqual(order)
    expect(await ordersOf(user)).toEqual([order])
    await submitAndPoll(user, order)
    expect((await ordersOf(user))[0]).toMatchObject({ status: 'completed', voucher: null })
    expect(await bnbOf(user)).toEqual({ available: '2', locked: '0' })
  }
})

testAcrossRestart('the start signs orders that an earlier process left locked', async () => {
  const user = await funded()
  const order = await sell(user, newKey())
  // Looks like a crash after the lock: an order without a signature, unknown to the signer.
  const { db } = server
  await db.query(`update withdrawal_orders set status = 'locked', signature = null where id = $1`, [order.order_id])
  await db.query('alter table signed_vouchers disable trigger signed_vouchers_append_only')
  await db.query('delete from signed_vouchers where account = $1', [user.id])
  await db.query('alter table signed_vouchers enable trigger signed_vouchers_append_only')
  return async () => {
    const text = 'select status, signature from withdrawal_orders where id = $1'
    expect(await server.db.query(text, [order.order_id])).toEqual([{ status: 'signed', signature: order.signature }])
    await submitAndPoll(user, (await ordersOf(user))[0])
    expect(await bnbOf(user)).toEqual({ available: '2', locked: '0' })
  }
})

testAcrossRestart('alerts are delivered once, and stay waiting', async () => {
  const user = await server.newUser({ faucet: false })
  const { token } = user
  await spot('600')
  const first = await setAlert(user, '700')
  const second = await setAlert(user, '800')
  await spot('710')
  return async () => {
    const stream = await openStream(server.url, 'channels=account', { 'xx-token': token })
    await stream.next('ready')
    await spot('720')
    await spot('810')
    expect((await stream.next('alert')).data).toMatchObject({ alert_id: second.alert_id })
    expect(stream.of('alert')).toHaveLength(1)
    const { items } = await server.ok('alertNotices', {}, { token })
    expect(items.map((each) => each.alert_id)).toEqual([second.alert_id, first.alert_id])
    stream.close()
  }
})

testAcrossRestart('a message of an earlier delivery is sent', async () => {
  const user = await server.newUser({ faucet: false })
  await server.ok('subscribePush', service.newDevice(), { token: user.token, locale: 'en' })
  await spot('600')
  await setAlert(user, '700')
  service.respondWith(503)
  await spot('710')
  const waiting = async () =>
    (await server.db.query<{ attempts: number }>('select attempts from alert_pushes')).map(({ attempts }) => attempts)
  expect(service.received).toHaveLength(1)
  expect(await waiting()).toEqual([1])
  service.respondWith(201)
  return async () => {
    await advance(11)
    expect(service.received).toHaveLength(2)
    expect(await waiting()).toEqual([])
  }
})

testAcrossRestart('a start resumes what a rule suspended, and nothing else', async () => {
  const suspend = (id: string, reason: string, by: string | null) =>
    server.db.query(
      'update swap_pools set suspended_at = now(), suspended_reason = $2, suspended_by = $3 where id = $1',
      [id, reason, by],
    )
  await suspend('bnb-usdt', 'price_deviation', 'rule')
  await suspend('eth-usdt', 'maintenance', null)
  await suspend('rt-usdt', 'operator', 'operator')
  return async () => {
    await advance(1)
    expect(await pairOf(server, 'bnb-usdt')).toMatchObject({ suspended: false, suspended_reason: null })
    expect(await pairOf(server, 'eth-usdt')).toMatchObject({ suspended: true, suspended_reason: 'maintenance' })
    expect(await pairOf(server, 'rt-usdt')).toMatchObject({ suspended: true, suspended_reason: 'operator' })
    expect(await server.db.query('select pool_id, kind, changed_by from pool_events')).toEqual([
      { pool_id: 'bnb-usdt', kind: 'resumed', changed_by: 'rule' },
    ])
  }
})

let payer: TestUser
testAcrossRestart('a payment made while no server watched is credited', async () => {
  payer = await server.newUser()
  await send(payer, { to: server.custody.vault, value: parseEther('1') })
  expect(await payer.available('BNB')).toBe('0')
  return async () => {
    await server.watcher.poll()
    expect(await bnbOf(payer)).toEqual({ available: '1', locked: '0' })
  }
})

describe('a second restart, with another signer', () => {
  let user: TestUser
  let before: Order
  beforeAll(async () => {
    user = await funded()
    before = await sell(user, newKey())
    const key = `0x${'6'.repeat(64)}` as const
    const args = [privateKeyToAddress(key)] as const
    const data = encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'setSigner', args })
    await send({ account: OWNER }, { to: server.custody.vault, data })
    await advance(10)
    expect((await ordersOf(user))[0]).toMatchObject({ order_id: before.order_id, status: 'locked', calldata: null })
    await restart({ SIGNER_KEY: key })
  })

  test('signs the vouchers again, and they pay', async () => {
    const [after] = await ordersOf(user)
    expect(after).toMatchObject({ status: 'signed', voucher: before.voucher })
    expect(after?.signature).not.toBe(before.signature)
    await submitAndPoll(user, after)
    expect((await ordersOf(user))[0]).toMatchObject({ status: 'completed' })
    expect(await bnbOf(user)).toEqual({ available: '2', locked: '0' })
  })

  test('credits a payment of before the first restart once', async () => {
    await server.watcher.poll()
    expect(await bnbOf(payer)).toEqual({ available: '1', locked: '0' })
  })
})
