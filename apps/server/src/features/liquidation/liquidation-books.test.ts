import { Refusal } from '@clearwell/ledger/refusal'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { accruedAt } from '@clearwell/rules/loan'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { INSURANCE, lendingCash, lendingReserve, userAccount } from '../../platform/ledger/accounts.ts'
import { members } from '../../platform/ledger/members.ts'
import { LOAN_STATUS, type LoanRow, lendingLosses, lendingPools, loans } from '../../platform/lending/lending.tables.ts'
import { debtOf, readPool, secondsOf } from '../../platform/lending/lending-books.ts'
import { liquidateLoan } from './liquidate-loan.ts'
import { type LiquidationRow, liquidations } from './liquidation.tables.ts'

const E18 = 10n ** 18n
const START = new Date('2026-11-22T00:00:00Z')
const RULES = {
  factors: { liquidationBps: 8_300n, bonusBps: 10_800n, overdueBonusBps: 10_500n },
  reserveBps: 1_000n,
}
const USERS = ['a', 'b', 'c'] as const

const units = fc.bigInt({ min: 1n, max: 10n ** 22n })
const anyLoan = fc.record({
  owner: fc.constantFrom(...USERS),
  collateral: units,
  principal: units,
  rateE18: fc.bigInt({ min: 0n, max: E18 }),
  accrued: fc.bigInt({ min: 0n, max: 10n ** 44n }),
  termDays: fc.constantFrom(7, 30, 90, 180),
  status: fc.constantFrom(0, 0, 0, 0, 0, 0, 2),
})
const anyStep = fc.record({
  seconds: fc.integer({ min: 0, max: 30 * 86_400 }),
  price: fc.bigInt({ min: E18 / 1_000n, max: 1_000n * E18 }),
  ageSeconds: fc.constantFrom(0, 0, 0, 59, 61),
  liquidator: fc.constantFrom(...USERS),
  order: fc.nat({ max: 9 }),
})
const anyBook = fc.record({
  loans: fc.array(anyLoan, { minLength: 1, maxLength: 8 }),
  steps: fc.array(anyStep, { minLength: 1, maxLength: 12 }),
  cash: units,
  insurance: fc.bigInt({ min: 0n, max: 10n ** 22n }),
  wealth: fc.bigInt({ min: 0n, max: 10n ** 23n }),
})
type Book = typeof anyBook extends fc.Arbitrary<infer Value> ? Value : never

function open({ loans: all, cash, insurance, wealth }: Book): MemoryLedger {
  const ledger = new MemoryLedger(START)
  for (const id of USERS) {
    ledger.put(members, { id, activated_at: START, activation_order_id: null })
    ledger.add(userAccount(id, 'available'), 'USDT', wealth)
  }
  ledger.add(lendingCash('USDT'), 'USDT', cash)
  ledger.add(INSURANCE, 'USDT', insurance)
  for (const [index, loan] of all.entries()) {
    ledger.put(loans, rowOf(`order-${index}`, loan))
    ledger.add(userAccount(loan.owner, 'collateral'), 'BNB', loan.collateral)
  }
  const sum = (of: (loan: Book['loans'][number]) => bigint) => all.reduce((total, each) => total + of(each), 0n)
  ledger.put(lendingPools, {
    id: 'USDT',
    borrowed: sum(({ principal }) => principal),
    rate_sum: sum(({ principal, rateE18 }) => principal * rateE18),
    accrued: sum(({ accrued }) => accrued),
    accrued_at: START,
    shares: (cash + sum(({ principal }) => principal)) * 1_000_000n,
    remembered_e18: 0n,
    remembered_at: START,
  })
  return ledger
}

function rowOf(
  id: string,
  { owner, collateral, principal, rateE18, accrued, termDays, status }: Book['loans'][number],
): LoanRow {
  const due = new Date(START.getTime() + termDays * 86_400_000)
  return {
    id,
    user_id: owner,
    status,
    collateral_asset: 'BNB',
    collateral,
    borrow_asset: 'USDT',
    borrowed: principal,
    principal,
    rate_e18: rateE18,
    accrued,
    accrued_at: START,
    term_days: termDays,
    created_at: START,
    repayment_time: due,
    status_at: START,
    watch_price: 0n,
    watch_until: due,
    warned: 0,
    reminded: 0,
    is_announced: true,
    recover_price: null,
    warning_round: 0,
    limits_version: 1,
  }
}

/** @returns the receipt; `undefined` if the command was refused. */
function attempt(ledger: MemoryLedger, { price, ageSeconds, liquidator, order }: Book['steps'][number]) {
  const orderId = `order-${order}`
  const borrowerId = ledger.row(loans, orderId)?.user_id ?? ''
  const time = new Date(ledger.now.getTime() - ageSeconds * 1_000)
  const prices = { collateral: price, borrowed: E18, time, goodUntil: new Date(time.getTime() + 60_000) }
  const assets = { collateral: 'BNB', borrowed: 'USDT' } as const
  const input = { userId: liquidator, orderId, assets, borrowerId, maxDebt: 10n ** 40n, prices, key: undefined }
  try {
    ledger.execute(liquidateLoan(RULES, input))
    return ledger.row(liquidations, orderId)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

const ACCOUNTS = [
  ...USERS.flatMap((id) => [userAccount(id, 'available'), userAccount(id, 'collateral')]),
  INSURANCE,
  lendingCash('USDT'),
  lendingReserve('USDT'),
]
const balancesOf = (ledger: MemoryLedger) =>
  Object.fromEntries(
    ACCOUNTS.flatMap((account) =>
      (['BNB', 'USDT'] as const).map((asset) => [`${account} ${asset}`, ledger.balance(account, asset)]),
    ),
  )

/** The balances that changed. */
function changesOf(before: Record<string, bigint>, after: Record<string, bigint>) {
  return Object.fromEntries(
    Object.entries(after).flatMap(([key, units]) =>
      units === before[key] ? [] : [[key, units - (before[key] ?? 0n)]],
    ),
  )
}

/** Every balance that a receipt may change, and by how much, apart from how the pool shares what arrived. */
function expectNamedSidesPay(row: LiquidationRow, changes: Record<string, bigint>): void {
  const {
    [`${lendingCash('USDT')} USDT`]: cash = 0n,
    [`${lendingReserve('USDT')} USDT`]: reserve = 0n,
    ...rest
  } = changes
  expect(cash + reserve).toBe(row.paid + row.paid_by_insurance)
  const expected: Record<string, bigint> = {}
  const add = (key: string, units: bigint) => {
    expected[key] = (expected[key] ?? 0n) + units
  }
  add(`${userAccount(row.liquidator_id, 'available')} USDT`, -row.paid)
  add(`${userAccount(row.liquidator_id, 'available')} BNB`, row.received)
  add(`${userAccount(row.borrower_id, 'collateral')} BNB`, -row.collateral)
  add(`${userAccount(row.borrower_id, 'available')} BNB`, row.returned)
  add(`${INSURANCE} USDT`, -row.paid_by_insurance)
  expect(rest).toEqual(Object.fromEntries(Object.entries(expected).filter(([, units]) => units !== 0n)))
}

/** The pool owes and is owed the same as its open loans together. */
function expectPoolMatches(ledger: MemoryLedger): void {
  const open = ledger.rows(loans).filter(({ status }) => status !== LOAN_STATUS.liquidated)
  const sum = (of: (row: LoanRow) => bigint) => open.reduce((total, row) => total + of(row), 0n)
  const { pool } = readPool(ledger, 'USDT', ledger.now)
  expect(pool).toMatchObject({
    borrowed: sum(({ principal }) => principal),
    rateSum: sum(({ principal, rate_e18: rate }) => principal * rate),
    accrued: sum((row) => accruedAt(debtOf(row), secondsOf(ledger.now))),
  })
}

test('random books lose no unit, and only the named sides pay', () => {
  let done = 0
  let lost = 0
  fc.assert(
    fc.property(anyBook, (book) => {
      const ledger = open(book)
      const totals = [ledger.total('BNB'), ledger.total('USDT')]
      for (const step of book.steps) {
        ledger.advance(step.seconds)
        const before = balancesOf(ledger)
        const status = ledger.row(loans, `order-${step.order}`)?.status
        const row = attempt(ledger, step)
        const changes = changesOf(before, balancesOf(ledger))
        if (row === undefined) expect(changes).toEqual({})
        else {
          done++
          expect(status).toBe(LOAN_STATUS.toBeCleared)
          if (row.lost_by_pledgers > 0n) lost++
          expect(row.liquidator_id).not.toBe(row.borrower_id)
          expect(step.ageSeconds).toBeLessThan(61)
          expectNamedSidesPay(row, changes)
        }
        expectPoolMatches(ledger)
        expect([ledger.total('BNB'), ledger.total('USDT')]).toEqual(totals)
      }
      const rows = ledger.rows(liquidations)
      const losses = ledger.row(lendingLosses, 'USDT')
      expect(losses?.lost_by_pledgers ?? 0n).toBe(rows.reduce((sum, row) => sum + row.lost_by_pledgers, 0n))
      expect(losses?.paid_by_insurance ?? 0n).toBe(rows.reduce((sum, row) => sum + row.paid_by_insurance, 0n))
    }),
    { numRuns: 500 },
  )
  // The search reaches both outcomes often.
  expect(done).toBeGreaterThan(100)
  expect(lost).toBeGreaterThan(10)
})
