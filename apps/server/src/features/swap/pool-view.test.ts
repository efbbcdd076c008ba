import { beforeEach, expect, test } from 'vitest'
import { fixedRule } from '../../testing/fixed-rule.ts'
import type { PoolDefinition } from './open-pool.ts'
import { createPoolView, type PoolView } from './pool-view.ts'
import type { SwapStore } from './swap.store.ts'

const E18 = 10n ** 18n
const POOL = { id: 'bnb-usdt', base: 'BNB', quote: 'USDT', initialBase: E18, initialQuote: 600n * E18 } as const

let quote: bigint
let reads: number
let nowMs: number
let openedAt: Date
let store: SwapStore
let view: PoolView
beforeEach(() => {
  quote = 600n * E18
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
        },
      ]
    },
    reserves: async () => [
      { account: `pool:${POOL.id}`, asset: 'BNB', units: E18 },
      { account: `pool:${POOL.id}`, asset: 'USDT', units: quote },
    ],
    candles: async () => [],
    lastCandleBefore: async () => undefined,
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
  openedAt = new Date(nowMs + 1)
  running.invalidate()
  expect((await running.states()).map(({ pool }) => pool.id)).toEqual([POOL.id])
  expect(pools).toMatchObject([{ id: POOL.id, base: 'BNB', quote: 'USDT' }])
})
