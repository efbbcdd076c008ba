import { expect, test } from 'vitest'
import { textOf } from '../../testing/facts.ts'
import { renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { SUMMARY } from './history.samples.ts'

const summaryOf = (change: Partial<typeof SUMMARY>) =>
  responseTo('summary', { period: 'week' }, { ...SUMMARY, ...change })

/** Nothing was held before the last of the readings, which is of now. */
const NEW = SUMMARY.history.map((point, index) =>
  index < SUMMARY.history.length - 1 ? { ...point, value_usdt: '0', net_usdt: '0' } : point,
)

test.each([
  ['/en/wallet/summary', '34.5', 'Since your first transfer, your value changed by + 34.50 USDT (+2.87%)'],
  ['/wallet/summary', '34.5', '自首次轉入起，總值變動 + 34.50 USDT (+2.87%)'],
  ['/en/wallet/summary', '0', 'Since your first transfer, your value has not changed'],
  ['/wallet/summary', '0', '自首次轉入起，除轉入及轉出外，總值沒有變動'],
])('%s of a new account counts %s from its first transfer', async (path, change_usdt, words) => {
  const responses = [summaryOf({ history: NEW, performance: { ...SUMMARY.performance!, change_usdt } })]
  expect(textOf(await renderScreen(path, { user: {}, responses }))).toContain(words)
})

test('a total is its assets less its debts as they are shown', async () => {
  const responses = [summaryOf({ total_usdt: '100.009', owed_usdt: '40.001', net_usdt: '60.008' })]
  const text = textOf(await renderScreen('/en/wallet/summary', { user: {}, responses }))
  expect(text).toMatch(/Total value\D*60\.00 USDT/)
  expect(text).toContain('Assets of 100.01 less debts of 40.01 USDT')
})
