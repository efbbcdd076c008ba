import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { NotReady } from '@clearwell/ledger/writer'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../http/create-app.ts'
import { PreparedResponse } from '../http/prepared-response.ts'
import { userAccount } from '../ledger/accounts.ts'
import { refusal } from '../ledger/refuse.ts'
import { serveStream } from './serve-stream.ts'
import type { StreamStore } from './stream.store.ts'
import { createStreams, type StreamDependencies, type Streams } from './stream.ts'
import { openStream, type TestStream } from './testing/stream.ts'

type Row = Awaited<ReturnType<StreamStore['userPostings']>>[number]

const TIMES = { tickMs: 5, pollMs: 5, gapMs: 1, beatMs: 20, sessionCheckMs: 10, failingMs: 50 }
const ANN = { id: `0x${'a'.repeat(40)}`, parentId: null, tokenHash: 'hash of ann' }
const BOB = { id: `0x${'b'.repeat(40)}`, parentId: null, tokenHash: 'hash of bob' }
const TOKENS = new Map([
  ['ann', ANN],
  ['bob', BOB],
])
const findSession = async (token: string) => TOKENS.get(token)
const asAnn = { 'xx-token': 'ann' }

let app: FastifyInstance
let streams: Streams
let url: string
let errors: unknown[]
let opened: TestStream[]
/** The responses of the polled calls; an Error is thrown. */
let pairs: unknown
let price: unknown
/** The ledger, and the reads of it. */
let rows: Row[]
let tip: bigint
let asked: { userPostings: number; openSessions: number }
let goodSessions: Set<string>
let ledgerFailure: Error | undefined
/** Runs while pairs are being read. */
let duringPairs: (() => void) | undefined
/** Runs while the ledger is being read. */
let reading: (() => Promise<void>) | undefined

async function start(options: Partial<StreamDependencies> = {}): Promise<void> {
  const prepared = async (value: unknown) => {
    if (value instanceof Error) throw value
    return new PreparedResponse(value)
  }
  const store: StreamStore = {
    async tip() {
      if (ledgerFailure) throw ledgerFailure
      return tip
    },
    async userPostings({ after, to, accounts }) {
      asked.userPostings++
      const found = rows.filter(
        (row) => row.entry_seq > after && row.entry_seq <= to && (!accounts || accounts.includes(row.account)),
      )
      await reading?.()
      return found
    },
    postingsOf: async ({ accounts, after, to, limit }) =>
      rows
        .filter((row) => row.entry_seq > after && row.entry_seq <= to && accounts.includes(row.account))
        .slice(0, limit),
  }
  streams = createStreams({
    store,
    channels: [
      {
        name: 'pairs',
        read() {
          duringPairs?.()
          return prepared(pairs)
        },
      },
      {
        name: 'ticker:',
        read: (symbol) => prepared(symbol === 'BNBUSDT' ? price : refusal('not_found')),
        isSameValue: (before, after) => (before as TickerValue).price === (after as TickerValue).price,
      },
    ],
    async openSessions() {
      asked.openSessions++
      return goodSessions
    },
    onError: (error) => errors.push(error),
    times: TIMES,
    ...options,
  })
  app = await createApp({
    handlers: {},
    serveStream: (app) => serveStream(app, streams, findSession),
    findSession,
    failingParts: () => [],
    onBug: (error) => errors.push(error),
    requestsPerMinute: 1_000_000,
    webFolder: undefined,
    connectOrigins: [],
    productName: 'Clearwell',
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

beforeEach(async () => {
  errors = []
  opened = []
  pairs = [{ id: 'bnb-usdt', price: '600' }]
  price = ticker('600', 0)
  rows = []
  tip = 10n
  asked = { userPostings: 0, openSessions: 0 }
  goodSessions = new Set([ANN.tokenHash, BOB.tokenHash])
  ledgerFailure = undefined
  duringPairs = undefined
  reading = undefined
  await start()
})
afterEach(async () => {
  for (const stream of opened) stream.close()
  await app.close()
})

type TickerValue = ReturnType<typeof ticker>
const ticker = (price: string, second: number) => ({
  symbol: 'BNBUSDT',
  price,
  time: new Date(second * 1000).toISOString(),
  sources: [{ name: 'x', price, time: new Date(second * 1000).toISOString(), stale: false }],
})

async function listen(query: string, headers: Record<string, string> = {}): Promise<TestStream> {
  const stream = await openStream(url, query, headers)
  opened.push(stream)
  return stream
}

/** Commits an entry that changes these users' available USDT. */
function commit(...userIds: string[]): bigint {
  tip += 1n
  for (const [position, userId] of userIds.entries()) {
    rows.push({
      entry_seq: tip,
      position,
      kind: 'swap',
      account: userAccount(userId, 'available'),
      asset: 'USDT',
      units: 10n ** 18n,
      balance_after: 5n * 10n ** 18n,
      reference: `order-${tip}`,
      at: new Date(0),
    })
  }
  streams.wake()
  return tip
}

const ids = (stream: TestStream) => stream.of('entry').map(({ id }) => Number(id))

describe('a state channel', () => {
  test('sends its value immediately and again only after a change', async () => {
    const stream = await listen('channels=pairs')
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(await stream.next('ready')).toMatchObject({ id: undefined, data: { channels: ['pairs'] } })
    expect((await stream.next('pairs')).data).toEqual([{ id: 'bnb-usdt', price: '600' }])
    pairs = [{ id: 'bnb-usdt', price: '601' }]
    expect((await stream.next('pairs')).data).toEqual([{ id: 'bnb-usdt', price: '601' }])
    // The ticker's change arrives after many more reads of pairs.
    const both = await listen('channels=pairs,ticker:BNBUSDT')
    for (const next of ['602', '603', '604']) {
      price = ticker(next, 0)
      while ((await both.next('ticker:BNBUSDT')).data === undefined);
    }
    expect(stream.of('pairs')).toHaveLength(2)
    expect(both.of('pairs')).toHaveLength(1)
  })

  test('a state channel sends no ticker of which only times changed', async () => {
    const stream = await listen('channels=ticker:BNBUSDT,pairs')
    await stream.next('ticker:BNBUSDT')
    await stream.next('pairs')
    price = ticker('600', 1)
    pairs = ['changed']
    await stream.next('pairs')
    price = ticker('601', 2)
    expect((await stream.next('ticker:BNBUSDT')).data).toMatchObject({ price: '601' })
    expect(stream.of('ticker:BNBUSDT')).toHaveLength(2)
  })

  test('sends unavailable without a value and continues when one exists', async () => {
    const stream = await listen('channels=ticker:BNBUSDT')
    await stream.next('ticker:BNBUSDT')
    price = refusal('price_out_of_date')
    expect((await stream.next('unavailable')).data).toEqual({ channel: 'ticker:BNBUSDT' })
    const later = await listen('channels=ticker:BNBUSDT')
    expect((await later.next('unavailable')).data).toEqual({ channel: 'ticker:BNBUSDT' })
    price = ticker('600', 9)
    expect((await stream.next('ticker:BNBUSDT')).data).toEqual(price)
    expect((await later.next('ticker:BNBUSDT')).data).toEqual(price)
    expect(errors).toEqual([])
  })

  test('sends unavailable while its source fails and reports it once', async () => {
    const stream = await listen('channels=pairs')
    await stream.next('pairs')
    pairs = new Error('a bug')
    expect((await stream.next('unavailable')).data).toEqual({ channel: 'pairs' })
    expect(errors).toEqual([pairs])
    pairs = ['again']
    expect((await stream.next('pairs')).data).toEqual(['again'])
  })

  test('sends the same bytes to all listeners', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => listen('channels=pairs')))
    pairs = [{ id: 'bnb-usdt', price: '777' }]
    const frames = await Promise.all(
      many.map(async (stream) => {
        await stream.next('pairs')
        while (!stream.text().includes('777')) await stream.next('pairs')
        return stream.text().slice(stream.text().indexOf('event: pairs', 60))
      }),
    )
    expect(new Set(frames.map((text) => text.replaceAll(':\n\n', ''))).size).toBe(1)
  })
})

describe('a stream request', () => {
  test.each([
    ['', 'channels'],
    ['channels=', 'channels'],
    ['channels=everything', 'channels'],
    ['channels=pairs,ticker:nope', 'channels'],
    ['channels=ticker:UNKNOWN', 'channels'],
    ['channels[]=pairs', 'channels'],
    [`channels=${Array.from({ length: 11 }, (_, i) => `ticker:AAA${i}`)}`, 'channels'],
    [`channels=${'x'.repeat(400)}`, 'channels'],
    ['channels=pairs&last_event_id=abc', 'last_event_id'],
    ['channels=pairs&last_event_id=-1', 'last_event_id'],
    ['channels=pairs&last_event_id=9999999999999999999', 'last_event_id'],
    ['channels=pairs&__proto__[x]=1', '__proto__'],
  ])('%s is refused with the field %s', async (query, field) => {
    const stream = await listen(query)
    await stream.ended
    expect([stream.status, JSON.parse(stream.text())]).toEqual([
      400,
      { code: 20000, msg: 'Invalid input', data: { fields: { [field]: expect.any(String) } } },
    ])
    expect(errors).toEqual([])
  })

  test.each([{}, { 'xx-token': 'unknown' }])(
    'a stream request for an account with %j responds 10001',
    async (headers) => {
      const stream = await listen('channels=account', headers as Record<string, string>)
      await stream.ended
      expect(JSON.parse(stream.text())).toMatchObject({ code: 10001, msg: 'Please sign in again' })
    },
  )

  test('accepts only GET', async () => {
    for (const method of ['POST', 'HEAD', 'PUT'] as const) {
      expect((await app.inject({ method, url: '/api/stream?channels=pairs' })).statusCode).toBe(404)
    }
  })

  test('responds 50300 while the database is unavailable', async () => {
    pairs = new NotReady('away')
    const stream = await listen('channels=pairs')
    await stream.ended
    expect([stream.status, JSON.parse(stream.text()).code]).toEqual([503, 50300])
  })
})

describe('an account stream', () => {
  test('misses no entry that is read while it opens', async () => {
    const bob = await listen('channels=account', { 'xx-token': 'bob' })
    await bob.next('ready')
    const entered = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    reading = async () => {
      reading = undefined
      entered.resolve()
      await held.promise
    }
    const seq = commit(ANN.id)
    await entered.promise
    const ann = await listen('channels=account', asAnn)
    // Earlier entries need not be sent: the client reloads everything once the stream is ready.
    expect((await ann.next('ready')).id).toBe(String(seq))
    held.resolve()
    const later = commit(ANN.id)
    expect((await ann.next('entry')).id).toBe(String(later))
  })

  test('receives only its own entries', async () => {
    const ann = await listen('channels=account', asAnn)
    const bob = await listen('channels=account', { 'xx-token': 'bob' })
    expect((await ann.next('ready')).id).toBe('10')
    await bob.next('ready')
    commit(ANN.id)
    commit(BOB.id)
    commit(ANN.id, BOB.id)
    await ann.next('entry')
    await ann.next('entry')
    await bob.next('entry')
    await bob.next('entry')
    expect([ids(ann), ids(bob)]).toEqual([
      [11, 13],
      [12, 13],
    ])
    expect(ann.events.at(-1)?.data).toEqual({
      items: [
        {
          id: '13-0',
          kind: 'swap',
          place: 'available',
          asset: 'USDT',
          amount: '1',
          balance_after: '5',
          reference: 'order-13',
          created_at: '1970-01-01T00:00:00.000Z',
        },
      ],
    })
    expect(ann.text()).not.toContain(BOB.id)
  })

  test('receives published events on each of the owner’s devices only', async () => {
    const devices = [await listen('channels=account', asAnn), await listen('channels=account,pairs', asAnn)]
    const bob = await listen('channels=account,pairs', { 'xx-token': 'bob' })
    const anonymous = await listen('channels=pairs', asAnn)
    for (const stream of [...devices, bob, anonymous]) await stream.next('ready')
    streams.publishToAccount(ANN.id, { name: 'notice', data: { text: 'for Ann' } })
    for (const device of devices) expect((await device.next('notice')).data).toEqual({ text: 'for Ann' })
    pairs = ['later']
    while (!bob.text().includes('later')) await bob.next('pairs')
    while (!anonymous.text().includes('later')) await anonymous.next('pairs')
    expect(bob.text() + anonymous.text()).not.toContain('for Ann')
  })

  test('receives events published while it opens', async () => {
    duringPairs = () => streams.publishToAccount(ANN.id, { name: 'notice', data: { text: 'for Ann' } })
    const ann = await listen('channels=account,pairs', asAnn)
    expect((await ann.next('notice')).data).toEqual({ text: 'for Ann' })
    expect(ann.events[0]?.event).toBe('ready')
  })

  test('receives each missed entry once after a reconnect', async () => {
    const first = await listen('channels=account', asAnn)
    await first.next('ready')
    commit(ANN.id)
    const { id } = await first.next('entry')
    first.close()
    await first.ended
    commit(ANN.id)
    commit(BOB.id)
    commit(ANN.id)
    const again = await listen('channels=account', { ...asAnn, 'last-event-id': id ?? '' })
    commit(ANN.id)
    for (let count = 0; count < 3; count++) await again.next('entry')
    expect(ids(again)).toEqual([12, 14, 15])
    // The query parameter is for clients that cannot send the header, and takes precedence over it.
    const byQuery = await listen('channels=account&last_event_id=14', { ...asAnn, 'last-event-id': '1' })
    await byQuery.next('entry')
    expect(ids(byQuery)).toEqual([15])
  })

  test.each([
    ['it missed more than is replayed', '10', 201],
    ['its id is of another ledger', '99999', 0],
  ])('an account stream asks its client to reload everything when %s', async (_name, lastEventId, missed) => {
    for (let count = 0; count < missed; count++) commit(ANN.id)
    const stream = await listen('channels=account', { ...asAnn, 'last-event-id': lastEventId })
    expect((await stream.next('reset')).id).toBe(String(tip))
    const next = commit(ANN.id)
    await stream.next('entry')
    expect(ids(stream)).toEqual([Number(next)])
  })

  test('shares one read of the ledger with all listeners', async () => {
    const all = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        listen('channels=account', { 'xx-token': index % 2 ? 'ann' : 'bob', 'x-forwarded-for': `203.0.113.${index}` }),
      ),
    )
    for (const stream of all) await stream.next('ready')
    const before = asked.userPostings
    commit(ANN.id, BOB.id)
    for (const stream of all) await stream.next('entry')
    expect(asked.userPostings - before).toBe(1)
  })

  test('ends soon after its session ends on any server', async () => {
    const ann = await listen('channels=account', asAnn)
    const bob = await listen('channels=account', { 'xx-token': 'bob' })
    await ann.next('ready')
    goodSessions.delete(ANN.tokenHash)
    expect((await ann.next('signed_out')).data).toEqual({})
    await ann.ended
    commit(ANN.id, BOB.id)
    await bob.next('entry')
    expect(ids(ann)).toEqual([])
  })

  test('asks its client to reconnect when the ledger is unreadable', async () => {
    const stream = await listen('channels=account', asAnn)
    await stream.next('ready')
    ledgerFailure = new Error('away')
    await stream.ended
    expect(stream.text()).toMatch(/retry: \d+\n\n$/)
    expect(errors).toEqual([ledgerFailure])
  })
})

describe('stream limits', () => {
  test('apply per session, per address without a session, and in total', async () => {
    await app.close()
    await start({ limits: { inAll: 5, perAddress: 2, sessionsPerAddress: 5, perAccount: 5, perSession: 2 } })
    const from = (address: string, headers = {}) => ({ ...headers, 'x-forwarded-for': address })
    await listen('channels=account', from('203.0.113.1', asAnn))
    await listen('channels=account', from('203.0.113.2', asAnn))
    expect((await listen('channels=account', from('203.0.113.3', asAnn))).status).toBe(429)
    await listen('channels=pairs', from('203.0.113.2', asAnn))
    const newest = await listen('channels=pairs', from('203.0.113.2'))
    const refused = await listen('channels=pairs', from('203.0.113.2'))
    await refused.ended
    expect(JSON.parse(refused.text())).toEqual({
      code: 42900,
      msg: 'Too many requests. Wait a moment and try again.',
      data: {},
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await listen('channels=pairs', from('203.0.113.4'))
    // The server is full: the address with three streams loses its newest one.
    expect((await listen('channels=pairs', from('203.0.113.5'))).status).toBe(200)
    await newest.ended
    expect(newest.text()).toMatch(/retry: \d+\n\n$/)
    await listen('channels=pairs', from('203.0.113.6'))
    expect((await listen('channels=pairs', from('203.0.113.7'))).status).toBe(503)
  })

  test('stream limits ignore refused requests', async () => {
    await app.close()
    await start({ limits: { inAll: 1, perAddress: 1, sessionsPerAddress: 1, perAccount: 1, perSession: 1 } })
    for (let count = 0; count < 3; count++) expect((await listen('channels=ticker:NOTHING')).status).toBe(400)
    expect((await listen('channels=pairs')).status).toBe(200)
  })
})

describe('a stalled reader', () => {
  /** Sends a request and then reads nothing. */
  async function deafReader(query: string): Promise<Socket> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(`GET /api/stream?${query} HTTP/1.1\r\nHost: x\r\nXX-Token: ann\r\n\r\n`)
    return socket
  }

  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))

  test('receives only the newest value once it reads again', async () => {
    const reading = await listen('channels=pairs')
    const deaf = await deafReader('channels=pairs')
    const changes = 60
    for (let change = 1; change <= changes; change++) {
      pairs = [{ change, filler: 'x'.repeat(200_000) }]
      while (!reading.events.some(({ data }) => (data as { change?: number }[])[0]?.change === change))
        await reading.next('pairs')
    }
    let text = ''
    deaf.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    deaf.resume()
    await expect.poll(() => text.includes(`"change":${changes},`)).toBe(true)
    const seen = [...text.matchAll(/"change":(\d+),/g)].map((match) => Number(match[1]))
    expect(seen.length).toBeLessThan(changes)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    deaf.destroy()
  })

  test('a stalled reader is disconnected and recovers events from the ledger', async () => {
    const deaf = await deafReader('channels=account')
    const reading = await listen('channels=account', asAnn)
    await reading.next('ready')
    await expect.poll(connections).toBe(2)
    // More than both sockets buffer together.
    for (let count = 0; count < 100; count++) {
      streams.publishToAccount(ANN.id, { name: 'notice', data: { count, filler: 'x'.repeat(200_000) } })
      await reading.next('notice')
    }
    await expect.poll(connections).toBe(1)
    commit(ANN.id)
    await reading.next('entry')
    deaf.destroy()
  })
})

test('an idle stream stays open with heartbeat comments', async () => {
  const stream = await listen('channels=pairs')
  await expect.poll(() => stream.text().endsWith('\n\n:\n\n')).toBe(true)
})

test('a draining server sends a retry delay, rejects streams and ends promptly', async () => {
  const stream = await listen('channels=pairs,account', asAnn)
  await stream.next('ready')
  const closing = app.close()
  await stream.ended
  expect(stream.text()).toMatch(/retry: (\d{3,4})\n\n$/)
  await closing
  await expect(
    streams.open(
      { channels: ['pairs'], address: '::1', user: undefined, lastEventId: undefined },
      {} as never,
      () => {},
    ),
  ).rejects.toMatchObject({ refusal: 'not_ready' })
})

test('a disconnected client leaves no listener behind', async () => {
  const streams = await Promise.all(
    Array.from({ length: 10 }, () => listen('channels=pairs,account', asAnn).catch(() => undefined)),
  )
  for (const stream of streams) stream?.close()
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))
  await expect.poll(connections).toBe(0)
  const sessionsAsked = asked.openSessions
  commit(ANN.id)
  const again = await listen('channels=account', asAnn)
  await again.next('ready')
  await expect.poll(() => asked.openSessions).toBeGreaterThan(sessionsAsked)
  expect(errors).toEqual([])
})
