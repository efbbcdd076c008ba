import { beforeEach, describe, expect, test } from 'vitest'
import { type LendingLedger, units } from '../../testing/lending-ledger.ts'
import { newPledgedPool, refused } from './testing/pledged-pool.ts'

const DAY = 86_400

let ledger: LendingLedger
beforeEach(() => {
  ledger = newPledgedPool()
})

test('returns collateral down to the initial limit, to its owner', () => {
  const { order_id: id } = ledger.borrow('user', '10', '3900')
  expect(refused(() => ledger.removeCollateral('user', id, '0.1'))).toEqual({ amount_out_of_range: { max: '0' } })
  ledger.repay('user', id, '390')
  expect(refused(() => ledger.removeCollateral('user', id, '1.000000000000000001'))).toEqual({
    amount_out_of_range: { max: '1' },
  })
  expect(ledger.removeCollateral('user', id, '1')).toMatchObject({ collateral_amount: '9', ltv: '0.65' })
  expect(refused(() => ledger.addCollateral('other', id, '1'))).toEqual({ not_found: {} })
})

/** Of BNB: what is free, and what is collateral. */
const held = () => [ledger.has('user', 'BNB'), ledger.has('user', 'BNB', 'collateral')]

test('moves collateral in both directions, to the last unit', () => {
  const { order_id: id } = ledger.borrow('user', '9', '3000')
  const lacking = { balance_not_enough: {} }
  expect(refused(() => ledger.addCollateral('user', id, '1.000000000000000001'))).toEqual(lacking)
  expect(ledger.addCollateral('user', id, '1').collateral_amount).toBe('10')
  expect(held()).toEqual([0n, units('10')])
  expect(ledger.removeCollateral('user', id, '2').collateral_amount).toBe('8')
  expect(held()).toEqual([units('2'), units('8')])
})

describe('collateral is not returned', () => {
  test('where nothing would be left, or less than nothing', () => {
    const { order_id: id } = ledger.borrow('user', '9', '3000')
    // 3,000 ÷ 0.65 ÷ 600 = 7.692307…, rounded up.
    const most = { amount_out_of_range: { max: '1.307692307692307692' } }
    expect(refused(() => ledger.removeCollateral('user', id, '9'))).toEqual(most)
    expect(refused(() => ledger.removeCollateral('user', id, '10'))).toEqual(most)
    expect(held()).toEqual([units('1'), units('9')])
  })

  test('from the repayment time on', () => {
    const { order_id: id } = ledger.borrow('user', '9', '3000')
    ledger.advance(30 * DAY - 1)
    ledger.setPrice('600')
    expect(ledger.removeCollateral('user', id, '0.1').collateral_amount).toBe('8.9')
    ledger.advance(1)
    expect(refused(() => ledger.removeCollateral('user', id, '0.1'))).toEqual({ conflict: { reason: 'loan_overdue' } })
  })

  test('while the order is to be cleared', () => {
    const { order_id: id } = ledger.borrow('user', '9', '3000')
    ledger.setPrice('360')
    ledger.judge(id)
    ledger.setPrice('600')
    const reason = 'loan_to_be_cleared'
    expect(refused(() => ledger.removeCollateral('user', id, '0.1'))).toEqual({ conflict: { reason } })
  })
})

test('an order that does not exist is not found', () => {
  expect(refused(() => ledger.addCollateral('user', 'loan-unknown', '1'))).toEqual({ not_found: {} })
})

test('an order that has ended says how', () => {
  ledger.give('other', 'USDT', '5000')
  const { order_id: cleared } = ledger.borrow('user', '9', '3000')
  const { order_id: repaid } = ledger.borrow('user', '0.5', '100')
  ledger.repay('user', repaid, 'all')
  ledger.setPrice('360')
  ledger.judge(cleared)
  ledger.liquidate('other', cleared)
  const ended = (id: string) => refused(() => ledger.addCollateral('user', id, '0.1'))
  expect(ended(cleared)).toEqual({ conflict: { reason: 'loan_liquidated' } })
  expect(ended(repaid)).toEqual({ conflict: { reason: 'loan_repaid' } })
})
