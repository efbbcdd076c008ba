import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTrade, CANDLE_INTERVALS, type Candle, type CandleInterval, candleStart } from './candle.ts'

// Source: read off a calendar and a clock.
test.each<[CandleInterval, string, string]>([
  ['1m', '2026-03-01T13:37:42.123Z', '2026-03-01T13:37:00Z'],
  ['5m', '2026-03-01T13:37:42.123Z', '2026-03-01T13:35:00Z'],
  ['15m', '2026-03-01T13:37:42.123Z', '2026-03-01T13:30:00Z'],
  ['1h', '2026-03-01T13:37:42.123Z', '2026-03-01T13:00:00Z'],
  ['4h', '2026-03-01T13:37:42.123Z', '2026-03-01T12:00:00Z'],
  ['1d', '2026-03-01T13:37:42.123Z', '2026-03-01T00:00:00Z'],
  ['1d', '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00Z'],
  ['1d', '2026-02-28T23:59:59.999Z', '2026-02-28T00:00:00Z'],
  ['1d', '2028-02-29T23:59:59.999Z', '2028-02-29T00:00:00Z'],
  ['4h', '2026-03-01T03:59:59.999Z', '2026-03-01T00:00:00Z'],
  ['1h', '1969-12-31T23:59:00.000Z', '1969-12-31T23:00:00Z'],
])('the %s candle at %s starts at %s', (interval, time, start) => {
  expect(candleStart(new Date(time), interval)).toEqual(new Date(start))
})

const instant = fc.date({ min: new Date('1960-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

test('a candle starts before its time, and longer ones contain it', () => {
  fc.assert(
    fc.property(instant, (time) => {
      let shorter = time
      for (const interval of CANDLE_INTERVALS) {
        const start = candleStart(time, interval)
        expect(start.getTime()).toBeLessThanOrEqual(shorter.getTime())
        expect(candleStart(start, interval)).toEqual(start)
        expect(candleStart(shorter, interval)).toEqual(start)
        shorter = start
      }
    }),
  )
})

test('candleStart throws for an invalid time', () => {
  expect(() => candleStart(new Date('nonsense'), '1m')).toThrow(RangeError)
})

test.each([
  { moved: 'up', beforeE18: 590n, priceE18: 600n, highE18: 600n, lowE18: 590n },
  { moved: 'down', beforeE18: 610n, priceE18: 600n, highE18: 610n, lowE18: 600n },
  { moved: 'nowhere', beforeE18: 600n, priceE18: 600n, highE18: 600n, lowE18: 600n },
])('a candle opens at the price before its first trade, $moved', (trade) => {
  const { beforeE18, priceE18, highE18, lowE18 } = trade
  expect(addTrade(undefined, { beforeE18, priceE18, volumeBase: 2n, volumeQuote: 1_200n })).toEqual({
    openE18: beforeE18,
    highE18,
    lowE18,
    closeE18: priceE18,
    volumeBase: 2n,
    volumeQuote: 1_200n,
    tradeCount: 1,
  })
})

test('later trades move high, low and close, and add up the volumes', () => {
  const prices = [600n, 610n, 590n, 605n]
  const candle = prices.reduce<Candle | undefined>(
    (sofar, priceE18) => addTrade(sofar, { beforeE18: 595n, priceE18, volumeBase: 1n, volumeQuote: priceE18 }),
    undefined,
  )
  expect(candle).toEqual({
    openE18: 595n,
    highE18: 610n,
    lowE18: 590n,
    closeE18: 605n,
    volumeBase: 4n,
    volumeQuote: 2_405n,
    tradeCount: 4,
  })
})

test('a candle matches its trades', () => {
  const tradeArb = fc.record({
    beforeE18: fc.bigInt({ min: 1n, max: 10n ** 40n }),
    priceE18: fc.bigInt({ min: 1n, max: 10n ** 40n }),
    volumeBase: fc.bigInt({ min: 0n, max: 10n ** 40n }),
    volumeQuote: fc.bigInt({ min: 0n, max: 10n ** 40n }),
  })
  fc.assert(
    fc.property(fc.array(tradeArb, { minLength: 1, maxLength: 20 }), (trades) => {
      const candle = trades.reduce<Candle | undefined>(addTrade, undefined)!
      const prices = [trades[0]!.beforeE18, ...trades.map((trade) => trade.priceE18)]
      const sorted = prices.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect(candle.openE18).toBe(prices[0])
      expect(candle.closeE18).toBe(trades.at(-1)!.priceE18)
      expect(candle.lowE18).toBe(sorted[0])
      expect(candle.highE18).toBe(sorted.at(-1))
      expect(candle.volumeBase).toBe(trades.reduce((sum, trade) => sum + trade.volumeBase, 0n))
      expect(candle.volumeQuote).toBe(trades.reduce((sum, trade) => sum + trade.volumeQuote, 0n))
      expect(candle.tradeCount).toBe(trades.length)
    }),
  )
})

test('addTrade throws without a price or for a negative volume', () => {
  expect(() => addTrade(undefined, { beforeE18: 1n, priceE18: 0n, volumeBase: 1n, volumeQuote: 1n })).toThrow(
    RangeError,
  )
  expect(() => addTrade(undefined, { beforeE18: 0n, priceE18: 1n, volumeBase: 1n, volumeQuote: 1n })).toThrow(
    RangeError,
  )
  const still = { beforeE18: 1n, priceE18: 1n }
  expect(() => addTrade(undefined, { ...still, volumeBase: -1n, volumeQuote: 1n })).toThrow(RangeError)
  expect(() => addTrade(undefined, { ...still, volumeBase: 1n, volumeQuote: -1n })).toThrow(RangeError)
})
