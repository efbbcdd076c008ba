import { replayReceipt } from '@clearwell/rules/stored-receipt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newMember } from '../../testing/new-member.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'

let server: TestServer
let borrower: TestUser
let first: TestUser
let second: TestUser
beforeAll(async () => {
  server = await startTestServer()
  const pledger = await newMember(server, { USDT: '9000' })
  await server.ok('pledge', { asset: 'USDT', amount: '9000' }, { token: pledger.token, key: newKey() })
  borrower = await newMember(server, { BNB: '9' })
  first = await newMember(server, { USDT: '3000' })
  second = await newMember(server, { USDT: '3000' })
})
afterAll(() => endExact(server))

/** The simulated price moves on from here, so every test sets it first. */
const setPrice = (price: string) => server.ok('localPrice', { symbol: 'BNBUSDT', price })

async function borrow(collateral: string, amount: string, days = 7): Promise<string> {
  await setPrice('601')
  const assets = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: days } as const
  const amounts = { collateral_amount: collateral, borrow_amount: amount }
  return (await server.ok('lend', { ...assets, ...amounts }, { token: borrower.token, key: newKey() })).order_id
}

const liquidate = ({ token }: TestUser, orderId: string, maxDebt: string, key = newKey()) =>
  server.call('liquidate', { order_id: orderId, max_debt: maxDebt }, { token, key })
const receiptOf = async ({ token }: TestUser, orderId: string) => {
  const { code, data } = await server.call('liquidationReceipt', { order_id: orderId }, { token })
  return { code, data: data.items?.[0] as (typeof data.items)[number] }
}
const listed = async (sort: 'newest' | 'profit' | 'debt', limit = 20, cursor?: string) =>
  server.ok('liquidations', { sort, limit, ...(cursor ? { cursor } : {}) })

test('the first liquidator wins, the second pays nothing, both sides get receipts', async () => {
  const orderId = await borrow('1', '390')
  await setPrice('430')
  const [item] = (await listed('newest')).items
  expect(item).toMatchObject({ order_id: orderId, user_address: borrower.id, factor: '1.08', collateral_amount: '1' })
  expect(item).toMatchObject({ reason: 'ltv', max_amount: item!.total_debt })
  // 430 are worth 1.1026 of the debt, so the bonus is 8 %.
  expect(Number(item!.estimated_profit)).toBeCloseTo(390 * 0.08, 2)

  expect(await liquidate(borrower, orderId, '500')).toMatchObject({ code: 20009 })
  expect(await liquidate(first, orderId, '389')).toMatchObject({ code: 20007 })
  // Either of two at the same moment may arrive first.
  const race = [first, second].map((user) => ({ user, key: newKey() }))
  const replies = await Promise.all(race.map(({ user, key }) => liquidate(user, orderId, '400', key)))
  const isFirst = replies[0]?.code === 1
  const [won, lost] = (isFirst ? replies : replies.toReversed()) as [(typeof replies)[0], (typeof replies)[0]]
  const [winner, loser] = (isFirst ? race : race.toReversed()) as [(typeof race)[0], (typeof race)[0]]
  expect(won.code).toBe(1)
  expect(lost).toMatchObject({ code: 20010, data: { reason: 'already_cleared' } })
  expect(await loser.user.available('USDT')).toBe('3000')
  expect((await liquidate(winner.user, orderId, '400', winner.key)).data).toEqual(won.data)
  expect(await winner.user.available('BNB')).toBe(won.data.received)

  const mine = (await receiptOf(winner.user, orderId)).data
  const theirs = (await receiptOf(borrower, orderId)).data
  expect([mine.side, theirs.side]).toEqual(['liquidator', 'borrower'])
  expect({ ...theirs, side: 'liquidator' }).toEqual(mine)
  expect((await receiptOf(loser.user, orderId)).code).toBe(20009)
  const { paid, received, profit } = won.data
  expect(mine).toMatchObject({ paid, received, steps: { profit } })
  const { items } = await server.ok('logs', { kind: 'liquidation' }, { token: borrower.token })
  expect(items.map(({ amount }) => amount).toSorted()).toEqual(['-1', mine.returned])
  const notices = await server.ok('notices', {}, { token: borrower.token })
  await server.ok('localAdvance', { seconds: 1 })
  expect(notices.items.map(({ kind }) => kind)).toContain('loan_to_be_cleared')
  const later = await server.ok('notices', {}, { token: borrower.token })
  expect(later.items[0]).toMatchObject({ kind: 'loan_liquidated', params: { order_id: orderId, at: mine.created_at } })
})

test('a receipt can be computed again from its inputs, to the unit', async () => {
  const orderId = await borrow('1', '390')
  await server.ok('repay', { order_id: orderId, amount: '3.21' }, { token: borrower.token, key: newKey() })
  await server.ok('localAdvance', { seconds: 86_400 })
  await setPrice('300')
  expect((await liquidate(first, orderId, '400')).code).toBe(1)
  const { data: receipt } = await receiptOf(borrower, orderId)
  const replayed = replayReceipt(receipt)
  const unitsOf = (text: string) => {
    const [whole = '0', decimals = ''] = text.split('.')
    return BigInt(whole + decimals.padEnd(18, '0'))
  }
  const { steps } = receipt
  expect(replayed).toMatchObject({
    interest: unitsOf(steps.interest),
    debt: unitsOf(steps.total_debt),
    ltvE18: unitsOf(steps.ltv!),
    isOverLimit: true,
    isOverdue: false,
    factorBps: 10_800n,
    byFactor: unitsOf(steps.by_factor),
    ended: unitsOf(steps.debt_ended),
    paid: unitsOf(receipt.paid),
    received: unitsOf('1'),
    returned: 0n,
    shortfall: unitsOf(steps.shortfall),
    paidByInsurance: unitsOf(receipt.paid_by_insurance),
    lostByPledgers: unitsOf(receipt.lost_by_pledgers),
    profit: unitsOf(steps.profit),
  })
  expect(replayed.shortfall).toBeGreaterThan(0n)
  const market = (await server.ok('stakeMarket', {})).find(({ asset }) => asset === 'USDT')!
  expect(market).toMatchObject({
    lost_by_pledgers: receipt.lost_by_pledgers,
    paid_by_insurance: receipt.paid_by_insurance,
  })
})

test('orders are sorted by profit and by debt, page by page', async () => {
  const small = await borrow('1', '390')
  const large = await borrow('2', '500', 30)
  const medium = await borrow('1', '300')
  await server.ok('localAdvance', { seconds: 8 * 86_400 })
  await setPrice('450')
  const ids = async (sort: 'newest' | 'profit' | 'debt') => (await listed(sort)).items.map(({ order_id: id }) => id)
  // The large order is within its limits: 500 of 900.
  expect(await ids('newest')).toEqual([medium, small])
  expect(await ids('profit')).toEqual([small, medium])
  await setPrice('250')
  expect(await ids('newest')).toEqual([medium, large, small])
  expect(await ids('debt')).toEqual([large, small, medium])
  const { items, next_cursor: next } = await listed('debt', 2)
  expect(items).toHaveLength(2)
  expect((await listed('debt', 2, next!)).items.map(({ order_id: id }) => id)).toEqual([medium])
  const profits = (await listed('profit')).items.map(({ estimated_profit: profit }) => Number(profit))
  expect(profits).toEqual(profits.toSorted((a, b) => b - a))
})
