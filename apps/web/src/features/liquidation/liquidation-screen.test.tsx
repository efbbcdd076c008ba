import { expect, test } from 'vitest'
import { factsIn, textOf } from '../../testing/facts.ts'
import { pageOf, renderScreen } from '../../testing/render-screen.tsx'
import type { LiquidationOrder } from './liquidation.queries.ts'
import { ORDER, receiptOf } from './liquidation.samples.ts'

const ALICE = '0xaaaa000000000000000000000000000000000001'

const STALE = {
  min_amount: null,
  max_amount: null,
  estimated_profit: null,
  price: null,
  price_time: null,
  pays: null,
  receives: null,
  factor: null,
  ltv: null,
}

function pageWith(path: string, orders: LiquidationOrder[]): Promise<string> {
  return renderScreen(path, { user: {}, responses: [pageOf('liquidations', {}, orders)] })
}

async function market(path: string, orders: LiquidationOrder[]): Promise<string> {
  return textOf(await pageWith(path, orders))
}

test.each([
  [
    '/en/stake/liquidate',
    'Collateral 1 BNB You take up to 0.4563 BNB Estimated profit +15.21 USDT',
    ['Lending assets: 380 USDT', 'Interest: 0.25 USDT', 'Total debt: 380.25 USDT'],
    ['Order ID: b1a2c3…0718', 'User address: 0xbbbb…0002'],
    ['Price: 450.00 USDT', 'Liquidate b1a2c3…0718'],
  ],
  [
    '/stake/liquidate',
    '抵押品 1 BNB 你最多取得 0.4563 BNB 預計利潤 +15.21 USDT',
    ['借出資產: 380 USDT', '利息: 0.25 USDT', '總欠款: 380.25 USDT'],
    ['訂單編號: b1a2c3…0718', '用戶地址: 0xbbbb…0002'],
    ['價格: 450.00 USDT', '清算 b1a2c3…0718'],
  ],
])('%s names every figure of an order', { tags: ['§2.74'] }, async (path, head, debts, ids, [price, action]) => {
  const html = await pageWith(path, [ORDER])
  const facts = factsIn(html)
  expect(facts).toEqual(expect.arrayContaining([...debts, ...ids]))
  expect(facts.some((fact) => fact.startsWith(price ?? ''))).toBe(true)
  expect(textOf(html)).toContain(head)
  expect(textOf(html)).toContain(action)
})

test.each([
  [{ reason: 'overdue' }, 'The repayment time has passed. One payment can clear all of it or a part.'],
  [{ min_amount: '380.25', max_amount: '380.25' }, 'This order can only be cleared whole'],
  [{ pays: '180' }, 'The collateral doesn’t cover the debt'],
] as const)('an order with %j says what is special about it', async (change, words) => {
  expect(await market('/en/stake/liquidate', [{ ...ORDER, ...change }])).toContain(words)
  expect(await market('/en/stake/liquidate', [ORDER])).not.toContain(words)
})

test.each([
  ['ltv', 'Repay it or add collateral before someone else clears it.', 'Repay or add collateral'],
  ['overdue', 'Its repayment time has passed: repay all of it before someone else clears it.', 'Repay'],
] as const)('an own order that is here by %s says what helps', async (reason, text, action) => {
  const shown = await market('/en/stake/liquidate', [{ ...ORDER, reason, user_address: ALICE }])
  expect(shown).toContain(`You can’t liquidate your own order. ${text} ${action} Home`)
})

test('nothing is offered on a stale price', async () => {
  const stale = await market('/en/stake/liquidate', [{ ...ORDER, ...STALE }])
  expect(stale).toContain('You can’t liquidate until two price sources agree.')
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
  expect(await renderScreen('/en/stake/liquidate')).toContain('>Loading</span>')
})

test('a receipt asks a visitor to sign in, and needs an order', async () => {
  expect(await renderScreen('/en/stake/receipt?order=o1')).toContain('Sign in to see this receipt')
  expect(await renderScreen('/en/stake/receipt', { user: {} })).toContain('Receipt not available')
})

const PARTS = [receiptOf({}, { liquidation_id: 'part-2' }), receiptOf({ amount: '40' })]
const LISTED = pageOf('liquidationReceipt', { order_id: 'o1' }, PARTS)

test('an order cleared in parts lists them, and each has its receipt', async () => {
  const list = textOf(await renderScreen('/en/stake/receipt?order=o1', { user: {}, responses: [LISTED] }))
  expect(list).toContain('Debt cleared 100 USDT')
  expect(list).toContain('Debt cleared 40 USDT')
  const html = await renderScreen('/en/stake/receipt?order=o1&part=part-1', { user: {}, responses: [LISTED] })
  expect(factsIn(html)).toEqual(
    expect.arrayContaining(['Debt cleared: 40 USDT', 'Debt that stays: 160 USDT', 'Collateral that stays: 0.82 BNB']),
  )
  expect(textOf(html)).toContain('All figures are equal, to the last unit.')
})

test.each([
  ['/en/stake/receipt?order=o1', 'You still owe 100 USDT, secured by 0.55 BNB.'],
  ['/stake/receipt?order=o1', '你尚欠 100 USDT，抵押品餘下 0.55 BNB。'],
])('%s tells the borrower what is left', async (path, words) => {
  const only = pageOf('liquidationReceipt', { order_id: 'o1' }, [receiptOf({}, { side: 'borrower' })])
  expect(textOf(await renderScreen(path, { user: {}, responses: [only] }))).toContain(words)
})
