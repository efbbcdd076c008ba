import { expect, test } from 'vitest'
import { spotPriceAt } from './price-at.ts'
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
  ticker: async () => undefined,
  candles: async (symbol, { to, limit }: SpotCandleWindow) =>
    symbol === 'BNBUSDT' ? CANDLES.filter((each) => !to || each.startsAt < to).slice(-limit) : undefined,
}

test.each([
  ['on the hour it is the close of the hour before', '2026-11-21T09:00:00Z', 2n],
  ['within an hour it is still that', '2026-11-21T09:30:00Z', 2n],
  ['after the last hour it is its close', '2026-11-21T12:00:00Z', 3n],
  ['within the first hour it is where that began', '2026-11-21T08:20:00Z', 1n],
  ['before the first hour there is none', '2026-11-21T08:00:00Z', undefined],
])('%s', async (_name, time, price) => {
  expect(await spotPriceAt(source, 'BNBUSDT', new Date(time))).toBe(price)
})

test('a symbol that the source does not have has no price', async () => {
  expect(await spotPriceAt(source, 'DOGEUSDT', new Date('2026-11-21T12:00:00Z'))).toBeUndefined()
})

test('where the source cannot be asked now there is no price, and a bug is not hidden', async () => {
  const failing = (error: Error): SpotSource => ({ ...source, candles: () => Promise.reject(error) })
  const time = new Date('2026-11-21T12:00:00Z')
  expect(await spotPriceAt(failing(new SpotUnavailable('away')), 'BNBUSDT', time)).toBeUndefined()
  await expect(spotPriceAt(failing(new Error('a bug')), 'BNBUSDT', time)).rejects.toThrow('a bug')
})
