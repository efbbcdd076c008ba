import { expect, test } from 'vitest'
import { createPrices, type Price, type PriceSource } from './prices.ts'

const E18 = 10n ** 18n
const TIME = new Date('2026-11-22T00:00:00Z')
const priceOf = (units: bigint, stale = false): Price => ({ priceE18: units * E18, time: TIME, stale })

/** Past prices are `past` at every time. */
function sourceOf(current: Readonly<Record<string, Price | undefined>>, past: bigint): PriceSource {
  return {
    symbols: async () => Object.keys(current),
    price: async (symbol) => current[symbol],
    pricesAtE18: async (_symbol, times) => times.map(() => past),
  }
}

const spot = sourceOf({ BNBUSDT: priceOf(600n), ETHUSDT: priceOf(3_000n, true), BTCUSDT: undefined }, 1n)
const pools = sourceOf({ BNBUSDT: priceOf(590n), BTCUSDT: priceOf(90_000n), RTUSDT: priceOf(2n) }, 2n)
const prices = createPrices([spot, pools])

test('USDT is worth one USDT at any time', async () => {
  expect(await prices.priceUsdtE18('USDT')).toBe(E18)
  expect(await prices.pricesUsdtAtE18('USDT', [TIME, TIME])).toEqual([E18, E18])
})

test('the first source that lists a symbol decides, also without a price', async () => {
  expect(await prices.priceUsdtE18('BNB')).toBe(600n * E18)
  expect(await prices.priceUsdtE18('RT')).toBe(2n * E18)
  expect(await prices.price('BTCUSDT')).toBeUndefined()
})

test('a stale price still values an asset', async () => {
  expect(await prices.priceUsdtE18('ETH')).toBe(3_000n * E18)
})

test('past prices come from the source that lists the symbol', async () => {
  expect(await prices.pricesUsdtAtE18('BNB', [TIME, TIME])).toEqual([1n, 1n])
  expect(await prices.pricesUsdtAtE18('RT', [TIME])).toEqual([2n])
})

test('an asset without any source has no price', async () => {
  const none = createPrices([])
  expect(await none.priceUsdtE18('BNB')).toBeUndefined()
  expect(await none.pricesUsdtAtE18('BNB', [TIME])).toEqual([undefined])
})

test('watchable prices name each symbol once and exclude stale prices', async () => {
  const watchable = await prices.watchable()
  expect(watchable.map(({ symbol, priceE18 }) => [symbol, priceE18])).toEqual([
    ['BNBUSDT', 600n * E18],
    ['ETHUSDT', undefined],
    ['BTCUSDT', undefined],
    ['RTUSDT', 2n * E18],
  ])
  expect(watchable[1]?.latest).toEqual(priceOf(3_000n, true))
})

test('a source contributed later counts from then on', async () => {
  const sources: PriceSource[] = []
  const late = createPrices(sources)
  expect(await late.price('RTUSDT')).toBeUndefined()
  sources.push(pools)
  expect(await late.price('RTUSDT')).toEqual(priceOf(2n))
})
