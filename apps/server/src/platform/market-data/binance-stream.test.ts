import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type MarketStream, openMarketStream, type StreamRules } from './binance-stream.ts'
import { startTestBinance, type TestBinance } from './testing/binance.ts'

/** Timeouts so long that none fires unless a test waits for it. */
const CALM: StreamRules = { connectTimeoutMs: 60_000, silentAfterMs: 60_000, backoffMs: 1, maxBackoffMs: 4 }

let binance: TestBinance
let stream: MarketStream | undefined
let heard: string[]
let faults: string[]
let isUseful: boolean
let pauseLeftMs: number
let pausesAsked: number
beforeEach(async () => {
  binance = await startTestBinance(() => 0)
  heard = []
  faults = []
  isUseful = true
  pauseLeftMs = 0
  pausesAsked = 0
})
afterEach(async () => {
  stream?.stop()
  await binance.stop()
})

function open(rules: Partial<StreamRules> = {}, url = `${binance.streamUrl}/stream?streams=bnbusdt@ticker`): void {
  stream = openMarketStream({
    url,
    random: () => 1,
    rules: { ...CALM, ...rules },
    pauseLeftMs() {
      pausesAsked += 1
      return pauseLeftMs
    },
    onText(text) {
      heard.push(text)
      return isUseful
    },
    onFault: (why) => faults.push(why),
  })
}

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { interval: 2, timeout: 20_000 })
const connections = (count: number) => until(() => binance.streams.length >= count && binance.openStreams > 0)

test('the stream subscribes to its channels and forwards messages in order', async () => {
  open()
  await connections(1)
  expect(binance.streams).toEqual(['bnbusdt@ticker'])
  expect(stream?.isDelivering).toBe(false)
  for (const text of ['1', '幣', 'x'.repeat(60_000)]) binance.sayText(text)
  await until(() => heard.length === 3)
  expect(heard).toEqual(['1', '幣', 'x'.repeat(60_000)])
  expect(stream?.isDelivering).toBe(true)
  expect(faults).toEqual([])
})

test('the stream returns the payload of a ping', async () => {
  open()
  await connections(1)
  binance.ping('1732179600000')
  await until(() => binance.pongs.length === 1)
  expect(binance.pongs).toEqual(['1732179600000'])
})

test('the stream reconnects after every broken connection', async () => {
  open()
  for (let count = 1; count <= 4; count++) {
    await connections(count)
    binance.sayText(String(count))
    await until(() => heard.length === count)
    binance.drop()
    await until(() => faults.length === count)
    expect(stream?.isDelivering).toBe(false)
  }
  expect(heard).toEqual(['1', '2', '3', '4'])
})

test('the stream retries a refused connection until it is accepted', async () => {
  binance.takesStreams = false
  open()
  await until(() => binance.streams.length >= 3)
  binance.takesStreams = true
  await until(() => binance.openStreams === 1)
  binance.sayText('at last')
  await until(() => heard.length === 1)
})

test('the stream gives up a silent handshake and retries', async () => {
  // Takes the request and never says a word: what a firewall does that drops packets.
  const { createServer } = await import('node:net')
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.on('error', () => {}).resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  open({ connectTimeoutMs: 20 }, `ws://127.0.0.1:${port}/stream`)
  await until(() => count >= 3)
  expect(new Set(faults)).toEqual(new Set(['no connection in time']))
  stream?.stop()
  await new Promise((resolve) => server.close(resolve))
})

describe('silence', () => {
  test('the stream replaces a connection that has fallen silent', async () => {
    open({ silentAfterMs: 30 })
    await until(() => binance.streams.length >= 2)
    expect(faults[0]).toBe('silence')
    await until(() => {
      binance.sayText('here I am')
      return heard.length > 0
    })
  })

  test('pings and unusable messages count as silence', async () => {
    isUseful = false
    open({ silentAfterMs: 50 })
    await until(() => {
      binance.sayText('nonsense')
      binance.ping('')
      return faults.length >= 2
    })
    expect(new Set(faults)).toEqual(new Set(['silence']))
    expect(stream?.isDelivering).toBe(false)
  })

  test('a replaced connection is closed', async () => {
    open({ silentAfterMs: 20 })
    await until(() => binance.streams.length >= 6)
    await until(() => binance.openStreams <= 1)
  })
})

test('the stream drops an oversized message', async () => {
  open()
  await connections(1)
  binance.sayText('x'.repeat(65_537))
  binance.sayText('short')
  await until(() => heard.length > 0)
  expect(heard).toEqual(['short'])
})

describe('the pause before the next connection', () => {
  test('the reconnect pause doubles up to its maximum without useful messages', async () => {
    binance.takesStreams = false
    const waits: unknown[] = []
    const { setTimeout: real } = globalThis
    const spied = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      if ((ms ?? 0) >= 7_000 && (ms ?? 0) < 60_000) waits.push(ms)
      return real(run, (ms ?? 0) < 60_000 ? Math.min(ms ?? 0, 1) : ms)
    }) as typeof setTimeout)
    open({ backoffMs: 7_000, maxBackoffMs: 50_000 })
    await until(() => waits.length >= 5)
    spied.mockRestore()
    stream?.stop()
    expect(waits.slice(0, 5)).toEqual([7_000, 14_000, 28_000, 50_000, 50_000])
  })

  test('the reconnect pause respects a late request to wait', async () => {
    open()
    await connections(1)
    pauseLeftMs = 5
    binance.drop()
    await until(() => pausesAsked >= 5)
    expect(binance.streams).toHaveLength(1)
    pauseLeftMs = 0
    await connections(2)
  })
})

test('a stopped stream neither connects nor reports', async () => {
  open()
  await connections(1)
  stream?.stop()
  await until(() => binance.openStreams === 0)
  expect(binance.streams).toHaveLength(1)
  expect(faults).toEqual([])
})
