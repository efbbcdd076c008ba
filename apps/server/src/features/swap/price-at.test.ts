import { expect, test } from 'vitest'
import { poolPricesAt } from './price-at.ts'
import type { SwapStore } from './swap.store.ts'

const E18 = 10n ** 18n
const pool = { id: 'rt-usdt', base: 'RT', quote: 'USDT', initialBase: 100n * E18, initialQuote: 10n * E18 } as const
const times = ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z'].map((time) => new Date(time))

const storeOf = (openedAt: string | undefined, closes: { index: number; close_e18: bigint }[]) =>
  ({ openedAt: async () => openedAt && new Date(openedAt), closesAt: async () => closes }) as unknown as SwapStore

test('a time is worth the last close before it, before any trade the first liquidity, before the opening nothing', async () => {
  const store = storeOf('2026-11-20T12:00:00Z', [{ index: 2, close_e18: 7n }])
  expect(await poolPricesAt(store, pool, times)).toEqual([undefined, E18 / 10n, 7n])
})

test('a pool that was never opened has no price', async () => {
  expect(await poolPricesAt(storeOf(undefined, []), pool, times)).toEqual([undefined, undefined, undefined])
})
