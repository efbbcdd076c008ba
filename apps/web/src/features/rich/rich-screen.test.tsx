import { expect, test } from 'vitest'
import { pageOf, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import type { RichOverview, UpgradeRequest } from './rich.queries.ts'
import { candlesOf, OVERVIEW, PROGRAM, REQUEST } from './testing/hub.ts'

const TERMS = responseTo('richProgram', {}, PROGRAM)

/** The responses to a signed-in user of the hub. */
function hub(
  change: Partial<RichOverview> = {},
  { children = [REQUEST], volumes = ['12', '0', '25.5'] }: { children?: UpgradeRequest[]; volumes?: string[] } = {},
) {
  return [
    TERMS,
    responseTo('richOverview', {}, { ...OVERVIEW, ...change }),
    responseTo('richEarnings', { interval: '1d', limit: 30 }, candlesOf(volumes)),
    pageOf('richChildren', {}, children),
  ]
}

const UNLINKED = { uid: null, name: null, star: 0, next: 1, deposit: '0', required: '100', missing: '100' } as const

test('shows placeholders while the hub loads', async () => {
  const html = await renderScreen('/en/rich', { user: {} })
  expect(html).toContain('aria-label="Loading"')
  expect(html).not.toContain('RT earnings')
})

test.each([
  ['/en/rich', ['Connect', 'Star 1 needs 100 RT', '72 hours', '0.05% of its remaining RT', '25,600', '×256']],
  ['/rich', ['連接錢包', '1 星需存入 100 RT', '72 小時', '釋放其結餘的 0.05%', '25,600', '×256']],
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
      'RT to be earned',
      'RT collected 410 RT',
      'RT wallet balance 1,000 RT',
      'Deposit RT',
    ],
  ],
  [
    '/rich',
    ['2 星', 'RT 進度', '250 / 400 RT', '距離 3 星尚欠 150 RT', 'UID 12345678', '更改名稱', 'RT 收益'],
    ['待領取 RT 37.5 RT', '待賺取 RT', '已領取 RT 410 RT', 'RT 錢包餘額 1,000 RT', '存入 RT'],
  ],
])('%s shows star, progress, earnings and balance', { tags: ['§2.86', '§2.87', '§6.06'] }, async (path, one, other) => {
  const html = await renderScreen(path, { user: {}, responses: hub() })
  expectWords(
    html,
    one.filter((word) => word !== 'Rename' && word !== '更改名稱'),
  )
  expect(html).toContain(`aria-label="${path === '/rich' ? '更改名稱' : 'Rename'}"`)
  expectWords(html, other)
})

test.each([
  ['/en/rich', ['Earning K-line', 'You collected 37.5 RT in the last 3 days', 'The most was 25.5 RT, on 4 Dec 2029']],
  ['/rich', ['收益 K 線', '最近 3 日共領取 37.5 RT', '最多的是2029年12月4日的 25.5 RT']],
])('%s says what a few days brought', { tags: ['§2.89'] }, async (path, words) => {
  const html = await renderScreen(path, { user: {}, responses: hub() })
  expectWords(html, words)
  expect(html).not.toContain('role="slider"')
})

test('draws the earning K-line from the twelfth day', { tags: ['§2.89'] }, async () => {
  const volumes = Array.from({ length: 12 }, (_, day) => String(day))
  expect(await renderScreen('/en/rich', { user: {}, responses: hub({}, { volumes }) })).toContain('role="slider"')
})

test.each([
  ['/en/rich', ['Kit', 'UID 87654321', 'Star 1 → Star 2', 'Requested', 'Respond by', 'Approve', 'Passed', 'Ada']],
  ['/en/rich', ['1 request waits for your approval', 'Review', 'Rose to star 1']],
  ['/rich', ['Kit', 'UID 87654321', '1 星 → 2 星', '已申請', '前回應', '批核', '已通過', 'Ada']],
  ['/rich', ['有 1 個申請待你批核', '查看', '升至 1 星']],
])('%s lists requests as Requested or Passed', { tags: ['§2.88', '§4.22'] }, async (path, words) => {
  const passed = {
    ...REQUEST,
    request_id: 'request-2',
    name: 'Ada',
    // Of the level of now, above the one that was requested then.
    star: 3,
    requested_star: 1,
    status: 'Passed',
    can_approve: false,
    passes_up_at: null,
    passed_at: '2030-01-02T00:00:00.000Z',
  } as const
  expectWords(await renderScreen(path, { user: {}, responses: hub({}, { children: [REQUEST, passed] }) }), words)
})

test('offers the upgrade once the deposit is enough', { tags: ['§2.88'] }, async () => {
  const enough = { deposit: '400', missing: '0', progress: '1' }
  const text = textOf(await renderScreen('/en/rich', { user: {}, responses: hub(enough) }))
  expect(text).toContain('Request star 3')
  expect(text).toContain('Your deposit is enough for star 3.')
})

test('shows who can approve an open request, and offers no second one', { tags: ['§4.22'] }, async () => {
  const request = { ...REQUEST, star: 2, requested_star: 3, asked: '0xcccc…0003', can_approve: false }
  const open = { deposit: '400', missing: '0', progress: '1', request }
  const text = textOf(await renderScreen('/en/rich', { user: {}, responses: hub(open, { children: [] }) }))
  expect(text).toContain('Requested')
  expect(text).toContain('0xcccc…0003 can approve it by')
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
  ['/en/rich/pledge', ['RT wallet balance 1,000 RT', '150 RT for star 3', 'Step down', '7 days’ notice', 'Continue']],
  ['/rich/pledge', ['RT 錢包餘額 1,000 RT', '3 星尚需 150 RT', '降星', '提前 7 日通知', '繼續']],
])('%s offers the deposit and the step down', { tags: ['§2.89', '§1.13'] }, async (path, words) => {
  expectWords(await renderScreen(path, { user: {}, responses: hub() }), words)
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
