import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { localConfigFile } from '../../platform/chain/testing/local-chain.ts'
import { openStream } from '../../platform/stream/testing/stream.ts'
import { dataOfRefusal } from '../../testing/refusal-data.ts'
import { newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { startPushService } from './testing/push-service.ts'
import type { PushWorld } from './testing/push-steps.ts'
import { testPush } from './testing/test-push.ts'
import { testPushDevices } from './testing/test-push-devices.ts'
import { PUBLIC_KEY, VAPID } from './testing/vapid.ts'

let server: TestServer
const world = {} as PushWorld
let user: TestUser
let other: TestUser
let file: Awaited<ReturnType<typeof localConfigFile>>
beforeAll(async () => {
  const service = await startPushService(PUBLIC_KEY, Date.now)
  // The pools are compared with the market only when a test moves time or prices.
  file = await localConfigFile((config) => {
    config.push = { services: [service.origin] }
    Object.assign(config.swap.breaker, { checkMs: 3_600_000 })
    // Small enough for one user to move its price.
    Object.assign(config.swap.pools.at(-1) as object, { initialBase: '100000', initialQuote: '2000' })
  })
  server = await startTestServer({ CONFIG_FILE: file.path, ...VAPID })
  Object.assign(world, { server, service })
})
beforeEach(async () => {
  ;[user, other] = await Promise.all([server.newUser({ faucet: false }), server.newUser({ faucet: false })])
  await spot('600')
})
afterEach(() => {
  expect(world.service.faults).toEqual([])
  expect(server.errors).toEqual([])
})
afterAll(async () => {
  try {
    await expectBooksBalanced(server.db)
  } finally {
    await server.destroy()
    await file.remove()
    await world.service.stop()
  }
})

/** Sets the spot price of BNB, and delivers alerts. */
const spot = (price: string) => server.ok('localPrice', { symbol: 'BNBUSDT', price })
const set = (price: string, direction: 'above' | 'below' = 'above', token = user.token) =>
  server.ok('setAlert', { symbol: 'BNBUSDT', direction, price }, { token, key: newKey() })
const trySet = (payload: { symbol: string; direction: 'above' | 'below'; price: string }, key = newKey()) =>
  server.call('setAlert', payload, { token: user.token, key })
const alerts = async (token = user.token) => (await server.ok('alerts', {}, { token })).items
const notices = (token = user.token) => server.ok('alertNotices', {}, { token })

test('delivers an alert once, with the price that reached it', async () => {
  const above = await set('700')
  const below = await set('500', 'below')
  expect(above).toMatchObject({
    symbol: 'BNBUSDT',
    direction: 'above',
    price: '700',
    status: 'waiting',
    delivered_at: null,
  })
  await spot('650')
  expect((await alerts()).map((each) => each.status)).toEqual(['waiting', 'waiting'])
  await spot('710')
  await spot('600')
  await spot('720')
  const [first, second] = await alerts()
  expect(first).toEqual(below)
  expect(second).toMatchObject({ alert_id: above.alert_id, status: 'delivered', delivered_at: expect.any(String) })
  expect(Number(second?.price_seen)).toBeGreaterThanOrEqual(700)
  const { items, unread } = await notices()
  expect(unread).toBe(1)
  expect(items).toEqual([
    {
      alert_id: above.alert_id,
      symbol: 'BNBUSDT',
      direction: 'above',
      price: '700',
      price_seen: second?.price_seen,
      delivered_at: second?.delivered_at,
      read: false,
    },
  ])
  await spot('490')
  expect((await notices()).items.map((each) => each.alert_id)).toEqual([below.alert_id, above.alert_id])
})

test("notifies the owner's open apps and lists the alert for later", async () => {
  const listening = await openStream(server.url, 'channels=account', { 'xx-token': user.token })
  const foreign = await openStream(server.url, 'channels=account', { 'xx-token': other.token })
  await Promise.all([listening.next('ready'), foreign.next('ready')])
  const { alert_id } = await set('700')
  const theirs = await set('710', 'above', other.token)
  await spot('705')
  const { data } = await listening.next('alert')
  expect(data).toEqual((await notices()).items[0])
  expect(data).toMatchObject({ alert_id, price: '700', read: false })
  await spot('720')
  expect((await foreign.next('alert')).data).toMatchObject({ alert_id: theirs.alert_id })
  expect(listening.of('alert')).toHaveLength(1)
  expect(foreign.of('alert')).toHaveLength(1)
  listening.close()
  foreign.close()
})

test('marks one delivered alert or all as read, for their owner only', async () => {
  for (const price of ['700', '701', '702']) await set(price)
  await set('703', 'above', other.token)
  await spot('710')
  const { items, unread } = await notices()
  expect(unread).toBe(3)
  const [first] = items
  expect(await server.ok('readAlerts', { alert_id: first?.alert_id }, { token: other.token })).toEqual({ unread: 1 })
  expect(await server.ok('readAlerts', { alert_id: first?.alert_id }, { token: user.token })).toEqual({ unread: 2 })
  expect((await notices()).items.map((each) => each.read)).toEqual([true, false, false])
  expect(await server.ok('readAlerts', {}, { token: user.token })).toEqual({ unread: 0 })
  expect((await notices(other.token)).unread).toBe(1)
})

test("compares with the pool's price without a spot price", async () => {
  const pair = (await server.ok('pairs', {})).find((each) => each.symbol === 'RTUSDT')
  const price = Number(pair?.price)
  const rt = { symbol: 'RTUSDT', direction: 'above' } as const
  const { alert_id } = await server.ok(
    'setAlert',
    { ...rt, price: (price * 1.02).toFixed(8) },
    { token: user.token, key: newKey() },
  )
  const trader = await server.newUser()
  await trader.transferIn('USDT', '10000')
  await trader.activateByBalance()
  const deadline = '2100-01-01T00:00:00Z'
  await server.ok(
    'doSwap',
    { pool_id: pair?.id ?? '', amount: '60', inverse: 1, min_amount_out: '0', deadline },
    { token: trader.token, key: newKey() },
  )
  await server.ok('localAdvance', { seconds: 1 })
  expect((await notices()).items).toMatchObject([{ alert_id, symbol: 'RTUSDT' }])
})

test('rejects an alert at a price that is already reached', async () => {
  for (const { direction, price } of [
    { direction: 'above', price: '500' },
    { direction: 'below', price: '700' },
  ] as const) {
    const reply = await trySet({ symbol: 'BNBUSDT', direction, price })
    expect(reply).toMatchObject({ status: 200, code: 20006, data: { reason: 'already_reached' } })
    const { price: now, min, max } = dataOfRefusal('amount_out_of_range', reply)
    expect(Math.abs(Number(now) - 600)).toBeLessThan(20)
    expect(direction === 'above' ? [min, max] : [max, min]).toEqual([now, null])
  }
  expect(await alerts()).toEqual([])
})

test('rejects an unknown market and an invalid price', async () => {
  expect(await trySet({ symbol: 'DOGEUSDT', direction: 'above', price: '1' })).toMatchObject({
    status: 404,
    code: 20009,
  })
  for (const price of ['0', '0.0', '-1', '1e3', '', '1.0000000000000000001', ' 1'])
    expect(await trySet({ symbol: 'BNBUSDT', direction: 'above', price })).toMatchObject({
      status: 400,
      code: 20000,
      data: { fields: { price: expect.any(String) } },
    })
  expect(await trySet({ symbol: 'bnb', direction: 'up' as 'above', price: '1' })).toMatchObject({ code: 20000 })
  // The highest price that can be written.
  expect(
    await trySet({ symbol: 'BNBUSDT', direction: 'above', price: `${'9'.repeat(30)}.${'9'.repeat(18)}` }),
  ).toMatchObject({ code: 1 })
})

test('sets the same alert, or the same key, once', async () => {
  const [one, two] = await Promise.all([set('700'), set('700')])
  expect(one).toEqual(two)
  expect(await set('700.000')).toEqual(one)
  const key = newKey()
  const payload = { symbol: 'BNBUSDT', direction: 'above', price: '800' } as const
  const first = await trySet(payload, key)
  expect(await trySet(payload, key)).toEqual(first)
  expect(await trySet({ ...payload, price: '801' }, key)).toMatchObject({
    status: 409,
    code: 20010,
    data: { reason: 'key_reused' },
  })
  await spot('900')
  // Delivered in the meantime: the retry returns the delivered alert.
  expect(await trySet(payload, key)).toMatchObject({
    code: 1,
    data: { alert_id: first.data.alert_id, status: 'delivered' },
  })
  // Keys belong to their user.
  await spot('600')
  const theirs = await server.call('setAlert', payload, { token: other.token, key })
  expect(theirs).toMatchObject({ code: 1, data: { status: 'waiting' } })
  expect(theirs.data.alert_id).not.toBe(first.data.alert_id)
})

test('allows twenty waiting alerts, also under concurrent calls', async () => {
  const prices = Array.from({ length: 25 }, (_, index) => String(700 + index))
  const replies = await Promise.all(prices.map((price) => trySet({ symbol: 'BNBUSDT', direction: 'above', price })))
  expect(replies.filter((each) => each.code === 1)).toHaveLength(20)
  expect(replies.filter((each) => each.code !== 1)).toEqual(
    Array(5).fill(expect.objectContaining({ status: 409, code: 20010, data: { reason: 'too_many_alerts', max: 20 } })),
  )
  const [alert] = await alerts()
  await server.ok('cancelAlert', { alert_id: alert?.alert_id ?? '' }, { token: user.token, key: newKey() })
  expect(await trySet({ symbol: 'BNBUSDT', direction: 'above', price: '900' })).toMatchObject({ code: 1 })
})

test('limits how many alerts are set within an hour', async () => {
  for (let index = 0; index < 60; index++) {
    const { alert_id } = await set(String(700 + index))
    await server.ok('cancelAlert', { alert_id }, { token: user.token, key: newKey() })
  }
  expect(await trySet({ symbol: 'BNBUSDT', direction: 'above', price: '999' })).toMatchObject({
    code: 20010,
    data: { reason: 'too_often', max: 60 },
  })
  await server.ok('localAdvance', { seconds: 3_601 })
  await spot('600')
  await set('999')
})

test('cancels only a waiting alert of the caller', async () => {
  const mine = await set('700')
  const cancel = (alert_id: string, token = user.token) =>
    server.call('cancelAlert', { alert_id }, { token, key: newKey() })
  expect(await cancel(mine.alert_id, other.token)).toMatchObject({ status: 404, code: 20009 })
  expect(await cancel('nothing')).toMatchObject({ status: 404, code: 20009 })
  expect(await cancel(mine.alert_id)).toMatchObject({ code: 1, data: { status: 'cancelled' } })
  expect(await cancel(mine.alert_id)).toMatchObject({ code: 1, data: { status: 'cancelled' } })
  const second = await set('700')
  await spot('710')
  expect(await cancel(second.alert_id)).toMatchObject({
    status: 409,
    code: 20010,
    data: { reason: 'already_delivered' },
  })
  expect((await notices()).items.map((each) => each.alert_id)).toEqual([second.alert_id])
})

test('pages through alerts and deliveries, newest first, filtered by market and state', async () => {
  for (const price of ['701', '702', '703']) await set(price)
  await server.ok(
    'setAlert',
    { symbol: 'ETHUSDT', direction: 'above', price: '99999' },
    { token: user.token, key: newKey() },
  )
  await spot('710')
  for (const name of ['alerts', 'alertNotices'] as const) {
    const expected = (await server.ok(name, {}, { token: user.token })).items.map((each) => each.alert_id)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await server.ok(name, { limit: 2, cursor }, { token: user.token })
      seen.push(...page.items.map((each) => each.alert_id))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(seen).toEqual(expected)
    expect(seen).toHaveLength(name === 'alerts' ? 4 : 3)
    expect(await server.call(name, { cursor: 'NO' }, { token: user.token })).toMatchObject({
      status: 400,
      code: 20000,
    })
  }
  const filtered = async (filter: { symbol?: string; status?: 'waiting' | 'delivered' }) =>
    (await server.ok('alerts', filter, { token: user.token })).items.length
  expect(await filtered({ symbol: 'ETHUSDT' })).toBe(1)
  expect(await filtered({ status: 'waiting' })).toBe(1)
  expect(await filtered({ status: 'delivered' })).toBe(3)
  expect(await filtered({ status: 'delivered', symbol: 'ETHUSDT' })).toBe(0)
})

test('requires a session, except for the push key', async () => {
  const device = { endpoint: 'https://fcm.googleapis.com/x', p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
  for (const reply of [
    await server.call('alerts', {}),
    await server.call('setAlert', { symbol: 'BNBUSDT', direction: 'above', price: '700' }),
    await server.call('cancelAlert', { alert_id: 'x' }),
    await server.call('alertNotices', {}),
    await server.call('readAlerts', {}),
    await server.call('subscribePush', device),
    await server.call('unsubscribePush', device),
  ])
    expect(reply).toMatchObject({ code: 10001 })
  expect(await server.ok('pushKey', {})).toEqual({ public_key: PUBLIC_KEY })
})

describe('push messages', () => testPush(world))
describe('the devices of push messages', () => testPushDevices(world))
