import { text } from 'node:stream/consumers'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { prerenderToNodeStream } from 'react-dom/static'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Config } from '../../api/config.ts'
import { queryClient } from '../../api/query-client.ts'
import { sessionStore, type User } from '../../api/session-store.ts'
import { createAppRouter } from '../../routes/router.ts'
import { profileWith } from '../../wallet/testing/profile.ts'
import { walletStore } from '../../wallet/wallet-store.ts'
import { forgetPendingSwap, keepPendingSwap } from './pending-swaps.ts'
import type { StatusSeen } from './swap-status.ts'
import type { Pair } from './swap-terms.ts'
import { BNB_POOL, RT_POOL } from './testing/pool.ts'

const ALICE = '0xaaaa000000000000000000000000000000000001'
const DEADLINE = '2030-01-01T00:00:00Z'
const AFTER_DEADLINE_MS = Date.parse(DEADLINE) + 60_000
const PATHS = { 'zh-HK': '/swap/exchange', en: '/en/swap/exchange' } as const
const user: User = {
  id: 'u1',
  address: ALICE,
  invite_code: 'AB12',
  activated: true,
  level: 0,
  star: 0,
  created_at: '2030-01-01T00:00:00.000Z',
  nickname: '',
  parent: null,
}

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget())
})

afterEach(() => {
  queryClient.clear()
  sessionStore.set({ token: undefined, user: undefined })
  walletStore.set({ status: 'disconnected' })
})

/** The screen as it is drawn with what the server has answered so far. */
async function draw(locale: keyof typeof PATHS, pairs: readonly Pair[] | undefined, search = ''): Promise<string> {
  const fees = { swap_total: '0.0025', swap_revenue: '0.0008' }
  const config = { ...profileWith(), fees: { ...profileWith().fees, ...fees }, simulated_market: true } as Config
  queryClient.setQueryData(['config', {}], config)
  if (pairs) queryClient.setQueryData(['pairs', {}], pairs)
  const router = createAppRouter(createMemoryHistory({ initialEntries: [PATHS[locale] + search] }))
  await router.load()
  const { prelude } = await prerenderToNodeStream(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const html = await text(prelude)
  return html.replaceAll('<!-- -->', '')
}

function signIn(change: Partial<User> = {}): void {
  sessionStore.set({ token: 't', user: { ...user, ...change } })
  walletStore.set({ status: 'connected', address: ALICE, chainId: profileWith().chain.id })
}

test('while the pools are asked for, their places stand empty', async () => {
  const html = await draw('en', undefined)
  expect(html).toContain('aria-label="Loading"')
  expect(html).not.toContain('>Sell<')
})

test.each([
  ['en', 'No pool is open'],
  ['zh-HK', '未有開放的兌換池'],
] as const)('in %s, where there is no pool it says %s', async (locale, words) => {
  expect(await draw(locale, [])).toContain(words)
})

test.each([
  ['en', ['Sell', 'Buy', 'BNB/USDT', '1 BNB ≈ 618.32664383 USDT', '1 USDT ≈ 0.00161727 BNB', 'Connect', '+1.23%']],
  ['zh-HK', ['賣出', '買入', 'BNB/USDT', '1 BNB ≈ 618.32664383 USDT', '1 USDT ≈ 0.00161727 BNB', '連接錢包', '+1.23%']],
] as const)('in %s whoever is not signed in sees the price both ways, and how to begin', async (locale, words) => {
  const html = await draw(locale, [BNB_POOL, RT_POOL])
  for (const word of words) expect(html).toContain(word)
})

test('the address chooses the pair; one that does not exist is the first', async () => {
  expect(await draw('en', [BNB_POOL, RT_POOL], '?pair=RTUSDT')).toContain('RT/USDT')
  expect(await draw('en', [BNB_POOL, RT_POOL], '?pair=NOSUCH')).toContain('BNB/USDT')
})

test.each([
  ['en', ['Trading suspended', 'The operator has stopped this pool', 'Since ']],
  ['zh-HK', ['交易已暫停', '營運方已暫停這個兌換池', '由 ']],
] as const)('in %s a suspended pool says so, why and since when, and takes no swap', async (locale, words) => {
  signIn()
  const suspended = { suspended: true, suspended_reason: 'operator', suspended_at: '2030-01-01T00:00:00.000Z' }
  const html = await draw(locale, [{ ...BNB_POOL, ...suspended }])
  for (const word of words) expect(html).toContain(word)
  expect(html).toMatch(new RegExp(`<button[^>]*disabled=""[^>]*>${words[0]}</button>`))
})

test.each([
  ['en', 'Please activate your account before operation', 'Activate Now'],
  ['zh-HK', '請先啟用帳戶再操作', '立即啟用'],
] as const)('in %s an account that is not activated reads how to be', async (locale, words, way) => {
  signIn({ activated: false })
  const html = await draw(locale, [BNB_POOL])
  expect(html).toContain(words)
  expect(html).toContain(way)
})

test.each([
  ['en', { found: undefined, times: 3 }, 'Nothing has been swapped so far, but until '],
  ['zh-HK', { found: undefined, times: 3 }, '暫時未有成交，但在 '],
  ['en', { found: undefined, times: 1, askedAtMs: AFTER_DEADLINE_MS }, 'so it cannot happen any more'],
  ['zh-HK', { found: undefined, times: 1, askedAtMs: AFTER_DEADLINE_MS }, '之後亦不會再成交'],
  ['en', { found: { status: 'failed' }, times: 0 }, 'The swap did not happen and no money was moved'],
  ['en', { found: undefined, times: 1 }, 'Looking up whether it was done'],
  ['en', { found: { status: 'completed' }, times: 0 }, 'but the swap was done'],
  ['zh-HK', { found: { status: 'completed' }, times: 0 }, '但已成交'],
] as const)('in %s a swap whose answer was lost, with %o, is told on the next visit', async (locale, seen, words) => {
  signIn()
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
  const html = await draw(locale, [BNB_POOL])
  expect(html).toContain(words)
  sessionStore.set({ token: 't', user: { ...user, address: '0xbbbb000000000000000000000000000000000002' } })
  expect(await draw(locale, [BNB_POOL])).not.toContain(words)
  forgetPendingSwap('key-0001')
})

test.each([
  ['en', 'No swaps yet'],
  ['zh-HK', '未有閃兌紀錄'],
] as const)('in %s whoever has never swapped reads what will stand there', async (locale, words) => {
  signIn()
  queryClient.setQueryData(['orders', {}, 'pages'], { pages: [{ items: [], next_cursor: null }], pageParams: [null] })
  expect(await draw(locale, [BNB_POOL])).toContain(words)
})
