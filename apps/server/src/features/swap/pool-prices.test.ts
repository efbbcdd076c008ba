import { expect, test } from 'vitest'
import { createPoolPrices } from './pool-prices.ts'
import type { PoolState } from './pool-view.ts'

const E18 = 10n ** 18n
const NOW = new Date('2026-11-22T00:00:00Z')
const pool = { id: 'rt-usdt', base: 'RT', quote: 'USDT', initialBase: 100n * E18, initialQuote: 10n * E18 } as const
const times = ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z'].map((time) => new Date(time))

function poolPrices({
  openedAt,
  closes = [],
  quote = 20n * E18,
}: {
  openedAt?: string
  closes?: { index: number; close_e18: bigint }[]
  quote?: bigint
}) {
  const state: PoolState = {
    pool,
    reserves: { base: 100n * E18, quote },
    suspended: undefined,
    suspendedBy: undefined,
    at: NOW,
  }
  return createPoolPrices({
    store: { openedAt: async () => (openedAt ? new Date(openedAt) : undefined), closesAt: async () => closes },
    view: { states: async () => (openedAt ? [state] : []) },
    pools: [pool],
  })
}

test("a past pool price is the last close or the initial liquidity's", async () => {
  const prices = poolPrices({ openedAt: '2026-11-20T12:00:00Z', closes: [{ index: 2, close_e18: 7n }] })
  expect(await prices.pricesAtE18('RTUSDT', times)).toEqual([undefined, E18 / 10n, 7n])
})

test('a pool has the price of its first liquidity since it opened', async () => {
  const prices = poolPrices({ openedAt: '2026-11-21T00:00:00Z' })
  expect(await prices.pricesAtE18('RTUSDT', times)).toEqual([undefined, E18 / 10n, E18 / 10n])
})

test('a symbol without a pool has no price', async () => {
  const prices = poolPrices({ openedAt: '2026-11-20T12:00:00Z' })
  expect(await prices.price('ETHUSDT')).toBeUndefined()
  expect(await prices.pricesAtE18('ETHUSDT', times)).toEqual([undefined, undefined, undefined])
})

test('a pool that never opened has no past or current price', async () => {
  const prices = poolPrices({})
  expect(await prices.pricesAtE18('RTUSDT', times)).toEqual([undefined, undefined, undefined])
  expect(await prices.price('RTUSDT')).toBeUndefined()
  expect([...(await prices.symbols())]).toEqual([])
})

test('the current pool price is the mid price of its reserves', async () => {
  const prices = poolPrices({ openedAt: '2026-11-20T12:00:00Z' })
  expect(await prices.price('RTUSDT')).toEqual({ priceE18: E18 / 5n, time: NOW, stale: false })
  expect([...(await prices.symbols())]).toEqual(['RTUSDT'])
})

test('a pool without reserves keeps its symbol but has no price', async () => {
  const prices = poolPrices({ openedAt: '2026-11-20T12:00:00Z', quote: 0n })
  expect(await prices.price('RTUSDT')).toBeUndefined()
  expect([...(await prices.symbols())]).toEqual(['RTUSDT'])
})
