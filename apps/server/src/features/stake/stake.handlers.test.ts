import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from '../../testing/server.ts'

const DAY = 86_400

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await setPrice('BNBUSDT', '600')
}, 60_000)
afterAll(() => endExact(server))

const setPrice = (symbol: string, price: string) => server.ok('localPrice', { symbol, price })
const advance = (seconds: number) => server.ok('localAdvance', { seconds })

async function newMember(transfers: Partial<Record<'BNB' | 'USDT' | 'ETH', string>>): Promise<TestUser> {
  const user = await server.newUser()
  await user.transferIn('USDT', '10')
  await user.activateByBalance()
  for (const [asset, amount] of Object.entries(transfers)) await user.transferIn(asset as 'BNB', amount)
  return user
}

async function market(asset: 'USDT' | 'BNB') {
  const pools = await server.ok('stakeMarket', {})
  return pools.find((each) => each.asset === asset)!
}

async function pledgeOf(user: TestUser, asset: string) {
  const infos = await server.ok('pledgeInfo', {}, { token: user.token })
  return infos.find((each) => each.asset === asset)!
}

const borrow = (user: TestUser, collateral: string, amount: string, more = {}) =>
  server.call(
    'lend',
    {
      collateral_asset: 'BNB',
      collateral_amount: collateral,
      borrow_asset: 'USDT',
      borrow_amount: amount,
      term_days: 30,
      ...more,
    },
    { token: user.token, key: newKey() },
  )

describe('pledging', () => {
  test('a pledge can be withdrawn in parts and whole, to the unit', async () => {
    const user = await newMember({ USDT: '500' })
    const { token } = user
    const { position } = await server.ok('pledge', { asset: 'USDT', amount: '300.000000000000000001' }, { token })
    expect(position).toEqual({ asset: 'USDT', total_pledged: '300.000000000000000001', actual_income: '0' })
    expect(await user.available('USDT')).toBe('199.999999999999999999')
    expect(await server.ok('unpledge', { asset: 'USDT', amount: '100' }, { token })).toEqual({
      position: { asset: 'USDT', total_pledged: '200.000000000000000001', actual_income: '0' },
    })
    expect(await server.ok('unpledge', { asset: 'USDT', amount: 'all' }, { token })).toEqual({
      position: { asset: 'USDT', total_pledged: '0', actual_income: '0' },
    })
    expect(await user.available('USDT')).toBe('500')
  })

  test('a pledge is refused without activation, money or the least amount', async () => {
    const inactive = await server.newUser()
    const user = await newMember({ USDT: '20' })
    const ask = async (token: string, amount: string) =>
      (await server.call('pledge', { asset: 'USDT', amount }, { token })).code
    expect(await ask(inactive.token, '10')).toBe(20003)
    expect(await ask(user.token, '0.5')).toBe(20006)
    expect(await ask(user.token, '20.000000000000000001')).toBe(20001)
    expect((await server.call('pledge', { asset: 'RT', amount: '5' }, { token: user.token })).code).toBe(20009)
    expect((await server.call('unpledge', { asset: 'USDT', amount: '1' }, { token: user.token })).code).toBe(20001)
    expect(await user.available('USDT')).toBe('20')
  })

  test('a repeated key pledges once', async () => {
    const user = await newMember({ USDT: '100' })
    const options = { token: user.token, key: newKey() }
    const [one, other] = await Promise.all([
      server.ok('pledge', { asset: 'USDT', amount: '40' }, options),
      server.ok('pledge', { asset: 'USDT', amount: '40' }, options),
    ])
    expect(one).toEqual(other)
    expect(await user.available('USDT')).toBe('60')
  })
})

describe('a loan', () => {
  let pledger: TestUser
  beforeAll(async () => {
    pledger = await newMember({ USDT: '9000' })
    await server.ok('pledge', { asset: 'USDT', amount: '9000' }, { token: pledger.token })
  })

  test('is opened, bears interest per second, and is repaid in full without dust', async () => {
    const user = await newMember({ BNB: '3', USDT: '100' })
    const { token } = user
    const { data: order } = await borrow(user, '3', '1000')
    expect(order).toMatchObject({
      status: 2,
      borrowed_amount: '1000',
      collateral_amount: '3',
      interest_due: '0',
      total_debt: '1000',
      liquidation_price: '401.606425702811244979',
    })
    expect(Number(order.ltv)).toBeCloseTo(1000 / 1800, 10)
    expect(await user.available('USDT')).toBe('1100')
    expect(await user.available('BNB')).toBe('0')

    await advance(10 * DAY)
    const [later] = (await server.ok('stakeOrders', { status: 2 }, { token })).items
    // 1,000 × rate × 10 ÷ 365; the simulated clock goes on between the calls.
    expect(Number(later!.interest_due)).toBeCloseTo((1000 * Number(order.rate) * 10) / 365, 4)

    const repaid = await server.ok('repay', { order_id: order.order_id, amount: 'all' }, { token, key: newKey() })
    expect(repaid).toMatchObject({ status: 1, total_debt: '0', ltv: null })
    expect(await user.available('BNB')).toBe('3')
    expect((await server.call('repay', { order_id: order.order_id, amount: '1' }, { token })).code).toBe(20010)
    const { actual_income: income } = await pledgeOf(pledger, 'USDT')
    expect(Number(income)).toBeGreaterThan(0)
    expect(Number(income)).toBeLessThan(Number(later!.interest_due))
  })

  test('is refused over the initial limit and beyond the pool', async () => {
    const user = await newMember({ BNB: '4' })
    expect(await borrow(user, '1', '390.000000000000000001')).toMatchObject({ code: 20006, data: { max: '390' } })
    expect(await borrow(user, '5', '10')).toMatchObject({ code: 20001 })
    expect(await borrow(user, '1', '9.999')).toMatchObject({ code: 20006, data: { min: '10' } })
    expect(await borrow(user, '1', '10', { term_days: 31 })).toMatchObject({ code: 20000 })
    expect(await borrow(user, '1', '10', { borrow_asset: 'BNB' })).toMatchObject({ code: 20000 })
    expect(await borrow(user, '1', '10', { max_rate: '0' })).toMatchObject({ code: 20007 })
    const { cash } = await market('USDT')
    const whale = await newMember({ BNB: '9' })
    await setPrice('BNBUSDT', '6000')
    expect(await borrow(whale, '9', '20000')).toMatchObject({ code: 20004, data: { max: cash } })
    await setPrice('BNBUSDT', '600')
    expect(await user.available('BNB')).toBe('4')
  })

  test('collateral can be added always, and taken back to the initial limit', async () => {
    const user = await newMember({ BNB: '3' })
    const { token } = user
    const { data: order } = await borrow(user, '1', '390')
    const change = (name: 'addCollateral' | 'removeCollateral', amount: string) =>
      server.call(name, { order_id: order.order_id, amount }, { token, key: newKey() })
    expect(await change('removeCollateral', '0.1')).toMatchObject({ code: 20006, data: { max: '0' } })
    expect(await change('addCollateral', '1')).toMatchObject({ code: 1, data: { collateral_amount: '2' } })
    expect((await change('removeCollateral', '1')).code).toBe(20006)
    expect(await change('removeCollateral', '0.9')).toMatchObject({ code: 1, data: { collateral_amount: '1.1' } })
    expect(await user.available('BNB')).toBe('1.9')
    const stranger = await newMember({ BNB: '1' })
    const asStranger = { token: stranger.token }
    expect((await server.call('addCollateral', { order_id: order.order_id, amount: '1' }, asStranger)).code).toBe(20009)
    expect((await server.call('repay', { order_id: order.order_id, amount: 'all' }, asStranger)).code).toBe(20009)
  })

  test('its rate remembers a utilisation that a short pledge hides', async () => {
    const user = await newMember({ BNB: '9', USDT: '9000' })
    const { token } = user
    const before = await market('USDT')
    await server.ok('pledge', { asset: 'USDT', amount: '9000' }, { token, key: newKey() })
    expect(Number((await market('USDT')).utilisation)).toBeLessThan(Number(before.utilisation))
    const { data: order } = await borrow(user, '1', '10')
    // The interest of a second fades the memory a little.
    expect(Number(order.rate)).toBeGreaterThan(Number(before.loan_rate) * 0.99)
    await server.ok('unpledge', { asset: 'USDT', amount: 'all' }, { token, key: newKey() })
  })
})
