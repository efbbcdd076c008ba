import { E18 } from '@clearwell/money/scale'
import { describe, expect, test } from 'vitest'
import type { HongKongDay } from './hong-kong-day.ts'
import {
  isTriggerReached,
  leastLimitOutput,
  leastScheduleOutput,
  limitTriggerE18,
  meanPriceE18,
  momentWithinHour,
  nextScheduledHour,
  type PlanInterval,
  poolDepth,
  worthAtPrice,
} from './plans.ts'
import { quoteExactIn } from './swap.ts'

// Source of every amount: Python's fractions, the trigger by a binary search for the largest reserve that still pays the limit.
const RESERVES = { base: 1_000n * E18, quote: 600_000n * E18 }
const FEES = { totalBps: 25n, revenueBps: 8n }

describe('the least output of a limit', () => {
  test.each([
    [E18, 600n * E18, false, 600n * E18],
    [600n * E18, 600n * E18, true, E18],
    [60_000n * E18, 550n * E18, true, 109_090_909_090_909_090_910n],
    // One unit is worth a fraction of a unit: rounded up for the owner.
    [1n, 1n, false, 1n],
    [7n, 3n * E18, true, 3n],
  ])('of %s at %s, inverse %s, is %s', (amountIn, priceE18, inverse, least) => {
    expect(leastLimitOutput({ amountIn, priceE18, inverse })).toBe(least)
  })

  test('has no value at a price of zero', () => {
    expect(() => leastLimitOutput({ amountIn: 1n, priceE18: 0n, inverse: true })).toThrow(RangeError)
  })
})

test.each([
  [7n, 3n * E18, true, 2n],
  [7n, 3n * E18, false, 21n],
  [1n, 1n, false, 0n],
])('%s at %s, inverse %s, is worth %s', (amountIn, priceE18, inverse, worth) => {
  expect(worthAtPrice({ amountIn, priceE18, inverse })).toBe(worth)
})

test.each([
  [E18, 600n * E18, false, 50n, 595_507_500_000_000_000_000n],
  [E18, 600n * E18, false, 0n, 598_500_000_000_000_000_000n],
  [600n * E18, 600n * E18, true, 300n, 967_575_000_000_000_000n],
  [1n, 3n, false, 50n, 1n],
  [10n, 3n * E18, true, 50n, 4n],
])('a run of %s at %s, inverse %s, slippage %s, pays %s', (...row) => {
  const [amountIn, priceE18, inverse, slippageBps, least] = row
  expect(leastScheduleOutput({ amountIn, priceE18, inverse, slippageBps, feeBps: 25n })).toBe(least)
})

describe('the trigger of a limit', () => {
  const LIMITS = [
    [E18, 600n * E18, false, 602_104_810_882_588_537_910n],
    [E18, 650n * E18, false, 652_306_813_572_131_452_277n],
    [100n * E18, 600n * E18, false, 664_653_759_867_249_168_482n],
    [600n * E18, 600n * E18, true, 597_902_547_020_506_388_602n],
    [60_000n * E18, 550n * E18, true, 494_301_885_292_563_510_542n],
  ] as const

  test.each(LIMITS)('of %s at %s, inverse %s, is %s', (amountIn, priceE18, inverse, trigger) => {
    const leastOut = leastLimitOutput({ amountIn, priceE18, inverse })
    expect(limitTriggerE18({ amountIn, leastOut, inverse, reserves: RESERVES, fees: FEES })).toBe(trigger)
  })

  test.each(LIMITS)('of %s at %s, inverse %s, pays whole there only', (...row) => {
    const [amountIn, priceE18, inverse, triggerE18] = row
    const leastOut = leastLimitOutput({ amountIn, priceE18, inverse })
    const direction = inverse ? 'quote_to_base' : 'base_to_quote'
    const outputAt = (priceE18: bigint) => {
      const base = root((RESERVES.base * RESERVES.quote * E18) / priceE18)
      const reserves = { base, quote: (RESERVES.base * RESERVES.quote) / base }
      return quoteExactIn({ reserves, direction, amountIn, fees: FEES })?.amountOut ?? 0n
    }
    // A millionth of the price to either side: the reserves themselves are rounded.
    const nearer = triggerE18 / 1_000_000n
    const better = inverse ? triggerE18 - nearer : triggerE18 + nearer
    const worse = inverse ? triggerE18 + nearer : triggerE18 - nearer
    expect([outputAt(better) >= leastOut, outputAt(worse) >= leastOut]).toEqual([true, false])
  })

  test('is unknown for a pool that can never reach it', () => {
    const limit = { amountIn: E18, inverse: false, fees: FEES }
    expect(limitTriggerE18({ ...limit, leastOut: 10n ** 78n, reserves: RESERVES })).toBeUndefined()
    expect(limitTriggerE18({ ...limit, leastOut: 1n, reserves: { base: 0n, quote: 1n } })).toBeUndefined()
    expect(limitTriggerE18({ ...limit, inverse: true, leastOut: 10n ** 78n, reserves: RESERVES })).toBeUndefined()
  })

  test('is unknown below a million units, and at price zero', () => {
    const triggerOf = (limit: { amountIn: bigint; leastOut: bigint; inverse: boolean }, base: bigint, quote: bigint) =>
      limitTriggerE18({ ...limit, reserves: { base, quote }, fees: { totalBps: 0n } })
    // By hand: r × (r + 1,000,000) = 1,000,000 × 2,000,000 at r = 1,000,000, where the price is 2,000,000 ÷ r².
    const least = { amountIn: 1_000_000n, leastOut: 1n, inverse: false }
    expect(triggerOf(least, 2_000n, 1_000n)).toBe(2_000_000_000_000n)
    expect(triggerOf({ ...least, amountIn: 999_999n }, 2_000n, 1_000n)).toBeUndefined()
    expect(triggerOf({ ...least, leastOut: 0n }, 2_000n, 1_000n)).toBeUndefined()
    // r = 1,000,000 again, and the price r² ÷ 10^40 is under a unit.
    const dust = { amountIn: 1_000_000n, leastOut: 5n * 10n ** 33n, inverse: true }
    expect(triggerOf(dust, 10n ** 20n, 10n ** 20n)).toBeUndefined()
  })

  test.each([
    [false, 600n * E18, true],
    [false, 600n * E18 + 1n, false],
    [true, 600n * E18, true],
    [true, 600n * E18 - 1n, false],
  ])('inverse %s, at %s is reached: %s', (inverse, triggerE18, isReached) => {
    expect(isTriggerReached({ triggerE18, inverse }, RESERVES)).toBe(isReached)
  })

  test('is never reached in an empty pool', () => {
    expect(isTriggerReached({ triggerE18: 1n, inverse: false }, { base: 0n, quote: 1n })).toBe(false)
    expect(isTriggerReached({ triggerE18: 1n, inverse: true }, { base: 1n, quote: 0n })).toBe(false)
  })
})

test('the depth of a pool is the root of its reserves', () => {
  expect(poolDepth({ base: 4n, quote: 9n })).toBe(6n)
  expect(poolDepth({ base: 2n, quote: 1n })).toBe(1n)
  expect(poolDepth({ base: 0n, quote: 9n })).toBe(0n)
})

describe('the next run of a schedule', () => {
  test.each([
    // 14:00 in Hong Kong is 06:00 UTC.
    ['day', '2026-11-24', '2026-11-24T06:00:00Z', '2026-11-24'],
    ['day', '2026-11-24', '2026-11-24T06:00:00.001Z', '2026-11-25'],
    ['day', '2026-11-24', '2027-02-28T23:00:00Z', '2027-03-01'],
    ['day', '2026-12-24', '2026-11-24T00:00:00Z', '2026-12-24'],
    ['week', '2026-11-24', '2026-11-24T06:30:00Z', '2026-12-01'],
    ['week', '2026-11-24', '2026-12-29T06:00:00Z', '2026-12-29'],
    // A month's missing day is its last, and the month after has the anchor's day again.
    ['month', '2027-01-31', '2026-11-24T00:00:00Z', '2027-01-31'],
    ['month', '2027-01-31', '2027-02-01T00:00:00Z', '2027-02-28'],
    ['month', '2027-01-31', '2027-02-28T06:00:00.001Z', '2027-03-31'],
    ['month', '2027-01-31', '2027-03-31T06:00:00.001Z', '2027-04-30'],
    ['month', '2027-12-30', '2028-02-01T00:00:00Z', '2028-02-29'],
    ['month', '2026-11-24', '2027-01-24T06:00:01Z', '2027-02-24'],
    // 31 January, 18:00 UTC, is 1 February in Hong Kong.
    ['month', '2027-01-01', '2027-01-31T18:00:00Z', '2027-02-01'],
  ] as const)('every %s from %s, at %s, is on %s', (every, anchor, notBefore, date) => {
    const next = nextScheduledHour({
      every: every as PlanInterval,
      anchor: anchor as HongKongDay,
      hour: 14,
      notBefore: new Date(notBefore),
    })
    expect(next).toEqual({ date, opensAt: new Date(`${date}T06:00:00.000Z`) })
  })
})

test.each([
  ['000000000000ffff', '2026-11-24T06:00:00.000Z'],
  ['0000001b7740', '2026-11-24T06:30:00.000Z'],
  ['00000036ee7f', '2026-11-24T06:59:59.999Z'],
  ['00000036ee80', '2026-11-24T06:00:00.000Z'],
])('the draw %s is the moment %s', (draw, moment) => {
  expect(momentWithinHour(new Date('2026-11-24T06:00:00Z'), draw).toISOString()).toBe(moment)
})

test('a moment needs a draw', () => {
  expect(() => momentWithinHour(new Date(0), 'x')).toThrow(RangeError)
})

test('the mean price of an hour is rounded down', () => {
  expect(meanPriceE18([1n, 2n, 2n])).toBe(1n)
  expect(meanPriceE18([600n, 601n, 605n])).toBe(602n)
  expect(meanPriceE18([])).toBeUndefined()
})

/** The whole square root, by search. */
function root(square: bigint): bigint {
  let [low, high] = [0n, square]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (middle * middle <= square) low = middle
    else high = middle - 1n
  }
  return low
}
