import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStreamClient, type StreamClient, type StreamState } from './stream-client.ts'
import { FakeConnection } from './testing/stream.ts'

let connections: FakeConnection[]
let events: unknown[]
let states: StreamState[]
/** For each started stream, true if it resumed an earlier one. */
let begun: boolean[]
let client: StreamClient
/** The random number of each pause: 1 gives the whole pause, 0 half of it. */
let chance: number

beforeEach(() => {
  vi.useFakeTimers()
  connections = []
  events = []
  states = []
  begun = []
  chance = 1
  client = createStreamClient({
    connect(query, init) {
      const connection = new FakeConnection(query, init)
      connections.push(connection)
      return connection.response
    },
    random: () => chance,
    onEvent: ({ event, data }) => events.push([event, JSON.parse(data)]),
    onState: (state) => states.push(state),
    onBegin: (isResumed) => begun.push(isResumed),
  })
})
afterEach(() => vi.useRealTimers())

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const last = () => connections.at(-1) as FakeConnection
const wanted = { channels: ['account', 'pairs'], token: 'token' }

async function listen(): Promise<void> {
  client.want(wanted)
  await pass()
  last().begin({ id: '10' })
  await pass()
}

test('the first stream request has the token and no event id', async () => {
  await listen()
  expect(last().headers).toEqual({ 'XX-Device-Type': 'web', Accept: 'text/event-stream', 'XX-Token': 'token' })
  expect(Object.fromEntries(last().query)).toEqual({ channels: 'account,pairs' })
  last().tell('pairs', [1])
  last().tell('entry', { items: [] }, '11')
  await pass()
  expect(events).toEqual([
    ['pairs', [1]],
    ['entry', { items: [] }],
  ])
  expect(states).toEqual(['listening'])
})

test('the stream client requests nothing without channels, and never twice', async () => {
  client.want({ channels: [], token: 'token' })
  client.resume()
  await pass(60_000)
  expect(connections).toEqual([])
  await listen()
  client.want({ ...wanted })
  client.resume()
  await pass(1_000)
  expect(connections).toHaveLength(1)
})

describe('a stream that broke', () => {
  test('a broken stream resumes after its last event', async () => {
    await listen()
    last().tell('entry', {}, '11')
    await pass()
    last().break()
    await pass()
    expect(states).toEqual(['listening', 'lost'])
    await pass(1_000)
    expect(last().query.get('last_event_id')).toBe('11')
    last().begin()
    await pass()
    expect(states).toEqual(['listening', 'lost', 'listening'])
    expect(begun).toEqual([false, true])
  })

  test('a broken stream retries with growing pauses up to 30 s', async () => {
    await listen()
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      last().break()
      const before = connections.length
      await pass(pauseMs - 1)
      expect(connections).toHaveLength(before)
      await pass(1)
      expect(connections).toHaveLength(before + 1)
    }
    last().begin()
    await pass()
    last().break()
    await pass(1_000)
    last().begin()
    await pass()
    expect(states.at(-1)).toBe('listening')
  })

  test('a broken stream honours the server’s retry delay once, with jitter', async () => {
    await listen()
    chance = 0
    last().say('retry: 3000\n\n')
    last().end()
    await pass(1_499)
    expect(connections).toHaveLength(1)
    await pass(1)
    expect(connections).toHaveLength(2)
    last().break()
    await pass(1_000)
    expect(connections).toHaveLength(3)
  })

  test('a stream that is silent for 20 s counts as broken', async () => {
    client.want(wanted)
    await pass(20_000)
    expect(last().signal.aborted).toBe(true)
    await pass(1_000)
    last().begin()
    for (let beat = 0; beat < 4; beat++) {
      await pass(15_000)
      last().say(':\n\n')
    }
    expect(connections).toHaveLength(2)
    await pass(19_999)
    expect(last().signal.aborted).toBe(false)
    await pass(1)
    expect(last().signal.aborted).toBe(true)
    expect(states).toEqual(['lost', 'listening', 'lost'])
  })

  test('a stream with unreadable events counts as broken', async () => {
    await listen()
    last().say('event: entry\ndata: {"half\n\n')
    await pass()
    expect(states.at(-1)).toBe('lost')
    await pass(1_000)
    expect(connections).toHaveLength(2)
  })

  test('a broken or abandoned stream reports nothing', async () => {
    await listen()
    last().tell('pairs', ['late'])
    client.want({ channels: ['pairs'], token: undefined })
    await pass()
    expect(events).toEqual([])
  })
})

describe('a refusal', () => {
  test.each([20000, 10001])('the refusal %i is final until other channels are requested', async (code) => {
    client.want(wanted)
    await pass()
    last().refuse(code)
    await pass(600_000)
    expect(connections).toHaveLength(1)
    expect(states).toEqual(['lost'])
    client.want({ channels: ['pairs'], token: undefined })
    await pass()
    expect(connections).toHaveLength(2)
  })

  test('a temporary refusal sets the retry delay', async () => {
    client.want(wanted)
    await pass()
    last().refuse(42900, { 'retry-after': '45' })
    await pass(44_999)
    expect(connections).toHaveLength(1)
    await pass(1)
    expect(connections).toHaveLength(2)
    last().refuse(50300)
    await pass(2_000)
    expect(connections).toHaveLength(3)
  })
})

test('a new token opens the stream without the previous event id', async () => {
  await listen()
  const [first] = connections
  client.want({ ...wanted, channels: ['account'] })
  await pass()
  expect(first?.signal.aborted).toBe(true)
  expect(Object.fromEntries(last().query)).toEqual({ channels: 'account', last_event_id: '10' })
  client.want({ channels: ['account'], token: 'of somebody else' })
  await pass()
  expect(Object.fromEntries(last().query)).toEqual({ channels: 'account' })
  expect(states).toEqual(['listening', 'changing'])
  last().begin({ id: '10' })
  await pass()
  expect(begun).toEqual([false, false])
})

test('a paused stream client requests new channels when it resumes', async () => {
  await listen()
  client.pause()
  expect(last().signal.aborted).toBe(true)
  client.want({ ...wanted, channels: ['account'] })
  await pass(600_000)
  expect(connections).toHaveLength(1)
  client.resume()
  await pass()
  expect(Object.fromEntries(last().query)).toEqual({ channels: 'account', last_event_id: '10' })
})

test('the stream reconnects immediately when the network returns', async () => {
  await listen()
  for (const pauseMs of [1_000, 2_000, 4_000]) {
    last().break()
    await pass(pauseMs)
  }
  last().break()
  await pass()
  const before = connections.length
  client.resume()
  await pass()
  expect(connections).toHaveLength(before + 1)
})
