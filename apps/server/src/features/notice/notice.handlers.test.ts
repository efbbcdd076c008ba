import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createNoticeStore } from '../../platform/notices/notice.store.ts'
import { openStream } from '../../platform/stream/testing/stream.ts'
import { startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'

let server: TestServer
let user: TestUser
let other: TestUser
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  ;[user, other] = await Promise.all([server.newUser({ faucet: false }), server.newUser({ faucet: false })])
})
afterAll(() => server.destroy())

const PARAMS = { symbol: 'BNBUSDT', direction: 'above', price: '700', price_seen: '701.5' } as const

/** Sends notices of these keys, as a feature does. */
const send = (keys: readonly string[], { id }: TestUser = user) =>
  server.db.transaction((tx) =>
    createNoticeStore(server.db).send(
      tx,
      keys.map((key) => ({ userId: id, kind: 'price_alert', key, params: PARAMS, link: '/markets/BNBUSDT' })),
      new Date(),
    ),
  )
const list = (payload: { cursor?: string; limit?: number } = {}, { token } = user) =>
  server.ok('notices', payload, { token })
const read = (ids: string[], { token } = user, as: 'form' | 'json' = 'form') =>
  server.ok('readNotices', { ids }, { token, as })

test("lists a user's notices, newest first, and counts unread ones", async () => {
  expect(await list()).toEqual({ items: [], next_cursor: null, unread: 0 })
  await send(['a', 'b', 'c'])
  await send(['d'], other)
  const { items, unread } = await list()
  expect(unread).toBe(3)
  expect(items).toHaveLength(3)
  expect(items[0]).toEqual({
    id: items[0]?.id,
    kind: 'price_alert',
    params: PARAMS,
    link: '/markets/BNBUSDT',
    read: false,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  })
  const first = await list({ limit: 2 })
  const second = await list({ limit: 2, cursor: first.next_cursor ?? '' })
  expect([...first.items, ...second.items]).toEqual(items)
  expect(second.next_cursor).toBeNull()
  expect(await server.call('notices', { cursor: 'NO' }, { token: user.token })).toMatchObject({ code: 20000 })
})

test('marks notices as read and ignores unknown and foreign ids', async () => {
  await send(['a', 'b', 'c'])
  await send(['d'], other)
  const [newest, middle] = (await list()).items.map(({ id }) => id) as [string, string]
  expect(await read([newest])).toEqual({ unread: 2 })
  expect(await read([newest, 'no-such-notice', '999999999999999999'])).toEqual({ unread: 2 })
  expect(await read([middle], other)).toEqual({ unread: 1 })
  expect((await list()).items.map((each) => each.read)).toEqual([true, false, false])
  expect(await read([], user, 'json')).toEqual({ unread: 2 })
  const tooMany = Array.from({ length: 21 }, (_, index) => String(index))
  expect(await server.call('readNotices', { ids: tooMany }, { token: user.token, as: 'json' })).toMatchObject({
    status: 400,
    code: 20000,
  })
})

test('marks a notice and all older ones as read', async () => {
  await send(['a', 'b', 'c'])
  await send(['d'], other)
  const [, middle] = (await list()).items.map(({ id }) => id) as [string, string]
  const readUpTo = (upTo: string, { token } = user) => server.ok('readNotices', { up_to: upTo }, { token })
  expect(await readUpTo('no-such-notice')).toEqual({ unread: 3 })
  expect(await readUpTo(middle)).toEqual({ unread: 1 })
  expect((await list()).items.map((each) => each.read)).toEqual([false, true, true])
  expect((await list({}, other)).unread).toBe(1)
})

test('requires a session', async () => {
  expect(await server.call('notices', {})).toMatchObject({ code: 10001 })
  expect(await server.call('readNotices', { ids: ['1'] })).toMatchObject({ code: 10001 })
})

test('a notice reaches only the open apps of its owner', async () => {
  const [mine, foreign] = await Promise.all(
    [user, other].map((each) => openStream(server.url, 'channels=account', { 'xx-token': each.token })),
  )
  await Promise.all([mine?.next('ready'), foreign?.next('ready')])
  await send(['a'])
  expect((await mine?.next('notice'))?.data).toEqual((await list()).items[0])
  await send(['b'], other)
  await foreign?.next('notice')
  expect(foreign?.of('notice')).toHaveLength(1)
  mine?.close()
  foreign?.close()
})

test('an alert sends its notice and its own event', async () => {
  await server.ok('localPrice', { symbol: 'BNBUSDT', price: '600' })
  const stream = await openStream(server.url, 'channels=account', { 'xx-token': user.token })
  await stream.next('ready')
  const alert = { symbol: 'BNBUSDT', direction: 'above', price: '700' } as const
  const { alert_id } = await server.ok('setAlert', alert, { token: user.token })
  await server.ok('localPrice', { symbol: 'BNBUSDT', price: '710' })
  const { data } = await stream.next('notice')
  expect(data).toMatchObject({ kind: 'price_alert', params: alert, link: '/markets/BNBUSDT', read: false })
  expect((await stream.next('alert')).data).toMatchObject({ alert_id, price: '700', read: false })
  expect((await list()).items).toEqual([data])
  // Read in one list, read in the other.
  expect(await server.ok('readAlerts', { alert_id }, { token: user.token })).toEqual({ unread: 0 })
  expect(await list()).toMatchObject({ unread: 0, items: [{ read: true }] })
  stream.close()
})

test('a server without push keys subscribes no device', async () => {
  expect(await server.ok('pushKey', {})).toEqual({ public_key: null })
  const device = { endpoint: 'https://fcm.googleapis.com/x', p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
  expect(await server.call('subscribePush', device, { token: user.token })).toMatchObject({
    status: 409,
    data: { reason: 'no_push' },
  })
})
