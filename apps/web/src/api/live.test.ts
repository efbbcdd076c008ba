import { environmentManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeConnection } from './testing/stream.ts'

const STREAM = '/api/stream'

/** The page, as far as the stream needs it. */
class FakePage extends EventTarget {
  visibilityState = 'visible'
  turn(visibilityState: string): void {
    this.visibilityState = visibilityState
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

let page: FakePage
let connections: FakeConnection[]
/** Ordinary calls, and their responses. */
let asked: string[]
let responses: Record<string, unknown>
let query: typeof import('./query-client.ts')
let account: typeof import('./session-store.ts')
let stops: (() => void)[]

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  page = new FakePage()
  connections = []
  asked = []
  stops = []
  responses = {
    '/api/SwapPool/pairs': [{ id: 'bnb-usdt', price: 'polled' }],
    '/api/spot/ticker': { symbol: 'BNBUSDT', price: 'polled' },
    '/api/Wallet/balances': [],
    '/api/Notice/list': { items: [], next_cursor: null, unread: 0 },
    '/api/profile/userinfo': { address: '0x1' },
  }
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('fetch', async (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => {
    if (url.startsWith(STREAM)) {
      const connection = new FakeConnection(url, init)
      connections.push(connection)
      return connection.response
    }
    asked.push(url)
    return Response.json({ code: 1, msg: 'ok', data: responses[url] })
  })
  query = await import('./query-client.ts')
  account = await import('./session-store.ts')
  // Node has no window, and the library would take it for a server, which does not poll.
  environmentManager.setIsServer(() => false)
  const { startLive } = await import('./live.ts')
  startLive()
})
afterEach(() => {
  for (const stop of stops) stop()
  query.queryClient.clear()
  environmentManager.setIsServer(() => typeof window === 'undefined')
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const last = () => connections.at(-1) as FakeConnection
const timesAsked = (path: string) => asked.filter((each) => each === path).length
const dataOf = (...key: unknown[]) => query.queryClient.getQueryData(key)

/** A screen that polls a call as `useCall` does. @returns a function that removes the screen. */
async function show(
  name: 'pairs' | 'spotTicker' | 'balances' | 'notices',
  payload: object,
  pollMs: number,
): Promise<() => void> {
  const { call } = await import('./client.ts')
  const stop = new QueryObserver(query.queryClient, {
    queryKey: [name, payload],
    queryFn: () => call(name, payload),
    refetchInterval: pollMs,
  }).subscribe(() => {})
  stops.push(stop)
  return stop
}

/** Pairs are shown, and listened to. */
async function listenToPairs(): Promise<void> {
  await show('pairs', {}, 3_000)
  await pass(200)
  last().begin()
  last().tell('pairs', [{ price: '1' }])
  await pass()
}

test('the stream covers only polled queries that already have data', async () => {
  expect(connections).toEqual([])
  await show('pairs', {}, 3_000)
  await show('spotTicker', { symbol: 'BNBUSDT' }, 1_500)
  await show('balances', {}, 10_000)
  await pass(200)
  expect(connections.map((each) => each.query.get('channels'))).toEqual(['pairs,ticker:BNBUSDT'])
  expect(last().headers['XX-Token']).toBeUndefined()
})

test('streamed data replaces polled data and suspends its polls', async () => {
  await show('spotTicker', { symbol: 'BNBUSDT' }, 1_500)
  await listenToPairs()
  last().tell('ticker:BNBUSDT', { price: '600' })
  await pass()
  expect([dataOf('pairs', {}), dataOf('spotTicker', { symbol: 'BNBUSDT' })]).toEqual([
    [{ price: '1' }],
    { price: '600' },
  ])
  asked.length = 0
  for (let second = 0; second < 30; second++) {
    await pass(1_000)
    if (second % 10 === 0) last().say(':\n\n')
    const state = query.queryClient.getQueryState(['pairs', {}])
    expect(Date.now() - (state?.dataUpdatedAt ?? 0)).toBeLessThanOrEqual(2_750)
  }
  expect(asked).toEqual([])
})

test('streamed pairs are shown at most once a second', async () => {
  await listenToPairs()
  const shown = new Set<unknown>()
  stops.push(query.queryClient.getQueryCache().subscribe(() => shown.add(dataOf('pairs', {}))))
  for (let change = 2; change <= 8; change++) {
    await pass(250)
    last().tell('pairs', [{ price: String(change) }])
    await pass()
  }
  await pass(1_000)
  expect([...shown].map((pairs) => (pairs as { price: string }[])[0]?.price)).toEqual(['5', '8'])
})

test.each([
  ['breaks', () => last().break()],
  ['ends', () => last().end()],
])('queries refetch immediately and then poll when the stream %s', async (_name, happen) => {
  await listenToPairs()
  asked.length = 0
  await pass(500)
  happen()
  await pass()
  expect(timesAsked('/api/SwapPool/pairs')).toBe(1)
  await pass(9_000)
  expect(timesAsked('/api/SwapPool/pairs')).toBe(4)
})

test('an unavailable channel is polled while the others stay live', async () => {
  await show('spotTicker', { symbol: 'BNBUSDT' }, 1_500)
  await listenToPairs()
  last().tell('ticker:BNBUSDT', { price: '600' })
  await pass(100)
  asked.length = 0
  last().tell('unavailable', { channel: 'ticker:BNBUSDT' })
  await pass(3_100)
  expect([timesAsked('/api/spot/ticker'), timesAsked('/api/SwapPool/pairs')]).toEqual([3, 0])
  last().tell('ticker:BNBUSDT', { price: '601' })
  await pass()
  asked.length = 0
  await pass(5_000)
  expect(asked).toEqual([])
})

test('each screen opens its own stream, or none without polls', async () => {
  const hide = await show('spotTicker', { symbol: 'BNBUSDT' }, 1_500)
  await listenToPairs()
  expect(last().query.get('channels')).toBe('pairs,ticker:BNBUSDT')
  hide()
  await pass(200)
  expect(connections.map((each) => each.signal.aborted)).toEqual([true, false])
  expect(last().query.get('channels')).toBe('pairs')
  for (const stop of stops) stop()
  await pass(200)
  expect(connections.map((each) => each.signal.aborted)).toEqual([true, true])
})

test('an account event refetches the personal data of a signed-in user', async () => {
  account.saveSession({ token: 'token', user: { address: '0x1' } as never })
  await show('balances', {}, 10_000)
  await pass(200)
  expect([last().query.get('channels'), last().headers['XX-Token']]).toEqual(['account', 'token'])
  last().begin({ id: '10' })
  await pass()
  asked.length = 0
  last().tell('entry', { items: [] }, '11')
  await pass()
  expect(asked).toEqual(['/api/Wallet/balances'])
  for (let seq = 12; seq < 20; seq++) last().tell('entry', { items: [] }, String(seq))
  await pass(999)
  expect(asked).toHaveLength(1)
  await pass(1)
  expect(asked).toHaveLength(2)
  last().tell('reset', {}, '900')
  await pass(1_000)
  expect(asked).toHaveLength(3)
})

test('events missed before or between streams are fetched once connected', async () => {
  account.saveSession({ token: 'token', user: { address: '0x1' } as never })
  await show('balances', {}, 600_000)
  await show('notices', {}, 600_000)
  const hide = await show('pairs', {}, 3_000)
  await pass(200)
  asked.length = 0
  last().begin({ id: '10' })
  await pass()
  expect(asked.toSorted()).toEqual(['/api/Notice/list', '/api/Wallet/balances'])
  hide()
  await pass(200)
  expect(last().query.get('last_event_id')).toBe('10')
  asked.length = 0
  last().begin({ id: '10' })
  await pass(2_000)
  expect(asked).toEqual(['/api/Notice/list'])
})

test('a session that ended elsewhere is detected by an ordinary request', async () => {
  account.saveSession({ token: 'token', user: { address: '0x1' } as never })
  await pass(200)
  last().begin({ id: '10' })
  await pass()
  last().tell('signed_out', {})
  last().end()
  await pass()
  expect(asked).toEqual(['/api/profile/userinfo'])
  account.forgetSession()
  await pass(60_000)
  expect(last().signal.aborted).toBe(true)
  expect(connections).toHaveLength(1)
})

test('a hidden page closes its stream after a minute until visible', async () => {
  await listenToPairs()
  const beat = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 10) {
      last().say(':\n\n')
      await pass(10_000)
    }
  }
  page.turn('hidden')
  await beat(50)
  page.turn('visible')
  await beat(50)
  page.turn('hidden')
  await beat(50)
  expect(connections.map((each) => each.signal.aborted)).toEqual([false])
  await pass(10_000)
  expect(connections.map((each) => each.signal.aborted)).toEqual([true])
  await pass(600_000)
  page.turn('visible')
  await pass()
  expect(connections.map((each) => each.signal.aborted)).toEqual([true, false])
})

test('the stream waits without a network and connects when it returns', async () => {
  await listenToPairs()
  page.dispatchEvent(new Event('offline'))
  await pass(120_000)
  expect(connections).toHaveLength(1)
  page.dispatchEvent(new Event('online'))
  await pass()
  expect(connections).toHaveLength(2)
})
