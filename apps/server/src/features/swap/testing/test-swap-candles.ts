import { formatEther } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../../../testing/server.ts'
import { newTrader, pairOf, reservesOf, swap, units } from '../../../testing/traders.ts'
import type { SwapWorld } from './swap-world.ts'

/** Tests the candles and the figures of a pool. Several days pass. */
export function testSwapCandles(world: SwapWorld): void {
  describe('the candles of a pool', () => {
    const MINUTE_MS = 60_000
    const kline = (window: { from?: string; to?: string; limit?: number }, interval: '1m' | '1h' = '1m') =>
      world.server.ok('swapKline', { pool_id: 'eth-usdt', interval, ...window })
    const now = async () => (await world.server.ok('config', {})).time
    let user: TestUser
    let from = ''
    beforeAll(async () => {
      user = await newTrader(world.server)
      await world.server.ok('localAdvance', { seconds: 3 * 86_400 })
      from = new Date(Math.floor(Date.parse(await now()) / MINUTE_MS) * MINUTE_MS).toISOString()
      await swap(world.server, user, { pool_id: 'eth-usdt', amount: '10', inverse: 1 })
      await world.server.ok('localAdvance', { seconds: 600 })
      await swap(world.server, user, { pool_id: 'eth-usdt', amount: '20', inverse: 1 })
      await world.server.ok('localAdvance', { seconds: 300 })
    })

    test('are flat at the last close without trades', async () => {
      const candles = await kline({ from, limit: 1000 })
      expect(candles[0]?.time).toBe(from)
      expect(Date.parse(await now()) - Date.parse(candles.at(-1)?.time ?? '')).toBeLessThan(2 * MINUTE_MS)
      for (const [index, candle] of candles.entries()) {
        const before = candles[index - 1]
        if (!before) continue
        expect(Date.parse(candle.time) - Date.parse(before.time)).toBe(MINUTE_MS)
        if (candle.volume === '0')
          expect([candle.open, candle.high, candle.low, candle.close]).toEqual(Array(4).fill(before.close))
      }
      expect(candles.filter((candle) => candle.volume !== '0')).toHaveLength(2)
      expect(candles.at(-1)?.close).toBe((await pairOf(world.server, 'eth-usdt')).price)
    })

    test('continue across pages', async () => {
      const all = await kline({ from, limit: 1000 })
      const pages: typeof all = []
      // A minute may begin meanwhile, so the first page ends where the list does.
      let to = new Date(Date.parse(all.at(-1)?.time ?? '') + 60_000).toISOString()
      while (pages.length < all.length) {
        const page = await kline({ limit: 4, to })
        pages.unshift(...page)
        to = page[0]?.time ?? ''
      }
      expect(pages.slice(-all.length)).toEqual(all)
      const middle = all.slice(3, 9)
      expect(await kline({ from: middle[0]?.time ?? '', to: all[9]?.time ?? '' })).toEqual(middle)
      expect(await kline({ from: '2020-01-01', to: '2020-01-02' })).toEqual([])
    })

    test('of every interval match the orders and the pool price', { tags: ['§7.20'] }, async () => {
      const sold = units(await user.available('ETH'))
      await swap(world.server, user, { pool_id: 'eth-usdt', amount: formatEther(sold) })
      const pair = await pairOf(world.server, 'eth-usdt')
      for (const interval of ['1m', '5m', '15m', '1h', '4h', '1d'] as const) {
        const candles = await world.server.ok('swapKline', { pool_id: 'eth-usdt', interval, limit: 1000 })
        const recent = candles.filter(
          (candle) => new Date(candle.time).getTime() > new Date(from).getTime() - 86_400_000,
        )
        // Bought in two parts, and sold in one.
        expect(recent.reduce((sum, candle) => sum + units(candle.volume), 0n)).toBe(2n * sold)
        expect(recent.at(-1)?.close).toBe(pair.price)
        const times = candles.map((candle) => candle.time)
        expect(times).toEqual(times.toSorted())
        for (const { open, high, low, close } of recent) {
          const [o, h, l, c] = [open, high, low, close].map(units) as [bigint, bigint, bigint, bigint]
          expect(h >= o && h >= c && l <= o && l <= c).toBe(true)
        }
        // Only swaps move a pool's price, so its chart has no gaps: a candle includes the move of its first trade.
        for (const [index, { close }] of recent.slice(0, -1).entries()) expect(recent[index + 1]?.open).toBe(close)
      }
      const minutes = await kline({ from })
      expect(await kline({ limit: 1 })).toEqual([minutes.at(-1)])
    })

    test('are flat for days without trades, up to the limit', async () => {
      await world.server.ok('localAdvance', { seconds: 3 * 86_400 })
      const hours = await kline({ limit: 48 }, '1h')
      expect(hours).toHaveLength(48)
      expect(new Set(hours.map((hour) => hour.close)).size).toBe(1)
      expect(new Set(hours.map((hour) => hour.volume))).toEqual(new Set(['0']))
      // A chart that starts between two trades still has the price.
      const { time } = hours[20] ?? { time: '' }
      expect(await kline({ from: time, limit: 5 }, '1h')).toEqual(hours.slice(-5))
      expect(await kline({ from: time, to: hours[22]?.time ?? '' }, '1h')).toEqual(hours.slice(20, 22))
    })
  })

  test("a pair's 24-hour figures drop trades of two days ago", async () => {
    const user = await newTrader(world.server)
    const pair = () => pairOf(world.server, 'bnb-usdt')
    const before = await pair()
    expect(before).toMatchObject({ volume_24h: '0', change_24h: '0', high_24h: before.price, low_24h: before.price })
    const sold = await swap(world.server, user, { amount: '1' })
    const low = await pair()
    const bought = await swap(world.server, user, { amount: '490', inverse: 1 })
    const now = await pair()
    expect(units(low.price)).toBeLessThan(units(before.price))
    expect([low.high_24h, low.low_24h]).toEqual([before.price, low.price])
    expect(now.low_24h).toBe(low.price)
    expect(units(now.volume_24h)).toBe(units(bought.amount_out) + units(sold.amount_in))
    const change = ((units(now.price) - units(before.price)) * 1_000_000n) / units(before.price)
    expect(Number(now.change_24h) * 1_000_000).toBeCloseTo(Number(change), 3)
    const { base, quote } = await reservesOf(world.server)
    expect(now).toMatchObject({
      reserve_base: formatEther(base),
      reserve_quote: formatEther(quote),
      fee: '0.0025',
      suspended: false,
    })
    await world.server.ok('localAdvance', { seconds: 2 * 86_400 })
    expect(await pair()).toMatchObject({
      volume_24h: '0',
      change_24h: '0',
      price: now.price,
      high_24h: now.price,
      low_24h: now.price,
    })
  })
}
