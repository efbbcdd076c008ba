import { expect, test } from 'vitest'
import { pageOf, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { BNB_POOL, ORDERS, RT_POOL } from './swap.samples.ts'
import type { Pair } from './swap-terms.ts'

const PATHS = { 'zh-HK': '/swap/exchange', en: '/en/swap/exchange' } as const

const [ORDER] = ORDERS
if (!ORDER) throw new Error('there is a sample of an order')

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
  ['en', ['Sell', 'Buy', 'BNB/USDT', '1 BNB ≈ 618.32664383 USDT', '1 USDT ≈ 0.00161727 BNB', 'Connect']],
  ['zh-HK', ['賣出', '買入', 'BNB/USDT', '1 BNB ≈ 618.32664383 USDT', '1 USDT ≈ 0.00161727 BNB', '連接錢包']],
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
  ['en', 'No swaps yet'],
  ['zh-HK', '暫無閃兌紀錄'],
] as const)('a new user in %s sees an empty list of swaps', async (locale, words) => {
  const responses = [pageOf('orders', {}, [])]
  expect(await render(locale, [BNB_POOL], { user: {}, responses })).toContain(words)
})

test.each([
  ['a completed swap', [{ ...ORDER, status: 'completed' }], true],
  ['a pending swap', [{ ...ORDER, status: 'pending' }], false],
  ['a swap in a pool that is gone', [{ ...ORDER, pool_id: 'gone' }], false],
] as const)('after %s the last swap can be repeated only if completed', async (_case, orders, isOffered) => {
  const responses = [pageOf('orders', {}, orders)]
  const html = await render('en', [BNB_POOL], { user: {}, responses })
  expect(html.includes('Repeat the last swap')).toBe(isOffered)
})

test.each([
  ['fresh', '640', true],
  ['stale', '640', false],
  ['unknown', null, false],
] as const)('a %s spot price is compared only if fresh', async (state, price, isShown) => {
  const day = { change_24h: null, high_24h: null, low_24h: null, volume_24h: null }
  const ticker = {
    symbol: 'BNBUSDT',
    price,
    state,
    time: null,
    stale: state !== 'fresh',
    source: '',
    sources: [],
    ...day,
  }
  const responses = [responseTo('spotTicker', { symbol: 'BNBUSDT' }, ticker)]
  const html = await renderScreen(`${PATHS.en}?pair=BNBUSDT&sell=BNB&amount=%221%22`, {
    responses: [responseTo('pairs', {}, [BNB_POOL]), ...responses],
  })
  expect(html.includes('Difference to spot</dt>')).toBe(isShown)
  expect(html.includes('−3.38%')).toBe(isShown)
})
