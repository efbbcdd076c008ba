import { expect, test } from 'vitest'
import { createSpotPrices } from './spot-prices.ts'
import { type SpotCandle, type SpotCandleWindow, type SpotSource, SpotUnavailable } from './spot-source.ts'

const candle = (time: string, openE18: bigint, closeE18: bigint): SpotCandle => ({
  startsAt: new Date(time),
  openE18,
  highE18: 9n,
  lowE18: 0n,
  closeE18,
  volume: 0n,
})
const CANDLES = [candle('2026-11-21T08:00:00Z', 1n, 2n), candle('2026-11-21T09:00:00Z', 2n, 3n)]

const source: SpotSource = {
  symbols: new Set(['BNBUSDT']),
  quote: () => undefined,
  ticker: async () => undefined,
  candles: async (symbol, { to, limit }: SpotCandleWindow) =>
    symbol === 'BNBUSDT' ? CANDLES.filter((each) => !to || each.startsAt < to).slice(-limit) : undefined,
}

const NOON = new Date('2026-11-21T12:00:00Z')

test.each([
  ['the close of the previous hour on the hour', '2026-11-21T09:00:00Z', 2n],
  ['the close of the previous hour within an hour', '2026-11-21T09:30:00Z', 2n],
  ['the last close after the last hour', '2026-11-21T12:00:00Z', 3n],
  ['the open within the first hour', '2026-11-21T08:20:00Z', 1n],
  ['no price before the first hour', '2026-11-21T08:00:00Z', undefined],
])('a past spot price is %s', async (_name, time, price) => {
  expect(await createSpotPrices(source).pricesAtE18('BNBUSDT', [new Date(time)])).toEqual([price])
})

test('spot prices have no price for an unknown symbol', async () => {
  expect(await createSpotPrices(source).pricesAtE18('DOGEUSDT', [NOON])).toEqual([undefined])
})

test('spot prices hide an unavailable source but forward a bug', async () => {
  const failing = (error: Error) => createSpotPrices({ ...source, candles: () => Promise.reject(error) })
  expect(await failing(new SpotUnavailable('away')).pricesAtE18('BNBUSDT', [NOON])).toEqual([undefined])
  await expect(failing(new Error('a bug')).pricesAtE18('BNBUSDT', [NOON])).rejects.toThrow('a bug')
})
