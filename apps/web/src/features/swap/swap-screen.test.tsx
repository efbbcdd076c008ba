import { expect, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { pageOf, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { forgetPendingSwap, keepPendingSwap } from './pending-swaps.ts'
import type { StatusSeen } from './swap-status.ts'
import type { Pair } from './swap-terms.ts'
import { BNB_POOL, RT_POOL } from './testing/pool.ts'

const ALICE = '0xaaaa000000000000000000000000000000000001'
const BOB = '0xbbbb000000000000000000000000000000000002'
const DEADLINE = '2030-01-01T00:00:00Z'
const AFTER_DEADLINE_MS = Date.parse(DEADLINE) + 60_000
const PATHS = { 'zh-HK': '/swap/exchange', en: '/en/swap/exchange' } as const

type Options = Parameters<typeof renderScreen>[1]

/** The swap screen with the pairs that are known. */
function render(
  locale: keyof typeof PATHS,
  pairs: readonly Pair[] | undefined,
  { responses = [], ...options }: Options = {},
) {
  const known = pairs ? [responseTo('pairs', {}, [...pairs])] : []
  return renderScreen(PATHS[locale], { ...options, responses: [...known, ...responses] })
}

test('shows placeholders while the pools load', async () => {
  const html = await render('en', undefined)
  expect(html).toContain('>Loading</span>')
  expect(html).not.toContain('>Sell<')
})

test.each([
  ['en', 'No pools available'],
  ['zh-HK', '暫無可用的兌換池'],
] as const)('a market without pools in %s shows %s', async (locale, words) => {
  expect(await render(locale, [])).toContain(words)
})

test.each([
  ['en', ['Sell', 'Buy', 'BNB/USDT', '1 BNB ≈ 618.32664383 USDT', '1 USDT ≈ 0.00161727 BNB', 'Connect', '+1.23%']],
  ['zh-HK', ['賣出', '買入', 'BNB/USDT', '1 BNB ≈ 618.32664383 USDT', '1 USDT ≈ 0.00161727 BNB', '連接錢包', '+1.23%']],
] as const)(
  'a signed-out user in %s sees prices and how to connect',
  { tags: ['§5.22', '§9.09'] },
  async (locale, words) => {
    const html = await render(locale, [BNB_POOL, RT_POOL])
    for (const word of words) expect(html).toContain(word)
  },
)

test('the address chooses the pair; an unknown pair is the first', async () => {
  const responses = [responseTo('pairs', {}, [BNB_POOL, RT_POOL])]
  expect(await renderScreen(`${PATHS.en}?pair=RTUSDT`, { responses })).toContain('RT/USDT')
  expect(await renderScreen(`${PATHS.en}?pair=NOSUCH`, { responses })).toContain('BNB/USDT')
})

test.each([
  ['en', ['Trading suspended', 'The operator has suspended this pool', 'Since ']],
  ['zh-HK', ['交易已暫停', '營運方已暫停此兌換池', '由 ']],
] as const)('a suspended pool in %s shows reason and start, rejecting swaps', async (locale, words) => {
  const suspended = { suspended: true, suspended_reason: 'operator', suspended_at: '2030-01-01T00:00:00.000Z' }
  const html = await render(locale, [{ ...BNB_POOL, ...suspended }], { user: {} })
  for (const word of words) expect(html).toContain(word)
  expect(html).toMatch(new RegExp(`<button[^>]*disabled=""[^>]*>${words[0]}</button>`))
})

test.each([
  ['en', 'Please activate your account before operation', 'Activate Now'],
  ['zh-HK', '請先啟用帳戶再操作', '立即啟用'],
] as const)('an inactive account in %s sees how to activate', async (locale, words, way) => {
  const html = await render(locale, [BNB_POOL], { user: { activated: false } })
  expect(html).toContain(words)
  expect(html).toContain(way)
})

test.each([
  ['en', { found: undefined, times: 3 }, 'This swap hasn’t executed yet, and may still execute until '],
  ['zh-HK', { found: undefined, times: 3 }, '暫未成交，在 '],
  [
    'en',
    { found: undefined, times: 1, lookedUpAtMs: AFTER_DEADLINE_MS },
    'missed its deadline and can no longer execute',
  ],
  ['zh-HK', { found: undefined, times: 1, lookedUpAtMs: AFTER_DEADLINE_MS }, '之後亦不會成交'],
  ['en', { found: { status: 'failed' }, times: 0 }, 'go through. No funds moved'],
  ['en', { found: undefined, times: 1 }, 'Checking whether this swap went through'],
  ['en', { found: { status: 'completed' }, times: 0 }, 'Your swap went through.'],
  ['zh-HK', { found: { status: 'completed' }, times: 0 }, '這筆閃兌已成交。'],
] as const)('a pending swap in %s with %o shows its outcome later', async (locale, seen, words) => {
  const payload = {
    pool_id: 'bnb-usdt',
    amount: '1',
    inverse: 0,
    min_amount_out: '600',
    deadline: DEADLINE,
  }
  keepPendingSwap({
    key: 'key-0001',
    owner: ALICE,
    payload: payload as never,
    sold: 'BNB',
    bought: 'USDT',
    exact: 'in',
    quotedIn: '1',
    quotedOut: '600',
    limit: '590',
  })
  queryClient.setQueryData(['getOrderStatus', { idempotency_key: 'key-0001' }], seen as unknown as StatusSeen)
  expect(await render(locale, [BNB_POOL], { user: {} })).toContain(words)
  expect(await render(locale, [BNB_POOL], { user: { address: BOB } })).not.toContain(words)
  forgetPendingSwap('key-0001')
})

test.each([
  ['en', 'No swaps yet'],
  ['zh-HK', '暫無閃兌紀錄'],
] as const)('a new user in %s sees an empty list of swaps', async (locale, words) => {
  const responses = [pageOf('orders', {}, [])]
  expect(await render(locale, [BNB_POOL], { user: {}, responses })).toContain(words)
})
