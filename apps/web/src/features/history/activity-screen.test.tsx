import { expect, test } from 'vitest'
import type { ListItem } from '../../api/use-list-call.ts'
import { factsIn, textOf } from '../../testing/facts.ts'
import { pageOf, renderScreen } from '../../testing/render-screen.tsx'
import { MORE_VIEWS, searchOf } from './activity-view-list.ts'
import { ENTRIES } from './history.samples.ts'

const headingsIn = (html: string) => [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)].map(([, name = '']) => textOf(name))
const buttonsIn = (html: string) =>
  [...html.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, name = '']) => textOf(name))

const LOAN_KINDS = ['loan', 'loan_repayment', 'collateral_added', 'collateral_returned', 'liquidation'] as const

const pressed = (html: string) => textOf(/<(a|button)[^>]*aria-current="page"[^>]*>(.*?)<\/\1>/s.exec(html)?.[2] ?? '')
const filterOf = (html: string) => /<nav[^>]*aria-label="Filter activity".*?<\/nav>/s.exec(html)?.[0] ?? ''

test('shows one part of the activity with its export', async () => {
  const responses = [pageOf('logs', { kinds: [...LOAN_KINDS] }, ENTRIES)]
  const html = await renderScreen('/en/wallet/activity?show=loans', { user: {}, responses })
  expect(pressed(html)).toBe('Loans')
  expect(buttonsIn(html)).toContain('Export CSV')
})

test.each([
  ['/en/wallet/activity', ENTRIES, 'Your entries up to 30 Nov 2028 are in an archive. Ask the operator for them.'],
  ['/en/wallet/logs', [], 'Your entries up to 30 Nov 2028 are in an archive. Ask the operator for them.'],
  ['/wallet/logs', ENTRIES, '已存檔，如需查閱，請聯絡營運方。'],
])('%s says where the archives begin', async (path, entries, text) => {
  const archived = pageOf('logs', {}, entries, { archived_until: '2028-11-30T05:00:00.000Z' })
  expect(textOf(await renderScreen(path, { user: {}, responses: [archived] }))).toContain(text)
  const whole = pageOf('logs', {}, entries, { archived_until: null })
  expect(textOf(await renderScreen(path, { user: {}, responses: [whole] }))).not.toContain(text)
})

test('finds words of the other language within a part', async () => {
  const responses = [pageOf('logs', { kinds: ['loan_repayment'] }, [])]
  const html = await renderScreen('/wallet/activity?show=loans&find=repay', { user: {}, responses })
  expect(textOf(html)).toContain('找不到紀錄')
})

test('finds nothing where no entry can match', async () => {
  const html = await renderScreen('/en/wallet/activity?show=swaps&find=repay', { user: {} })
  expect(textOf(html)).toContain('No entries found')
  expect(buttonsIn(html)).not.toContain('Export CSV')
})

test.each([
  ['/en/transaction', 'More : Transaction History'],
  ['/en/wallet/buyOrder', 'More : Transfer-in orders'],
  ['/en/wallet/sellOrder', 'More : Transfer-out orders'],
  ['/en/wallet/logs', 'More : Balance log'],
  ['/en/wallet/activity', 'All'],
])('%s is a view of the activity', async (path, view) => {
  expect(pressed(await renderScreen(path, { user: {} }))).toBe(view)
})

test('shows the parts in one row, and the records behind More', async () => {
  const filter = filterOf(await renderScreen('/en/wallet/activity', { user: {} }))
  const links = [...filter.matchAll(/<a[^>]*>(.*?)<\/a>/gs)].map(([, name = '']) => textOf(name))
  expect(links).toEqual(['All', 'Transfers', 'Swaps', 'Loans', 'Pledges', 'Rewards'])
  expect(buttonsIn(filter)).toEqual(['More'])
})

test('the balance log begins with one row, its filter behind a button', async () => {
  const html = await renderScreen('/en/wallet/logs', { user: {}, responses: [pageOf('logs', {}, ENTRIES)] })
  expect(html).not.toMatch(/<select|role="radio"/)
  const above = html.slice(html.indexOf('<nav aria-label="Filter activity"'), html.indexOf('USDT'))
  expect(buttonsIn(above)).toEqual(['More : Balance log', 'Filter'])
})

test.each([
  ['/en/wallet/logs?asset=BNB&kind=swap&range=7d', ['BNB', 'Swap', 'Last 7 days'], 'Remove filter: '],
  [
    '/wallet/logs?kind=swap&range=own&from=2030-01-02&to=2030-01-03',
    ['閃兌', '2030年1月2日 – 2030年1月3日'],
    '移除篩選：',
  ],
])('%s names each part of the filter with its removal', async (path, names, label) => {
  const html = await renderScreen(path, { user: {} })
  const removals = [...html.matchAll(/<button[^>]*aria-label="([^"]*)"[^>]*>(.*?)<\/button>/gs)].filter(([, name]) =>
    name?.startsWith(label),
  )
  expect(removals.map(([, name, face = '']) => [name, textOf(face).trim()])).toEqual(
    names.map((name) => [`${label}${name}`, name]),
  )
})

test('a search stays when the view changes', async () => {
  const html = await renderScreen('/en/wallet/activity?find=0xabcdef', { user: {} })
  expect(html).toContain('/en/wallet/activity?show=swaps&amp;find=0xabcdef')
  const searches = MORE_VIEWS.map((view) => [view.view, searchOf(view, '0xabcdef')])
  expect(Object.fromEntries(searches)).toEqual({
    chain: {},
    in: {},
    out: {},
    log: { find: '0xabcdef' },
    operator: { show: 'operator' },
  })
})

const FREEZE = { kind: 'freeze_account', role: 'support', persons: 1, reason: 'a stolen phone' } as const
const UNFREEZE = { kind: 'unfreeze_account', role: 'risk', persons: 2, reason: 'the owner has it again' } as const
const actsPage = (items: Omit<ListItem<'acts'>, 'id' | 'created_at'>[]) => [
  pageOf(
    'acts',
    {},
    items.map((act, index) => ({ ...act, id: `${index}`, created_at: '2030-01-01T00:00:00.000Z' })),
  ),
]

test("lists the operator's acts with role and reason", async () => {
  const html = await renderScreen('/en/wallet/activity?show=operator', {
    user: {},
    responses: actsPage([UNFREEZE, FREEZE]),
  })
  expect(pressed(html)).toBe('More : Operator')
  expect(factsIn(html)).toEqual([
    'Role: Risk, 2 people',
    'Reason: the owner has it again',
    'Hong Kong time: 1 Jan 2030 08:00',
    'Role: Support',
    'Reason: a stolen phone',
    'Hong Kong time: 1 Jan 2030 08:00',
  ])
  expect([...html.matchAll(/<h2[^>]*>([^<]*account)</g)].map(([, name]) => name)).toEqual([
    'Ended the freeze of your account',
    'Froze your account',
  ])
})

test('shows a look at the account in Chinese', async () => {
  const look = { ...FREEZE, kind: 'view_account', reason: '轉入未到帳' } as const
  const html = await renderScreen('/wallet/activity?show=operator', { user: {}, responses: actsPage([look]) })
  expect(headingsIn(html)).toContain('查閱你的帳戶')
  expect(factsIn(html)).toEqual(['職責: 客戶支援', '原因: 轉入未到帳', '香港時間: 2030年1月1日 08:00'])
})

test('says where acts of the operator will appear', async () => {
  const html = await renderScreen('/en/wallet/activity?show=operator', { user: {}, responses: actsPage([]) })
  expect(textOf(html)).toContain('Looks at your account and changes to it appear here.')
})
