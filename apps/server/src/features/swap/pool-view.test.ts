import { beforeEach, expect, test } from 'vitest'
import { fixedRule } from '../../testing/fixed-rule.ts'
import type { PoolDefinition } from './open-pool.ts'
import { createPoolView, type PoolView, pairsChannel } from './pool-view.ts'
import type { SwapStore } from './swap.store.ts'

const E18 = 10n ** 18n
const POOL = { id: 'bnb-usdt', base: 'BNB', quote: 'USDT', initialBase: E18, initialQuote: 600n * E18 } as const

const HOUR_MS = 3_600_000

let quote: bigint
/** The row of the pool in the store, besides its usual one. */
let row: Partial<Awaited<ReturnType<SwapStore['pools']>>[number]>
let candles: Awaited<ReturnType<SwapStore['candles']>>
let candleBefore: Awaited<ReturnType<SwapStore['lastCandleBefore']>>
let reads: number
let nowMs: number
let openedAt: Date
let store: SwapStore
let view: PoolView
beforeEach(() => {
  quote = 600n * E18
  row = {}
  candles = []
  candleBefore = undefined
  reads = 0
  openedAt = new Date(0)
  nowMs = 1_000_000_000
  const reading: Pick<SwapStore, 'pools' | 'reserves' | 'candles' | 'lastCandleBefore'> = {
    async pools() {
      reads++
      return [
        {
          ...POOL,
          opened_at: openedAt,
          stopped_at: null,
          stopped_reason: null,
          is_suspended: false,
          suspended_by: null,
          ...row,
        },
      ]
    },
    reserves: async (ids) => [
      { account: 'pool:another', asset: 'BNB' as const, units: 7n * E18 },
      ...(ids.includes(POOL.id)
        ? [
            { account: `pool:${POOL.id}`, asset: 'BNB' as const, units: E18 },
            { account: `pool:${POOL.id}`, asset: 'USDT' as const, units: quote },
          ]
        : []),
    ],
    async candles(poolId, span, range) {
      // The hour in which the last 24 hours began, and the 24 after it.
      const from = new Date(Math.floor(nowMs / HOUR_MS) * HOUR_MS - 24 * HOUR_MS)
      expect([poolId, span, range]).toEqual([POOL.id, '1h', { from, to: undefined, limit: 25 }])
      return candles
    },
    lastCandleBefore: async () => candleBefore,
  }
  store = reading as SwapStore
  view = createPoolView({
    store,
    clock: { now: () => new Date(nowMs) },
    pools: [POOL],
    fees: fixedRule({ totalBps: 30n, revenueBps: 10n }),
    spotSymbols: new Set(['BNBUSDT']),
  })
})

test('the view prepares pairs once per change', async () => {
  const first = await view.pairs()
  expect(first.data).toMatchObject([{ id: 'bnb-usdt', price: '600', spot_symbol: 'BNBUSDT', suspended: false }])
  expect(await view.pairs()).toBe(first)
  view.invalidate()
  expect(await view.pairs()).toBe(first)
  quote = 700n * E18
  view.invalidate()
  const next = await view.pairs()
  expect(next.data).toMatchObject([{ price: '700' }])
  expect(next.in('en').etag).not.toBe(first.in('en').etag)
})

const candle = (open: bigint, high: bigint, low: bigint, close: bigint, volume: bigint) =>
  ({
    ...{ open_e18: open * E18, high_e18: high * E18, low_e18: low * E18, close_e18: close * E18 },
    volume_base: volume * E18,
  }) as (typeof candles)[number]

test('a pair has the figures of its last 24 hours', async () => {
  // The newest first, as the store reads them.
  candles = [candle(590n, 640n, 580n, 600n, 2n), candle(500n, 595n, 480n, 590n, 3n)]
  const [pair] = (await view.pairs()).data
  expect(pair).toEqual({
    ...{ id: 'bnb-usdt', base: 'BNB', quote: 'USDT', symbol: 'BNBUSDT', spot_symbol: 'BNBUSDT' },
    ...{ price: '600', change_24h: '0.2', high_24h: '640', low_24h: '480', volume_24h: '5', fee: '0.003' },
    ...{ reserve_base: '1', reserve_quote: '600', suspended: false, suspended_reason: null, suspended_at: null },
  })
  // The close before the 24 hours counts, where there is one; the price now can be the highest and the lowest.
  candleBefore = candle(1n, 1n, 1n, 800n, 1n)
  candles = []
  view.invalidate()
  expect((await view.pairs()).data).toMatchObject([
    { change_24h: '-0.25', high_24h: '600', low_24h: '600', volume_24h: '0' },
  ])
  candleBefore = candle(1n, 1n, 1n, 0n, 1n)
  view.invalidate()
  expect((await view.pairs()).data).toMatchObject([{ change_24h: '0' }])
})

test.each([
  ['rule', 'rule'],
  // From before the rule existed.
  [null, 'operator'],
] as const)('a pool suspended by %s is one of the %s', async (by, suspendedBy) => {
  row = { stopped_at: new Date(5_000), stopped_reason: 'price_deviation', is_suspended: true, suspended_by: by }
  expect(await view.states()).toMatchObject([
    { suspendedBy, suspended: { reason: 'price_deviation', at: new Date(5_000) } },
  ])
  expect((await view.pairs()).data).toMatchObject([
    { suspended: true, suspended_reason: 'price_deviation', suspended_at: '1970-01-01T00:00:05.000Z' },
  ])
})

test('a configured pool that was never opened is not shown', async () => {
  row = { id: 'another' }
  expect([await view.states(), (await view.pairs()).data]).toEqual([[], []])
})

test('the channel of pairs sends what the view reads', async () => {
  const channel = pairsChannel(view)
  expect(channel.name).toBe('pairs')
  expect(await channel.read('')).toBe(await view.pairs())
})

test('the view reads pool states again after a commit or a second', async () => {
  await Promise.all([view.states(), view.pairs(), view.states()])
  expect(reads).toBe(1)
  view.invalidate()
  await view.states()
  nowMs += 1_001
  await view.states()
  expect(reads).toBe(3)
})

test('shows an unconfigured pool only if it opened after the start', async () => {
  const pools: PoolDefinition[] = []
  const clock = { now: () => new Date(nowMs) }
  const running = createPoolView({
    store,
    clock,
    pools,
    fees: fixedRule({ totalBps: 25n, revenueBps: 8n }),
    spotSymbols: new Set(),
  })
  expect(await running.states()).toEqual([])
  // At the start, or later.
  openedAt = new Date(nowMs)
  running.invalidate()
  await running.states()
  running.invalidate()
  expect((await running.states()).map(({ pool }) => pool.id)).toEqual([POOL.id])
  expect(pools).toMatchObject([{ id: POOL.id, base: 'BNB', quote: 'USDT' }])
})
