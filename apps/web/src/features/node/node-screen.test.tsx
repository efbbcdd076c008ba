import { expect, test } from 'vitest'
import { pageOf, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { incomePoints } from './income-days.ts'
import type { NodeOverview } from './node.queries.ts'
import { OVERVIEW } from './node.samples.ts'

async function text(path: string, overview?: NodeOverview, activated = true): Promise<string> {
  const responses = overview ? [responseTo('nodeOverview', {}, overview)] : []
  const html = await renderScreen(path, { ...(overview ? { user: { activated } } : {}), responses })
  return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

test.each([
  [
    '/en/node',
    [
      'Rewards to claim 5 .169 USDT',
      'Membership level 1 (×1.02)',
      'Individual computing power 1.44 0.11% of the network',
      'Total network computing power 1,284.35',
      'Pool of Asset/Income',
      'Claimed so far 0.091 BNB',
      'Claim rewards',
    ],
  ],
  [
    '/node',
    [
      '可領取獎勵 5 .169 USDT',
      '會員等級 1（×1.02）',
      '個人算力 1.44 佔全網 0.11%',
      '全網算力 1,284.35',
      '資產池／收益池',
      '領取獎勵',
    ],
  ],
])('%s shows level, power, pool and rewards', { tags: ['§1.14'] }, async (path, words) => {
  const shown = await text(path, OVERVIEW)
  for (const each of words) expect(shown).toContain(each)
})

test.each([
  ['/en/node', 'Individual computing power — Not clicked today'],
  ['/node', '個人算力 — 今日尚未點擊'],
])('%s counts the power from the click of today', async (path, words) => {
  expect(await text(path, { ...OVERVIEW, clicked: false, can_click: true, my_power: '0', share: '0' })).toContain(words)
  expect(await text(path, OVERVIEW)).not.toContain(words)
})

test('an empty pool says that it pays nothing', async () => {
  const pool = [{ asset: 'USDT' as const, rewards: '0', contributed: '0', pool: '0' }]
  expect(await text('/en/node', { ...OVERVIEW, pool })).toContain('Today’s pool is empty')
})

test('shows the next step to visitors and inactive users', async () => {
  expect(await text('/en/node')).toContain('Connect')
  expect(await text('/en/node', { ...OVERVIEW, activated: false }, false)).toContain('Activate Now')
})

test.each([
  ['/en/node/income', 'No income in this period'],
  ['/node/income', '此期間沒有收益'],
])('%s says when there is no income yet', { tags: ['§1.14'] }, async (path, words) => {
  const from = new Date(Date.parse('2030-01-01') - 30 * 86_400_000).toISOString().slice(0, 10)
  const html = await renderScreen(path, {
    user: {},
    config: { time: '2030-01-01T00:00:00.000Z' },
    responses: [
      responseTo('nodeIncome', { from, limit: 1 }, { items: [], next_cursor: null, series: [], totals: [] }),
      pageOf('boxes', {}, []),
    ],
  })
  expect(html).toContain(words)
})

test('a day without a reward is zero in the chart', () => {
  const points = incomePoints(
    [
      { day: '2030-01-01', amounts: [{ asset: 'USDT', amount: '2' }] },
      { day: '2030-01-03', amounts: [{ asset: 'BNB', amount: '1' }] },
    ],
    'USDT',
  )
  expect(points.map(({ value }) => value)).toEqual(['2', '0', '0'])
})
