import type { Answer } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../database/open-database.ts'
import { createApp } from '../../http/create-app.ts'
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

/** A source that has two symbols and tells this of both. */
function sourceOf(told: Partial<SpotTicker>): SpotSource {
  return {
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
}

/** The answer of `spotTicker` where the source tells this. */
async function tickerOf(told: Partial<SpotTicker>, symbol?: string): Promise<Answer<'spotTicker'>> {
  const { spotTicker } = marketHandlers({ source: sourceOf(told), clock: { now: () => NOW } })
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

describe('whether a symbol exists is told by its ticker', () => {
  /** Status and code for this symbol, over HTTP. */
  async function answerFor(symbol: unknown, type: 'form' | 'json') {
    const app = await createApp({
      handlers: marketHandlers({ source: sourceOf({}), clock: { now: () => NOW } }),
      findSession: async () => undefined,
      isReady: () => true,
      onBug: (error) => {
        throw error
      },
      requestsPerMinute: 1_000,
      webFolder: undefined,
      connectOrigins: [],
      productName: 'Clearwell',
    })
    const reply = await app.inject({
      method: 'POST',
      url: '/api/spot/ticker',
      headers: { 'content-type': type === 'form' ? 'application/x-www-form-urlencoded' : 'application/json' },
      payload: type === 'form' ? `symbol=${symbol}` : JSON.stringify({ symbol }),
    })
    await app.close()
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
    expect(await answerFor(encodeURIComponent(symbol), 'form')).toEqual([status, code])
    expect(await answerFor(symbol, 'json')).toEqual([status, code])
  })

  test.each([7, true, ['BNBUSDT'], { a: 1 }])('%j, which is no text, is refused', async (symbol) => {
    expect(await answerFor(symbol, 'json')).toEqual([400, 20000])
  })
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
