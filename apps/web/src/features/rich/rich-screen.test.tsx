import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { pageOf, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { EarningChart } from './earning-kline.tsx'
import type { Child, RichOverview, UpgradeRequest } from './rich.queries.ts'
import { CHILD, candlesOf, OVERVIEW, PROGRAM, REQUEST } from './rich.samples.ts'

const TERMS = responseTo('richProgram', {}, PROGRAM)

/** The responses to a signed-in user of the hub. */
function hub(
  change: Partial<RichOverview> = {},
  {
    children = [CHILD],
    requests = [],
    volumes = ['12', '0', '25.5'],
  }: { children?: Child[]; requests?: UpgradeRequest[]; volumes?: string[] } = {},
) {
  return [
    TERMS,
    responseTo('richOverview', {}, { ...OVERVIEW, ...change }),
    responseTo('richEarnings', { interval: '1d', limit: 30 }, candlesOf(volumes)),
    pageOf('richChildren', {}, children),
    pageOf('richRequests', {}, requests),
  ]
}

const UNLINKED = { uid: null, name: null, star: 0, next: 1, deposit: '0', required: '100', missing: '100' } as const

test('shows placeholders while the hub loads', async () => {
  const html = await renderScreen('/en/rich', { user: {} })
  expect(html).toContain('>Loading</span>')
  expect(html).not.toContain('RT earnings')
})

test.each([
  ['/en/rich', ['Connect', 'Star 1 needs 100 RT', '72 hours', 'at most 0.1 RT a day', '25,600', '×256']],
  ['/rich', ['連接錢包', '1 星需存入 100 RT', '72 小時', '每日最多賺取 0.1 RT', '25,600', '×256']],
])('%s explains the steps to a star to a visitor', { tags: ['§1.12', '§6.06'] }, async (path, words) => {
  expectWords(await renderScreen(path, { responses: [TERMS] }), words)
})

test.each([
  ['/en/rich', ['Link UID', 'Link your external UID', 'RT wallet balance'], 2],
  ['/rich', ['連結 UID', '連結外部 UID', 'RT 錢包餘額'], 2],
])('%s starts with the UID', { tags: ['§2.86'] }, async (path, [action = '', step = '', balance = '']) => {
  const text = textOf(await renderScreen(path, { user: {}, responses: hub(UNLINKED) }))
  expect(text).toContain(action)
  expect(text).toContain(step)
  expect(text).not.toContain(balance)
})

test.each([
  [
    '/en/rich',
    ['Star 2', 'RT progress', '250 / 400 RT', '150 RT more for star 3', 'UID 12345678', 'Rename', 'RT earnings'],
    [
      'RT to be collected 37.5 RT',
      'RT to be earned 0.2 RT',
      'RT collected 410 RT',
      'RT wallet balance 1,000 RT',
      'Deposit RT',
    ],
  ],
  [
    '/rich',
    ['2 星', 'RT 進度', '250 / 400 RT', '距離 3 星尚欠 150 RT', 'UID 12345678', '更改名稱', 'RT 收益'],
    ['待領取 RT 37.5 RT', '待賺取 RT 0.2 RT', '已領取 RT 410 RT', 'RT 錢包餘額 1,000 RT', '存入 RT'],
  ],
])('%s shows star, progress, earnings and balance', { tags: ['§2.86', '§2.87', '§6.06'] }, async (path, one, other) => {
  const html = await renderScreen(path, { user: {}, responses: hub() })
  expectWords(
    html,
    one.filter((word) => word !== 'Rename' && word !== '更改名稱'),
  )
  expect(html).toContain(`aria-label="${path === '/rich' ? '更改名稱' : 'Rename'}"`)
  expectWords(html, other)
  // Of the deposit for star 3, 250 / 400 is there: the bar and the third star of the ladder are filled so far.
  expect(html).toContain('width:62.5%')
  expect(filledStars(html)).toEqual([1, 1, 0.625, 0, 0, 0, 0, 0, 0])
})

/** How far each star of the ladder, the first nine on the screen, is filled: 0 to 1. */
function filledStars(html: string): number[] {
  const stars = html.split('<svg').filter((svg) => svg.includes('M12 2.6l2.85'))
  return stars.slice(0, 9).map((star) => {
    if (!star.includes('fill-accent')) return 0
    const [, width] = star.match(/<rect width="([\d.]+)" height="24">/) ?? []
    return width === undefined ? 1 : Number(width) / 24
  })
}

test.each([
  ['/en/rich', ['Earning K-line', 'You collected 37.5 RT in the last 3 days', 'The most was 25.5 RT, on 4 Dec 2029']],
  ['/rich', ['收益 K 線', '最近 3 日共領取 37.5 RT', '最多的是2029年12月4日的 25.5 RT']],
])('%s says what a few days brought', { tags: ['§2.89'] }, async (path, words) => {
  const html = await renderScreen(path, { user: {}, responses: hub() })
  expectWords(html, words)
})

/** The earning K-line of these days, in English. */
function chartOf(volumes: readonly string[], view: 'line' | 'candles'): string {
  onTestFinished(() => showLocale('zh-HK'))
  showLocale('en')
  return renderToStaticMarkup(<EarningChart candles={candlesOf(volumes)} interval="1d" view={view} />)
}

const TWELVE_DAYS = [...Array.from({ length: 11 }, () => '1'), '2.5']

test('draws the running total as a line of each day’s end first', { tags: ['§2.89'] }, async () => {
  const html = await renderScreen('/en/rich', { user: {}, responses: hub({}, { volumes: TWELVE_DAYS }) })
  const chart = html.slice(html.indexOf('Earning K-line'))
  expect(chart).toContain('role="slider"')
  expectWords(chart, ['2 Dec 2029 1.0000 RT', '13 Dec 2029 13.5000 RT', 'Each point is your total'])
  expect(chart).toContain('aria-label="Candles"')
  expect(textOf(chart)).not.toContain('O 11.0000')
})

test('draws candles first on fewer than 12 days', { tags: ['§2.89'] }, async () => {
  const html = await renderScreen('/en/rich', { user: {}, responses: hub({}, { volumes: ['12', '0', '25.5'] }) })
  const chart = html.slice(html.indexOf('Earning K-line'))
  expect(chart).toContain('aria-label="Line"')
  expectWords(chart, ['O 12.0000', 'C 37.5000', 'Each candle is one day'])
})

test('draws no line of fewer than 12 days', { tags: ['§2.89'] }, () => {
  const chart = chartOf(TWELVE_DAYS.slice(1), 'line')
  expect(chart).not.toContain('role="slider"')
  expectWords(chart, ['You collected 12.5 RT in the last 11 days', 'A line needs at least 12 points'])
})

test.each([
  ['one day', ['12'], ['O 0.0000', 'H 12.0000', 'L 0.0000', 'C 12.0000', 'Vol 12 RT']],
  ['three days', ['12', '0', '25.5'], ['O 12.0000', 'H 37.5000', 'L 12.0000', 'C 37.5000', 'Vol 25.5 RT']],
])('draws the running total as candles after %s', { tags: ['§2.89'] }, (_days, volumes, words) => {
  const chart = chartOf(volumes, 'candles')
  expect(chart).toContain('role="slider"')
  expectWords(chart, words)
  expect(chart).not.toMatch(/\d\.\d\d%/)
})

test.each([
  ['/en/rich', 'Kit UID 87654321 0xbbbb…0002 Level 1 · Star 1 Requested Star 1 → Star 2 Passes automatically on'],
  ['/rich', 'Kit UID 87654321 0xbbbb…0002 1 級會員 · 1 星 已申請 1 星 → 2 星 將於'],
])('%s lists each child with its level and request', { tags: ['§2.88', '§4.22'] }, async (path, row) => {
  const passed = {
    ...CHILD,
    address: '0xcccc000000000000000000000000000000000003',
    name: 'Ada',
    level: 2,
    star: 3,
    request: { ...CHILD.request!, star: 3, status: 'Passed', passes_at: null },
  } as const
  const quiet = {
    ...CHILD,
    address: '0xdddd000000000000000000000000000000000004',
    name: 'Lee',
    level: 0,
    star: 0,
    request: null,
  }
  const text = textOf(await renderScreen(path, { user: {}, responses: hub({}, { children: [CHILD, passed, quiet] }) }))
  expect(text).toContain(row)
  const isEnglish = path !== '/rich'
  expect(text).toContain(isEnglish ? '1 request waiting for your approval' : '有 1 個申請待你批核')
  const rows = text.slice(text.indexOf(row))
  expect(rows).toContain(isEnglish ? 'Level 2 · Star 3 Passed' : '2 級會員 · 3 星 已通過')
  // A child that asked for nothing has its level and star, and no state.
  expect(rows).toMatch(
    isEnglish
      ? /Lee UID 87654321 \S+ Level 0 · No star(?! (Passed|Requested))/
      : /Lee UID 87654321 \S+ 0 級會員 · 無星級(?! 已)/,
  )
})

test.each([
  [
    '/en/rich',
    ['Star 3 Passes automatically on', 'Star 2 Approved by the system on', 'Star 1 Approved by your parent on'],
  ],
  ['/rich', ['3 星 將於', '2 星 系統於', '1 星 上級於']],
])('%s shows the requester Requested, Passed and Withdrawn', { tags: ['§4.22'] }, async (path, starts) => {
  const passed = { ...REQUEST, status: 'Passed', passes_at: null, passed_at: '2030-01-02T00:00:00.000Z' } as const
  const requests: UpgradeRequest[] = [
    { ...REQUEST, star: 3 },
    { ...passed, request_id: 'request-2', star: 2, passed_by: 'system' },
    { ...passed, request_id: 'request-3', star: 1, passed_by: 'parent' },
    { ...REQUEST, request_id: 'request-4', star: 1, status: 'Withdrawn', passes_at: null },
  ]
  const text = textOf(await renderScreen(path, { user: {}, responses: hub({}, { requests, children: [] }) }))
  const states = path === '/rich' ? ['已申請', '已通過', '已通過'] : ['Requested', 'Passed', 'Passed']
  for (const [index, start] of starts.entries()) {
    const row = text.slice(text.indexOf(start))
    expect(row.slice(0, 80)).toContain(states[index])
  }
  expect(text).toContain(path === '/rich' ? '已撤回' : 'Withdrawn')
})

test('offers the upgrade once the deposit is enough', { tags: ['§2.88'] }, async () => {
  const enough = { deposit: '400', missing: '0', progress: '1' }
  const text = textOf(await renderScreen('/en/rich', { user: {}, responses: hub(enough) }))
  expect(text).toContain('Request star 3')
  expect(text).toContain('Your deposit is enough for star 3.')
})

test('shows who can approve an open request, and offers no second one', { tags: ['§4.22'] }, async () => {
  const request = { ...REQUEST, star: 3 }
  const open = { deposit: '400', missing: '0', progress: '1', request }
  const text = textOf(await renderScreen('/en/rich', { user: {}, responses: hub(open, { children: [] }) }))
  expect(text).toContain('Requested')
  expect(text).toContain('Your parent can approve it until')
  expect(text).not.toContain('Request star 3')
})

test('says when the deposit returns during a step down', async () => {
  const stepDown = { step_down: { amount: '250', returns_at: '2030-01-08T00:00:00.000Z' } }
  for (const path of ['/en/rich', '/en/rich/pledge']) {
    const text = textOf(await renderScreen(path, { user: {}, responses: hub(stepDown) }))
    expect(text).toContain('250 RT returns to your RT wallet balance on')
    expect(text).not.toContain('Continue')
    expect(text).not.toContain('more for star')
  }
})

test.each([
  [
    '/en/rich/pledge',
    [
      'RT wallet balance 1,000 RT',
      '150 RT for star 3',
      'Step down',
      '7 days’ notice',
      'Continue',
      'Star 2 doesn’t need 50 RT',
      'Take back RT',
    ],
  ],
  [
    '/rich/pledge',
    [
      'RT 錢包餘額 1,000 RT',
      '3 星尚需 150 RT',
      '降星',
      '提前 7 日通知',
      '繼續',
      '2 星毋須用到你存入的其中 50 RT',
      '取回 RT',
    ],
  ],
])('%s offers the deposit and the step down', { tags: ['§2.89', '§1.13'] }, async (path, words) => {
  expectWords(await renderScreen(path, { user: {}, responses: hub() }), words)
})

test.each([
  ['/en/rich/pledge', ['Until deposits with a star reach 14,992,500 RT, no one’s share depends on who comes later']],
  ['/rich/pledge', ['用於星級的存入總額達到 14,992,500 RT 前，任何人的份額都不受後來者影響']],
])('%s says up to where no share depends on others', async (path, words) => {
  expectWords(await renderScreen(path, { user: {}, responses: hub() }), words)
})

test('says when a new star counts, and that notice ends it', async () => {
  const risen = { counts_from: '2030-01-01T16:00:00.000Z' }
  expectWords(await renderScreen('/en/rich', { user: {}, responses: hub(risen) }), ['Star 2 counts in full from'])
  const leaving = { step_down: { amount: '250', returns_at: '2030-01-08T00:00:00.000Z' }, to_be_earned: '0' }
  expectWords(await renderScreen('/en/rich', { user: {}, responses: hub(leaving) }), [
    'A star under notice earns nothing.',
  ])
})

test('a user without a UID links one before the deposit', async () => {
  const text = textOf(await renderScreen('/en/rich/pledge', { user: {}, responses: hub(UNLINKED) }))
  expect(text).toContain('Link your external UID first')
  expect(text).not.toContain('Step down')
})

test.each(['/en/rich', '/en/rich/pledge'])('%s leads an inactive account to its activation', async (path) => {
  const html = await renderScreen(path, { user: { activated: false }, responses: hub(UNLINKED) })
  expect(html).toContain('Please activate your account before operation')
  expect(html).toContain('Activate Now')
})

function expectWords(html: string, words: readonly string[]): void {
  const text = textOf(html)
  for (const word of words) expect(text).toContain(word)
}

/** The visible text, with one space between elements. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(\d) (\.\d)/g, '$1$2')
}
