import { expect, test } from 'vitest'
import { textOf } from '../../testing/facts.ts'
import { pageOf, renderScreen } from '../../testing/render-screen.tsx'
import { ENTRIES } from './history.samples.ts'

const LOAN_KINDS = ['loan', 'loan_repayment', 'collateral_added', 'collateral_returned', 'liquidation'] as const

const pressed = (html: string) => /<a[^>]*aria-current="page"[^>]*>([^<]*)</.exec(html)?.[1]

test('shows one part of the activity with its export', async () => {
  const responses = [pageOf('logs', { kinds: [...LOAN_KINDS] }, ENTRIES)]
  const html = await renderScreen('/en/wallet/activity?show=loans', { user: {}, responses })
  expect(pressed(html)).toBe('Loans')
  expect(textOf(html)).toContain('Export CSV')
})

test('finds words of the other language within a part', async () => {
  const responses = [pageOf('logs', { kinds: ['loan_repayment'] }, [])]
  const html = await renderScreen('/wallet/activity?show=loans&find=repay', { user: {}, responses })
  expect(textOf(html)).toContain('找不到紀錄')
})

test('finds nothing where no entry can match', async () => {
  const html = await renderScreen('/en/wallet/activity?show=swaps&find=repay', { user: {} })
  expect(textOf(html)).toContain('No entries found')
  expect(textOf(html)).not.toContain('Export CSV')
})

test.each([
  ['/en/transaction', 'On-chain'],
  ['/en/wallet/buyOrder', 'Orders in'],
  ['/en/wallet/sellOrder', 'Orders out'],
  ['/en/wallet/logs', 'Balance log'],
  ['/en/wallet/activity', 'All'],
])('%s is a view of the activity', async (path, view) => {
  expect(pressed(await renderScreen(path, { user: {} }))).toBe(view)
})

test('a search stays when the view changes', async () => {
  const html = await renderScreen('/en/wallet/activity?find=0xabcdef', { user: {} })
  expect(html).toContain('/en/wallet/logs?find=0xabcdef')
  expect(html).toMatch(/href="[^"]*\/en\/transaction"/)
})
