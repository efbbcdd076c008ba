import { expect, onTestFinished, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { factsIn } from '../../testing/facts.ts'
import { pageOf, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import type { Box, BoxRules, BoxStatus, Click } from './blind-box.queries.ts'
import { BOX, CLICKED_STATUS, EMPTY_RULES, RULES, SEALED_BOX, STATUS } from './blind-box.samples.ts'

const CLICK: Click = {
  address: '0x71c7…976f',
  day: '2030-01-10',
  level: 2,
  streak: 7,
  power: '1.89',
  created_at: '2030-01-10T03:00:00.000Z',
}

async function text(
  path: string,
  { rules = RULES, status, isSignedIn = status !== undefined, boxes = [], activated = true }: Partial<Shown> = {},
): Promise<string> {
  const html = await renderScreen(path, {
    ...(isSignedIn ? { user: { activated } } : {}),
    responses: [
      responseTo('boxRules', {}, rules),
      pageOf('boxHistory', {}, [CLICK]),
      ...(status ? [responseTo('boxStatus', {}, status)] : []),
      responseTo('boxes', { limit: 5 }, { items: [...boxes], next_cursor: null }),
      pageOf('boxes', {}, boxes),
    ],
  })
  return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

interface Shown {
  readonly rules: BoxRules
  readonly status: BoxStatus
  readonly isSignedIn: boolean
  readonly boxes: readonly Box[]
  readonly activated: boolean
}

test('a box screen that loads shows placeholders', async () => {
  expect(await renderScreen('/en/node/blindBox')).toContain('>Loading</span>')
})

test.each([
  [
    '/en/node/blindBox',
    [
      'Total network computing power 1,284.35',
      'Individual computing power 13.26',
      'Consecutive days of clicking 5',
      'Number of contributors 973',
      'Latest clicks history 0x71c7…976f',
    ],
  ],
  [
    '/node/blindBox',
    ['全網算力 1,284.35', '個人算力 13.26', '連續點擊日數 5', '貢獻人數 973', '最新點擊紀錄 0x71c7…976f'],
  ],
])(
  '%s shows power, days, contributors and latest clicks',
  { tags: ['§2.68', '§2.69', '§2.70'] },
  async (path, words) => {
    const shown = await text(path, { status: CLICKED_STATUS })
    for (const each of words) expect(shown).toContain(each)
  },
)

test('a visitor sees odds, pool and commitment before connecting', async () => {
  const shown = await text('/en/node/blindBox')
  for (const each of [
    '×10',
    '1%',
    '20.016666',
    '1/30 of the lower: rewards balance 600.5, box owners’ fees 750',
    'Added today swap fees 4 .25 USDT',
    'ababab',
    'Connect',
  ])
    expect(shown).toContain(each)
})

test('the button is the click until there is one, then the claim', async () => {
  expect(await text('/en/node/blindBox', { status: STATUS })).toContain('Get today’s box')
  const claimable = { ...CLICKED_STATUS, claimable: BOX.reward, claimable_boxes: 1 }
  const shown = await text('/en/node/blindBox', { status: claimable })
  expect(shown).toContain('Claim rewards')
  expect(shown).not.toContain('Get today’s box')
})

test('the click waits until the user’s day is known', async () => {
  const responses = [responseTo('boxRules', {}, RULES)]
  expect(await renderScreen('/en/node/blindBox', { user: {}, responses })).toMatch(
    /<button[^>]* disabled=""[^>]*>Get today’s box/,
  )
})

test('a user’s day that fails to load offers to try again', async () => {
  const key = ['boxStatus', {}]
  queryClient.setQueryDefaults(key, { retryOnMount: false })
  onTestFinished(() => queryClient.setQueryDefaults(key, {}))
  await queryClient.prefetchQuery({ queryKey: key, queryFn: () => Promise.reject(new Error('offline')), retry: false })
  const shown = await text('/en/node/blindBox', { isSignedIn: true })
  expect(shown).toContain('Try again')
  expect(shown).not.toContain('Get today’s box')
  expect(shown).toContain('Odds and rules')
})

test('an account that is not activated is led to the activation', async () => {
  const status = { ...STATUS, can_click: false, reason: 'not_activated' as const }
  expect(await text('/en/node/blindBox', { status, activated: false })).toContain('Activate Now')
})

test.each([
  ['/en/node/blindBox', 'Not open now Next opening: 11 Jan 2030'],
  ['/node/blindBox', '現時未開放 下次開放時間： 2030年1月11日'],
])('%s names the next opening while clicks are closed', async (path, words) => {
  const opens_at = '2030-01-11T04:00:00.000Z'
  const status = { ...STATUS, can_click: false, reason: 'not_open' as const, opens_at }
  expect(await text(path, { status })).toContain(words)
})

test.each([
  ['/en/node/blindBox', 'The rewards account is empty.'],
  ['/node/blindBox', '獎勵帳戶現時沒有款項'],
])('%s says that an empty pool pays nothing', async (path, words) => {
  expect(await text(path, { rules: EMPTY_RULES })).toContain(words)
})

test('a day without draws says that every box is ×1', async () => {
  const shown = await text('/en/node/blindBox', { rules: { ...RULES, rule: 'flat', allows_draws: false } })
  expect(shown).toContain('Draws are switched off on this server')
  expect(shown).not.toContain('60%')
})

test('an undivided day names the step it waits for', async () => {
  const rules: BoxRules = { ...RULES, closing: [{ day: '2030-01-09', phase: 'rooted' }] }
  expect(await text('/en/node/blindBox', { rules })).toContain('9 Jan: the list is published; waiting for a block')
})

test.each([
  [
    '/en/node/income',
    [
      '4 Jan To be divided',
      '3 Jan To be assigned ×3 · power 39.3975 · Ready to claim',
      '2 Jan Success ×3 · power 39.3975 · Claimed',
      '1 Jan Failed',
    ],
  ],
  [
    '/node/income',
    [
      '1月4日 待瓜分',
      '1月3日 待發放 ×3 · 算力 39.3975 · 可領取',
      '1月2日 成功 ×3 · 算力 39.3975 · 已領取',
      '1月1日 失敗',
    ],
  ],
])('%s gives each box the word of its status', { tags: ['§3.16'] }, async (path, words) => {
  const boxes: Box[] = [
    { ...SEALED_BOX, day: '2030-01-04', status: 2 },
    { ...BOX, day: '2030-01-03', status: 0 },
    { ...BOX, day: '2030-01-02', box_id: '3'.repeat(32), status: 1, claimed_at: BOX.divided_at },
    { ...BOX, day: '2030-01-01', box_id: '4'.repeat(32), status: -1, reason: 'expired' },
  ]
  const shown = await text(path, { status: CLICKED_STATUS, boxes })
  for (const each of words) expect(shown).toContain(each)
})

test.each([
  ['/en/node/blindBox', 'Your box for 9 Jan 2030 To be assigned', 'Ready to claim.'],
  ['/node/blindBox', '2030年1月9日的盲盒 待發放', '可領取。'],
])('%s gives the latest box the same words', async (path, status, outcome) => {
  const shown = await text(path, { status: CLICKED_STATUS, boxes: [BOX] })
  expect(shown).toContain(status)
  expect(shown).toContain(outcome)
})

test.each([
  ['/en/node/blindBox', 'Power 13.26', '= 12,345,678.1234 × 1.02 × 1.04, before the draw'],
  ['/node/blindBox', '算力 13.26', '= 12,345,678.1234 × 1.02 × 1.04，未計抽取倍數'],
])('%s keeps the factors of large figures out of the badge', async (path, power, factors) => {
  const responses = [
    responseTo('boxRules', {}, RULES),
    responseTo('boxStatus', {}, { ...STATUS, fees_30_days: '12345678.123456' }),
    responseTo('boxes', { limit: 5 }, { items: [], next_cursor: null }),
  ]
  const html = await renderScreen(path, { user: {}, responses })
  const badge = /<span class="[^"]*whitespace-nowrap[^"]*">([^<]*)<\/span><span[^>]*>(=[^<]*)</.exec(html)
  expect(badge?.slice(1)).toEqual([power, factors])
})

test.each([
  ['/en/node/blindBox', 'Not clicked today'],
  ['/node/blindBox', '今日尚未點擊'],
])('%s counts the power from the click of today', async (path, words) => {
  expect(await text(path, { status: STATUS })).toMatch(new RegExp(`(Individual computing power|個人算力) — ${words}`))
  expect(await text(path, { status: CLICKED_STATUS })).not.toContain(words)
})

test('folds what was added today where it is long', async () => {
  const sources = ['USDT', 'BNB', 'RT', 'ETH'].map((asset) => ({ asset, kind: 'swap', amount: '4.25', entries: 1 }))
  const shown = await text('/en/node/blindBox', { rules: { ...RULES, sources: sources as BoxRules['sources'] } })
  expect(shown).toContain('Added today: 4 amounts swap fees 4 .25 USDT swap fees 4.25 BNB')
})

test('verify opens the newest own draw, else the income', async () => {
  const render = (boxes: readonly Box[], last: string | null = '2030-01-07') =>
    renderScreen('/en/node/blindBox', {
      user: {},
      responses: [
        responseTo('boxRules', {}, { ...RULES, last_divided: last }),
        responseTo('boxStatus', {}, CLICKED_STATUS),
        responseTo('boxes', { limit: 5 }, { items: [...boxes], next_cursor: null }),
      ],
    })
  expect(await render([BOX])).toMatch(/<button[^>]*>(<[^>]*>)*Verify a draw/)
  expect(await render([SEALED_BOX])).toMatch(/<a [^>]*href="[^"]*\/node\/income"[^>]*>Verify a draw/)
  const first = await render([SEALED_BOX], null)
  expect(factsIn(first)).toContain('Latest day with a result: None yet')
  expect(first).not.toContain('Verify a draw')
})
