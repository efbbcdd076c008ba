import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findLendingFaults } from '../../domain/lending/check-lending.ts'
import { newMember } from '../../testing/new-member.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'
import { testAnnouncedLimits } from './testing/test-announced-limits.ts'

const DAY = 86_400

let server: TestServer
let pledger: TestUser
beforeAll(async () => {
  server = await startTestServer()
  pledger = await newMember(server, { USDT: '9000' })
  await pledge(pledger, '9000')
})
afterAll(() =>
  endExact(server, {
    first: async () => expect(await findLendingFaults(server.db)).toEqual([]),
  }),
)

/** The simulated price moves on from here, so every test sets it first. */
const setPrice = (price: string) => server.ok('localPrice', { symbol: 'BNBUSDT', price })

const pledge = ({ token }: TestUser, amount: string, key = newKey()) =>
  server.call('pledge', { asset: 'USDT', amount }, { token, key })

function borrow({ token }: TestUser, collateral: string, amount: string, more = {}) {
  const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const
  const amounts = { collateral_amount: collateral, borrow_amount: amount }
  return server.call('lend', { ...terms, ...amounts, ...more }, { token, key: newKey() })
}

const ordersOf = async ({ token }: TestUser) => (await server.ok('stakeOrders', {}, { token })).items
const noticesOf = async ({ token }: TestUser) =>
  (await server.ok('notices', {}, { token })).items.map(({ kind }) => kind).toReversed()
const linksOf = async ({ token }: TestUser) =>
  (await server.ok('notices', {}, { token })).items.map(({ link }) => link).toReversed()

test('the market names the collateral and the terms of its loans', async () => {
  const pools = await server.ok('stakeMarket', {})
  expect(pools.find(({ asset }) => asset === 'BNB')).toMatchObject({
    collateral: ['USDT', 'ETH'],
    terms_days: [7, 30, 90, 180],
  })
})

test('a pledge is withdrawn in parts and whole, to the unit', async () => {
  const user = await newMember(server, { USDT: '500' })
  const { token } = user
  expect((await pledge(user, '300.000000000000000001')).data.position).toEqual({
    asset: 'USDT',
    total_pledged: '300.000000000000000001',
    actual_income: '0',
  })
  const withdraw = (amount: string) => server.ok('unpledge', { asset: 'USDT', amount }, { token, key: newKey() })
  expect((await withdraw('100')).position.total_pledged).toBe('200.000000000000000001')
  expect((await withdraw('all')).position.total_pledged).toBe('0')
  expect(await user.available('USDT')).toBe('500')
})

test('two requests with one key pledge once', async () => {
  const user = await newMember(server, { USDT: '100' })
  const key = newKey()
  const [one, other] = await Promise.all([pledge(user, '40', key), pledge(user, '40', key)])
  expect(one.data).toEqual(other.data)
  expect(await user.available('USDT')).toBe('60')
})

test('a pledge needs activation, an amount, a pool and the money', async () => {
  const inactive = await server.newUser()
  const user = await newMember(server, { USDT: '20' })
  expect((await pledge(inactive, '10')).code).toBe(20003)
  expect(await pledge(user, '0.5')).toMatchObject({ code: 20006, data: { min: '1' } })
  expect((await pledge(user, '20.000000000000000001')).code).toBe(20001)
  const { token } = user
  expect((await server.call('pledge', { asset: 'RT', amount: '5' }, { token })).code).toBe(20009)
  expect((await server.call('unpledge', { asset: 'USDT', amount: '1' }, { token })).code).toBe(20001)
})

test('a loan is refused beyond its collateral and its terms', { tags: ['§5.07'] }, async () => {
  await setPrice('600')
  const user = await newMember(server, { BNB: '4' })
  expect(await borrow(user, '1', '500')).toMatchObject({
    code: 20006,
    data: { max: expect.stringMatching(/^(389|390)/) },
  })
  expect((await borrow(user, '5', '10')).code).toBe(20001)
  expect(await borrow(user, '1', '9.999')).toMatchObject({ code: 20006, data: { min: '10' } })
  expect((await borrow(user, '1', '10', { term_days: 31 })).code).toBe(20000)
  expect((await borrow(user, '1', '10', { borrow_asset: 'BNB' })).code).toBe(20000)
  expect((await borrow(user, '1', '10', { max_rate: '0' })).code).toBe(20007)
  await setPrice('6000')
  const cash = (await server.ok('stakeMarket', {})).find(({ asset }) => asset === 'USDT')?.cash
  expect(await borrow(user, '4', '15000')).toMatchObject({ code: 20004, data: { max: cash } })
  expect(await user.available('BNB')).toBe('4')
})

test('strangers cannot see or change a loan', async () => {
  await setPrice('600')
  const [owner, stranger] = [await newMember(server, { BNB: '1' }), await newMember(server, { BNB: '1' })]
  const { data: order } = await borrow(owner, '1', '100')
  const { token } = stranger
  const change = { order_id: order.order_id, amount: '1' }
  for (const name of ['addCollateral', 'removeCollateral', 'repay'] as const)
    expect((await server.call(name, change, { token, key: newKey() })).code).toBe(20009)
  expect(await ordersOf(stranger)).toEqual([])
})

test('price and time change the status and notify the owner once', async () => {
  await setPrice('600')
  const user = await newMember(server, { BNB: '2', USDT: '100' })
  const { token } = user
  const { data: order } = await borrow(user, '1', '380')
  const statusAt = async (price: string) => {
    await setPrice(price)
    await setPrice(price)
    return (await ordersOf(user))[0]?.status
  }
  expect(await statusAt('500')).toBe(2)
  expect(await statusAt('470')).toBe(2)
  expect(await statusAt('450')).toBe(0)
  expect(await noticesOf(user)).toEqual(['loan_warning', 'loan_warning', 'loan_to_be_cleared'])
  expect(await linksOf(user)).toEqual([2, 2, 0].map((status) => `/stake/lend/orders?status=${status}`))
  const { order_id } = order
  const cured = await server.ok('addCollateral', { order_id, amount: '1' }, { token, key: newKey() })
  expect(cured).toMatchObject({ status: 2, collateral_amount: '2' })

  await server.ok('localAdvance', { seconds: 5 * DAY })
  await server.ok('localAdvance', { seconds: DAY })
  await setPrice('600')
  // 72 and 24 hours before.
  expect((await noticesOf(user)).slice(3)).toEqual(['loan_reminder', 'loan_reminder'])
  const { items: sent } = await server.ok('notices', {}, { token })
  expect(sent.slice(0, 2).map(({ params }) => params)).toMatchObject([
    { hours: 24, due_at: order.repayment_time },
    { hours: 72, due_at: order.repayment_time },
  ])
  await server.ok('localAdvance', { seconds: DAY })
  expect((await ordersOf(user))[0]).toMatchObject({ status: 0 })
  const [due] = await ordersOf(user)
  // 380 × rate × 7 ÷ 365, and the calls take a moment.
  expect(Number(due!.interest_due)).toBeCloseTo((380 * Number(order.rate) * 7) / 365, 3)
  const { paid, ...repaid } = await server.ok('repay', { order_id, amount: 'all' }, { token, key: newKey() })
  expect(repaid).toMatchObject({ status: 1, total_debt: '0', ltv: null, repaid: paid })
  // All of the principal is repaid, so the rest was interest.
  expect(parseEther(repaid.interest_paid ?? '')).toBe(parseEther(paid ?? '') - parseEther('380'))
  expect(await ordersOf(user)).toEqual([repaid])
  expect(Date.parse(repaid.ended_at ?? '')).toBeGreaterThan(Date.parse(repaid.repayment_time))
  expect(await user.available('BNB')).toBe('2')
}, 60_000)

test('the stress test counts losses as a liquidation would', async () => {
  await setPrice('600')
  const user = await newMember(server, { BNB: '3' })
  expect((await borrow(user, '3', '1080')).data.ltv).toMatch(/^0\.(599|6)/)
  await server.ok('localAdvance', { seconds: 60 })
  await setPrice('600')
  const { scenarios, price_time } = await server.ok('stakeStress', {})
  expect(price_time).not.toBeNull()
  const [fall, crash, rise] = scenarios.map(({ change, loans, is_complete, pools }) => ({
    change,
    loans,
    is_complete,
    usdt: pools.find(({ asset }) => asset === 'USDT'),
  }))
  // At 420, 1,080 of 1,260 are 85.7 %: all of the debt is covered 1.08 times. At 300, 900 ÷ 1.02 = 882.4 are paid.
  expect(fall).toMatchObject({ change: '-0.3', is_complete: true, usdt: { lost_by_pledgers: '0' } })
  expect(fall?.loans).toBeGreaterThanOrEqual(1)
  expect(Number(crash?.usdt?.shortfall)).toBeGreaterThan(197)
  // Insurance has the activations of the tests before.
  const { shortfall, paid_by_insurance: insured, lost_by_pledgers: lost } = crash?.usdt ?? {}
  expect(parseEther(insured ?? '0') + parseEther(lost ?? '0')).toBe(parseEther(shortfall ?? '0'))
  expect(rise).toMatchObject({ change: '1', usdt: { shortfall: '0' } })
})

test('parameters are public, and nothing is announced on a new ledger', async () => {
  const { now, announced } = await server.ok('stakeParameters', {})
  expect(now).toMatchObject({ ltv_initial: '0.65', ltv_liquidation: '0.83', liquidation_factor: '1.08' })
  expect(now.pools.map(({ asset }) => asset)).toEqual(['USDT', 'BNB'])
  expect(announced).toEqual([])
})

test('pledging keeps the wealth, and a loan counts as owed', async () => {
  await setPrice('600')
  const user = await newMember(server, { USDT: '500', BNB: '1' })
  const { token } = user
  const wealth = async () => {
    const { total_usdt, net_usdt, by_place, ...summary } = await server.ok('summary', { period: 'day' }, { token })
    const valueAt = (place: string) => Number(by_place.find((each) => each.place === place)?.value_usdt)
    const owed = summary.history.map(({ value_usdt: value, net_usdt: net }) => Number(value) - Number(net))
    return { total: Number(total_usdt), net: Number(net_usdt), valueAt, owed, performance: summary.performance }
  }
  const start = await wealth()
  await pledge(user, '400')
  const pledged = await wealth()
  expect(pledged.valueAt('pledged')).toBeCloseTo(400, 5)
  expect(pledged.total).toBeCloseTo(start.total, 1)
  await borrow(user, '0.5', '100')
  const borrowed = await wealth()
  expect(borrowed.valueAt('collateral')).toBeCloseTo(300, 0)
  expect(borrowed.net).toBeCloseTo(start.total, 0)
  expect(Number(borrowed.performance?.borrowed_usdt)).toBeCloseTo(100, 3)
  expect(Number(borrowed.performance?.change_usdt)).toBeCloseTo(Number(start.performance?.change_usdt), 0)

  await server.ok('localAdvance', { seconds: 3_600 })
  const [order] = await ordersOf(user)
  await server.ok('repay', { order_id: order!.order_id, amount: '40' }, { token, key: newKey() })
  await server.ok('localAdvance', { seconds: 3_600 })
  // The debts of the last two whole hours, and of now.
  const { owed } = await wealth()
  for (const [index, debt] of [100, 60, 60].entries()) expect(owed.slice(-3)[index]).toBeCloseTo(debt, 1)
  const balances = await server.ok('balances', {}, { token })
  const [usdt, bnb] = (['USDT', 'BNB'] as const).map((asset) => balances.find((each) => each.asset === asset))
  expect(usdt?.available).toBe('160')
  expect(Number(usdt?.pledged)).toBeCloseTo(400, 1)
  expect(Number(usdt?.total)).toBeCloseTo(560, 1)
  expect(bnb).toMatchObject({ available: '0.5', collateral: '0.5', total: '1' })
})

test('the reserve is shared out as revenue each hour, once', async () => {
  const shared = () =>
    server.db.query<{ units: bigint }>(
      `select sum(units) as units from postings where account in ('rewards', 'referral', 'insurance', 'treasury')
       and entry_seq in (select seq from entries where kind = 'reserve_shared')`,
    )
  await server.ok('localAdvance', { seconds: 3_600 })
  const [first] = await shared()
  expect(first?.units).toBeGreaterThan(0n)
  await server.ok('localAdvance', { seconds: 3_600 })
  expect(await shared()).toEqual([first])
  const left = await server.db.query(`select units from balances where account = 'lending:USDT:reserve' and units > 0`)
  expect(left).toEqual([])
})

test('the check of the lending books names each difference', async () => {
  const { db } = server
  await db.query(
    `update lending_pools set borrowed = borrowed + 1, shares = shares - 1, below_debt_e27 = below_debt_e27 * 2 where id = 'USDT'`,
  )
  await db.query(
    `update loans set collateral = collateral + 1 where id = (select id from loans where status = 2 order by id limit 1)`,
  )
  const faults = await findLendingFaults(db)
  expect(faults).toHaveLength(5)
  expect(faults.join()).toMatch(
    /USDT has principal .*USDT has shares .*USDT owes pledgers .*in the index of ratios as .*the ledger holds/,
  )
  await db.query(
    `update lending_pools set borrowed = borrowed - 1, shares = shares + 1, below_debt_e27 = below_debt_e27 / 2 where id = 'USDT'`,
  )
  await db.query(
    `update loans set collateral = collateral - 1 where id = (select id from loans where status = 2 order by id limit 1)`,
  )
})

describe('announced limits', () => testAnnouncedLimits(() => server))
