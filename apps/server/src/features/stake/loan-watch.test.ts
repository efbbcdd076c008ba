import type { AssetId } from '@clearwell/money/asset'
import { isAtLimit, ratioThreshold } from '@clearwell/rules/loan-order'
import { currentRate } from '@clearwell/rules/pool-rate'
import { expect, test } from 'vitest'
import { LOAN_STATUS, type LoanRow, loans } from '../../domain/lending/lending.tables.ts'
import type { UsablePrices } from '../../domain/lending/loan-prices.ts'
import { pricesBetween } from '../../domain/lending/testing/known-prices.ts'
import { ratioOf, remindersOf } from '../../domain/lending/update-loan.ts'
import { LendingLedger } from '../../testing/lending-ledger.ts'
import { randomFrom } from '../../testing/random-from.ts'
import { judgeLoans } from './judge-loans.ts'

const E18 = 10n ** 18n
const STEPS = 400

/** A pool with 60 orders of 20 to 65 % at 600. */
function openBook(random: (below: number) => number): LendingLedger {
  const ledger = new LendingLedger()
  ledger.join('pledger')
  ledger.give('pledger', 'USDT', '100000')
  ledger.pledge('pledger', '100000')
  for (let index = 0; index < 60; index++) {
    ledger.join(`user-${index}`)
    ledger.give(`user-${index}`, 'BNB', '1')
    const termDays = [7, 30, 90, 180][random(4)] as number
    ledger.borrow(`user-${index}`, '1', String(120 + random(271)), { termDays })
  }
  return ledger
}

/** The orders that the store's query finds. */
function found(ledger: LendingLedger, prices: UsablePrices): LoanRow[] {
  const { indexE27, rate } = ledger.pool()
  const [better, worse] = [ratioThreshold(prices.better, indexE27), ratioThreshold(prices.worse, indexE27)]
  return ledger.rows(loans).filter((row) => {
    const { status, clear_ratio: clear, warn_ratio: warn, recover_ratio: recover, notify_rate_e18: notify } = row
    if (notify !== null && notify <= currentRate(rate)) return true
    if (status === LOAN_STATUS.toBeCleared) return recover !== null && recover < better
    const isWarned = warn !== null && warn >= worse
    const isSafe = recover !== null && recover < worse
    return clear >= better || isWarned || isSafe || row.watch_until <= ledger.now
  })
}

test.each([1, 2, 3])('the index finds every order that changes, on price path %i', (seed) => {
  const random = randomFrom(seed)
  const ledger = openBook(random)
  let priceE18 = 600n * E18
  let judged = 0
  for (let step = 0; step < STEPS; step++) {
    ledger.advance(random(3) === 0 ? random(86_400) : random(900))
    // Mostly small moves, now and then a jump.
    const permille = random(20) === 0 ? 600 + random(900) : 985 + random(31)
    priceE18 = (priceE18 * BigInt(permille)) / 1_000n
    if (priceE18 < 50n * E18 || priceE18 > 5_000n * E18) priceE18 = 600n * E18
    const prices = pricesBetween(ledger.now, priceE18, (priceE18 * BigInt(1_000 + random(20))) / 1_000n)
    const due = found(ledger, prices)
    judged += due.length
    ledger.execute(
      judgeLoans(
        ['USDT', 'BNB'],
        due.map(({ id }) => id),
        (_collateral: AssetId, _borrowed: AssetId) => prices,
      ),
    )
    for (const row of ledger.rows(loans)) {
      const { liquidationBps } = ledger.rules.limits
      const isOver = isAtLimit(ratioOf(row), liquidationBps, prices.better, ledger.pool().indexE27)
      const isDue = ledger.now >= row.repayment_time
      expect(row.status, `${row.id} at step ${step}`).toBe(
        isOver || isDue ? LOAN_STATUS.toBeCleared : LOAN_STATUS.normal,
      )
      if (row.status === LOAN_STATUS.normal)
        expect(row.reminded, row.id).toBe(remindersOf(row, ledger.rules, ledger.now))
    }
    // Judged once, an order is not found again at the same price and time.
    const again = found(ledger, prices)
    expect(again.map(({ id }) => id)).toEqual([])
  }
  expect(judged).toBeLessThan(STEPS * 60 * 0.1)
})
