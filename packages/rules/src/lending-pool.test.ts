import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accrue,
  type LendingPool,
  lend,
  pledge,
  receive,
  unpledge,
  valueOfPledges,
  valueOfShares,
} from './lending-pool.ts'
import { accruedAt, type Debt, repay, totalDebt } from './loan.ts'
import { ClaimsBook } from './testing/claims-book.ts'
import { Fraction } from './testing/fraction.ts'
import { anyAmount, anyRate, anySeconds, E18 } from './testing/loans.ts'

const RESERVE_BPS = 1_000n
const EMPTY: LendingPool = { cash: 0n, borrowed: 0n, rateSum: 0n, accrued: 0n, accruedAt: 0n, shares: 0n }

describe('interest of a pool', () => {
  const lent = lend(pledge(EMPTY, 10_000n * E18, RESERVE_BPS)!.pool, 5_000n * E18, 45_000_000_000_000_000n)

  test('after a year reaches pledgers without the part of the reserve', () => {
    // 5,000 × 4.5 % = 225, of which pledgers have 90 %.
    expect(valueOfPledges(accrue(lent, 31_536_000n), RESERVE_BPS)).toBe(10_202_500_000_000_000_000_000n)
  })

  test('is the same in one step and in many', () => {
    fc.assert(
      fc.property(fc.array(anySeconds, { minLength: 1, maxLength: 20 }), (times) => {
        const ordered = times.toSorted((a, b) => (a < b ? -1 : 1))
        const inSteps = ordered.reduce(accrue, lent)
        expect(inSteps).toEqual(accrue(lent, ordered.at(-1)!))
      }),
    )
  })

  test('never flows back when the clock does', () => {
    const later = accrue(lent, 1_000n)
    expect(accrue(later, 999n)).toBe(later)
  })
})

test('shares are rounded for the pool when bought, given or valued', () => {
  // 7 units and 3,000,001 shares, besides the virtual unit and its million shares: a unit is 500,000.125 shares.
  const pool = { ...EMPTY, cash: 7n, shares: 3_000_001n }
  expect(pledge(pool, 1n, RESERVE_BPS)?.shares).toBe(500_000n)
  expect(unpledge(pool, { owned: pool.shares, amount: 1n, reserveBps: RESERVE_BPS })).toMatchObject({
    shares: 500_001n,
  })
  expect(valueOfShares(pool, 500_000n, RESERVE_BPS)).toBe(0n)
  expect(valueOfShares(pool, 500_001n, RESERVE_BPS)).toBe(1n)
})

describe('withdrawing', () => {
  const full = pledge(EMPTY, 100n, RESERVE_BPS)!

  test('everything returns the pledge and leaves no share', () => {
    expect(unpledge(full.pool, { owned: full.shares, amount: 'all', reserveBps: RESERVE_BPS })).toEqual({
      pool: EMPTY,
      shares: full.shares,
      amount: 100n,
    })
  })

  test('more than the shares are worth fails for the balance', () => {
    const ask = (amount: bigint) => unpledge(full.pool, { owned: full.shares, amount, reserveBps: RESERVE_BPS })
    expect(ask(101n)).toBe('balance')
    expect(ask(0n)).toBe('balance')
  })

  test('more than the pool has in cash fails for the cash', () => {
    const pool = lend(full.pool, 40n, 0n)
    const ask = (amount: bigint | 'all') => unpledge(pool, { owned: full.shares, amount, reserveBps: RESERVE_BPS })
    expect(ask('all')).toBe('cash')
    expect(ask(61n)).toBe('cash')
    expect(ask(60n)).toMatchObject({ amount: 60n })
  })
})

/** A pool with its ledger accounts, its loans and its pledgers, driven by the same commands as the second implementation. */
class World {
  pool = EMPTY
  now = 0n
  reserve = 0n
  /** Money of the world outside the pool, which lends and pays. */
  outside = 0n
  readonly book = new ClaimsBook(RESERVE_BPS)
  readonly shares = new Map<string, bigint>()
  readonly debts = new Map<string, Debt>()
  roundings = 0n

  wait(seconds: bigint): void {
    this.now += seconds
    this.pool = accrue(this.pool, this.now)
    this.book.wait(seconds)
  }

  pledge(user: string, amount: bigint): void {
    const change = pledge(this.pool, amount, RESERVE_BPS)
    if (!change) return
    this.pool = change.pool
    this.shares.set(user, (this.shares.get(user) ?? 0n) + change.shares)
    this.outside -= amount
    this.book.change(user, amount)
    this.roundings++
  }

  unpledge(user: string, amount: bigint | 'all'): void {
    const owned = this.shares.get(user) ?? 0n
    const change = unpledge(this.pool, { owned, amount, reserveBps: RESERVE_BPS })
    if (typeof change === 'string') return
    this.pool = change.pool
    this.shares.set(user, owned - change.shares)
    this.outside += change.amount
    this.book.change(user, -change.amount)
    this.roundings++
  }

  lend(loan: string, amount: bigint, rateE18: bigint): void {
    if (amount > this.pool.cash || this.debts.has(loan)) return
    this.pool = lend(this.pool, amount, rateE18)
    this.debts.set(loan, { principal: amount, rateE18, accrued: 0n, accruedAt: this.now })
    this.outside += amount
    this.book.lend(loan, amount, rateE18)
  }

  repay(loan: string, amount: bigint): void {
    const debt = this.debts.get(loan)
    if (!debt) return
    const { after, interest, principal, accrued } = repay(debt, amount, this.now)
    this.#receive({ rateE18: debt.rateE18, principal, accrued, paid: interest + principal })
    this.debts.set(loan, after)
    this.book.repay(loan, { principal, interest: new Fraction(accrued, E18 * 31_536_000n) })
    this.roundings += 2n
  }

  lose(loan: string, amount: bigint): void {
    const debt = this.debts.get(loan)
    const owed = debt ? totalDebt(debt, this.now) : 0n
    if (!debt || owed === 0n) return
    const paid = amount % owed
    const { principal, rateE18 } = debt
    this.#receive({ rateE18, principal, accrued: accruedAt(debt, this.now), paid })
    this.debts.delete(loan)
    this.book.lose(loan, paid)
    this.roundings += 2n
  }

  #receive(payment: Parameters<typeof receive>[1]): void {
    const { pool, reserve } = receive(this.pool, payment, RESERVE_BPS)
    this.pool = pool
    this.reserve += reserve
    this.outside -= payment.paid
  }
}

const anyUser = fc.constantFrom('ann', 'bob', 'cat')
const anyLoan = fc.constantFrom('one', 'two', 'three')
const anyStep = fc.oneof(
  fc.tuple(fc.constant('wait' as const), anySeconds),
  fc.tuple(fc.constant('pledge' as const), anyUser, anyAmount),
  fc.tuple(fc.constant('unpledge' as const), anyUser, fc.oneof(anyAmount, fc.constant('all' as const))),
  fc.tuple(fc.constant('lend' as const), anyLoan, anyAmount, anyRate),
  fc.tuple(fc.constant('repay' as const), anyLoan, anyAmount),
)

function run(world: World, step: readonly unknown[]): void {
  const [name, ...args] = step as [keyof World, ...unknown[]]
  ;(world[name] as (...args: unknown[]) => void)(...args)
}

describe('any sequence of pledges, withdrawals, loans and repayments', () => {
  test('moves every unit from one account to another', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const world = new World()
        for (const step of steps) {
          run(world, step)
          expect(world.pool.cash + world.reserve + world.outside).toBe(0n)
          expect(world.pool.cash).toBeGreaterThanOrEqual(0n)
        }
      }),
    )
  })

  test('keeps the sums of the pool equal to those of its loans', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const world = new World()
        for (const step of steps) run(world, step)
        const debts = [...world.debts.values()]
        const sum = (of: (debt: Debt) => bigint) => debts.reduce((total, debt) => total + of(debt), 0n)
        expect(world.pool).toMatchObject({
          borrowed: sum(({ principal }) => principal),
          rateSum: sum(({ principal, rateE18 }) => principal * rateE18),
          accrued: sum((debt) => accruedAt(debt, world.now)),
          shares: [...world.shares.values()].reduce((total, each) => total + each, 0n),
        })
      }),
    )
  })

  test.each([
    ['without losses', anyStep],
    ['with losses', fc.oneof(anyStep, fc.tuple(fc.constant('lose' as const), anyLoan, anyAmount))],
  ])('pays each pledger what the claim is worth, %s', (_, step) => {
    let compared = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 40 }), (steps) => {
        const world = new World()
        for (const step of steps) run(world, step)
        for (const [user, shares] of world.shares) {
          const value = valueOfShares(world.pool, shares, RESERVE_BPS)
          const exact = world.book.claimOf(user)
          expect(value).toBeLessThanOrEqual(exact.ceil() + world.roundings)
          expect(value).toBeGreaterThanOrEqual(exact.floor() - world.roundings)
          if (value > 0n) compared++
        }
      }),
    )
    expect(compared).toBeGreaterThan(100)
  })
})
