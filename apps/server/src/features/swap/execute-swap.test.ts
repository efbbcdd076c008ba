import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, describe, expect, test } from 'vitest'
import { feeDays } from '../../domain/boxes/fee-days.ts'
import { members } from '../../domain/members/members.ts'
import { INSURANCE, REFERRAL, REWARDS, TREASURY } from '../../platform/ledger/accounts.ts'
import { breakers } from '../../platform/ledger/breaker.ts'
import { BNB_POOL, buy, RT_POOL, START, SwapLedger, sell, units } from '../../testing/swap-ledger.ts'
import { changePool } from './change-pool.ts'
import { openPool } from './open-pool.ts'
import { swapCandles, swapOrders } from './swap.tables.ts'

// Source of every amount: Python's fractions on the curve of the pool's reserves, as in packages/rules/src/swap-golden.test.ts.
/** For 1 BNB from the pool as it opens. */
const OUT = 597_903_591_167_810_109_415n
const OUT_TEXT = '597.903591167810109415'
/** The least BNB that buys 100 USDT from the pool as it opens. */
const COST = 167_112_229_648_968_229n
const COST_TEXT = '0.167112229648968229'

let ledger: SwapLedger
beforeEach(() => {
  ledger = new SwapLedger()
})

/** Balances and pools: what a refused swap must leave as it was. */
const state = () => [ledger.has('trader', 'BNB'), ledger.has('trader', 'USDT'), ledger.reserves()]

describe('selling an exact amount', () => {
  test('pays the pool price less the fee and stores the order', () => {
    const response = ledger.swap(sell('1', OUT))
    const { transaction_id: id, ...amounts } = response
    expect(amounts).toEqual({ status: 'completed', amount_in: '1', amount_out: OUT_TEXT, fee: '0.0025' })
    expect([ledger.has('trader', 'BNB'), ledger.has('trader', 'USDT')]).toEqual([units('1'), units('490') + OUT])
    expect(ledger.reserves()).toEqual({ base: units('1000.9992'), quote: units('600000') - OUT })
    expect(ledger.row(swapOrders, id)).toEqual({
      id,
      user_id: 'trader',
      pool_id: 'bnb-usdt',
      inverse: false,
      amount_in: units('1'),
      amount_out: OUT,
      fee: units('0.0025'),
      created_at: START,
    })
  })

  test('costs in both directions of a round trip', () => {
    ledger.swap(sell('1'))
    const back = ledger.swap({ amountIn: OUT, minAmountOut: 0n }, { inverse: true })
    expect(back.amount_in).toBe(OUT_TEXT)
    expect(ledger.has('trader', 'USDT')).toBe(units('490'))
    expect(ledger.has('trader', 'BNB')).toBeLessThan(units('2'))
    expect(ledger.has('trader', 'BNB')).toBeGreaterThan(units('1.99'))
  })

  test('accepts a limit of the exact output, rejects one unit more', () => {
    const before = state()
    expect(refusalOf(() => ledger.swap(sell('1', OUT + 1n)))).toEqual({
      refusal: 'price_moved',
      data: { amount_out: OUT_TEXT },
    })
    expect(state()).toEqual(before)
    expect(ledger.swap(sell('1', OUT))).toMatchObject({ amount_out: OUT_TEXT })
  })

  test('rejects an amount too small to buy one unit', () => {
    const one = { amountIn: 1n, minAmountOut: 0n }
    expect(refusalOf(() => ledger.swap(one, { inverse: true }))).toEqual({
      refusal: 'amount_out_of_range',
      data: { reason: 'too small to buy anything' },
    })
    // One unit of BNB buys some, and leaves no revenue: the entry has no postings of zero.
    const plan = ledger.plan(ledger.command(one))
    expect(plan.response).toMatchObject({ amount_out: '0.000000000000000598', fee: '0.000000000000000001' })
    expect(plan.entries?.[0]?.postings).toEqual([
      { account: 'user:trader:available', asset: 'BNB', units: -1n },
      { account: 'pool:bnb-usdt', asset: 'BNB', units: 1n },
      { account: 'pool:bnb-usdt', asset: 'USDT', units: -598n },
      { account: 'user:trader:available', asset: 'USDT', units: 598n },
    ])
  })
})

test('a swap writes no row that bookkeepers store', () => {
  const { rows = [] } = ledger.plan(ledger.command(sell('1', 0n)))
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ table }) => table.carried !== undefined)).toEqual([])
})

describe('buying an exact amount', () => {
  test('costs the least amount that buys it', () => {
    expect(ledger.swap(buy('100', COST))).toMatchObject({
      amount_in: COST_TEXT,
      // One unit of BNB buys 598 of USDT, so the least cost buys slightly more.
      amount_out: '100.000000000000000475',
      fee: '0.000417780574122421',
    })
    expect(ledger.has('trader', 'BNB')).toBe(units('2') - COST)
    expect(ledger.reserves()).toEqual({ base: 1_000_166_978_539_865_249_055n, quote: 599_899_999_999_999_999_999_525n })
  })

  test('buys exactly the amount where the asset sold is worth less', () => {
    expect(ledger.swap(buy('0.5'), { inverse: true })).toMatchObject({
      amount_in: '300.902330864680460532',
      amount_out: '0.5',
      fee: '0.752255827161701152',
    })
    expect(ledger.has('trader', 'BNB')).toBe(units('2.5'))
  })

  test('accepts a limit of the exact cost, rejects one unit less', () => {
    const before = state()
    expect(refusalOf(() => ledger.swap(buy('100', COST - 1n)))).toEqual({
      refusal: 'price_moved',
      data: { amount_in: COST_TEXT },
    })
    expect(state()).toEqual(before)
    expect(ledger.swap(buy('100', COST))).toMatchObject({ amount_in: COST_TEXT })
  })

  test.each(['1000', '1000000000'])("rejects buying the pool's reserve of 1,000 or more: %s", (amount) => {
    expect(refusalOf(() => ledger.swap(buy(amount), { inverse: true }))).toEqual({
      refusal: 'amount_out_of_range',
      data: { reason: 'more than the pool can give' },
    })
  })
})

describe('a swap is rejected', () => {
  test('for a user who is not activated, or unknown', () => {
    ledger.put(members, { id: 'waiting', activated_at: null, activation_order_id: 'order' })
    for (const userId of ['waiting', 'nobody']) {
      ledger.give(userId, 'BNB', '2')
      expect(refusalOf(() => ledger.swap(sell('1'), { userId }))).toMatchObject({ refusal: 'not_activated' })
      expect(ledger.has(userId, 'BNB')).toBe(units('2'))
    }
  })

  test('in a pool that is not open', () => {
    const pool = { ...BNB_POOL, id: 'doge-usdt' }
    expect(refusalOf(() => ledger.swap(sell('1'), { pool }))).toMatchObject({ refusal: 'not_found' })
  })

  test('in a suspended pool, with the reason, while others trade', () => {
    ledger.execute(changePool({ poolId: 'bnb-usdt', kind: 'suspended', by: 'operator', detail: 'maintenance' }))
    const before = state()
    expect(refusalOf(() => ledger.swap(sell('1')))).toEqual({
      refusal: 'trading_suspended',
      data: { reason: 'operator' },
    })
    expect(state()).toEqual(before)
    expect(ledger.swap(sell('10'), { pool: RT_POOL, inverse: true })).toMatchObject({ status: 'completed' })
  })

  test('while the solvency breaker is open', () => {
    ledger.put(breakers, { id: 'solvency', stopped_at: START, reason: 'insolvent', detail: 'the vault lacks 1 BNB' })
    expect(refusalOf(() => ledger.swap(sell('1')))).toEqual({
      refusal: 'trading_suspended',
      data: { reason: 'insolvent' },
    })
  })

  test('after its deadline, with the amount of the open side', () => {
    const deadline = new Date(START.getTime() - 1)
    const moved = (data: object) => ({ refusal: 'price_moved', data: { reason: 'deadline_passed', ...data } })
    expect(refusalOf(() => ledger.swap(sell('1'), { deadline }))).toEqual(moved({ amount_out: OUT_TEXT }))
    expect(refusalOf(() => ledger.swap(buy('100'), { deadline }))).toEqual(moved({ amount_in: COST_TEXT }))
    expect(ledger.has('trader', 'BNB')).toBe(units('2'))
    // Until and including the deadline.
    expect(ledger.swap(sell('1'), { deadline: START })).toMatchObject({ status: 'completed' })
  })

  test('of one unit more than available, with a separate code for RT', () => {
    const one = (refusal: string) => expect.objectContaining({ refusal })
    expect(refusalOf(() => ledger.swap(sell('2.000000000000000001')))).toEqual(one('balance_not_enough'))
    expect(refusalOf(() => ledger.swap(buy('3'), { inverse: true }))).toEqual(one('balance_not_enough'))
    expect(refusalOf(() => ledger.swap(sell('1'), { pool: RT_POOL }))).toEqual(one('rt_balance_not_enough'))
    expect(refusalOf(() => ledger.swap(buy('1'), { pool: RT_POOL }))).toEqual(one('rt_balance_not_enough'))
    expect(ledger.swap(sell('2'))).toMatchObject({ amount_in: '2' })
    expect(ledger.has('trader', 'BNB')).toBe(0n)
  })

  test("away from the pool's allowed prices, but not toward them", () => {
    const band = { lowE18: units('620'), highE18: units('640') }
    expect(refusalOf(() => ledger.swap(sell('1'), { band }))).toEqual({
      refusal: 'trading_suspended',
      data: { reason: 'price_deviation' },
    })
    expect(ledger.swap(sell('100'), { band, inverse: true })).toMatchObject({ status: 'completed' })
  })
})

test('a swap without USDT counts nothing for boxes', () => {
  const pool = { id: 'rt-bnb', base: 'RT', quote: 'BNB', initialBase: units('6000'), initialQuote: units('1') } as const
  ledger.add('treasury', 'RT', pool.initialBase)
  ledger.add('treasury', 'BNB', pool.initialQuote)
  ledger.execute(openPool(pool))
  ledger.swap(sell('1'), { pool, inverse: true })
  ledger.swap(sell('100'), { pool })
  expect(ledger.row(feeDays, 'trader:2026-11-22')).toMatchObject({
    revenue: 0n,
    bnb: units('0.0004'),
    rt: units('0.04'),
  })
})

test('buys and sells RT against USDT', () => {
  const bought = ledger.swap(sell('100'), { pool: RT_POOL, inverse: true })
  const amountIn = ledger.has('trader', 'RT')
  expect(units(bought.amount_out)).toBe(amountIn)
  const sold = ledger.swap({ amountIn, minAmountOut: 0n }, { pool: RT_POOL })
  expect(ledger.has('trader', 'RT')).toBe(0n)
  expect(units(sold.amount_out)).toBeLessThan(units('100'))
})

describe('the fee', () => {
  // 12345678901234567 × 8 ÷ 10000 = 9876543120987.65: 20 %, 10 % and 20 % of it rounded down, the rest to the reward pool.
  const amount = '0.012345678901234567'
  const SOLD = 12_345_678_901_234_567n
  const BOUGHT = 7_388_797_830_712_717_942n
  const revenue = 9_876_543_120_987n
  const parts = {
    referral: 1_975_308_624_197n,
    insurance: 987_654_312_098n,
    treasury: 1_975_308_624_197n,
    rewards: 4_938_271_560_495n,
  }

  const takings = (asset = 'BNB') => ({
    referral: ledger.balance(REFERRAL, asset),
    insurance: ledger.balance(INSURANCE, asset),
    treasury: ledger.balance(TREASURY, asset),
    rewards: ledger.balance(REWARDS, asset),
  })

  test('rewards the pool with the referral part without an inviter', () => {
    ledger.swap(sell(amount))
    expect(takings()).toEqual({ ...parts, referral: 0n, rewards: parts.rewards + parts.referral })
  })

  test('pays the referral part to an activated inviter separately', () => {
    ledger.join('inviter')
    const { entries = [], response } = ledger.plan(ledger.command(sell(amount), { parentId: 'inviter' }))
    const lines = entries.flatMap(({ kind, reference, postings }) =>
      postings.map(
        (each) => `${kind} ${reference === response.transaction_id}: ${each.account} ${each.units} ${each.asset}`,
      ),
    )
    expect(lines).toEqual([
      `swap true: user:trader:available ${-SOLD} BNB`,
      `swap true: pool:bnb-usdt ${SOLD - revenue} BNB`,
      `swap true: rewards ${parts.rewards} BNB`,
      `swap true: referral ${parts.referral} BNB`,
      `swap true: insurance ${parts.insurance} BNB`,
      `swap true: treasury ${parts.treasury} BNB`,
      `swap true: pool:bnb-usdt ${-BOUGHT} USDT`,
      `swap true: user:trader:available ${BOUGHT} USDT`,
      `referral_share true: referral ${-parts.referral} BNB`,
      `referral_share true: user:inviter:available ${parts.referral} BNB`,
    ])
  })

  test('has no entry for an inviter where the part is nothing', () => {
    ledger.join('inviter')
    const { entries = [] } = ledger.plan(ledger.command({ amountIn: 1n, minAmountOut: 0n }, { parentId: 'inviter' }))
    expect(entries.map(({ kind }) => kind)).toEqual(['swap'])
  })

  test.each([
    ['is not activated', { activated_at: null, activation_order_id: null }],
    ['has never been a member', undefined],
  ])('skips an inviter who %s for the reward pool', (_who, member) => {
    if (member) ledger.put(members, { id: 'inviter', ...member })
    ledger.swap(sell(amount), { parentId: 'inviter' })
    expect(takings()).toEqual({ ...parts, referral: 0n, rewards: parts.rewards + parts.referral })
    expect(ledger.has('inviter', 'BNB')).toBe(0n)
  })

  test('is charged in the asset sold, in both directions', () => {
    expect(ledger.swap(sell('100'), { inverse: true }).fee).toBe('0.25')
    // 100 × 8 ÷ 10000 × 10 %.
    expect(takings('USDT').insurance).toBe(units('0.008'))
    expect(takings('BNB').insurance).toBe(0n)
  })

  test('counts for boxes at the lower of its price and the market', () => {
    const counted = () => ledger.row(feeDays, 'trader:2026-11-22')
    ledger.swap(sell('100'), { inverse: true, marketE18: 0n })
    expect(counted()).toMatchObject({ revenue: units('0.08'), usdt: units('0.04'), bnb: 0n })
    ledger = new SwapLedger()
    // 0.0008 BNB × 597.90…, rounded down.
    ledger.swap(sell('1'), { marketE18: units('600') })
    expect(counted()).toMatchObject({ revenue: 478_322_872_934_248_087n, bnb: units('0.0004'), usdt: 0n })
    ledger = new SwapLedger()
    ledger.swap(sell('1'), { marketE18: units('590') })
    expect(counted()).toMatchObject({ revenue: units('0.472') })
    // RT has no market but its pool.
    ledger.give('trader', 'RT', '1000')
    ledger.swap(sell('1000'), { pool: RT_POOL, marketE18: 0n })
    expect(counted()).toMatchObject({ revenue: units('0.472'), bnb: units('0.0004'), rt: units('0.4') })
  })
})

test('twenty swaps in both directions never lower the product of the reserves', () => {
  let { base, quote } = ledger.reserves()
  for (let index = 0; index < 20; index++) {
    const inverse = index % 3 === 0
    ledger.give('trader', inverse ? 'USDT' : 'BNB', '100')
    ledger.swap(sell(inverse ? '100' : `0.${index + 1}`), { inverse })
    const after = ledger.reserves()
    expect(after.base * after.quote).toBeGreaterThan(base * quote)
    ;({ base, quote } = after)
  }
})

test('adds its prices and amounts to the candles of every interval', () => {
  ledger.swap(sell('1'))
  ledger.advance(30)
  ledger.swap(sell('100'), { inverse: true })
  const { base, quote } = ledger.reserves()
  const candles = ledger.rows(swapCandles)
  expect(candles.map(({ span }) => span)).toEqual(['1m', '5m', '15m', '1h', '4h', '1d'])
  for (const candle of candles) {
    expect(candle).toMatchObject({
      pool_id: 'bnb-usdt',
      open_e18: units('600'),
      high_e18: units('600'),
      close_e18: (quote * 10n ** 18n) / base,
      trade_count: 2,
    })
    expect(candle.low_e18).toBeLessThan(candle.close_e18)
    expect(candle.volume_quote).toBe(OUT + units('100'))
  }
})

test('binds its key to amounts and deadline in a lasting form', () => {
  const payload = { pool: 'bnb-usdt', inverse: false, deadline: '2026-11-22T00:00:00.000Z' }
  expect(ledger.command(sell('1', 5n)).payload).toEqual({
    ...payload,
    amountIn: '1000000000000000000',
    minAmountOut: '5',
  })
  expect(ledger.command(buy('1', 5n)).payload).toEqual({
    ...payload,
    amountOut: '1000000000000000000',
    maxAmountIn: '5',
  })
})
