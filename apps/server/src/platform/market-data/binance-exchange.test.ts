import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createBinanceExchange, type Exchange, type ExchangeRules } from './binance-exchange.ts'
import { startTestBinance, type TestBinance } from './testing/binance.ts'

const E18 = 10n ** 18n
/** Intervals so long that no timer fires unless a test waits for it. */
const RULES: ExchangeRules = {
  maxWeightPerMinute: 1_000,
  timeoutMs: 10_000,
  backoffMs: 1,
  maxBackoffMs: 4,
  connectTimeoutMs: 60_000,
  silentAfterMs: 60_000,
  pollMs: 5,
  syncMs: 60_000,
}

/** This server's clock, and how far the exchange's is ahead of it. */
let nowMs: number
let aheadMs: number
let binance: TestBinance
let exchange: Exchange | undefined
let faults: string[]
let came: string[]
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 21, 9)
  aheadMs = 0
  faults = []
  came = []
  binance = await startTestBinance(() => nowMs + aheadMs)
})
afterEach(async () => {
  exchange?.stop()
  await binance.stop()
})

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { interval: 2, timeout: 20_000 })

function start(rules: Partial<ExchangeRules> = {}): Exchange {
  exchange = createBinanceExchange({
    name: 'Binance',
    restUrl: binance.restUrl,
    streamUrl: binance.streamUrl,
    symbols: new Set(['BNBUSDT', 'ETHUSDT']),
    clock: { now: () => new Date(nowMs) },
    random: () => 1,
    rules: { ...RULES, ...rules },
    onReading: (symbol) => came.push(symbol),
    onFault: (kind, error) => faults.push(`${kind}: ${(error as Error).message}`),
  })
  exchange.start()
  return exchange
}

/** Starts an exchange and waits until its clock is compared and its stream is open. */
async function ready(rules: Partial<ExchangeRules> = {}): Promise<Exchange> {
  const started = start(rules)
  await until(() => binance.openStreams === 1 && started.reading('ETHUSDT') !== undefined)
  return started
}

const priceOf = (symbol = 'BNBUSDT') => exchange?.reading(symbol)?.priceE18
const questionsFor = (path: string) => binance.asked.filter((each) => each.path === path)

test('the exchange requests all symbols once, then follows the stream', async () => {
  // No second look: its answer with the old price could have the time of the stream's message and replace it.
  const { reading, figures } = await ready({ pollMs: 60_000 })
  expect(binance.streams).toEqual(['bnbusdt@ticker/ethusdt@ticker'])
  expect(questionsFor('/api/v3/ticker/24hr')[0]?.query).toEqual({ symbols: '["BNBUSDT","ETHUSDT"]' })
  expect(reading('BNBUSDT')).toEqual({ name: 'Binance', priceE18: 6205n * (E18 / 10n), time: new Date(nowMs) })
  expect(figures('ETHUSDT')).toMatchObject({ openE18: 3_400n * E18, volume: 92_000n * E18 + E18 / 2n })

  nowMs += 1_000
  binance.say('BNBUSDT', { c: '621.25' })
  await until(() => priceOf() === 62_125n * (E18 / 100n))
  expect(reading('BNBUSDT')?.time).toEqual(new Date(nowMs))
  expect(reading('ETHUSDT')?.time).toEqual(new Date(nowMs - 1_000))
  expect(reading('DOGEUSDT')).toBeUndefined()
  expect(came).toContain('BNBUSDT')
  expect(faults).toEqual([])
})

test('the exchange does not poll prices while the stream delivers', async () => {
  await ready()
  binance.say('BNBUSDT', { c: '621' })
  await until(() => priceOf() === 621n * E18)
  // A clock request proves that polling continues. The first one may belong to an earlier poll.
  for (const _ of ['before', 'after']) {
    binance.asked.length = 0
    nowMs += 60_000
    await until(() => questionsFor('/api/v3/time').length > 0)
    binance.say('BNBUSDT', { c: '622' })
    binance.say('ETHUSDT')
    await until(() => exchange?.reading('ETHUSDT')?.time.getTime() === nowMs)
  }
  expect(questionsFor('/api/v3/ticker/24hr')).toEqual([])
})

test('the exchange polls only symbols that the stream omits', async () => {
  await ready()
  binance.say('BNBUSDT', { c: '621' })
  await until(() => priceOf() === 621n * E18)
  // Before the time moves on: of one moment only the first response counts.
  binance.days.set('ETHUSDT', { c: '3301.5', o: '3400', h: '3500', l: '3200', v: '1' })
  nowMs += 60_001
  binance.say('BNBUSDT', { c: '622' })
  await until(() => priceOf() === 622n * E18)
  binance.asked.length = 0
  await until(() => priceOf('ETHUSDT') === 33_015n * (E18 / 10n))
  await until(() => questionsFor('/api/v3/ticker/24hr').length >= 3)
  // The first one may have come with a look that began before.
  for (const { query } of questionsFor('/api/v3/ticker/24hr').slice(1))
    expect(query).toEqual({ symbols: '["ETHUSDT"]' })
  binance.say('ETHUSDT', { c: '3302' })
  await until(() => priceOf('ETHUSDT') === 3_302n * E18)
  expect(faults).toEqual([])
})

test('the exchange polls prices until a failed stream recovers', async () => {
  binance.takesStreams = false
  start()
  await until(() => priceOf() !== undefined)
  for (const c of ['619.5', '619.75']) {
    nowMs += 5_000
    binance.days.set('BNBUSDT', { c, o: '600', h: '631', l: '598', v: '1' })
    const units = BigInt(Number(c) * 100) * (E18 / 100n)
    await until(() => priceOf() === units)
  }
  binance.takesStreams = true
  await until(() => binance.openStreams === 1)
  nowMs += 5_000
  binance.say('BNBUSDT', { c: '630' })
  await until(() => priceOf() === 630n * E18)
})

describe('the exchange rejects and reports an impossible message', () => {
  test.each<[string, (send: TestBinance) => void, string]>([
    ['a price of the future', (send) => send.say('BNBUSDT', { E: nowMs + 2_001, c: '700', h: '700' }), 'of the future'],
    [
      'a price older than the last one',
      (send) => send.say('BNBUSDT', { E: nowMs - 1, c: '600' }),
      'older than its last',
    ],
    ['a price with an exponent', (send) => send.say('BNBUSDT', { c: '7e2' }), 'cannot be used (data.c)'],
    ['a negative price', (send) => send.say('BNBUSDT', { c: '-1' }), 'cannot be used (data.c)'],
    ['a price of nothing', (send) => send.say('BNBUSDT', { c: '0.0' }), 'cannot be used (data.c)'],
    ['another symbol on its stream', (send) => send.say('ETHUSDT', {}, 'bnbusdt@ticker'), 'on the stream of another'],
    ['a symbol outside the request', (send) => send.say('DOGEUSDT', { ...send.days.get('BNBUSDT') }), 'not asked for'],
    ['half a message', (send) => send.sayText('{"stream":"bnbusdt@ticker","da'), 'no JSON'],
    ['a page', (send) => send.sayText('<html><body>502 Bad Gateway</body></html>'), 'no JSON'],
  ])('%s', async (_name, say, why) => {
    await ready()
    const held = exchange?.reading('BNBUSDT')
    say(binance)
    await until(() => faults.length > 0)
    expect(faults[0]).toContain('messages of Binance: ')
    expect(faults[0]).toContain(why)
    expect(exchange?.reading('BNBUSDT')?.priceE18).toBe(held?.priceE18)
    // The next honest one is heard.
    nowMs += 1_000
    binance.say('BNBUSDT', { c: '622' })
    await until(() => priceOf() === 622n * E18)
  })
})

describe('the two clocks', () => {
  test.each([9_000, -9_000])('the exchange corrects and reports clocks that differ by %d ms', async (ms) => {
    aheadMs = ms
    const { reading } = await ready()
    await until(() => faults.some((each) => each.startsWith('the clock of Binance')))
    expect(faults).toContain(`the clock of Binance: this server's clock is ${ms} ms behind that of Binance`)
    nowMs += 1_000
    binance.say('BNBUSDT', { c: '621' })
    await until(() => priceOf() === 621n * E18)
    // By this server's clock it is of now, as it was sent now.
    expect(reading('BNBUSDT')?.time).toEqual(new Date(nowMs))
    nowMs += 30_000
    expect(reading('BNBUSDT')?.time).toEqual(new Date(nowMs - 30_000))
  })

  test('clocks too far apart give no price until they agree again', async () => {
    aheadMs = 10_001
    start()
    await until(() => faults.some((each) => each.includes('none of its prices counts until they agree')))
    binance.say('BNBUSDT')
    binance.say('ETHUSDT')
    await until(() => faults.some((each) => each.includes('the clocks of Binance and of this server are not together')))
    expect(priceOf()).toBeUndefined()
    aheadMs = 0
    nowMs += 60_000
    await until(() => priceOf() !== undefined)
  })

  test('clocks within one second of each other are not reported', async () => {
    aheadMs = 999
    await ready()
    expect(faults).toEqual([])
  })

  test('a price from the future triggers a new comparison of clocks', async () => {
    await ready({ syncMs: 3_600_000 })
    aheadMs = 5_000
    binance.say('BNBUSDT')
    await until(() => questionsFor('/api/v3/time').length === 2)
    nowMs += 1_000
    binance.say('BNBUSDT', { c: '625' })
    await until(() => priceOf() === 625n * E18)
  })

  test('a price keeps its stated time until the exchange’s clock is known', async () => {
    binance.lie = ({ path }) => (path === '/api/v3/time' ? { body: { serverTime: 'noon' } } : undefined)
    start()
    await until(() => binance.openStreams === 1)
    binance.say('BNBUSDT', { E: nowMs - 20_000 })
    await until(() => priceOf() !== undefined)
    expect(exchange?.reading('BNBUSDT')?.time).toEqual(new Date(nowMs - 20_000))
    await until(() => faults.some((each) => each.startsWith('asking Binance: the exchange answered a time that')))
  })
})

describe('an exchange that wants to be left alone', () => {
  test.each([429, 418])('an exchange that returned %d is left alone for its pause', async (status) => {
    binance.lie = () => ({ status, headers: { 'retry-after': '300' } })
    start()
    await until(() => binance.openStreams === 1 && faults.some((each) => each.includes(`HTTP ${status}`)))
    binance.drop()
    await until(() => faults.some((each) => each.startsWith('the stream of Binance')))
    const refusedLooks = () => faults.filter((each) => each.includes('not asked again')).length
    // Looks go on, and each of them ends before a question is asked.
    const before = refusedLooks()
    await until(() => refusedLooks() >= before + 5)
    expect(binance.asked).toHaveLength(1)
    expect(binance.streams).toHaveLength(1)
    binance.lie = undefined
    nowMs += 300_000
    await until(() => priceOf() !== undefined)
    await until(() => binance.openStreams === 1)
  })
})

test('the exchange requests candles by window and rejects future ones', async () => {
  const { klines } = await ready()
  const question = { symbol: 'ETHUSDT', interval: '1m', limit: 1_000 } as const
  const fromMs = nowMs - 5 * 60_000
  const received = await klines({ ...question, fromMs, untilMs: nowMs + 60_000 })
  expect(received.map(({ startsAt }) => startsAt.getTime())).toEqual(
    [5, 4, 3, 2, 1, 0].map((ago) => nowMs - ago * 60_000),
  )
  expect(questionsFor('/api/v3/klines')[0]?.query).toEqual({
    symbol: 'ETHUSDT',
    interval: '1m',
    startTime: String(fromMs),
    endTime: String(nowMs + 60_000),
    limit: '1000',
  })
  aheadMs = 120_000
  await expect(klines({ ...question, fromMs, untilMs: nowMs + 120_000 })).rejects.toThrow('another time than was asked')
})

test('a stopped exchange neither requests nor reports', async () => {
  binance.lie = () => ({ hang: true })
  const stopped = start()
  await until(() => binance.asked.length === 1)
  stopped.stop()
  await until(() => binance.openStreams === 0)
  expect(faults).toEqual([])
  expect(binance.asked).toHaveLength(1)
})
