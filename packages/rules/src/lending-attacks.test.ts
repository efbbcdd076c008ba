import { expect, test } from 'vitest'
import { accrue, type LendingPool, lend, pledge, receive, unpledge, valueOfShares } from './lending-pool.ts'
import { type Debt, repay, totalDebt } from './loan.ts'

/**
 * A search through every sequence of up to seven steps that an attacker and a victim can take in an empty pool. The attacker pledges,
 * withdraws, and gives money away by paying interest, which is the only donation that a pool accepts. Amounts are a few units,
 * where rounding weighs most.
 */

const RESERVE_BPS = 1_000n
const RATE = 10n ** 18n
/** So long that a loan of one unit owes one unit of interest. */
const WAIT = 31_536_000n

interface Sequence {
  readonly pool: LendingPool
  readonly attackerShares: bigint
  readonly victimShares: bigint
  /** Money that the attacker has gained, in units. */
  readonly gained: bigint
  /** Money that the victim has in the pool. */
  readonly victimPaid: bigint
  readonly debt: Debt | undefined
}

type Step = (at: Sequence) => Sequence | undefined

const pledgeAsAttacker =
  (amount: bigint): Step =>
  (at) => {
    const change = pledge(at.pool, amount, RESERVE_BPS)
    // A pledge that buys no share is rejected, so the attacker cannot lose money by it either.
    if (!change) return undefined
    return { ...at, pool: change.pool, attackerShares: at.attackerShares + change.shares, gained: at.gained - amount }
  }

const pledgeAsVictim =
  (amount: bigint): Step =>
  (at) => {
    const change = pledge(at.pool, amount, RESERVE_BPS)
    if (!change) return undefined
    return {
      ...at,
      pool: change.pool,
      victimShares: at.victimShares + change.shares,
      victimPaid: at.victimPaid + amount,
    }
  }

const withdraw =
  (amount: bigint | 'all'): Step =>
  (at) => {
    const change = unpledge(at.pool, { owned: at.attackerShares, amount, reserveBps: RESERVE_BPS })
    if (typeof change === 'string') return undefined
    const attackerShares = at.attackerShares - change.shares
    return { ...at, pool: change.pool, attackerShares, gained: at.gained + change.amount }
  }

const borrow: Step = (at) => {
  const principal = at.pool.cash
  if (principal === 0n || at.debt) return undefined
  return {
    ...at,
    pool: lend(at.pool, principal, RATE),
    gained: at.gained + principal,
    debt: { principal, rateE18: RATE, accrued: 0n, accruedAt: at.pool.accruedAt },
  }
}

const wait: Step = (at) => (at.debt ? { ...at, pool: accrue(at.pool, at.pool.accruedAt + WAIT) } : undefined)

const repayAll: Step = (at) => {
  if (!at.debt) return undefined
  const now = at.pool.accruedAt
  const { interest, principal, accrued } = repay(at.debt, totalDebt(at.debt, now), now)
  const payment = { rateE18: RATE, principal, accrued, paid: interest + principal }
  const { pool } = receive(at.pool, payment, RESERVE_BPS)
  return { ...at, pool, gained: at.gained - payment.paid, debt: undefined }
}

const STEPS: readonly Step[] = [
  ...[1n, 2n, 999n].map(pledgeAsAttacker),
  ...[1n, 1_000n].map(pledgeAsVictim),
  withdraw('all'),
  withdraw(1n),
  borrow,
  wait,
  repayAll,
]

const START: Sequence = {
  pool: { cash: 0n, borrowed: 0n, rateSum: 0n, accrued: 0n, accruedAt: 0n, shares: 0n },
  attackerShares: 0n,
  victimShares: 0n,
  gained: 0n,
  victimPaid: 0n,
  debt: undefined,
}

test('a million sequences gain an attacker nothing and cost a victim nothing', () => {
  let sequences = 0
  let [best, worst] = [0n, 0n]
  const visit = (at: Sequence, left: number) => {
    sequences++
    if (!at.debt) {
      const own = at.gained + valueOfShares(at.pool, at.attackerShares, RESERVE_BPS)
      const loss = at.victimPaid - valueOfShares(at.pool, at.victimShares, RESERVE_BPS)
      if (own > best) best = own
      if (loss > worst) worst = loss
    }
    if (left === 0) return
    for (const step of STEPS) {
      const next = step(at)
      if (next) visit(next, left - 1)
    }
  }
  visit(START, 7)
  expect(sequences).toBeGreaterThan(1_000_000)
  expect(best).toBe(0n)
  // A fraction of a unit is lost to rounding.
  expect(worst).toBe(1n)
})
