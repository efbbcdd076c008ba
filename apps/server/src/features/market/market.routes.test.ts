import type { Answer } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../database/open-database.ts'
import { createAnchorStore, marketHandlers } from './market.routes.ts'
import type { SpotSource, SpotTicker } from './spot-source.ts'

const E18 = 10n ** 18n
const NOW = new Date('2026-11-21T09:00:00Z')

let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterAll(async () => {
  await expectBooksBalanced(db)
  await db.close()
})

/** The answer of `spotTicker` where the source tells this. */
async function tickerOf(told: Partial<SpotTicker>, symbol?: string): Promise<Answer<'spotTicker'>> {
  const source: SpotSource = {
    name: 'somewhere',
    ticker: async (asked) =>
      asked === 'BNBUSDT' || asked === 'ETHUSDT'
        ? {
            symbol: asked,
            priceE18: 620n * E18,
            changePpm: 0n,
            highE18: 0n,
            lowE18: 0n,
            volume: 0n,
            time: NOW,
            ...told,
          }
        : undefined,
  }
  const { spotTicker } = marketHandlers({ source, clock: { now: () => NOW } })
  return spotTicker(symbol === undefined ? {} : { symbol }, { locale: 'en', idempotencyKey: undefined })
}

test('numbers are plain decimals: prices and volume of 18 places, a change as a fraction that may be negative', async () => {
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
  })
})

test('without a symbol it is BNBUSDT, with one it is that one, and an unknown one is not found', async () => {
  expect((await tickerOf({})).symbol).toBe('BNBUSDT')
  expect((await tickerOf({}, 'ETHUSDT')).symbol).toBe('ETHUSDT')
  await expect(tickerOf({}, 'DOGEUSDT')).rejects.toMatchObject({ refusal: 'not_found' })
})

test('a price is stale when it is older than a minute, and not at a minute exactly', async () => {
  expect((await tickerOf({ time: new Date(NOW.getTime() - 60_000) })).stale).toBe(false)
  expect((await tickerOf({ time: new Date(NOW.getTime() - 60_001) })).stale).toBe(true)
})

test('an anchor that is saved is loaded again, to the last digit, and a later one replaces it', async () => {
  const store = createAnchorStore(db)
  expect(await store.load()).toEqual(new Map())
  await store.save('BNBUSDT', 10n ** 40n + 1n)
  await store.save('ETHUSDT', 5n)
  await store.save('BNBUSDT', 10n ** 40n + 7n)
  expect(await createAnchorStore(db).load()).toEqual(
    new Map([
      ['BNBUSDT', 10n ** 40n + 7n],
      ['ETHUSDT', 5n],
    ]),
  )
})
