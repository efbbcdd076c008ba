import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import type { AssetId } from '@clearwell/money/asset'
import { isLiquidatable, totalDebt } from '@clearwell/rules/loan'
import { expect, test } from 'vitest'
import { stakeConfig, stakeRules } from '../../config/stake-config.ts'
import { LOAN_STATUS, type LoanRow, loans } from '../../platform/lending/lending.tables.ts'
import { dateOf, debtOf, secondsOf } from '../../platform/lending/lending-books.ts'
import { pairPriceE18, remindersOf, watchOf } from '../../platform/lending/update-loan.ts'
import { judgeLoans } from './judge-loans.ts'

const E18 = 10n ** 18n
const RULES = { ...stakeRules({ stake: stakeConfig.shape.stake.parse(undefined) }), limitsVersion: 1 }
const START = new Date('2026-11-22T00:00:00Z')
const STEPS = 400

/** A repeatable generator of whole numbers below a bound (mulberry32). */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

function pricesAt(priceE18: bigint, now: Date) {
  return { collateral: priceE18, borrowed: E18, time: now, goodUntil: new Date(now.getTime() + 60_000) }
}

function newLoan(id: string, random: (below: number) => number): LoanRow {
  const termDays = [7, 30, 90, 180][random(4)] as number
  const repaymentTime = dateOf(secondsOf(START) + BigInt(termDays * 86_400))
  const row = {
    id,
    user_id: 'user',
    status: LOAN_STATUS.normal,
    collateral_asset: 'BNB',
    collateral: E18,
    borrow_asset: 'USDT',
    borrowed: 0n,
    // At 600, a ratio of 20 to 65 %.
    principal: BigInt(120 + random(271)) * E18,
    rate_e18: BigInt(random(800)) * 10n ** 15n,
    accrued: 0n,
    accrued_at: START,
    term_days: termDays,
    created_at: START,
    repayment_time: repaymentTime,
    status_at: START,
    warned: 0,
    reminded: remindersOf({ repayment_time: repaymentTime }, START),
    is_announced: true,
    warning_round: 0,
  } as const
  return { ...row, ...watchOf(row, RULES, { prices: pricesAt(600n * E18, START), now: START }) }
}

/** The orders that the store's query finds. */
function found(rows: readonly LoanRow[], priceE18: bigint, now: Date): LoanRow[] {
  return rows.filter(
    ({ status, watch_price: watched, watch_until: until, recover_price: recovers }) =>
      (status === LOAN_STATUS.normal && (watched >= priceE18 || until <= now)) ||
      (recovers !== null && recovers <= priceE18),
  )
}

test.each([1, 2, 3])('the index finds every order that changes, on price path %i', (seed) => {
  const random = randomFrom(seed)
  const ledger = new MemoryLedger(START)
  for (let index = 0; index < 60; index++) ledger.put(loans, newLoan(`loan-${index}`, random))
  let priceE18 = 600n * E18
  let judged = 0
  for (let step = 0; step < STEPS; step++) {
    ledger.advance(random(3) === 0 ? random(86_400) : random(900))
    // Mostly small moves, now and then a jump.
    const permille = random(20) === 0 ? 600 + random(900) : 985 + random(31)
    priceE18 = (priceE18 * BigInt(permille)) / 1_000n
    if (priceE18 < 50n * E18 || priceE18 > 5_000n * E18) priceE18 = 600n * E18
    const prices = pricesAt(priceE18, ledger.now)
    const due = found(ledger.rows(loans), pairPriceE18(prices), ledger.now)
    judged += due.length
    ledger.execute(
      judgeLoans(
        RULES,
        due.map(({ id }) => id),
        (_collateral: AssetId, _borrowed: AssetId) => prices,
      ),
    )
    for (const row of ledger.rows(loans)) {
      const owed = totalDebt(debtOf(row), secondsOf(ledger.now))
      const isOver = isLiquidatable(RULES.limits, owed, row.collateral, prices)
      const isDue = ledger.now >= row.repayment_time
      expect(row.status, `${row.id} at step ${step}`).toBe(
        isOver || isDue ? LOAN_STATUS.toBeCleared : LOAN_STATUS.normal,
      )
      if (row.status === LOAN_STATUS.normal) expect(row.reminded, row.id).toBe(remindersOf(row, ledger.now))
    }
    // Judged once, an order is not found again at the same price and time.
    const again = found(ledger.rows(loans), pairPriceE18(prices), ledger.now)
    expect(again.map(({ id }) => id)).toEqual([])
  }
  expect(judged).toBeLessThan(STEPS * 60 * 0.1)
})
