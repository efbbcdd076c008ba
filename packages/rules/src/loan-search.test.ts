import { expect, test } from 'vitest'

import { type Debt, repay, totalDebt } from './loan-order.ts'
import { type LoanPool, lend, newPool, pledge, receive, unpledge, valueOfShares } from './loan-pool.ts'

/**
 * A search through every sequence of up to seven steps that an attacker and a victim can take in an empty pool. The attacker pledges,
 * withdraws, and gives money away by paying interest or a unit that ends no share, the only donations that a pool accepts. Amounts
 * are a few units, where rounding weighs most.
 */

const TERMS = { reserveBps: 1_000n, knownLoss: 0n }
/** A long wait: a debt of one unit becomes three, and a share is worth more than a unit. */
const grow = (pool: LoanPool): LoanPool => {
  const indexE27 = (pool.indexE27 * 5n) / 2n
  return { ...pool, indexE27, belowDebtE27: (pool.belowDebtE27 * 5n) / 2n }
}
/** The same, with all interest from above the kink. */
const growAbove = (pool: LoanPool): LoanPool => ({ ...pool, indexE27: (pool.indexE27 * 5n) / 2n })

interface Sequence {
  readonly pool: LoanPool
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
    const change = pledge(at.pool, amount, TERMS)
    // A pledge that buys no share is rejected, so the attacker cannot lose money by it either.
    if (typeof change === 'string') return undefined
    return { ...at, pool: change.pool, attackerShares: at.attackerShares + change.shares, gained: at.gained - amount }
  }

const pledgeAsVictim =
  (amount: bigint): Step =>
  (at) => {
    const change = pledge(at.pool, amount, TERMS)
    if (typeof change === 'string') return undefined
    const victimShares = at.victimShares + change.shares
    return { ...at, pool: change.pool, victimShares, victimPaid: at.victimPaid + amount }
  }

const withdraw =
  (amount: bigint | 'all'): Step =>
  (at) => {
    const change = unpledge(at.pool, { owned: at.attackerShares, amount }, TERMS)
    if (typeof change === 'string') return undefined
    const attackerShares = at.attackerShares - change.shares
    return { ...at, pool: change.pool, attackerShares, gained: at.gained + change.amount }
  }

const borrow: Step = (at) => {
  const amount = at.pool.cash
  if (amount === 0n || at.debt) return undefined
  const { pool, debtShares } = lend(at.pool, amount)
  return { ...at, pool, gained: at.gained + amount, debt: { principal: amount, debtShares } }
}

const wait: Step = (at) => (at.debt ? { ...at, pool: grow(at.pool) } : undefined)
const waitAbove: Step = (at) => (at.debt ? { ...at, pool: growAbove(at.pool) } : undefined)

const pay =
  (part: 'all' | bigint): Step =>
  (at) => {
    if (!at.debt) return undefined
    const amount = part === 'all' ? totalDebt(at.debt, at.pool.indexE27) : part
    const { after, interest, principal, debtShares } = repay(at.debt, amount, at.pool.indexE27)
    const paid = interest + principal
    const { pool } = receive(at.pool, { principal, debtShares, paid }, TERMS.reserveBps)
    return { ...at, pool, gained: at.gained - paid, debt: after.debtShares === 0n ? undefined : after }
  }

const STEPS: readonly Step[] = [
  ...[1n, 999n].map(pledgeAsAttacker),
  ...[1n, 1_000n].map(pledgeAsVictim),
  withdraw('all'),
  withdraw(1n),
  borrow,
  wait,
  waitAbove,
  pay('all'),
  pay(1n),
]

const START: Sequence = {
  pool: newPool(0n),
  attackerShares: 0n,
  victimShares: 0n,
  gained: 0n,
  victimPaid: 0n,
  debt: undefined,
}

/**
 * @attack A22 First pledges, donations and payments of single units, to take what rounding costs the next pledger.
 * @holds None of 400,000 short sequences in an empty pool gains the attacker a unit or costs the victim more than one.
 */
test('no short sequence gains an attacker or costs a victim a unit', { timeout: 60_000 }, () => {
  let sequences = 0
  let [best, worst] = [0n, 0n]
  const visit = (at: Sequence, left: number) => {
    sequences++
    if (!at.debt) {
      const own = at.gained + valueOfShares(at.pool, at.attackerShares, TERMS)
      const loss = at.victimPaid - valueOfShares(at.pool, at.victimShares, TERMS)
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
  expect(sequences).toBeGreaterThan(400_000)
  expect(best).toBe(0n)
  // A fraction of a unit is lost to rounding.
  expect(worst).toBe(1n)
})
