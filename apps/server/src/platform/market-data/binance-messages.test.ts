import { describe, expect, test } from 'vitest'
import { parseDayTickers, parseKlines, parseServerTime, parseStreamMessage } from './binance-messages.ts'
import { testKline } from './testing/binance.ts'

const E18 = 10n ** 18n
const SYMBOLS = new Set(['BNBUSDT', 'ETHUSDT'])
const TIME_MS = Date.UTC(2026, 10, 21, 9)

// Source: web-socket-streams.md of the exchange's documentation, "Individual Symbol Ticker Streams".
const MESSAGE = {
  stream: 'bnbusdt@ticker',
  data: {
    e: '24hrTicker',
    E: TIME_MS,
    s: 'BNBUSDT',
    p: '0.0015',
    P: '250.00',
    w: '620.00000000',
    x: '599.00000000',
    c: '620.50000000',
    Q: '10',
    b: '620.40000000',
    B: '10',
    a: '620.60000000',
    A: '100',
    o: '600.00000000',
    h: '631.00000000',
    l: '598.25000000',
    v: '184350.25100000',
    q: '114000000.00000000',
    O: TIME_MS - 86_400_000,
    C: TIME_MS,
    F: 0,
    L: 18150,
    n: 18151,
  },
}

const messageWith = (changes: object, stream = MESSAGE.stream) =>
  JSON.stringify({ stream, data: { ...MESSAGE.data, ...changes } })

test('a stream message is parsed without losing a digit', () => {
  expect(parseStreamMessage(JSON.stringify(MESSAGE), SYMBOLS)).toEqual({
    symbol: 'BNBUSDT',
    priceE18: 6205n * (E18 / 10n),
    timeMs: TIME_MS,
    day: {
      openE18: 600n * E18,
      highE18: 631n * E18,
      lowE18: 59_825n * (E18 / 100n),
      volume: 184_350_251n * (E18 / 1_000n),
    },
  })
})

test.each<[string, object]>([
  ['a high with an exponent', { h: '6.31E2' }],
  ['a high of Infinity', { h: 'Infinity' }],
  ['a low of zero', { l: '0' }],
  ['an open with groups', { o: '1,600.0' }],
  ['a negative volume', { v: '-1' }],
  ['no volume', { v: undefined }],
  ['a high below its price', { h: '500.0' }],
  ['a low above its price', { l: '620.6' }],
])('a price with %s counts without its 24 hours', (_name, changes) => {
  expect(parseStreamMessage(messageWith(changes), SYMBOLS)).toEqual({
    symbol: 'BNBUSDT',
    priceE18: 6205n * (E18 / 10n),
    timeMs: TIME_MS,
    day: undefined,
  })
})

describe('a message of the stream is refused', () => {
  const unusable = (field: string) => `the exchange answered a message that cannot be used (data.${field})`
  test.each<[string, object, string]>([
    ['with an exponent', { c: '1e-7' }, unusable('c')],
    ['with a great exponent', { c: '6.31E2' }, unusable('c')],
    ['with a price of NaN', { c: 'NaN' }, unusable('c')],
    ['with a price of Infinity', { c: 'Infinity' }, unusable('c')],
    ['with a negative price', { c: '-620.5' }, unusable('c')],
    ['with a sign', { c: '+620.5' }, unusable('c')],
    ['with a price of zero', { c: '0.00000000' }, unusable('c')],
    ['with a price that is a number', { c: 620.5 }, unusable('c')],
    ['with a price in hex', { c: '0x26c' }, unusable('c')],
    ['with a price of nothing', { c: '' }, unusable('c')],
    ['with a price with groups', { c: '1,600.0' }, unusable('c')],
    ['with a price with more decimals than are kept', { c: '620.0000000000000000001' }, unusable('c')],
    ['without a price', { c: undefined }, unusable('c')],
    ['without a time', { E: undefined }, unusable('E')],
    ['with a time that is text', { E: String(TIME_MS) }, unusable('E')],
    ['with a time before 1970', { E: -1 }, unusable('E')],
    ['with a time that is no whole number', { E: 1.5 }, unusable('E')],
    ['with a time that no calendar has', { E: 8_640_000_000_000_001 }, unusable('E')],
    ['of another kind', { e: 'trade' }, unusable('e')],
    [
      'of a symbol on the stream of another',
      { s: 'ETHUSDT' },
      'the exchange sent a symbol on the stream of another one',
    ],
  ])('a stream message %s is refused', (_name, changes, why) => {
    expect(() => parseStreamMessage(messageWith(changes), SYMBOLS)).toThrow(why)
  })

  test.each([
    ['text', 'hello'],
    ['half of one', JSON.stringify(MESSAGE).slice(0, 200)],
    ['a page', '<!doctype html>'],
    ['nothing', ''],
  ])('a stream message that is %s is refused as no JSON', (_name, text) => {
    expect(() => parseStreamMessage(text, SYMBOLS)).toThrow('the exchange sent a message that is no JSON')
  })

  test.each(['null', '[]', '7', '{"result":null,"id":1}', '{"stream":"bnbusdt@ticker","data":null}'])(
    'the stream message %s is refused as unusable',
    (text) => {
      expect(() => parseStreamMessage(text, SYMBOLS)).toThrow(/^the exchange answered a message that cannot be used/)
    },
  )

  test('a stream message of an unrequested symbol is refused', () => {
    const text = messageWith({ s: 'DOGEUSDT' }, 'dogeusdt@ticker')
    expect(() => parseStreamMessage(text, SYMBOLS)).toThrow('the exchange reported a symbol that was not asked for')
  })
})

test('an error does not repeat the received message', () => {
  expect(() => parseStreamMessage(messageWith({ c: 's3cret' }), SYMBOLS)).not.toThrow('s3cret')
})

describe('the tickers of the last 24 hours', () => {
  const ticker = (symbol: string, changes: object = {}) => ({
    symbol,
    lastPrice: '620.5',
    openPrice: '600.0',
    highPrice: '631.0',
    lowPrice: '598.0',
    volume: '12.5',
    closeTime: TIME_MS,
    count: 5,
    ...changes,
  })

  test('24-hour tickers are parsed in any order', () => {
    const parsed = parseDayTickers([ticker('ETHUSDT'), ticker('BNBUSDT')], SYMBOLS)
    expect(parsed.map(({ symbol }) => symbol)).toEqual(['ETHUSDT', 'BNBUSDT'])
    expect(parsed[0]).toMatchObject({
      priceE18: 6205n * (E18 / 10n),
      timeMs: TIME_MS,
      day: { volume: (25n * E18) / 2n },
    })
  })

  test.each<[string, unknown]>([
    ['of one symbol only', [ticker('BNBUSDT')]],
    ['of one symbol twice', [ticker('BNBUSDT'), ticker('BNBUSDT')]],
    ['of each and one twice', [ticker('BNBUSDT'), ticker('ETHUSDT'), ticker('ETHUSDT')]],
    ['of another symbol', [ticker('BNBUSDT'), ticker('DOGEUSDT')]],
    ['that are one', ticker('BNBUSDT')],
    ['that are an error', { code: -1121, msg: 'Invalid symbol.' }],
    ['with a price of zero', [ticker('BNBUSDT', { lastPrice: '0.0' }), ticker('ETHUSDT')]],
  ])('24-hour tickers %s are refused', (_name, response) => {
    expect(() => parseDayTickers(response, SYMBOLS)).toThrow(/^the exchange /)
  })
})

describe('candles', () => {
  const MINUTE_MS = 60_000
  const asked = { interval: '1m', fromMs: TIME_MS, untilMs: TIME_MS + 10 * MINUTE_MS } as const
  const candle = (minute: number, changes: Readonly<Record<number, unknown>> = {}) =>
    Object.assign(testKline(TIME_MS + minute * MINUTE_MS, MINUTE_MS, TIME_MS * 2), changes)

  test('candles are parsed with their gaps', () => {
    const parsed = parseKlines([candle(0, { 1: '500', 2: '502.5', 3: '499', 4: '501', 5: '7' }), candle(3)], asked)
    expect(parsed[0]).toEqual({
      startsAt: new Date(TIME_MS),
      openE18: 500n * E18,
      highE18: 5025n * (E18 / 10n),
      lowE18: 499n * E18,
      closeE18: 501n * E18,
      volume: 7n * E18,
    })
    expect(parsed.map(({ startsAt }) => startsAt.getTime())).toEqual([TIME_MS, TIME_MS + 3 * MINUTE_MS])
    expect(parseKlines([], asked)).toEqual([])
  })

  test.each<[string, unknown]>([
    ['that go backwards', [candle(2), candle(1)]],
    ['twice of one time', [candle(1), candle(1)]],
    ['from before they were asked for', [candle(-1)]],
    ['that are yet to come', [candle(11)]],
    ['off their interval', [candle(1, { 0: TIME_MS + 61_000, 6: TIME_MS + 120_999 })]],
    ['of another interval', [candle(0, { 6: TIME_MS + 5 * MINUTE_MS - 1 })]],
    ['with a high below the close', [candle(0, { 2: '501', 4: '502' })]],
    ['with a low above the open', [candle(0, { 3: '900' })]],
    ['with a high below the low', [candle(0, { 1: '500', 2: '499', 3: '501', 4: '500' })]],
    ['with a price of zero', [candle(0, { 3: '0' })]],
    ['with an exponent', [candle(0, { 4: '1e3' })]],
    ['with a negative volume', [candle(0, { 5: '-1' })]],
    ['with a start that is text', [candle(0, { 0: String(TIME_MS) })]],
    ['that are too short', [candle(0).slice(0, 6)]],
    ['that are no list', { code: 0 }],
    ['of nothing', null],
  ])('candles %s refuse the whole list', (_name, response) => {
    expect(() => parseKlines(response, asked)).toThrow(/^the exchange answered /)
  })
})

test('the exchange’s time must be a whole number of milliseconds', () => {
  expect(parseServerTime({ serverTime: TIME_MS })).toBe(TIME_MS)
  for (const response of [{}, { serverTime: 'now' }, { serverTime: 1.5 }, { serverTime: -1 }, null, TIME_MS])
    expect(() => parseServerTime(response)).toThrow(/^the exchange answered a time that cannot be used/)
})
