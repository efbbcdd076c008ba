import { beforeEach, describe, expect, test } from 'vitest'
import { lendingPools, pledges } from '../../domain/lending/lending.tables.ts'
import { lendingCash, lendingReserve } from '../../domain/lending/lending-accounts.ts'
import { type LendingLedger, units } from '../../testing/lending-ledger.ts'
import { newPledgedPool, refused } from './testing/pledged-pool.ts'

const DAY = 86_400

let ledger: LendingLedger
beforeEach(() => {
  ledger = newPledgedPool()
})

describe('a pledge', () => {
  test('earns interest less the reserve', () => {
    const { order_id: id } = ledger.borrow('user', '10', '3900', { termDays: 180 })
    ledger.advance(146 * DAY)
    // 3,900 of 30,000 is a utilisation of 13 %: 4.5 % × 13 ÷ 80 = 0.73125 %. 3,900 × (e^(0.0073125 × 0.4) − 1) = 11.4242…
    const { interest_due: interest } = ledger.repay('user', id, '1')
    expect(Number(interest)).toBeCloseTo(3_900 * Math.expm1(0.0073125 * 0.4) - 1, 6)
    ledger.repay('user', id, interest)
    expect(Number(ledger.balance(lendingReserve('USDT'), 'USDT')) / 1e18).toBeCloseTo((Number(interest) + 1) / 10, 6)
    const { actual_income: income } = ledger.withdraw('pledger', '1')
    expect(Number(income)).toBeCloseTo((Number(interest) + 1) * 0.9, 6)
  })

  /**
   * @attack S10 A loan kept the rate of its moment, so a pledge of a day bought 180 days at half of the rate.
   * @holds All orders of a pool pay the rate that the pool has now, whenever they were opened.
   */
  test('lowers the rate of a loan only while it stays', () => {
    ledger.give('other', 'USDT', '90000')
    ledger.pledge('other', '90000')
    const cheap = ledger.borrow('user', '6', '2000')
    expect(ledger.borrow('user', '1', '100').rate).not.toBe(cheap.rate)
    ledger.withdraw('other', 'all')
    const dear = ledger.addCollateral('user', cheap.order_id, '0.1').rate
    expect(Number(dear)).toBeCloseTo((0.045 * (2_100 / 30_000)) / 0.8, 9)
    expect(Number(dear)).toBeGreaterThan(3 * Number(cheap.rate))
  })

  test('is withdrawn only as far as it is not lent', () => {
    ledger.borrow('user', '10', '3900')
    expect(refused(() => ledger.withdraw('pledger', 'all'))).toEqual({ exceeds_lending_pool: { max: '26100' } })
    ledger.withdraw('pledger', '26100')
    expect(ledger.balance(lendingCash('USDT'), 'USDT')).toBe(0n)
    expect(refused(() => ledger.withdraw('other', '1'))).toEqual({ balance_not_enough: {} })
  })

  test('needs an activated account, the least amount and the money', () => {
    ledger.give('stranger', 'USDT', '100')
    expect(refused(() => ledger.pledge('stranger', '10'))).toEqual({ not_activated: {} })
    expect(refused(() => ledger.pledge('user', '0.999999999999999999'))).toEqual({ amount_out_of_range: { min: '1' } })
    expect(refused(() => ledger.pledge('user', '500.000000000000000001'))).toEqual({ balance_not_enough: {} })
  })

  test('may be the least amount, and all that there is', () => {
    expect(ledger.pledge('user', '1').total_pledged).toBe('1')
    expect(ledger.pledge('user', '499').total_pledged).toBe('500')
    expect(ledger.has('user', 'USDT')).toBe(0n)
    expect(ledger.balance(lendingCash('USDT'), 'USDT')).toBe(units('30500'))
    expect(ledger.withdraw('user', 'all')).toMatchObject({ total_pledged: '0', actual_income: '0' })
    expect(ledger.row(pledges, 'USDT:user')).toMatchObject({
      shares: 0n,
      pledged: units('500'),
      withdrawn: units('500'),
    })
  })

  test('is refused where it buys no share', () => {
    const row = ledger.row(lendingPools, 'USDT')!
    ledger.put(lendingPools, { ...row, shares: 1n })
    ledger.add(lendingCash('USDT'), 'USDT', 10n ** 45n)
    expect(refused(() => ledger.pledge('user', '1'))).toEqual({ trading_suspended: { reason: 'pool_lost' } })
  })

  test('shows no income below zero because of rounding', () => {
    ledger.borrow('user', '10', '3900')
    ledger.advance(DAY)
    ledger.give('other', 'USDT', '100')
    expect(ledger.pledge('other', '100')).toMatchObject({ actual_income: '0' })
  })
})
