import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import type { SpotQuote } from '../market-data/spot-source.ts'
import { openLastPrices } from './last-prices.ts'
import { createMoneyPrices } from './money-prices.ts'
import { createPrices } from './prices.ts'
import { createTestMoneyPrices } from './testing/money-prices.ts'

const E18 = 10n ** 18n
const NOW = new Date('2026-11-21T09:00:00Z')
const clock = { now: () => NOW }

let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterAll(() => db.close())
beforeEach(() => db.query('delete from last_prices'))

const quoteOf = (quote: object) => ({ sources: [], time: NOW, ...quote }) as unknown as SpotQuote
const FRESH = { lowE18: 619n * E18, highE18: 621n * E18, meanE18: 620n * E18, goodUntil: new Date(NOW.getTime() + 1) }

/** Prices of money where the spot market lists BNB alone. */
async function pricesOf(bnb: object) {
  const last = await openLastPrices(db)
  const spot = { quote: (symbol: string) => (symbol === 'BNBUSDT' ? quoteOf(bnb) : undefined) }
  return { last, prices: createMoneyPrices({ spot, last, clock }) }
}

test('USDT is always fresh at exactly 1', async () => {
  const { prices } = await pricesOf({ state: 'unknown' })
  const usdt = await prices.price('USDT')
  expect(usdt).toMatchObject({ state: 'fresh', lowE18: E18, highE18: E18, meanE18: E18, time: NOW })
  expect('goodUntil' in usdt && usdt.goodUntil > NOW).toBe(true)
})

test.each(['fresh', 'apart'] as const)('two sources that are %s give both prices and their mean', async (state) => {
  const { prices } = await pricesOf({ state, ...FRESH })
  expect(await prices.price('BNB')).toEqual({ state, ...FRESH, time: NOW })
})

describe('without two fresh sources', () => {
  test.each(['one_source', 'stale', 'unknown'] as const)('money has no price while it is %s', async (state) => {
    const { prices } = await pricesOf({ state, priceE18: 400n * E18 })
    expect(await prices.price('BNB')).toEqual({ state, lastE18: undefined, time: undefined })
  })

  test('the last price of money stays known, never the one source', async () => {
    const { last, prices } = await pricesOf({ state: 'one_source', priceE18: 400n * E18 })
    last.note('BNBUSDT', { meanE18: 620n * E18, time: NOW })
    expect(await prices.price('BNB')).toEqual({ state: 'one_source', lastE18: 620n * E18, time: NOW })
  })

  test('the fresh readings are named, and never a price', async () => {
    const source = (priceE18: bigint, stale: boolean) => ({ name: 'source', priceE18, time: NOW, stale })
    const sources = [source(300n * E18, false), source(900n * E18, false), source(1n, true)]
    const { prices } = await pricesOf({ state: 'unknown', why: 'contradiction', sources })
    expect(await prices.price('BNB')).toEqual({
      state: 'unknown',
      reading: { lowE18: 300n * E18, highE18: 900n * E18 },
      lastE18: undefined,
      time: undefined,
    })
  })

  test('the last price of money survives a restart', async () => {
    const { last } = await pricesOf({ state: 'unknown' })
    last.note('BNBUSDT', { meanE18: 620n * E18 + 1n, time: NOW })
    await last.save()
    last.note('BNBUSDT', { meanE18: 1n, time: new Date(NOW.getTime() - 1) })
    await last.save()
    const again = await pricesOf({ state: 'unknown' })
    expect(await again.prices.price('BNB')).toEqual({ state: 'unknown', lastE18: 620n * E18 + 1n, time: NOW })
  })
})

test('money has no price of an unlisted asset', async () => {
  const { prices } = await pricesOf({ state: 'fresh', ...FRESH })
  expect(await prices.price('RT')).toEqual({ state: 'unknown', lastE18: undefined, time: undefined })
})

/**
 * @attack S01 Without a spot price, loans were priced by the swap pool, which anyone with capital can move.
 * @holds A symbol of the spot market never takes a pool's price: while it is unknown, money does not move.
 */
test('a moved pool is no price while the spot market knows none', async () => {
  const spot = { symbols: async () => ['BNBUSDT'], price: async () => undefined, pricesAtE18: async () => [undefined] }
  const moved = { priceE18: 1_230n * E18, time: NOW, stale: false }
  const pools = { ...spot, symbols: async () => ['BNBUSDT', 'RTUSDT'], price: async () => moved }
  const shown = createPrices([spot, pools])
  expect(await shown.price('BNBUSDT')).toBeUndefined()
  expect(await shown.priceUsdtE18('BNB')).toBeUndefined()
  expect((await shown.watchable()).map(({ symbol, priceE18 }) => [symbol, priceE18])).toEqual([
    ['BNBUSDT', undefined],
    ['RTUSDT', 1_230n * E18],
  ])
  const { prices } = await pricesOf({ state: 'unknown', why: 'never_read' })
  expect(await prices.price('BNB')).toMatchObject({ state: 'unknown', lastE18: undefined })
})

test('a test price that is lost keeps its mean', async () => {
  const prices = createTestMoneyPrices(clock.now)
  expect(await prices.price('BNB')).toEqual({ state: 'unknown', lastE18: undefined, time: undefined })
  prices.apart('BNB', 600n, 640n)
  expect(await prices.price('BNB')).toMatchObject({ state: 'apart', lowE18: 600n * E18, meanE18: 620n * E18 })
  prices.fresh('BNB', 610n)
  expect(await prices.price('BNB')).toMatchObject({ state: 'fresh', highE18: 610n * E18 })
  prices.lose('BNB', 'stale')
  expect(await prices.price('BNB')).toEqual({ state: 'stale', lastE18: 610n * E18, time: NOW })
})
