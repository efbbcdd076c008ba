import { expect, test } from 'vitest'
import { factsIn, notesIn, textOf } from '../../testing/facts.ts'
import { actionLook, actionText, pageOf, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import type { Loan } from './stake.queries.ts'
import { LOAN, PLEDGE, TICKER, USDT_POOL } from './stake.samples.ts'

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

test.each([
  ['/en/stake/pledge', 'idle'],
  ['/stake/pledge?amount=%22200%22', 'main'],
  ['/en/stake/lend', 'idle'],
])('the action of %s looks %s', async (path, look) => {
  const html = await renderScreen(path, { user: {}, responses: positions() })
  expect(actionLook(html)).toBe(look)
})

test('shows placeholders while the market loads', async () => {
  const html = await renderScreen('/en/stake')
  expect(html).toContain('>Loading</span>')
  expect(html).not.toContain('Utilisation')
})

test.each([
  [
    '/en/stake',
    ['Supplied: 5,000 USDT', 'Borrowed: 1,000 USDT', 'Available to borrow: 4,000 USDT', 'Utilisation: 20%'],
    ['Pledgers’ losses so far: 12.5 USDT', 'Known loss now: 3 USDT', 'Insurance: 80 USDT'],
    'Current loan rate 1.12%',
    'Connect',
  ],
  [
    '/stake',
    ['總質押量: 5,000 USDT', '總借出量: 1,000 USDT', '可供借出: 4,000 USDT', '資金使用率: 20%'],
    ['質押者至今累計損失: 12.5 USDT', '目前已知虧損: 3 USDT', '保險儲備: 80 USDT'],
    '目前借貸利率 1.12%',
    '連接錢包',
  ],
])('%s shows the market to a visitor', { tags: ['§2.71'] }, async (path, pool, safety, rate, connect) => {
  const market = responseTo('stakeMarket', {}, [{ ...USDT_POOL, known_loss: '3' }])
  const html = await renderScreen(path, { responses: [market] })
  expect(factsIn(html)).toEqual(expect.arrayContaining([...pool, ...safety]))
  expect(textOf(html)).toContain(rate)
  expect(textOf(html)).toContain(connect)
})

test.each([
  ['/en/stake', 'Simulated users'],
  ['/stake', '模擬用戶'],
])('%s marks the market of simulated users', async (path, mark) => {
  expect(await renderScreen(path, { responses: [MARKET], config: { demo: true } })).toContain(mark)
  expect(await renderScreen(path, { responses: [MARKET] })).not.toContain(mark)
})

test.each([
  [
    '/en/stake',
    ['Supplied: 5,000.9 USDT', 'Interest owed to pledgers: 0.9 USDT', 'Available to borrow: 4,000 USDT'],
    '5000.9',
  ],
  ['/stake', ['總質押量: 5,000.9 USDT', '應付質押者的利息: 0.9 USDT', '可供借出: 4,000 USDT'], '5000.9'],
  ['/en/stake', ['Interest owed to pledgers: 0 USDT'], '4999.999999999999999999'],
])('the amounts of a pool on %s add up with its interest', async (path, expected, supplied) => {
  const market = responseTo('stakeMarket', {}, [{ ...USDT_POOL, supplied }])
  const html = await renderScreen(path, { responses: [market] })
  expect(factsIn(html)).toEqual(expect.arrayContaining(expected))
})

test('a market without pools says so', async () => {
  expect(await renderScreen('/en/stake', { responses: [responseTo('stakeMarket', {}, [])] })).toContain(
    'No lending pools yet',
  )
})

test.each([
  [
    '/en/stake',
    'My loans All loan orders 390.5 USDT Fair Secured by 1 BNB LTV 65.09%',
    'My pledges USDT Now 0.2% a year 321.5 Income +0.25',
  ],
  [
    '/stake',
    '我的借貸 所有借貸訂單 390.5 USDT 一般 抵押品 1 BNB 借貸比率 65.09%',
    '我的質押 USDT 目前年利率 0.2% 321.5 收益 +0.25',
  ],
])('%s shows pledges and loans with their health', { tags: ['§2.72'] }, async (path, loans, pledges) => {
  const text = textOf(await renderScreen(path, { user: {}, responses: positions() }))
  expect(text).toContain(loans)
  expect(text).toContain(pledges)
})

test.each([
  ['/en/stake', 'My pledges (USDT) 200.00 My debt (USDT) 3,452.70', 'a year 200 Income'],
  ['/stake', '我的質押（USDT） 200.00 我的欠款（USDT） 3,452.70', '200 收益'],
])('%s adds up pledges as listed and rounds debts up', async (path, sums, row) => {
  const pledge = { ...PLEDGE, total_pledged: '199.999999999999999999' }
  const loans = [{ ...LOAN, total_debt: '3452.691' }]
  const html = await renderScreen(path, { user: {}, responses: positions({ pledge, loans }) })
  const text = textOf(html)
  // The value to the unit is that of the rows as well.
  expect(html).not.toContain('199.999')
  expect(text).toContain(sums)
  expect(text).toContain(row)
})

test.each([
  [{ ltv: '0.6' }, 'Safe'],
  [{ ltv: '0.7' }, 'Fair'],
  [{ ltv: '0.76' }, 'At risk'],
  // Over at the worse price only: the order is still normal.
  [{ ltv: '0.84' }, 'At risk'],
  [{ ltv: '0.83', status: 0 }, 'To be cleared'],
  [{ ltv: '0.5', status: 0 }, 'Overdue'],
  [{ ltv: null }, 'No current price'],
] as const)('a loan with %j is %s', async (change, word) => {
  const loans = [{ ...LOAN, ...change }]
  expect(textOf(await renderScreen('/en/stake', { user: {}, responses: positions({ loans }) }))).toContain(word)
})

test.each([
  [
    '/en/stake/pledge',
    ['Total pledged: 321.5 USDT', 'Withdrawable now: 300 USDT', 'Actual income: +0.25 USDT'],
    'Estimated earnings a year, at the current rate: 0.65 USDT',
  ],
  [
    '/stake/pledge',
    ['質押總額: 321.5 USDT', '目前可提取: 300 USDT', '實際收益: +0.25 USDT'],
    '預計一年收益（按目前利率）: 0.65 USDT',
  ],
])('%s shows the fields of a pledge', { tags: ['§3.19', '§1.08'] }, async (path, fields, earnings) => {
  const facts = factsIn(await renderScreen(path, { user: {}, responses: positions() }))
  expect(facts).toEqual(expect.arrayContaining([...fields, earnings]))
})

test.each([
  ['0', 'amount=%22100%22', false],
  ['0', '', true],
  ['321.5', 'amount=%22100%22', true],
])('a pledge of %s with %s typed has its estimate: %s', async (total_pledged, search, isShown) => {
  const pledge = { ...PLEDGE, total_pledged, estimated_earnings: total_pledged === '0' ? '0' : '0.65' }
  const path = `/en/stake/pledge?asset=USDT&${search}`
  const facts = factsIn(await renderScreen(path, { user: {}, responses: positions({ pledge }) }))
  expect(facts.some((fact) => fact.startsWith('Estimated earnings a year'))).toBe(isShown)
  expect(facts.includes('In a year at the current rate: 0.2025 USDT')).toBe(search !== '')
})

test('a unit of rounding is no negative income', async () => {
  const pledge = { ...PLEDGE, actual_income: '-0.000000000000000001' }
  const facts = factsIn(await renderScreen('/en/stake/pledge', { user: {}, responses: positions({ pledge }) }))
  expect(facts).toContain('Actual income: 0 USDT')
})

test.each([
  [
    '/en/stake/pledge?asset=USDT&amount=%22100%22',
    'Withdrawing right after this pledge would lose 5 USDT, 5% of it.',
    { share_value_out: '0.969' },
  ],
  ['/stake/pledge?asset=USDT&amount=%22100%22', '質押後若立即提取，會損失 5 USDT', { share_value_out: '0.969' }],
  [
    '/en/stake/pledge/confirm?way=out&asset=USDT&amount=%22100%22',
    'Withdrawing now gives up 10 USDT, 9.09% of this part.',
    {},
  ],
])('%s says what a known loss takes', async (path, words, change) => {
  const pledge = { ...PLEDGE, lost_now: '32.15' }
  const market = responseTo('stakeMarket', {}, [{ ...USDT_POOL, ...change }])
  const responses = [...positions({ pledge }).slice(1), market]
  expect(textOf(await renderScreen(path, { user: {}, responses }))).toContain(words)
})

const ENDED = { ltv: null, liquidation_price: null, estimated_liquidation_time: null }
const ORDERS: Loan[] = [
  // In the order of the list: danger first.
  { ...LOAN, order_id: 'order-due', status: 0, ltv: '0.9' },
  { ...LOAN, order_id: 'order-normal', status: 2 },
  { ...LOAN, ...ENDED, order_id: 'order-repaid', status: 1 },
  { ...LOAN, ...ENDED, order_id: 'order-cleared', status: -1 },
]

test.each([
  ['/en/stake/lend/orders', ['To be cleared', 'Normal', 'Completed', 'Liquidated']],
  ['/stake/lend/orders', ['待清算', '正常', '已完成', '已清算']],
])('%s gives each order the word of its status', { tags: ['§3.17'] }, async (path, words) => {
  const html = await renderScreen(path, { user: {}, responses: positions({ loans: ORDERS }) })
  const cards = html.split('<header').slice(-ORDERS.length).map(textOf)
  expect(cards).toHaveLength(words.length)
  for (const [index, word] of words.entries()) {
    // The badge is in the first line of its card.
    expect(cards[index]?.split('390')[0]).toContain(word)
  }
})

test.each([
  [
    '/en/stake/lend/orders',
    ['Borrowed amount: 390 USDT', 'Collateral amount: 1 BNB', 'Borrowed ratio (LTV): 65.09%', 'Interest due: 0.5 USDT'],
    ['Loan rate now, floating: 1.15% a year', 'Loan rate at opening: 0.55% a year'],
    ['Estimated liquidation time: 30 Jan 2030', 'Repayment time: 31 Jan 2030', 'Opened: 1 Jan 2030'],
  ],
  [
    '/stake/lend/orders',
    ['借入數量: 390 USDT', '抵押品數量: 1 BNB', '借貸比率（LTV）: 65.09%', '應付利息: 0.5 USDT'],
    ['目前借貸利率（浮動）: 年利率 1.15%', '借入時的利率: 年利率 0.55%'],
    ['預計清算時間: 2030年1月30日', '還款時間: 2030年1月31日', '借入時間: 2030年1月1日'],
  ],
])('%s shows every field of an order', { tags: ['§3.18'] }, async (path, amounts, rates, times) => {
  const facts = factsIn(await renderScreen(path, { user: {}, responses: positions() }))
  expect(facts).toEqual(expect.arrayContaining([...amounts, ...rates]))
  for (const time of times) expect(facts.some((fact) => fact.startsWith(time))).toBe(true)
})

test.each([
  ['/en/stake/lend/orders', 'Over the limit at one of two prices.'],
  ['/stake/lend/orders', '按其中一個價格計算，借貸比率已超出界線'],
])('%s says that only one price is over the limit', async (path, words) => {
  const at = async (ltv: string) =>
    textOf(await renderScreen(path, { user: {}, responses: positions({ loans: [{ ...LOAN, ltv }] }) }))
  expect(await at('0.84')).toContain(words)
  expect(await at('0.82')).not.toContain(words)
})

test.each([
  ['/en/stake/lend/orders', 'Interest due: &lt;0.000001 less than 0.000001 USDT', '0.0000000832401'],
  ['/stake/lend/orders', '應付利息: &lt;0.000001 少於 0.000001 USDT', '0.000000000000000001'],
])('%s shows the interest of seconds as less than a millionth', async (path, fact, interest_due) => {
  const html = await renderScreen(path, { user: {}, responses: positions({ loans: [{ ...LOAN, interest_due }] }) })
  expect(factsIn(html)).toContain(fact)
  expect(html).toContain(`data-exact="${interest_due} USDT"`)
})

test.each([
  ['apart', 'The price sources differ', 'Repaying, adding collateral and liquidation still work.'],
  ['one_source', 'Only one price source', 'You can still repay and add collateral.'],
  ['stale', 'The price is out of date', 'You can still repay and add collateral.'],
  ['unknown', 'No price now', 'You can still repay and add collateral.'],
] as const)('screens say what works while a price is %s', async (state, title, words) => {
  const ticker = responseTo('spotTicker', { symbol: 'BNBUSDT' }, { ...TICKER, state })
  for (const path of ['lend', 'lend/orders', 'lend/add?order=%22loan-1%22']) {
    const text = textOf(await renderScreen(`/en/stake/${path}`, { user: {}, responses: [...positions(), ticker] }))
    expect(text).toContain(title)
    expect(text).toContain(words)
  }
})

test('an overdue order offers repayment alone', async () => {
  const loans = [{ ...LOAN, status: 0 as const, ltv: '0.5' }]
  const text = textOf(await renderScreen('/en/stake/lend/orders', { user: {}, responses: positions({ loans }) }))
  expect(text).toContain('Only full repayment prevents that.')
  expect(text).not.toContain('Add collateral')
})

test.each([
  ['/en/stake/lend', ['Borrow amount', 'Exceeds the maximum available balance in the lending pool', 'Use 1,000 USDT']],
  ['/stake/lend', ['借入數量', '超出借貸池的最高可借數量', '改為 1,000 USDT']],
])('%s offers the most that the pool can lend', { tags: ['§5.07', '§1.09'] }, async (path, words) => {
  const draft = '?borrow=USDT&amount=%2299999%22&collateral=BNB&collateralAmount=%2220%22'
  const responses = [...positions(), responseTo('spotTicker', { symbol: 'BNBUSDT' }, TICKER)]
  const text = textOf(await renderScreen(path + draft, { user: {}, responses }))
  for (const word of words) expect(text).toContain(word)
})

test.each([
  ['/en/stake/lend', 'Up to 1,000 USDT', 'Continue'],
  ['/stake/lend', '最多可借 1,000 USDT', '繼續'],
])('the button of %s names the most instead of a larger amount', async (path, most, goOn) => {
  const responses = [...positions(), responseTo('spotTicker', { symbol: 'BNBUSDT' }, TICKER)]
  const form = (amount: string) =>
    renderScreen(`${path}?borrow=USDT&amount=%22${amount}%22&collateral=BNB&collateralAmount=%2220%22`, {
      user: {},
      responses,
    })
  const over = await form('99999')
  expect(actionText(over)).toBe(most)
  expect(actionLook(over)).toBe('idle')
  expect(actionText(await form('1000'))).toBe(goOn)
})

test('an amount above the pool’s funds keeps its ratio, price and interest', async () => {
  const draft = '?borrow=USDT&amount=%229000%22&collateral=BNB&collateralAmount=%2220%22'
  const responses = [...positions(), responseTo('spotTicker', { symbol: 'BNBUSDT' }, TICKER)]
  const html = await renderScreen(`/en/stake/lend${draft}`, { user: {}, responses })
  const facts = factsIn(html)
  expect(facts.find((fact) => fact.startsWith('Interest at term'))).toMatch(/: \d/)
  expect(facts.find((fact) => fact.startsWith('Liquidation price'))).toMatch(/: 1 BNB = 542\.\d+ USDT$/)
  expect(textOf(html)).toContain('Borrowed ratio (LTV) At risk 75%')
})

test.each([
  [
    '/en/stake/lend',
    ['The rate floats', 'USDT loan rate, last 30 days', 'Too few readings', 'Loan rate now, floating'],
  ],
  ['/stake/lend', ['利率屬浮動性質', 'USDT 借貸利率（過去 30 日）', '紀錄尚少', '目前借貸利率（浮動）']],
])('%s shows a floating rate with its history', async (path, words) => {
  const rates = responseTo('stakeRates', { asset: 'USDT' }, [])
  const text = textOf(await renderScreen(path, { user: {}, responses: [...positions(), rates] }))
  for (const word of words) expect(text).toContain(word)
})

test('a loan is confirmed with its cost in the last 30 days', async () => {
  const quote = {
    max_borrow: '390',
    min_collateral: '0.1',
    rate: '0.0115',
    rate_target: '0.25',
    interest_last_30_days: '0.4',
    ltv: '0.0834',
    liquidation_price: '60.24',
    interest_at_term: '0.05',
    repayment_time: '2030-01-31T00:00:00.000Z',
    price_time: '2030-01-01T00:00:00.000Z',
  }
  const payload = {
    collateral_asset: 'BNB',
    collateral_amount: '1',
    borrow_asset: 'USDT',
    borrow_amount: '50',
    term_days: 30,
  } as const
  const html = await renderScreen(`/en${LOAN_DRAFT}`, {
    user: {},
    responses: [responseTo('loanQuote', payload, quote)],
  })
  expect(factsIn(html)).toEqual(
    expect.arrayContaining([
      'Loan rate with this loan, floating: 1.15% a year',
      'Interest on this amount, last 30 days: 0.4 USDT',
      'Interest at term, at today’s rate: 0.05 USDT',
      'Liquidation price: 1 BNB = 60.240 USDT',
    ]),
  )
  expect(textOf(html)).toContain('Over the next hours it moves to 25%.')
  // First what can cost the collateral: the rest may be below the fold of a small phone.
  expect(factsIn(html).slice(0, 2)).toEqual([
    'Liquidation price: 1 BNB = 60.240 USDT',
    expect.stringMatching(/^Repayment time: 31 Jan 2030/),
  ])
  const text = textOf(html)
  expect(text.indexOf('Your collateral can be liquidated')).toBeLessThan(text.indexOf('You lock 1 BNB'))
})

test.each([
  ['/en/stake/lend/orders', ['Repay Add collateral']],
  ['/stake/lend/orders', ['還款 追加抵押品']],
  [
    '/en/stake/lend/add?order=%22loan-1%22',
    ['Add collateral', 'Take back', 'LTV now', 'New LTV', '1 BNB = 470.48 USDT'],
  ],
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
  expect(text).not.toContain('Interest due')
  expect(text).not.toContain('Repayment time')
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
  expect(html).not.toContain('>Loading</span>')
  expect(textOf(html)).not.toMatch(/\d USDT/)
})

test('a withdrawal of all waits until the pledge is known', async () => {
  const html = await renderScreen(`/en${WITHDRAWAL}`, { user: {}, responses: [MARKET] })
  expect(html).toContain('>Loading</span>')
  expect(textOf(html)).not.toContain('0 USDT')
})

test.each([
  [{ ltv: '0.5' }, 'Only full repayment prevents that'],
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

test('orders show the greatest danger first, and hide borrowing then', async () => {
  const of = (order_id: string, change: Partial<Loan>) => ({ ...LOAN, order_id, ...change })
  const loans = [
    of('safe', { total_debt: '11', ltv: '0.2' }),
    of('at-risk', { total_debt: '12', ltv: '0.8' }),
    of('fair', { total_debt: '13', ltv: '0.7' }),
    of('overdue', { total_debt: '14', ltv: '0.3', status: 0 }),
    of('done', { borrowed_amount: '15', total_debt: '0', ltv: null, status: 1 }),
  ]
  const html = await renderScreen('/en/stake/lend/orders', { user: {}, responses: positions({ loans }) })
  const text = textOf(html)
  const at = ['14 USDT', '12 USDT', '13 USDT', '11 USDT', '15 USDT'].map((debt) => text.indexOf(debt))
  expect(at).toEqual(at.toSorted((a, b) => a - b))
  expect(Math.min(...at)).toBeGreaterThan(0)
  const safe = await renderScreen('/en/stake/lend/orders', { user: {}, responses: positions() })
  expect([html, safe].map((each) => each.includes('>Borrow</a>'))).toEqual([false, true])
})

test.each([
  [
    '/en/stake/lend',
    '0',
    'This pool can’t lend enough for a loan now: a loan is at least 10 USDT, and it can lend 0 USDT.',
  ],
  [
    '/en/stake/lend',
    '9.99',
    'This pool can’t lend enough for a loan now: a loan is at least 10 USDT, and it can lend 9.99 USDT.',
  ],
  ['/stake/lend', '4', '此借貸池目前不足以借出一筆借貸：每筆最少 10 USDT，現可借出 4 USDT。'],
  ['/en/stake/lend', '10', undefined],
])('%s with %s in the pool says whether a loan is possible', async (path, order_max, words) => {
  const market = responseTo('stakeMarket', {}, [{ ...USDT_POOL, order_max }])
  const text = textOf(await renderScreen(path, { user: {}, responses: [...positions().slice(1), market] }))
  if (words === undefined) expect(text).not.toContain('can’t lend enough')
  else expect(text).toContain(words)
})

test.each([
  ['/en/stake/lend?amount=%225%22', 'Borrow amount: At least 10 USDT'],
  ['/stake/lend?amount=%225%22', '借入數量: 最少 10 USDT'],
  ['/en/stake/pledge?amount=%220.5%22', 'Amount: At least 1 USDT'],
  ['/stake/pledge?amount=%220.5%22', '數量: 最少 1 USDT'],
])('%s names the least amount while typing', async (path, note) => {
  const html = await renderScreen(path, { user: {}, responses: positions() })
  expect(notesIn(html)).toEqual([note])
  expect(html).not.toContain('aria-invalid')
  const enough = await renderScreen(path.replace(/amount=.*/, 'amount=%2220%22'), { user: {}, responses: positions() })
  expect(notesIn(enough)).toEqual([])
})

test.each([
  ['/en/stake/lend', 'You have no ETH. Transfer in ETH Swap for ETH', ['Collateral asset', 'Asset to borrow']],
  ['/stake/lend', '你沒有 ETH。 轉入 ETH 閃兌 ETH', ['抵押資產', '借入資產']],
])('%s without the collateral leads to where it comes from', async (path, words, titles) => {
  const rest = { total: '0', locked: '0', pledged: '0', collateral: '0', value_usdt: '0', owed: '0', owed_usdt: '0' }
  const wallet = (available: string) => responseTo('balances', {}, [{ asset: 'ETH', available, ...rest }])
  const market = responseTo('stakeMarket', {}, [USDT_POOL, { ...USDT_POOL, asset: 'BNB', collateral: ['USDT', 'ETH'] }])
  const form = (available: string) =>
    renderScreen(`${path}?collateral=ETH`, {
      user: {},
      responses: [...positions().slice(1), market, wallet(available)],
    })
  const html = await form('0')
  for (const title of titles) expect(html).toContain(`>${title}</span>`)
  expect(textOf(html)).toContain(words)
  const home = path.replace('/stake/lend', '')
  expect(html).toContain(`href="${home}/wallet/buy?asset=ETH"`)
  expect(html).toContain(`href="${home}/swap/exchange?pair=ETHUSDT&amp;sell=USDT"`)
  expect(textOf(await form('0.5'))).not.toContain(words)
})

test.each([
  ['/en/stake/lend/orders', 2, 'No active loans All loan orders', 'No loan orders'],
  ['/en/stake/lend/orders', 1, 'No completed loans All loan orders', 'No loan orders'],
  ['/stake/lend/orders', 2, '沒有進行中的借貸 所有借貸訂單', '暫無借貸訂單'],
] as const)('%s with status %s and no such loan leads to all', async (path, status, words, none) => {
  const responses = [...positions({ loans: [] }), pageOf('stakeOrders', { status }, [])]
  const html = await renderScreen(`${path}?status=${status}`, { user: {}, responses })
  expect(textOf(html)).toContain(words)
  expect(html).toContain(`href="${path}"`)
  expect(textOf(await renderScreen(path, { user: {}, responses }))).toContain(none)
})
