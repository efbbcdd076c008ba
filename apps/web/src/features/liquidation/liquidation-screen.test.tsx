import { expect, test } from 'vitest'
import { pageOf, renderScreen } from '../../testing/render-screen.tsx'
import type { LiquidationOrder } from './liquidation.queries.ts'

const ALICE = '0xaaaa000000000000000000000000000000000001'

const ORDER: LiquidationOrder = {
  order_id: 'b1a2c3d4e5f60718',
  user_address: '0xbbbb000000000000000000000000000000000002',
  collateral_asset: 'BNB',
  collateral_amount: '1',
  lending_asset: 'USDT',
  lending_amount: '380',
  interest: '0.25',
  total_debt: '380.25',
  estimated_profit: '30.42',
  price: '450',
  price_time: '2030-01-01T00:00:00.000Z',
  pays: '380.25',
  receives: '0.9126',
  reason: 'ltv',
  min_amount: '10',
  max_amount: '1000',
  factor: '1.08',
  ltv: '0.845',
  repayment_time: '2030-02-01T00:00:00.000Z',
  time: '2030-01-01T00:00:12.000Z',
}
const STALE = {
  estimated_profit: null,
  price: null,
  price_time: null,
  pays: null,
  receives: null,
  factor: null,
  ltv: null,
}

async function market(path: string, orders: LiquidationOrder[]): Promise<string> {
  const html = await renderScreen(path, { user: {}, responses: [pageOf('liquidations', {}, orders)] })
  return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

test.each([
  ['/en/stake/liquidate', ['Collateral', 'Lending assets', 'Interest', 'Total debt', 'Estimated profit', 'Liquidate']],
  ['/stake/liquidate', ['抵押品', '借出資產', '利息', '總欠款', '預計利潤', '清算']],
])('%s names every figure of an order', { tags: ['§2.74'] }, async (path, names) => {
  const text = await market(path, [ORDER])
  for (const each of [...names, '+30', '.42 USDT', '450.00', 'b1a2c3…0718', '0xbbbb…0002']) expect(text).toContain(each)
})

test('offers repayment for an own order, and nothing on a stale price', async () => {
  expect(await market('/en/stake/liquidate', [{ ...ORDER, user_address: ALICE }])).toContain('Repay or add collateral')
  const stale = await market('/en/stake/liquidate', [{ ...ORDER, ...STALE }])
  expect(stale).toContain('No order is liquidated on a stale price')
  expect(stale).not.toContain('Liquidate b1a2c3')
})

test('a market without orders says when one appears', async () => {
  expect(await market('/en/stake/liquidate', [])).toContain('No orders to be cleared')
})

test.each([
  ['/en/stake/liquidate', 'Simulated users'],
  ['/stake/liquidate', '模擬用戶'],
])('%s marks the orders of simulated users', async (path, mark) => {
  expect(await renderScreen(path, { config: { demo: true } })).toContain(mark)
  expect(await renderScreen(path, { config: { demo: false } })).not.toContain(mark)
})

test('a market that loads shows placeholders', async () => {
  expect(await renderScreen('/en/stake/liquidate')).toContain('aria-label="Loading"')
})

test('a receipt asks a visitor to sign in, and needs an order', async () => {
  expect(await renderScreen('/en/stake/receipt?order=o1')).toContain('Sign in to see this receipt')
  expect(await renderScreen('/en/stake/receipt', { user: {} })).toContain('No receipt here')
})
