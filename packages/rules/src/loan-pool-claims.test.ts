import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Debt, repay, totalDebt } from './loan-order.ts'
import {
  accrue,
  belowDebtsOf,
  debtsOf,
  type EndedDebt,
  lend,
  newPool,
  pledge,
  receive,
  reprice,
  unpledge,
  valueOfShares,
} from './loan-pool.ts'
import { ClaimsBook } from './testing/claims-book.ts'
import { Fraction } from './testing/fraction.ts'
import { RESERVE_BPS, USDT_CURVE } from './testing/loan-world.ts'
import { anyAmount, anySeconds } from './testing/loans.ts'

const TERMS = { reserveBps: RESERVE_BPS, knownLoss: 0n }

/** A pool, driven by the same commands as the second implementation. */
class World {
  pool = newPool(0n)
  readonly book = new ClaimsBook(RESERVE_BPS)
  readonly shares = new Map<string, bigint>()
  readonly debts = new Map<string, Debt>()
  /** Interest from above the kink that has arrived. */
  insured = 0n
  roundings = 0n

  wait(seconds: bigint): void {
    const before = this.pool
    this.pool = accrue(before, before.accruedAt + seconds)
    const below = before.belowDebtE27 === 0n ? 1n : before.belowDebtE27
    const factor = new Fraction(this.pool.indexE27, before.indexE27)
    this.book.grow(factor, new Fraction(before.belowDebtE27 === 0n ? 1n : this.pool.belowDebtE27, below))
  }

  pledge(user: string, amount: bigint): void {
    const change = pledge(this.pool, amount, TERMS)
    if (typeof change === 'string') return
    this.#set(change.pool)
    this.shares.set(user, (this.shares.get(user) ?? 0n) + change.shares)
    this.book.change(user, amount)
  }

  unpledge(user: string, amount: bigint | 'all'): void {
    const owned = this.shares.get(user) ?? 0n
    const change = unpledge(this.pool, { owned, amount }, TERMS)
    if (typeof change === 'string') return
    this.#set(change.pool)
    this.shares.set(user, owned - change.shares)
    this.book.change(user, -change.amount)
  }

  /** @param wish `'most'`: nearly all cash, so that the rate is above the kink. */
  lend(loan: string, wish: bigint | 'most'): void {
    const amount = wish === 'most' ? (this.pool.cash * 95n) / 100n : wish
    if (amount === 0n || amount > this.pool.cash || this.debts.has(loan)) return
    const { pool, debtShares } = lend(this.pool, amount)
    this.#set(pool)
    this.debts.set(loan, { principal: amount, debtShares })
    this.book.lend(loan, amount)
  }

  repay(loan: string, amount: bigint): void {
    const debt = this.debts.get(loan)
    if (!debt) return
    const { after, interest, principal, debtShares } = repay(debt, amount, this.pool.indexE27)
    this.#receive({ principal, debtShares, paid: interest + principal })
    this.debts.set(loan, after)
    this.book.repay(loan, { principal, interest })
    if (after.debtShares === 0n) this.debts.delete(loan)
  }

  lose(loan: string, amount: bigint): void {
    const debt = this.debts.get(loan)
    const owed = debt ? totalDebt(debt, this.pool.indexE27) : 0n
    if (!debt || owed === 0n) return
    const { principal, debtShares } = debt
    const paid = amount % owed
    this.#receive({ principal, debtShares, paid })
    this.debts.delete(loan)
    this.book.lose(loan, paid)
  }

  #receive(ended: EndedDebt): void {
    const { pool, insurance } = receive(this.pool, ended, RESERVE_BPS)
    this.#set(pool)
    this.insured += insurance
  }

  #set(pool: typeof this.pool): void {
    this.pool = reprice(pool, USDT_CURVE)
    this.roundings += 2n
  }
}

const anyUser = fc.constantFrom('ann', 'bob', 'cat')
const anyLoan = fc.constantFrom('one', 'two', 'three')
const anyStep = fc.oneof(
  fc.tuple(fc.constant('wait' as const), anySeconds),
  fc.tuple(fc.constant('pledge' as const), anyUser, anyAmount),
  fc.tuple(fc.constant('unpledge' as const), anyUser, fc.oneof(anyAmount, fc.constant('all' as const))),
  fc.tuple(fc.constant('lend' as const), anyLoan, fc.oneof(anyAmount, fc.constant('most' as const))),
  fc.tuple(fc.constant('repay' as const), anyLoan, anyAmount),
)

function run(world: World, step: readonly unknown[]): void {
  const [name, ...args] = step as [keyof World, ...unknown[]]
  ;(world[name] as (...args: unknown[]) => void).apply(world, args)
}

test.each([
  ['without losses', anyStep],
  [
    'with losses',
    fc.oneof({ weight: 5, arbitrary: anyStep }, fc.tuple(fc.constant('lose' as const), anyLoan, anyAmount)),
  ],
])('a pool pays each pledger the exact claim, %s', (_, step) => {
  let [compared, insured] = [0, 0]
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 40 }), (steps) => {
      const world = new World()
      for (const each of steps) run(world, each)
      // Each rounding is a unit of debt share at most, and grows with the index.
      const rounding = world.roundings * (world.pool.indexE27 / 10n ** 27n + 1n)
      for (const [user, shares] of world.shares) {
        const value = valueOfShares(world.pool, shares, TERMS)
        const exact = world.book.claimOf(user)
        expect(value).toBeLessThanOrEqual(exact.ceil() + rounding)
        expect(value).toBeGreaterThanOrEqual(exact.floor() - rounding)
        if (value > 0n) compared++
      }
      const ofInsurance = world.insured + debtsOf(world.pool) - belowDebtsOf(world.pool)
      expect(ofInsurance).toBeLessThanOrEqual(world.book.ofInsurance.ceil() + rounding)
      expect(ofInsurance).toBeGreaterThanOrEqual(world.book.ofInsurance.floor() - rounding)
      if (ofInsurance > 0n) insured++
    }),
  )
  expect(compared).toBeGreaterThan(100)
  expect(insured).toBeGreaterThan(20)
})
