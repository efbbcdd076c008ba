import { expect, test } from 'vitest'
import { pageOf, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import type { Loan } from './stake.queries.ts'
import { LOAN, PLEDGE, TICKER, USDT_POOL } from './testing/market.ts'

const MARKET = responseTo('stakeMarket', {}, [USDT_POOL])

/** The responses to a signed-in user with these loans. */
function positions({ loans = [LOAN], pledge = PLEDGE } = {}) {
  const of = (status: Loan['status']) => ({
    items: loans.filter((loan) => loan.status === status),
    next_cursor: null,
  })
  return [
    MARKET,
    responseTo('pledgeInfo', {}, [pledge]),
    responseTo('stakeOrders', { status: 0, limit: 50 }, of(0)),
    responseTo('stakeOrders', { status: 2, limit: 50 }, of(2)),
    pageOf('stakeOrders', {}, loans),
  ]
}

test('shows placeholders while the market loads', async () => {
  const html = await renderScreen('/en/stake')
  expect(html).toContain('aria-label="Loading"')
  expect(html).not.toContain('Utilisation')
})

test.each([
  ['/en/stake', ['Connect', 'Current loan rate', '1.12%', '20%', 'Pledgers’ losses so far', '12.5', '80', 'Pledge']],
  ['/stake', ['連接錢包', '目前借貸利率', '1.12%', '20%', '質押者至今累計損失', '12.5', '80', '質押']],
])('%s shows the market to a visitor', { tags: ['§2.71'] }, async (path, words) => {
  const text = textOf(await renderScreen(path, { responses: [MARKET] }))
  for (const word of words) expect(text).toContain(word)
})

test.each([
  ['/en/stake', 'Simulated users'],
  ['/stake', '模擬用戶'],
])('%s marks the market of simulated users', async (path, mark) => {
  expect(await renderScreen(path, { responses: [MARKET], config: { demo: true } })).toContain(mark)
  expect(await renderScreen(path, { responses: [MARKET] })).not.toContain(mark)
})

test('a market without pools says so', async () => {
  expect(await renderScreen('/en/stake', { responses: [responseTo('stakeMarket', {}, [])] })).toContain(
    'No lending pools yet',
  )
})

test.each([
  ['/en/stake', ['390.5 USDT', 'Fair', 'LTV 65.09%', '321.5', 'My loans', 'My pledges']],
  ['/stake', ['390.5 USDT', '一般', 'LTV 65.09%', '321.5', '我的借貸', '我的質押']],
])('%s shows pledges and loans with their health', { tags: ['§2.72'] }, async (path, words) => {
  const text = textOf(await renderScreen(path, { user: {}, responses: positions() }))
  for (const word of words) expect(text).toContain(word)
})

test.each([
  [{ ltv: '0.6' }, 'Safe'],
  [{ ltv: '0.7' }, 'Fair'],
  [{ ltv: '0.76' }, 'At risk'],
  [{ ltv: '0.83', status: 0 }, 'To be cleared'],
  [{ ltv: '0.5', status: 0 }, 'Overdue'],
  [{ ltv: null }, 'No current price'],
] as const)('a loan with %j is %s', async (change, word) => {
  const loans = [{ ...LOAN, ...change }]
  expect(textOf(await renderScreen('/en/stake', { user: {}, responses: positions({ loans }) }))).toContain(word)
})

test.each([
  ['/en/stake/pledge', ['Total pledged 321.5 USDT', 'Actual income +0.25 USDT', 'Estimated earnings']],
  ['/stake/pledge', ['質押總額 321.5 USDT', '實際收入 +0.25 USDT', '預計一年收益']],
])('%s shows the fields of a pledge', { tags: ['§3.19', '§1.08'] }, async (path, words) => {
  const text = textOf(await renderScreen(path, { user: {}, responses: positions() }))
  for (const word of words) expect(text).toContain(word)
})

test.each([
  [
    '/en/stake/lend/orders',
    ['Borrowed amount', 'Collateral amount', 'Borrowed ratio (LTV)', 'Interest due', 'Estimated liquidation time'],
    ['Repayment time', 'Normal', 'To be cleared', 'Completed', 'Liquidated'],
  ],
  [
    '/stake/lend/orders',
    ['借入數量', '抵押品數量', '借貸比率（LTV）', '應付利息', '預計清算時間'],
    ['還款時間', '正常', '待清算', '已完成', '已清算'],
  ],
])('%s shows every field and status of an order', { tags: ['§3.17', '§3.18'] }, async (path, fields, more) => {
  const text = textOf(await renderScreen(path, { user: {}, responses: positions() }))
  for (const word of [...fields, ...more]) expect(text).toContain(word)
})

test.each([
  ['/en/stake/lend', ['Lend amount', 'Exceeds the maximum available balance in the lending pool', 'Use 4,000 USDT']],
  ['/stake/lend', ['借入數量', '超出借貸池的最高可借數量', '改為 4,000 USDT']],
])('%s offers the most that the pool can lend', { tags: ['§5.07', '§1.09'] }, async (path, words) => {
  const draft = '?borrow=USDT&amount=%2299999%22&collateral=BNB&collateralAmount=%2220%22'
  const responses = [...positions(), responseTo('spotTicker', { symbol: 'BNBUSDT' }, TICKER)]
  const text = textOf(await renderScreen(path + draft, { user: {}, responses }))
  for (const word of words) expect(text).toContain(word)
})

test.each([
  ['/en/stake/lend/orders', ['Repay', 'Add collateral']],
  ['/en/stake/lend/add?order=%22loan-1%22', ['Add collateral', 'Take back', 'before', 'after', '1 BNB = 470.48 USDT']],
])('%s offers repayment or collateral', { tags: ['§2.73'] }, async (path, words) => {
  const responses = [...positions(), responseTo('spotTicker', { symbol: 'BNBUSDT' }, TICKER)]
  const text = textOf(await renderScreen(path, { user: {}, responses }))
  for (const word of words) expect(text).toContain(word)
})

test('an order that has ended offers nothing more to do', async () => {
  const over = { ...LOAN, status: 1, ltv: null, liquidation_price: null, estimated_liquidation_time: null } as const
  const text = textOf(
    await renderScreen('/en/stake/lend/orders', { user: {}, responses: positions({ loans: [over] }) }),
  )
  expect(text).toContain('Completed')
  expect(text).not.toContain('Repay ')
  expect(text).not.toContain('Liquidation price')
})

test.each([
  '/en/stake/pledge/confirm',
  '/en/stake/lend/confirm',
  '/en/stake/lend/confirm?borrow=USDT&amount=%2250%22&collateral=BNB&collateralAmount=%220%22&term=30',
])('%s without an amount asks for one', async (path) => {
  expect(await renderScreen(path, { user: {}, responses: positions() })).toContain('Nothing to confirm')
})

test.each(['/en/stake/lend/orders', '/en/stake/lend/add', '/en/stake/lend/result'])(
  '%s asks a visitor to connect',
  async (path) => {
    expect(await renderScreen(path, { responses: [MARKET] })).toContain('Connect your wallet to see your loans')
  },
)

const WITHDRAWAL = '/stake/pledge/confirm?way=out&asset=USDT&amount=all'
const LOAN_DRAFT = '/stake/lend/confirm?borrow=USDT&amount=%2250%22&collateral=BNB&collateralAmount=%221%22&term=30'

test.each([
  [`/en${WITHDRAWAL}`, 'Connect your wallet to see your pledges'],
  [WITHDRAWAL, '連接錢包即可查看你的質押'],
  [`/en${LOAN_DRAFT}`, 'Connect your wallet to see the terms of this loan'],
  [LOAN_DRAFT, '連接錢包即可查看這筆借貸的條款'],
])('%s asks a visitor to connect, and shows no amount', async (path, words) => {
  const html = await renderScreen(path, { responses: [MARKET] })
  expect(html).toContain(words)
  expect(html).not.toContain('aria-label="Loading"')
  expect(textOf(html)).not.toMatch(/\d USDT/)
})

test('a withdrawal of all waits until the pledge is known', async () => {
  const html = await renderScreen(`/en${WITHDRAWAL}`, { user: {}, responses: [MARKET] })
  expect(html).toContain('aria-label="Loading"')
  expect(textOf(html)).not.toContain('0 USDT')
})

test.each([
  [{ ltv: '0.5' }, 'so only repaying prevents that'],
  [{ ltv: '0.9' }, 'or add collateral'],
])('an order to be cleared with %j says what cures it', async (change, words) => {
  const loans = [{ ...LOAN, ...change, status: 0 as const }]
  const text = textOf(await renderScreen('/en/stake/lend/orders', { user: {}, responses: positions({ loans }) }))
  expect(text).toContain(words)
})

test.each(['/en/stake/pledge', '/en/stake/lend'])('%s leads an inactive account to its activation', async (path) => {
  const html = await renderScreen(path, { user: { activated: false }, responses: positions() })
  expect(html).toContain('Please activate your account before operation')
  expect(html).toContain('Activate Now')
})

/** The visible text, with one space between elements. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/(\d) (\.\d)/g, '$1$2')
}
