import { Refusal } from '@clearwell/ledger/refusal'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { amountOf } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { beforeEach, describe, expect, test } from 'vitest'
import { stakeConfig, stakeRules } from '../../config/stake-config.ts'
import {
  INSURANCE,
  lendingCash,
  lendingReserve,
  REFERRAL,
  REWARDS,
  TREASURY,
  userAccount,
} from '../../platform/ledger/accounts.ts'
import { breakers } from '../../platform/ledger/breaker.ts'
import { members } from '../../platform/ledger/members.ts'
import { LOAN_STATUS, lendingPools, loans } from '../../platform/lending/lending.tables.ts'
import { readPool } from '../../platform/lending/lending-books.ts'
import type { FreshPrices } from '../../platform/lending/loan-prices.ts'
import { addCollateral, removeCollateral } from './change-collateral.ts'
import { pledgeToPool, withdrawFromPool } from './change-pledge.ts'
import { judgeLoans } from './judge-loans.ts'
import { quoteLoan } from './loan-quote.ts'
import { openLoan } from './open-loan.ts'
import { repayLoan } from './repay-loan.ts'
import { shareReserve } from './share-reserve.ts'
import { type StakeDependencies, stakeHandlers } from './stake.handlers.ts'

const E18 = 10n ** 18n
const DAY = 86_400
const RULES = { ...stakeRules({ stake: stakeConfig.shape.stake.parse(undefined) }), limitsVersion: 1 }
const USDT = RULES.pools.find(({ asset }) => asset === 'USDT')!
const ASSETS = { collateral: 'BNB', borrowed: 'USDT' } as const

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(new Date('2026-11-22T00:00:00Z'))
  for (const id of ['pledger', 'user', 'other'])
    ledger.put(members, { id, activated_at: ledger.now, activation_order_id: null })
  give('pledger', 'USDT', '10000')
  give('user', 'BNB', '10')
  give('user', 'USDT', '500')
  pledge('pledger', '10000')
})

function give(userId: string, asset: AssetId, amount: string): void {
  ledger.add(userAccount(userId, 'available'), asset, amountOf(amount, asset).units)
}
const has = (userId: string, asset: AssetId, place: 'available' | 'collateral' = 'available') =>
  ledger.balance(userAccount(userId, place), asset)

function pricesAt(bnb: string, ageSeconds = 0): FreshPrices {
  const time = new Date(ledger.now.getTime() - ageSeconds * 1_000)
  return { collateral: amountOf(bnb, 'USDT').units, borrowed: E18, time, goodUntil: new Date(time.getTime() + 60_000) }
}

function pledge(userId: string, amount: string) {
  return ledger.execute(pledgeToPool(USDT, { userId, amount: amountOf(amount, 'USDT'), key: undefined })).position
}
function withdraw(userId: string, amount: string) {
  const units = amount === 'all' ? 'all' : amountOf(amount, 'USDT').units
  return ledger.execute(withdrawFromPool(USDT, { userId, asset: 'USDT', amount: units, key: undefined })).position
}
function borrow(collateral: string, amount: string, more: Partial<Parameters<typeof openLoan>[1]> = {}) {
  return ledger.execute(
    openLoan(
      { ...RULES, ...USDT },
      {
        userId: 'user',
        collateral: amountOf(collateral, 'BNB'),
        borrow: amountOf(amount, 'USDT'),
        termDays: 30,
        maxRateE18: undefined,
        prices: pricesAt('600'),
        key: undefined,
        ...more,
      },
    ),
  )
}
function repay(orderId: string, amount: string, price: FreshPrices | 'stale' = pricesAt('600')) {
  const units = amount === 'all' ? 'all' : amountOf(amount, 'USDT').units
  const prices = price === 'stale' ? undefined : price
  const input = { userId: 'user', orderId, amount: units, key: undefined, assets: ASSETS, prices } as const
  return ledger.execute(repayLoan({ ...RULES, reserveBps: USDT.reserveBps }, input))
}
function change(make: typeof addCollateral | typeof removeCollateral, orderId: string, amount: string, bnb = '600') {
  const input = { userId: 'user', orderId, amount: amountOf(amount, 'BNB'), key: undefined }
  return ledger.execute(make(RULES, input, pricesAt(bnb)))
}
const judge = (orderId: string, prices: FreshPrices | undefined) =>
  ledger.execute(judgeLoans(RULES, [orderId], () => prices))
const statusOf = (orderId: string) => ledger.row(loans, orderId)?.status

/** The name of the refusal, and its data. */
function refused(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return { [error.refusal]: error.data }
    throw error
  }
  return 'done'
}

describe('a pledge', () => {
  test('earns interest less the reserve, to the unit', () => {
    const { order_id } = borrow('10', '3900', { termDays: 180 })
    ledger.advance(146 * DAY)
    // 3,900 of 10,000 is a utilisation of 39 %, so the rate is 4.5 % × 39 ÷ 80; for 146 of 365 days.
    expect(repay(order_id, '0.01')).toMatchObject({ rate: '0.0219375', interest_due: '34.2125' })
    repay(order_id, '34.2125')
    expect(ledger.balance(lendingReserve('USDT'), 'USDT')).toBe(amountOf('3.42225', 'USDT').units)
    expect(withdraw('pledger', '1')).toEqual({
      asset: 'USDT',
      total_pledged: '10029.800249999999999999',
      actual_income: '30.800249999999999999',
    })
  })

  test('is withdrawn only as far as it is not lent', () => {
    borrow('10', '3900')
    expect(refused(() => withdraw('pledger', 'all'))).toEqual({ exceeds_lending_pool: { max: '6100' } })
    withdraw('pledger', '6100')
    expect(ledger.balance(lendingCash('USDT'), 'USDT')).toBe(0n)
    expect(refused(() => withdraw('other', '1'))).toEqual({ balance_not_enough: {} })
  })

  test('needs an activated account, the least amount and the money', () => {
    give('stranger', 'USDT', '100')
    expect(refused(() => pledge('stranger', '10'))).toEqual({ not_activated: {} })
    expect(refused(() => pledge('user', '0.999999999999999999'))).toEqual({ amount_out_of_range: { min: '1' } })
    expect(refused(() => pledge('user', '500.000000000000000001'))).toEqual({ balance_not_enough: {} })
  })
})

describe('a loan', () => {
  test('moves collateral and money, and is repaid without dust', () => {
    const order = borrow('10', '3900')
    expect(order).toMatchObject({
      status: 2,
      ltv: '0.65',
      liquidation_price: '469.879518072289156626',
      total_debt: '3900',
    })
    expect([has('user', 'BNB'), has('user', 'BNB', 'collateral'), has('user', 'USDT')]).toEqual([
      0n,
      10n * E18,
      4_400n * E18,
    ])
    ledger.advance(30 * DAY - 1)
    expect(repay(order.order_id, 'all')).toMatchObject({ status: 1, total_debt: '0', borrowed_amount: '3900' })
    expect([has('user', 'BNB'), has('user', 'BNB', 'collateral')]).toEqual([10n * E18, 0n])
    expect(refused(() => repay(order.order_id, '1'))).toEqual({ conflict: {} })
    withdraw('pledger', 'all')
    expect(ledger.balance(lendingCash('USDT'), 'USDT')).toBeLessThanOrEqual(2n)
  })

  test('is refused by a unit over the initial limit', () => {
    expect(refused(() => borrow('1', '390.000000000000000001'))).toEqual({ amount_out_of_range: { max: '390' } })
    expect(borrow('1', '390').ltv).toBe('0.65')
  })

  test('rejects too much, too little, a higher rate and old prices', () => {
    expect(refused(() => borrow('10', '10001', { prices: pricesAt('6000') }))).toEqual({
      exceeds_lending_pool: { max: '10000' },
    })
    // Also where the collateral is too small for it, and without a price.
    const toThePool = { exceeds_lending_pool: { max: '10000' } }
    expect(refused(() => borrow('3', '9999999'))).toEqual(toThePool)
    expect(refused(() => borrow('11', '10001', { prices: undefined }))).toEqual(toThePool)
    expect(refused(() => borrow('10', '9.99'))).toEqual({ amount_out_of_range: { min: '10' } })
    expect(refused(() => borrow('11', '100'))).toEqual({ balance_not_enough: {} })
    expect(refused(() => borrow('10', '3900', { maxRateE18: 21_937_499_999_999_999n }))).toEqual({
      price_moved: { rate: '0.0219375' },
    })
    expect(refused(() => borrow('10', '100', { prices: pricesAt('600', 61) }))).toEqual({ price_out_of_date: {} })
    expect(has('user', 'BNB')).toBe(10n * E18)
  })

  test('costs no less after a pledge of less than a day', () => {
    give('other', 'USDT', '90000')
    borrow('5', '1900')
    const dear = borrow('1', '100').rate
    pledge('other', '90000')
    ledger.advance(3_600)
    const { rate } = borrow('1', '100')
    expect(Number(rate)).toBeCloseTo((Number(dear) * 23) / 24, 6)
    ledger.advance(DAY)
    expect(Number(borrow('1', '100').rate)).toBeLessThan(Number(dear) / 5)
  })

  test('returns collateral down to the initial limit, to its owner', () => {
    const { order_id: id } = borrow('10', '3900')
    expect(refused(() => change(removeCollateral, id, '0.1'))).toEqual({ amount_out_of_range: { max: '0' } })
    repay(id, '390')
    expect(refused(() => change(removeCollateral, id, '1.000000000000000001'))).toEqual({
      amount_out_of_range: { max: '1' },
    })
    expect(change(removeCollateral, id, '1')).toMatchObject({ collateral_amount: '9', ltv: '0.65' })
    const asOther = { userId: 'other', orderId: id, amount: amountOf('1', 'BNB'), key: undefined }
    expect(refused(() => ledger.execute(addCollateral(RULES, asOther, undefined)))).toEqual({ not_found: {} })
  })
})

describe('the status of a loan', () => {
  let id: string
  beforeEach(() => {
    id = borrow('9', '3510').order_id
  })

  test('is to be cleared at the limit, and normal when cured', () => {
    judge(id, pricesAt('469.879518072289156627'))
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
    judge(id, pricesAt('469.879518072289156626'))
    expect(statusOf(id)).toBe(LOAN_STATUS.toBeCleared)
    expect(change(addCollateral, id, '1', '469').status).toBe(LOAN_STATUS.normal)
  })

  test('is to be cleared when due, which only repaying cures', () => {
    ledger.advance(30 * DAY)
    judge(id, undefined)
    expect(statusOf(id)).toBe(LOAN_STATUS.toBeCleared)
    expect(change(addCollateral, id, '1').status).toBe(LOAN_STATUS.toBeCleared)
    expect(refused(() => change(removeCollateral, id, '1'))).toEqual({ conflict: {} })
    expect(repay(id, 'all').status).toBe(LOAN_STATUS.completed)
  })

  test('ignores a stale price, and repaying works on one', () => {
    judge(id, pricesAt('1', 61))
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
    expect(repay(id, '10', 'stale')).toMatchObject({ status: 2, ltv: null })
    judge(id, pricesAt('1'))
    expect(repay(id, '10', 'stale').status).toBe(LOAN_STATUS.toBeCleared)
  })

  test('warns at 75 and 80 %, and reminds three times', () => {
    const found = () => {
      const { warned, reminded, is_announced: isAnnounced } = ledger.row(loans, id)!
      return { warned, reminded, isAnnounced }
    }
    judge(id, pricesAt('520'))
    expect(found()).toEqual({ warned: 1, reminded: 0, isAnnounced: false })
    judge(id, pricesAt('600'))
    expect(found().warned).toBe(1)
    judge(id, pricesAt('487'))
    expect(found().warned).toBe(2)
    for (const [hours, reminded] of [
      [72, 1],
      [24, 2],
      [1, 3],
    ] as const) {
      ledger.now = new Date(ledger.row(loans, id)!.repayment_time.getTime() - hours * 3_600_000)
      judge(id, pricesAt('600'))
      expect(found().reminded).toBe(reminded)
    }
  })
})

describe('a quote', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('is the loan that is then opened, to the unit (%i)', (seed) => {
    const bnb = pricesAt(`${580 + seed * 7}.${seed}31`)
    const collateral = amountOf(`${seed}.0${seed}7`, 'BNB')
    const borrowed = amountOf(`${10 + seed * 113}.0000${seed}`, 'USDT')
    borrow('1', '77')
    ledger.advance(seed * 977)
    const prices = { ...bnb, time: ledger.now, goodUntil: new Date(ledger.now.getTime() + 60_000) }
    const market = { pool: USDT, limits: RULES.limits, state: readPool(ledger, 'USDT', ledger.now), now: ledger.now }
    const assets = { collateral_asset: 'BNB', borrow_asset: 'USDT' } as const
    const quoted = quoteLoan(market, { ...assets, collateral, borrow: borrowed, termDays: 30, prices })
    const opened = ledger.execute(
      openLoan(
        { ...RULES, ...USDT },
        { userId: 'user', collateral, borrow: borrowed, termDays: 30, maxRateE18: undefined, prices, key: undefined },
      ),
    )
    const { rate, ltv, liquidation_price, repayment_time } = quoted
    expect(opened).toMatchObject({ rate, ltv, liquidation_price, repayment_time })
    // A unit more than the quoted maximum is refused.
    const most = amountOf(quoted.max_borrow ?? '', 'USDT')
    give('user', 'BNB', '10')
    const more = { asset: most.asset, units: most.units + 1n }
    expect(refused(() => borrow('1', '1', { collateral, borrow: more, prices }))).toHaveProperty('amount_out_of_range')
  })
})

describe('while trading is suspended', () => {
  test('only repaying, adding collateral and withdrawing work', () => {
    const { order_id: id } = borrow('9', '3000')
    ledger.put(breakers, { id: 'solvency', stopped_at: ledger.now, reason: 'insolvent', detail: 'a test' })
    const suspended = { trading_suspended: { reason: 'insolvent' } }
    expect(refused(() => borrow('1', '100'))).toEqual(suspended)
    expect(refused(() => pledge('user', '10'))).toEqual(suspended)
    expect(refused(() => change(removeCollateral, id, '1'))).toEqual(suspended)
    expect(change(addCollateral, id, '1').collateral_amount).toBe('10')
    expect(withdraw('pledger', '10').total_pledged).toBe('9990')
    expect(repay(id, '1000', 'stale').borrowed_amount).toBe('2000')
    give('user', 'USDT', '1')
    expect(repay(id, 'all', 'stale').status).toBe(LOAN_STATUS.completed)
  })
})

describe('a warning', () => {
  test('is sent again only after the order was safe', () => {
    const { order_id: id } = borrow('9', '3510')
    const round = () => {
      const { warned, warning_round } = ledger.row(loans, id)!
      return [warned, warning_round]
    }
    judge(id, pricesAt('520'))
    expect(round()).toEqual([1, 0])
    judge(id, pricesAt('590'))
    judge(id, pricesAt('520'))
    expect(round()).toEqual([1, 0])
    // 3,510 are 65 % of 9 BNB at 600; interest has begun.
    judge(id, pricesAt('601'))
    expect(round()).toEqual([0, 1])
    judge(id, pricesAt('520'))
    expect(round()).toEqual([1, 1])
  })
})

/**
 * @attack S19 The referral part of lending revenue went to an account that only a swap's own entry empties, and stayed there.
 * @holds The referral part of revenue that has no inviter goes to rewards.
 */
test('the reserve is shared out, with its referral part in rewards', () => {
  ledger.add(lendingReserve('USDT'), 'USDT', 101n)
  const shares = { rewards: 5_000n, referral: 2_000n, insurance: 1_000n, treasury: 2_000n }
  expect(ledger.execute(shareReserve(['USDT', 'BNB'], shares, 'step'))).toEqual({ shared: 1 })
  expect([REWARDS, REFERRAL, INSURANCE, TREASURY].map((account) => ledger.balance(account, 'USDT'))).toEqual([
    71n,
    0n,
    10n,
    20n,
  ])
  expect(ledger.execute(shareReserve(['USDT', 'BNB'], shares, 'next'))).toEqual({ shared: 0 })
})

test('a clock that goes back leaves no interest behind', () => {
  ledger.advance(-3)
  const { order_id: id } = borrow('9', '3000')
  ledger.advance(DAY)
  pledge('user', '1')
  ledger.advance(-2)
  repay(id, '100')
  ledger.advance(DAY)
  withdraw('user', 'all')
  ledger.advance(-1)
  give('user', 'USDT', '100')
  repay(id, 'all')
  expect(ledger.row(lendingPools, 'USDT')).toMatchObject({ borrowed: 0n, rate_sum: 0n, accrued: 0n })
})

describe('a retry', () => {
  test('reaches the writer, which has its response, while the price is stale', async () => {
    const order = { order_id: 'order' }
    const handlers = stakeHandlers({
      store: { loan: async () => ({ collateral_asset: 'BNB', borrow_asset: 'USDT' }) },
      writer: { execute: async ({ key }: { key?: string }) => key === 'used' && order },
      clock: { now: () => ledger.now },
      prices: { price: async () => ({ priceE18: E18, time: ledger.now, stale: true }) },
      parameters: { rules: async () => RULES },
    } as unknown as StakeDependencies)
    const context = { user: { id: 'user' }, idempotencyKey: 'used' } as never
    const loan = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const
    expect(await handlers.lend({ ...loan, collateral_amount: '1', borrow_amount: '10' }, context)).toBe(order)
    expect(await handlers.removeCollateral({ order_id: 'order', amount: '1' }, context)).toBe(order)
  })

  test('is refused on a stale price without a stored response', () => {
    const { order_id: id } = borrow('9', '3000')
    const removal = { userId: 'user', orderId: id, amount: amountOf('1', 'BNB'), key: undefined }
    const stale = { price_out_of_date: {} }
    expect(refused(() => borrow('1', '100', { prices: undefined }))).toEqual(stale)
    expect(refused(() => ledger.execute(removeCollateral(RULES, removal, undefined)))).toEqual(stale)
  })
})
