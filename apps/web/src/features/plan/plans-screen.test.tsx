import { expect, test } from 'vitest'
import { textOf } from '../../testing/facts.ts'
import { pageOf, renderScreen, renderWithSamples, responseTo } from '../../testing/render-screen.tsx'
import { structureOf } from '../../testing/samples.ts'
import { LIMIT, PAIRS, PLAN } from './plan.samples.ts'
import type { Plan } from './plan-words.ts'

type Options = Parameters<typeof renderScreen>[1]

function render(path: string, { responses = [], ...options }: Options = {}) {
  return renderScreen(path, { ...options, responses: [responseTo('pairs', {}, [...PAIRS]), ...responses] })
}

const withPlans = (...plans: Plan[]): Options => ({ user: {}, responses: [pageOf('plans', {}, plans)] })

/** The words of each row of a list, in their order. */
function rows(html: string): string[] {
  return [...html.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, row = '']) =>
    row.replaceAll(/<svg.*?<\/svg>|<[^>]*>/gs, '|').replaceAll(/\|+/g, '|'),
  )
}

test.each([
  [
    '/en/swap/plans',
    '|Buy BNB for 50 USDT|Active|Weekly, 09:00–10:00 Hong Kong time|Next run 1 Jan 2030, 09:00–10:00|',
    '|Sell 1 BNB|Active|At 650.00 USDT or higher|Until 31 Jan 2030|',
  ],
  [
    '/swap/plans',
    '|用 50 USDT 買入 BNB|生效中|每星期香港時間 09:00–10:00|下次執行 2030年1月1日 09:00–10:00|',
    '|賣出 1 BNB|生效中|650.00 USDT 或以上|至 2030年1月31日|',
  ],
])('lists each plan at %s with terms, status and next run', async (path, schedule, limit) => {
  const html = await render(path, withPlans(PLAN, LIMIT))
  expect(rows(html)).toEqual(expect.arrayContaining([schedule, limit]))
})

test('an ended, paused or done plan shows no next run', async () => {
  const plans: Plan[] = [
    { ...LIMIT, status: 'ended', reason: 'balance' },
    { ...PLAN, status: 'paused', reason: 'three_skipped', next_at: null },
    { ...LIMIT, plan_id: '3', status: 'done' },
  ]
  expect(rows(await render('/en/swap/plans', withPlans(...plans)))).toEqual(
    expect.arrayContaining([
      '|Sell 1 BNB|Ended|At 650.00 USDT or higher|',
      '|Buy BNB for 50 USDT|Paused|Weekly, 09:00–10:00 Hong Kong time|',
      '|Sell 1 BNB|Done|At 650.00 USDT or higher|',
    ]),
  )
})

test('an amount in a row is cut and grouped', async () => {
  const html = await render('/en/swap/plans', withPlans({ ...LIMIT, amount: '12345.123456789012345678' }))
  expect(rows(html).join()).toContain('|Sell 12,345.123456 BNB|')
})

test.each([
  ['/en/swap/plans', {}, 'Sign in to plan swaps'],
  ['/swap/plans', {}, '登入後即可設定計劃閃兌'],
  ['/en/swap/plans', withPlans(), 'No planned swaps yet'],
  ['/swap/plans', withPlans(), '暫無計劃閃兌'],
  ['/en/swap/plans', { user: {} }, '>Loading<'],
])('%s with %o says %s', async (path, options, words) => {
  expect(await render(path, options)).toContain(words)
})

test('the samples have the structure of the loaded list', async () => {
  const loaded = await renderWithSamples('/en/swap/plans', { ...withPlans(PLAN, LIMIT) })
  const loading = await renderWithSamples('/en/swap/plans', { user: {} })
  expect(structureOf(loading)).toEqual(structureOf(loaded))
})

test('the swap screen passes pair, side and amount to both plans', async () => {
  const active = pageOf('plans', { status: 'active' }, [PLAN])
  const html = await render('/en/swap/exchange?pair=BNBUSDT&sell=USDT&amount=%2250%22', {
    user: {},
    responses: [active],
  })
  const asked = '?pair=BNBUSDT&amp;sell=USDT&amp;amount=%2250%22'
  expect(html).toContain(`href="/en/swap/plans/limit${asked}"`)
  expect(html).toContain(`href="/en/swap/plans/schedule${asked}"`)
  expect(rows(html)).toContain(
    '|Buy BNB for 50 USDT|Active|Weekly, 09:00–10:00 Hong Kong time|Next run 1 Jan 2030, 09:00–10:00|',
  )
})

test('the activity names the active plans and the earliest run', async () => {
  const active = pageOf('plans', { status: 'active' }, [LIMIT, { ...PLAN, next_at: '2030-02-01T01:00:00.000Z' }, PLAN])
  const logs = pageOf('logs', {}, [])
  const html = await render('/en/wallet/activity', { user: {}, responses: [active, logs] })
  expect(textOf(html)).toContain('3 planned swaps active Next run 1 Jan 2030, 09:00–10:00')
})

test('the activity without active plans names none', async () => {
  const responses = [pageOf('plans', { status: 'active' }, []), pageOf('logs', {}, [])]
  expect(await render('/en/wallet/activity', { user: {}, responses })).not.toContain('planned swap')
})
