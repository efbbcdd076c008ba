import { Refusal } from '@clearwell/ledger/refusal'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { amountOf } from '@clearwell/money/amount'
import { beforeEach, expect, test } from 'vitest'
import { INSURANCE, lendingCash, userAccount } from '../../platform/ledger/accounts.ts'
import { members } from '../../platform/ledger/members.ts'
import { LOAN_STATUS, type LoanRow, lendingPools, loans } from '../../platform/lending/lending.tables.ts'
import { readPool } from '../../platform/lending/lending-books.ts'
import { liquidateLoan } from './liquidate-loan.ts'
import { liquidations } from './liquidation.tables.ts'
import { hasRecovered } from './liquidation-items.ts'

const E18 = 10n ** 18n
const START = new Date('2026-11-22T00:00:00Z')
const DUE = new Date('2026-12-22T00:00:00Z')
const RULES = {
  factors: { liquidationBps: 8_300n, bonusBps: 10_800n, overdueBonusBps: 10_500n },
  reserveBps: 1_000n,
}
const usdt = (text: string) => amountOf(text, 'USDT').units
const bnb = (text: string) => amountOf(text, 'BNB').units

/** A loan of 3,000 USDT against 10 BNB without interest, from a pool of 10,000. */
const LOAN: LoanRow = {
  id: 'order',
  user_id: 'borrower',
  status: LOAN_STATUS.toBeCleared,
  collateral_asset: 'BNB',
  collateral: bnb('10'),
  borrow_asset: 'USDT',
  borrowed: usdt('3000'),
  principal: usdt('3000'),
  rate_e18: 0n,
  accrued: 0n,
  accrued_at: START,
  term_days: 30,
  created_at: START,
  repayment_time: DUE,
  status_at: START,
  watch_price: 0n,
  watch_until: DUE,
  warned: 0,
  reminded: 0,
  is_announced: true,
  recover_price: null,
  warning_round: 0,
  limits_version: 1,
}

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(START)
  for (const id of ['borrower', 'first', 'second'])
    ledger.put(members, { id, activated_at: START, activation_order_id: null })
  ledger.put(loans, LOAN)
  ledger.put(lendingPools, {
    id: 'USDT',
    borrowed: usdt('3000'),
    rate_sum: 0n,
    accrued: 0n,
    accrued_at: START,
    shares: usdt('10000') * 1_000_000n,
    remembered_e18: 0n,
    remembered_at: START,
  })
  ledger.add(lendingCash('USDT'), 'USDT', usdt('7000'))
  ledger.add(userAccount('borrower', 'collateral'), 'BNB', bnb('10'))
  for (const id of ['first', 'second']) ledger.add(userAccount(id, 'available'), 'USDT', usdt('5000'))
})

function liquidate(userId: string, price: string, { maxDebt = '3000', ageSeconds = 0 } = {}) {
  const time = new Date(ledger.now.getTime() - ageSeconds * 1_000)
  const prices = { collateral: usdt(price), borrowed: E18, time, goodUntil: new Date(time.getTime() + 60_000) }
  const assets = { collateral: 'BNB', borrowed: 'USDT' } as const
  const order = { userId, orderId: 'order', assets, borrowerId: 'borrower', maxDebt: usdt(maxDebt) }
  return ledger.execute(liquidateLoan(RULES, { ...order, prices, key: undefined }))
}
function refused(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return { [error.refusal]: error.data }
    throw error
  }
  return 'done'
}
const available = (userId: string, asset: 'BNB' | 'USDT') => ledger.balance(userAccount(userId, 'available'), asset)
const poolValue = () => {
  const { pool } = readPool(ledger, 'USDT', ledger.now)
  return pool.cash + pool.borrowed
}

test('the first pays for 8 % more, the second pays nothing', () => {
  expect(liquidate('first', '360')).toEqual({ paid: '3000', received: '9', profit: '240' })
  expect([available('first', 'USDT'), available('first', 'BNB')]).toEqual([usdt('2000'), bnb('9')])
  expect([available('borrower', 'BNB'), ledger.balance(userAccount('borrower', 'collateral'), 'BNB')]).toEqual([
    E18,
    0n,
  ])
  expect(ledger.row(loans, 'order')?.status).toBe(LOAN_STATUS.liquidated)
  expect(refused(() => liquidate('second', '360'))).toEqual({ conflict: { reason: 'already_cleared' } })
  expect(available('second', 'USDT')).toBe(usdt('5000'))
})

test('an order that is only overdue gives 5 % more', () => {
  expect(refused(() => liquidate('first', '600'))).toEqual({ conflict: { reason: 'not_to_be_cleared' } })
  ledger.now = DUE
  expect(liquidate('first', '600')).toEqual({ paid: '3000', received: '5.25', profit: '150' })
  expect(available('borrower', 'BNB')).toBe(bnb('4.75'))
})

test('an order is liquidated only after it became to be cleared', () => {
  ledger.put(loans, { ...LOAN, status: LOAN_STATUS.normal })
  expect(refused(() => liquidate('first', '360'))).toEqual({ conflict: { reason: 'not_to_be_cleared' } })
  ledger.now = DUE
  expect(refused(() => liquidate('first', '600'))).toEqual({ conflict: { reason: 'not_to_be_cleared' } })
  ledger.put(loans, LOAN)
  expect(refused(() => liquidate('first', '600'))).toBe('done')
})

test('an order that has recovered is neither offered nor liquidated', () => {
  const isOffered = (price: string, now = START) => {
    const prices = { collateral: usdt(price), borrowed: E18, time: now, goodUntil: now }
    return !hasRecovered(LOAN, { factors: RULES.factors, prices, now })
  }
  expect([isOffered('361.45'), isOffered('361.44'), isOffered('600', DUE)]).toEqual([false, true, true])
  expect(refused(() => liquidate('first', '361.45'))).toEqual({ conflict: { reason: 'not_to_be_cleared' } })
  expect(refused(() => liquidate('first', '361.44'))).toBe('done')
})

test.each([
  ['0', '0', '222.222222222222222222'],
  ['100', '100', '122.222222222222222222'],
  ['1000', '222.222222222222222222', '0'],
])('of a loss, %s in insurance pay %s and pledgers %s', (insurance, paidByInsurance, lost) => {
  ledger.add(INSURANCE, 'USDT', usdt(insurance))
  const before = poolValue()
  // 10 BNB are worth 3,000: the liquidator pays 3,000 ÷ 1.08.
  expect(liquidate('first', '300')).toMatchObject({ paid: '2777.777777777777777778', received: '10' })
  expect(before - poolValue()).toBe(usdt(lost))
  expect(ledger.row(liquidations, 'order')).toMatchObject({
    paid_by_insurance: usdt(paidByInsurance),
    lost_by_pledgers: usdt(lost),
    returned: 0n,
  })
})

test('rejects a stale price, a debt over the limit and the borrower', () => {
  expect(refused(() => liquidate('first', '360', { ageSeconds: 61 }))).toEqual({ price_out_of_date: {} })
  expect(refused(() => liquidate('first', '360', { maxDebt: '2999.99' }))).toEqual({
    price_moved: { total_debt: '3000' },
  })
  expect(refused(() => liquidate('borrower', '360'))).toEqual({ not_found: {} })
  expect(refused(() => liquidate('stranger', '360'))).toEqual({ not_activated: {} })
  ledger.add(userAccount('first', 'available'), 'USDT', -usdt('2000.01'))
  expect(refused(() => liquidate('first', '360'))).toEqual({ balance_not_enough: {} })
  expect(ledger.row(loans, 'order')).toEqual(LOAN)
})
