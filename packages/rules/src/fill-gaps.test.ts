import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CANDLE_INTERVALS, CANDLE_MS, type Candle, type CandlePrices, candleStart, fillGaps } from './candle.ts'

type Timed = Candle & CandlePrices

const flat = (prices: CandlePrices): Timed => ({ ...prices, volumeBase: 0n, volumeQuote: 0n, tradeCount: 0 })

/** A candle of 2026-03-01 in which the price went from `open` to `close` and ten units were traded. */
function traded(time: string, open: bigint, close: bigint): Timed {
  return {
    startsAt: at(time),
    openE18: open,
    highE18: (open > close ? open : close) + 1n,
    lowE18: (open < close ? open : close) - 1n,
    closeE18: close,
    volumeBase: 10n,
    volumeQuote: 6_000n,
    tradeCount: 2,
  }
}

const at = (time: string) => new Date(`2026-03-01T${time}Z`)

/** Returns the figures that a chart shows: start, open, close and volume of each candle. */
const shown = (candles: readonly Timed[]) =>
  candles.map((each) => [each.startsAt.toISOString().slice(11, 16), each.openE18, each.closeE18, each.volumeBase])

const whole = { from: undefined, to: undefined, limit: 1_000, previousCloseE18: undefined, flat }

describe('fillGaps, worked out by hand', () => {
  const candles = [traded('12:01:00', 600n, 610n), traded('12:04:00', 605n, 590n)]

  test('fills minutes without a trade at the last close, up to now', () => {
    expect(shown(fillGaps({ ...whole, candles, interval: '1m', now: at('12:06:30') }))).toEqual([
      ['12:01', 600n, 610n, 10n],
      ['12:02', 610n, 610n, 0n],
      ['12:03', 610n, 610n, 0n],
      ['12:04', 605n, 590n, 10n],
      ['12:05', 590n, 590n, 0n],
      ['12:06', 590n, 590n, 0n],
    ])
  })

  test('a flat candle has four equal prices, no volume and no trade', () => {
    const filled = fillGaps({ ...whole, candles, interval: '1m', now: at('12:02:00') })
    expect(filled[1]).toEqual({
      startsAt: at('12:02:00'),
      openE18: 610n,
      highE18: 610n,
      lowE18: 610n,
      closeE18: 610n,
      volumeBase: 0n,
      volumeQuote: 0n,
      tradeCount: 0,
    })
  })

  test('a candle starts with its first millisecond, not with the one before', () => {
    expect(fillGaps({ ...whole, candles, interval: '1m', now: at('12:04:59.999') }).at(-1)).toBe(candles[1])
    expect(shown(fillGaps({ ...whole, candles, interval: '1m', now: at('12:05:00') })).at(-1)?.[0]).toBe('12:05')
  })

  test('the price before the window fills it from its beginning', () => {
    const window = { from: at('11:58:30'), to: at('12:03:00'), previousCloseE18: 599n }
    expect(shown(fillGaps({ ...whole, ...window, candles, interval: '1m', now: at('12:06:30') }))).toEqual([
      ['11:59', 599n, 599n, 0n],
      ['12:00', 599n, 599n, 0n],
      ['12:01', 600n, 610n, 10n],
      ['12:02', 610n, 610n, 0n],
    ])
  })

  test('a window that ends within a candle still includes it', () => {
    const window = { to: at('12:03:00.001') }
    expect(
      shown(fillGaps({ ...whole, ...window, candles, interval: '1m', now: at('12:06:30') }))
        .map(([time]) => time)
        .at(-1),
    ).toBe('12:03')
  })

  test('has one candle at the least limit', () => {
    const filled = fillGaps({ ...whole, candles, interval: '1m', now: at('12:06:30'), limit: 1 })
    expect(filled.map(({ startsAt }) => startsAt)).toEqual([at('12:06')])
  })

  test('keeps the latest candles, priced by those beyond the limit', () => {
    const filled = fillGaps({ ...whole, candles, interval: '1m', now: at('12:06:30'), limit: 2 })
    expect(shown(filled)).toEqual([
      ['12:05', 590n, 590n, 0n],
      ['12:06', 590n, 590n, 0n],
    ])
  })

  test('returns no candles before the first known price', () => {
    const now = at('12:06:30')
    expect(fillGaps({ ...whole, candles: [], interval: '1m', now })).toEqual([])
    expect(fillGaps({ ...whole, candles, interval: '1m', now, to: at('12:01:00') })).toEqual([])
    expect(shown(fillGaps({ ...whole, candles, interval: '1m', now, from: at('09:00:00') }))[0]?.[0]).toBe('12:01')
  })

  test('a window after now or one that ends first is empty', () => {
    const known = { ...whole, candles, interval: '1m', now: at('12:06:30'), previousCloseE18: 599n } as const
    expect(fillGaps({ ...known, from: at('12:07:00') })).toEqual([])
    expect(fillGaps({ ...known, from: at('12:05:00'), to: at('12:05:00') })).toEqual([])
    expect(fillGaps({ ...known, from: at('12:05:00'), to: at('12:03:00') })).toEqual([])
  })

  test('builds only the requested candles after a year without trades', () => {
    const now = at('12:06:30')
    const old = [{ ...traded('12:01:00', 600n, 610n), startsAt: new Date('1970-01-01T00:00:00Z') }]
    let made = 0
    const counted = (prices: CandlePrices) => {
      made += 1
      return flat(prices)
    }
    const filled = fillGaps({ ...whole, candles: old, interval: '1m', now, limit: 300, flat: counted })
    expect(filled).toHaveLength(300)
    expect(made).toBe(300)
  })

  test('throws for candles out of order or off the grid', () => {
    const good = { ...whole, candles, interval: '1m', now: at('12:06:30') } as const
    expect(() => fillGaps({ ...good, candles: candles.toReversed() })).toThrow(RangeError)
    expect(() => fillGaps({ ...good, candles: [candles[0]!, candles[0]!] })).toThrow(RangeError)
    expect(() => fillGaps({ ...good, candles: [traded('12:01:01', 1n, 1n)] })).toThrow(RangeError)
    expect(() => fillGaps({ ...good, interval: '1h' })).toThrow(RangeError)
    expect(() => fillGaps({ ...good, now: new Date('nonsense') })).toThrow(RangeError)
    expect(() => fillGaps({ ...good, from: new Date('nonsense') })).toThrow(RangeError)
    for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => fillGaps({ ...good, limit })).toThrow(RangeError)
    }
  })
})

describe('fillGaps for any trades', () => {
  const epochMs = Date.parse('2026-03-01T00:00:00Z')
  const price = fc.bigInt({ min: 1n, max: 10n ** 30n })
  const instant = fc.integer({ min: -50, max: 250 })
  /** A chart of up to 200 intervals with trades in some of them, and a window that may begin or end anywhere. */
  const chart = fc
    .record({
      interval: fc.constantFrom(...CANDLE_INTERVALS),
      starts: fc.uniqueArray(fc.nat(200), { maxLength: 40 }),
      prices: fc.array(price, { minLength: 40, maxLength: 40 }),
      from: fc.option(instant, { nil: undefined }),
      to: fc.option(instant, { nil: undefined }),
      now: instant,
      aside: fc.double({ min: 0, max: 0.99, noNaN: true }),
      limit: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(1_000)),
      previousCloseE18: fc.option(price, { nil: undefined }),
    })
    .map(({ interval, starts, prices, from, to, now, aside, limit, previousCloseE18 }) => {
      const timeOf = (index: number) => new Date(epochMs + index * CANDLE_MS[interval])
      const beside = (index: number) => new Date(epochMs + Math.floor((index + aside) * CANDLE_MS[interval]))
      const candles = starts
        .toSorted((a, b) => a - b)
        .map((start, i) => ({ ...traded('00:00:00', prices[i]!, prices[39 - i]!), startsAt: timeOf(start) }))
      const window = { from: from === undefined ? from : beside(from), to: to === undefined ? to : beside(to) }
      return { candles, interval, ...window, now: beside(now), limit, previousCloseE18, flat }
    })

  const within = (
    { startsAt }: CandlePrices,
    { from, to, now }: Pick<Parameters<typeof fillGaps>[0], 'from' | 'to' | 'now'>,
  ) => (from === undefined || startsAt >= from) && (to === undefined || startsAt < to) && startsAt <= now

  test('returns one candle per interval, within the window and the limit', () => {
    fc.assert(
      fc.property(chart, (asked) => {
        const filled = fillGaps(asked)
        expect(filled.length).toBeLessThanOrEqual(asked.limit)
        for (const [i, candle] of filled.entries()) {
          expect(within(candle, asked)).toBe(true)
          if (i === 0) continue
          expect(candle.startsAt.getTime() - filled[i - 1]!.startsAt.getTime()).toBe(CANDLE_MS[asked.interval])
        }
      }),
    )
  })

  test('fills the whole window, back to the limit or the first price', () => {
    fc.assert(
      fc.property(chart, (asked) => {
        const { candles, interval, previousCloseE18, limit } = asked
        const filled = fillGaps(asked)
        const known = (candle: CandlePrices) =>
          previousCloseE18 !== undefined || candles.some((each) => each.startsAt <= candle.startsAt)
        const neighbour = (candle: CandlePrices, steps: number) => ({
          ...candle,
          startsAt: new Date(candle.startsAt.getTime() + steps * CANDLE_MS[interval]),
        })
        if (filled.length === 0) {
          // Then no start of the grid is both in the window and at a known price.
          for (let index = -60; index <= 260; index += 1) {
            const candle = flat({
              ...traded('00:00:00', 1n, 1n),
              startsAt: new Date(epochMs + index * CANDLE_MS[interval]),
            })
            expect(within(candle, asked) && known(candle)).toBe(false)
          }
          return
        }
        expect(within(neighbour(filled.at(-1)!, 1), asked)).toBe(false)
        const earlier = neighbour(filled[0]!, -1)
        expect(filled.length === limit || !within(earlier, asked) || !known(earlier)).toBe(true)
      }),
    )
  })

  test('keeps traded candles unchanged, so volumes add up', () => {
    fc.assert(
      fc.property(chart, (asked) => {
        const filled = fillGaps(asked)
        const first = filled[0]?.startsAt
        const expected = asked.candles.filter(
          (each) => within(each, asked) && first !== undefined && each.startsAt >= first,
        )
        expect(filled.filter((each) => each.tradeCount > 0)).toEqual(expected)
        const volume = (candles: readonly Timed[]) => candles.reduce((sum, each) => sum + each.volumeQuote, 0n)
        expect(volume(filled)).toBe(volume(expected))
        // Where the limit cuts nothing off, nothing that was traded is missing.
        if (asked.limit === 1_000) expect(expected).toEqual(asked.candles.filter((each) => within(each, asked)))
      }),
    )
  })

  test('a candle without a trade has the previous close as all prices', () => {
    fc.assert(
      fc.property(chart, (asked) => {
        for (const candle of fillGaps(asked)) {
          if (candle.tradeCount > 0) continue
          const before = asked.candles.findLast((each) => each.startsAt < candle.startsAt)
          const close = before?.closeE18 ?? asked.previousCloseE18
          expect([candle.openE18, candle.highE18, candle.lowE18, candle.closeE18]).toEqual([close, close, close, close])
          expect([candle.volumeBase, candle.volumeQuote]).toEqual([0n, 0n])
        }
      }),
    )
  })

  test('filling twice changes nothing', () => {
    fc.assert(
      fc.property(chart, (asked) => {
        const once = fillGaps(asked)
        expect(fillGaps({ ...asked, candles: once })).toEqual(once)
      }),
    )
  })

  test('two adjacent pages equal one page over both', () => {
    fc.assert(
      fc.property(chart, (asked) => {
        const { candles, interval, now } = asked
        const all = { ...asked, from: undefined, to: undefined, limit: 1_000 }
        const middle = candleStart(asked.from ?? now, interval)
        const before = candles.findLast((each) => each.startsAt < middle)
        const newer = fillGaps({
          ...all,
          from: middle,
          candles: candles.filter((each) => each.startsAt >= middle),
          previousCloseE18: before?.closeE18 ?? asked.previousCloseE18,
        })
        const older = fillGaps({ ...all, to: middle, limit: 1_000 - newer.length })
        expect([...older, ...newer]).toEqual(fillGaps(all))
      }),
    )
  })
})
