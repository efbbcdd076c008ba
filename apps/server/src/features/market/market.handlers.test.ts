import type { ResponseOf } from '@clearwell/api/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { createApp } from '../../platform/http/create-app.ts'
import { createSimulatedSource } from '../../platform/market-data/simulated-source.ts'
import { appOf, E18, NOW, sourceOf, tickerOf } from './testing/market-calls.ts'
import { createTickers, tickerChannel } from './tickers.ts'

test('the ticker channel ignores a change of times alone', async () => {
  const { isSameValue } = tickerChannel(createTickers({ source: sourceOf({}), clock: { now: () => NOW } }))
  const before = await tickerOf({})
  const later = await tickerOf({
    time: new Date(0),
    sources: [{ name: 'A', priceE18: 1n, time: NOW, stale: false }],
  })
  expect(isSameValue?.(before, later)).toBe(true)
  expect(isSameValue?.(before, await tickerOf({ state: 'stale' }))).toBe(false)
})

test('numbers are plain decimals, and the change is a signed fraction', async () => {
  const ticker = await tickerOf({
    priceE18: 620_500_000_000_000_000_000n,
    changePpm: -12_345n,
    highE18: 3n * E18,
    lowE18: 1n,
    volume: E18 / 2n,
  })
  expect(ticker).toEqual({
    symbol: 'BNBUSDT',
    price: '620.5',
    change_24h: '-0.012345',
    high_24h: '3',
    low_24h: '0.000000000000000001',
    volume_24h: '0.5',
    time: NOW.toISOString(),
    stale: false,
    source: 'somewhere',
    state: 'fresh',
    sources: [],
  })
})

test('lists each source with its price and weight', async () => {
  const time = new Date(NOW.getTime() - 61_000)
  const ticker = await tickerOf({
    source: 'A, C',
    sources: [
      { name: 'A', priceE18: 620n * E18, time: NOW, stale: false },
      { name: 'B', priceE18: (3n * E18) / 2n, time, stale: true },
      { name: 'C', priceE18: 1n, time: NOW, stale: false },
    ],
  })
  expect(ticker.source).toBe('A, C')
  expect(ticker.sources).toEqual([
    { name: 'A', price: '620', time: NOW.toISOString(), stale: false },
    { name: 'B', price: '1.5', time: time.toISOString(), stale: true },
    { name: 'C', price: '0.000000000000000001', time: NOW.toISOString(), stale: false },
  ])
})

test('the symbol defaults to BNBUSDT, and an unknown one is rejected', {
  tags: ['§3.14', '§7.21', '§9.08'],
}, async () => {
  expect((await tickerOf({})).symbol).toBe('BNBUSDT')
  expect((await tickerOf({}, 'ETHUSDT')).symbol).toBe('ETHUSDT')
  await expect(tickerOf({}, 'DOGEUSDT')).rejects.toMatchObject({ refusal: 'not_found' })
})

describe('the ticker of a symbol', () => {
  let app: Awaited<ReturnType<typeof createApp>>
  beforeAll(async () => {
    app = await appOf(sourceOf({}))
  })
  afterAll(() => app.close())

  /** Status and code for this symbol, over HTTP. */
  async function responseFor(symbol: unknown, type: 'form' | 'json') {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/spot/ticker',
      headers: { 'content-type': type === 'form' ? 'application/x-www-form-urlencoded' : 'application/json' },
      payload: type === 'form' ? `symbol=${symbol}` : JSON.stringify({ symbol }),
    })
    return [reply.statusCode, reply.json().code]
  }

  test.each([
    ['BNBUSDT', 200, 1],
    ['ETHUSDT', 200, 1],
    ['DOGEUSDT', 404, 20009],
    ['USDT', 404, 20009],
    ['A1B2C3D4E5F6G7H8I9J0', 404, 20009],
    ['bnbusdt', 400, 20000],
    ['BNB-USDT', 400, 20000],
    ['BNB/USDT', 400, 20000],
    ['BNB', 400, 20000],
    ['A1B2C3D4E5F6G7H8I9J0K', 400, 20000],
    [' BNBUSDT', 400, 20000],
    ['幣安', 400, 20000],
    ['__proto__', 400, 20000],
  ])('%s: %d, %d', async (symbol, status, code) => {
    expect(await responseFor(encodeURIComponent(symbol), 'form')).toEqual([status, code])
    expect(await responseFor(symbol, 'json')).toEqual([status, code])
  })

  test.each([7, true, ['BNBUSDT'], { a: 1 }])('rejects the symbol %j, which is not a string', async (symbol) => {
    expect(await responseFor(symbol, 'json')).toEqual([400, 20000])
  })
})

describe('candles', () => {
  const clock = { now: () => NOW }
  const anchors = new Map([
    ['BNBUSDT', 620n * E18],
    ['ETHUSDT', 3_300n * E18],
  ])
  let app: Awaited<ReturnType<typeof createApp>>
  beforeAll(async () => {
    const store = { load: async () => new Map(), save: async () => {} }
    app = await appOf(await createSimulatedSource({ seed: 'clearwell', clock, anchors, store }))
  })
  afterAll(() => app.close())

  async function call(path: string, payload: object, type: 'form' | 'json' = 'json') {
    const reply = await app.inject({
      method: 'POST',
      url: `/api${path}`,
      headers: { 'content-type': type === 'form' ? 'application/x-www-form-urlencoded' : 'application/json' },
      payload: type === 'form' ? new URLSearchParams({ ...payload }).toString() : JSON.stringify(payload),
    })
    return { status: reply.statusCode, ...reply.json() }
  }
  async function candlesOf(payload: object, type?: 'form' | 'json'): Promise<ResponseOf<'spotKline'>> {
    const { code, data } = await call('/spot/kline', payload, type)
    expect(code).toBe(1)
    return data
  }

  test('candles are plain decimals, oldest first, up to the current price', { tags: ['§7.22'] }, async () => {
    const candles = await candlesOf({ interval: '15m', limit: 3 })
    expect(candles.map(({ time }) => time)).toEqual([
      '2026-11-21T08:30:00.000Z',
      '2026-11-21T08:45:00.000Z',
      '2026-11-21T09:00:00.000Z',
    ])
    for (const { time, open, high, low, close, volume } of candles) {
      expect([open, high, low, close].every((text) => /^\d{3}(\.\d{1,18})?$/.test(text))).toBe(true)
      expect(Number(low) <= Number(open) && Number(open) <= Number(high)).toBe(true)
      expect(Number(low) <= Number(close) && Number(close) <= Number(high)).toBe(true)
      expect(Number(volume) > 0 || time === NOW.toISOString()).toBe(true)
    }
    expect(candles[0]?.close).toBe(candles[1]?.open)
    expect(candles[2]?.close).toBe((await call('/spot/ticker', {})).data.price)
  })

  test('default to BNBUSDT and a limit of 300', async () => {
    const candles = await candlesOf({ interval: '1d' })
    expect(candles).toHaveLength(300)
    expect(await candlesOf({ symbol: 'BNBUSDT', interval: '1d' })).toEqual(candles)
    expect(await candlesOf({ symbol: '', from: '', to: '', limit: '', interval: '1d' }, 'form')).toEqual(candles)
    expect(await candlesOf({ symbol: 'ETHUSDT', interval: '1d' })).not.toEqual(candles)
  })

  test.each(['1m', '5m', '15m', '1h', '4h', '1d'])('candles of %s respect the limit, up to 1000', async (interval) => {
    const thousand = await candlesOf({ interval, limit: 1000 })
    expect(thousand).toHaveLength(1000)
    expect(await candlesOf({ interval, limit: '1' }, 'form')).toEqual(thousand.slice(-1))
  })

  test('candles of a window start within it, in both time formats', async () => {
    const window = { from: '2026-11-20T22:00:00Z', to: '2026-11-21T01:00:00Z' }
    const candles = await candlesOf({ interval: '1h', ...window })
    expect(candles.map(({ time }) => time.slice(11, 13))).toEqual(['22', '23', '00'])
    const seconds = { from: Date.parse(window.from) / 1000, to: Date.parse(window.to) / 1000 }
    expect(await candlesOf({ interval: '1h', ...seconds }, 'form')).toEqual(candles)
    expect(await candlesOf({ interval: '1h', ...window, limit: 2 })).toEqual(candles.slice(1))
    expect(await candlesOf({ interval: '1h', from: NOW.toISOString() })).toHaveLength(1)
    expect(await candlesOf({ interval: '1h', from: '2026-11-21T09:00:00.001Z', to: '9999-12-31' })).toEqual([])
    expect(await candlesOf({ interval: '1h', to: 0 })).toEqual([])
  })

  test.each(['DOGEUSDT', 'USDT'])('candles of the unknown symbol %s are not found', async (symbol) => {
    expect(await call('/spot/kline', { symbol, interval: '1h' })).toMatchObject({ status: 404, code: 20009 })
  })

  const garbage: Readonly<Record<string, readonly unknown[]>> = {
    interval: [undefined, '', '2m', '1M', '1h ', 'constructor', 60, null, ['1h']],
    symbol: ['bnbusdt', 'BNB/USDT', '__proto__', 7, ['BNBUSDT']],
    from: ['now', '2026-13-01', '1969-12-31T23:59:59Z', -1, 1.5, {}],
    to: ['now', '99999999999', true, ['2026-11-21']],
    limit: [0, -1, 1001, 1.5, '1e2', 'all', [5], {}],
  }
  test.each(
    Object.entries(garbage).flatMap(([field, values]) => values.map((value): [string, unknown] => [field, value])),
  )('candles with %s %j are invalid input, and the field is named', async (field, value) => {
    expect(await call('/spot/kline', { interval: '1h', [field]: value })).toMatchObject({
      status: 400,
      code: 20000,
      data: { fields: { [field]: expect.any(String) } },
    })
  })

  test('appear in the API document', async () => {
    const { paths } = (await app.inject({ url: '/api/openapi.json' })).json()
    const { schema } = paths['/spot/kline'].post.requestBody.content['application/json']
    expect(schema.required).toEqual(['interval'])
    expect(Object.keys(schema.properties)).toEqual(['symbol', 'interval', 'from', 'to', 'limit'])
  })
})
