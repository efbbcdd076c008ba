import { Refusal } from '@clearwell/ledger/refusal'
import { totalDebt } from '@clearwell/rules/loan-order'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOpenLoan, LOAN_STATUS, type LoanRow, lendingLosses, loans } from '../../domain/lending/lending.tables.ts'
import { lendingCash, lendingReserve } from '../../domain/lending/lending-accounts.ts'
import { debtOf } from '../../domain/lending/lending-books.ts'
import { lostPrices, pricesBetween } from '../../domain/lending/testing/known-prices.ts'
import { INSURANCE, userAccount } from '../../platform/ledger/accounts.ts'
import { LendingLedger } from '../../testing/lending-ledger.ts'
import { type LiquidationRow, liquidations } from './liquidation.tables.ts'

const E18 = 10n ** 18n
const USERS = ['a', 'b', 'c'] as const

const anyLoan = fc.record({
  owner: fc.constantFrom(...USERS),
  collateral: fc.integer({ min: 1, max: 100 }),
  percent: fc.integer({ min: 10, max: 64 }),
  termDays: fc.constantFrom(7, 30, 90, 180),
})
const anyStep = fc.record({
  seconds: fc.integer({ min: 0, max: 5 * 86_400 }),
  price: fc.integer({ min: 100, max: 700 }),
  spread: fc.constantFrom(0, 0, 1, 5),
  state: fc.constantFrom('fresh', 'fresh', 'fresh', 'apart', 'stale', 'unknown'),
  liquidator: fc.constantFrom(...USERS),
  order: fc.nat({ max: 7 }),
  part: fc.constantFrom('most', 'most', '10', '100', '1000'),
})
const anyBook = fc.record({
  loans: fc.array(anyLoan, { minLength: 1, maxLength: 8 }),
  steps: fc.array(anyStep, { minLength: 1, maxLength: 20 }),
  insurance: fc.bigInt({ min: 0n, max: 10n ** 21n }),
})
type Book = typeof anyBook extends fc.Arbitrary<infer Value> ? Value : never

function open({ loans: all, insurance }: Book): LendingLedger {
  const ledger = new LendingLedger()
  ledger.join('pledger', ...USERS)
  ledger.give('pledger', 'USDT', '1000000')
  ledger.pledge('pledger', '1000000')
  ledger.add(INSURANCE, 'USDT', insurance)
  for (const id of USERS) ledger.give(id, 'USDT', '200000')
  for (const { owner, collateral, percent, termDays } of all) {
    ledger.give(owner, 'BNB', String(collateral))
    ledger.borrow(owner, String(collateral), String(collateral * 6 * percent), { termDays })
  }
  return ledger
}

/** @returns the receipt; `undefined` if the command was refused. */
function attempt(ledger: LendingLedger, orderId: string, { liquidator, part }: Book['steps'][number]) {
  try {
    const { liquidation_id: id } = ledger.liquidate(liquidator, orderId, part === 'most' ? {} : { amount: part })
    return ledger.row(liquidations, id)
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
const balancesOf = (ledger: LendingLedger) =>
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

/** Every balance that a receipt may change, and by how much, apart from how pool, reserve and insurance share what arrived. */
function expectNamedSidesPay(row: LiquidationRow, changes: Record<string, bigint>): void {
  const {
    [`${lendingCash('USDT')} USDT`]: cash = 0n,
    [`${lendingReserve('USDT')} USDT`]: reserve = 0n,
    [`${INSURANCE} USDT`]: insurance = 0n,
    ...rest
  } = changes
  expect(cash + reserve + insurance).toBe(row.paid)
  expect(insurance).toBeGreaterThanOrEqual(-row.paid_by_insurance)
  expect(row.debt_ended).toBe(row.paid + row.paid_by_insurance + row.lost_by_pledgers)
  const expected: Record<string, bigint> = {}
  const add = (key: string, units: bigint) => {
    expected[key] = (expected[key] ?? 0n) + units
  }
  add(`${userAccount(row.liquidator_id, 'available')} USDT`, -row.paid)
  add(`${userAccount(row.liquidator_id, 'available')} BNB`, row.received)
  add(`${userAccount(row.borrower_id, 'collateral')} BNB`, -(row.received + row.returned))
  add(`${userAccount(row.borrower_id, 'available')} BNB`, row.returned)
  expect(rest).toEqual(Object.fromEntries(Object.entries(expected).filter(([, units]) => units !== 0n)))
}

/** The pool owes and is owed the same as its open loans together. */
function expectPoolMatches(ledger: LendingLedger): void {
  const all = ledger.rows(loans).filter(isOpenLoan)
  const sum = (of: (row: LoanRow) => bigint) => all.reduce((total, row) => total + of(row), 0n)
  expect(ledger.pool()).toMatchObject({
    borrowed: sum(({ principal }) => principal),
    debtShares: sum(({ debt_shares: shares }) => shares),
  })
}

test('random books lose no unit, and only the named sides pay', () => {
  let [done, parts, lost] = [0, 0, 0]
  fc.assert(
    fc.property(anyBook, (book) => {
      const ledger = open(book)
      const ids = ledger.rows(loans).map(({ id }) => id)
      const totals = [ledger.total('BNB'), ledger.total('USDT')]
      for (const step of book.steps) {
        ledger.advance(step.seconds)
        const price = BigInt(step.price) * E18
        const high = (price * BigInt(100 + step.spread)) / 100n
        const { state } = step
        const isUsable = state === 'fresh' || state === 'apart'
        ledger.prices = isUsable ? pricesBetween(ledger.now, price, high, state) : lostPrices(state, price)
        ledger.judge(...ids)
        const before = balancesOf(ledger)
        const orderId = ids[step.order % ids.length] as string
        const order = ledger.row(loans, orderId)!
        const owed = totalDebt(debtOf(order), ledger.pool().indexE27)
        const row = attempt(ledger, orderId, step)
        const changes = changesOf(before, balancesOf(ledger))
        if (row === undefined) expect(changes).toEqual({})
        else {
          done++
          if (row.debt_ended < owed) parts++
          expect(order.status).toBe(LOAN_STATUS.toBeCleared)
          expect(isUsable).toBe(true)
          if (row.lost_by_pledgers > 0n) lost++
          expect(row.liquidator_id).not.toBe(row.borrower_id)
          expectNamedSidesPay(row, changes)
          const rest = totalDebt(debtOf(ledger.row(loans, orderId)!), ledger.pool().indexE27)
          expect(rest === 0n || rest >= 10n * E18).toBe(true)
        }
        expectPoolMatches(ledger)
        expect([ledger.total('BNB'), ledger.total('USDT')]).toEqual(totals)
      }
      const rows = ledger.rows(liquidations)
      const losses = ledger.row(lendingLosses, 'USDT')
      expect(losses?.lost_by_pledgers ?? 0n).toBe(rows.reduce((sum, row) => sum + row.lost_by_pledgers, 0n))
      expect(losses?.paid_by_insurance ?? 0n).toBe(rows.reduce((sum, row) => sum + row.paid_by_insurance, 0n))
    }),
    { numRuns: 200 },
  )
  // The search reaches every outcome often.
  expect(done).toBeGreaterThan(100)
  expect(parts).toBeGreaterThan(20)
  expect(lost).toBeGreaterThan(10)
})
