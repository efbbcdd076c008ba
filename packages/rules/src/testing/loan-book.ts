import fc from 'fast-check'
import { RAY } from '../borrow-index.ts'
import { leastCollateral } from '../loan.ts'
import { belowDebtsOf, debtsOf, valueIn, valueOfShares, valueOut } from '../loan-pool.ts'
import { LoanWorld, PART_RULES, RESERVE_BPS, type WorldOrder } from './loan-world.ts'
import { E18, LIMITS } from './loans.ts'

/** A pool that honest users have, and a price that has moved since they opened their orders. */
export interface BookPlan {
  readonly pledges: readonly bigint[]
  readonly orders: readonly {
    /** Of the pool's cash, in basis points. */
    readonly partBps: bigint
    /** Of the highest ratio of a new loan, in basis points. */
    readonly shareBps: bigint
  }[]
  readonly seconds: bigint
  /** Of the price at the opening, in basis points. */
  readonly priceBps: bigint
  /** Of the first pledge, in basis points. */
  readonly insuranceBps: bigint
}

const bps = (min: bigint, max: bigint) => fc.bigInt({ min, max })
/** Ten to a million tokens, to the unit. */
export const anyTokens = fc.bigInt({ min: 10n * E18, max: 1_000_000n * E18 })

export const anyBook: fc.Arbitrary<BookPlan> = fc.record({
  pledges: fc.array(anyTokens, { minLength: 1, maxLength: 3 }),
  orders: fc.array(fc.record({ partBps: bps(1n, 6_000n), shareBps: bps(3_000n, 10_000n) }), { maxLength: 6 }),
  seconds: fc.bigInt({ min: 0n, max: 31_536_000n }),
  // Down to a third of the price: every order from sound to hopeless.
  priceBps: bps(3_000n, 14_000n),
  insuranceBps: fc.oneof(fc.constant(0n), bps(0n, 3_000n)),
})

export function bookOf({ pledges, orders, seconds, priceBps, insuranceBps }: BookPlan): LoanWorld {
  const world = new LoanWorld()
  for (const [index, amount] of pledges.entries()) world.pledge(`pledger ${index}`, amount)
  world.insurance = ((pledges[0] ?? 0n) * insuranceBps) / 10_000n
  for (const [index, { partBps, shareBps }] of orders.entries()) {
    const amount = (world.pool.cash * partBps) / 10_000n
    if (amount === 0n) continue
    const least = leastCollateral(amount, world.prices, LIMITS)
    world.open(`order ${index}`, `borrower ${index}`, { amount, collateral: (least * 10_000n) / shareBps })
  }
  world.wait(seconds)
  world.priceE18 = (world.priceE18 * priceBps) / 10_000n
  return world
}

/** @throws Error where units appear or vanish, a sum is not that of its parts, or shares are worth more than the pool. */
export function checkWorld(world: LoanWorld, insured: bigint): void {
  const { pool, orders, shares, usdt } = world
  const all = [...orders.values()]
  const sum = (values: Iterable<bigint>) => [...values].reduce((total, each) => total + each, 0n)
  const terms = world.terms()
  const claims = sum([...shares.values()].map((each) => valueOfShares(pool, each, terms)))
  const debts = debtsOf(pool)
  const facts: [what: string, found: bigint, expected: bigint][] = [
    ['units', sum(usdt.values()) + pool.cash + world.reserve + world.insurance, insured],
    ['debt shares', pool.debtShares, sum(all.map(({ debt }) => debt.debtShares))],
    ['principal', pool.borrowed, sum(all.map(({ debt }) => debt.principal))],
    ['shares', pool.shares, sum(shares.values())],
    ['known loss', terms.knownLoss, lossOfEach(world, all)],
    ['debts in shares', debts, (pool.debtShares * pool.indexE27) / RAY],
    ['value without the reserve', valueIn(pool, 0n), pool.cash + belowDebtsOf(pool)],
  ]
  for (const [what, found, expected] of facts)
    if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`)
  const isOrdered = claims <= valueOut(pool, terms) && valueOut(pool, terms) <= valueIn(pool, RESERVE_BPS)
  if (pool.belowDebtE27 > pool.debtShares * pool.indexE27) throw new Error('pledgers own more than the debts')
  if (!isOrdered || pool.cash < 0n) throw new Error(`claims ${claims}, cash ${pool.cash}: more than there is`)
}

/** The known loss by its definition, order by order: `max(0, debt - collateral value ÷ 1.02)`, summed exactly and rounded up. */
function lossOfEach({ pool, priceE18 }: LoanWorld, orders: readonly WorldOrder[]): bigint {
  const { floorBps } = PART_RULES
  // All in parts of RAY × E18 × floorBps.
  const losses = orders.map(({ debt, collateral }) => {
    const owed = debt.debtShares * pool.indexE27 * E18 * floorBps
    const covered = collateral * priceE18 * 10_000n * RAY
    return owed > covered ? owed - covered : 0n
  })
  const scale = RAY * E18 * floorBps
  return (losses.reduce((total, each) => total + each, 0n) + scale - 1n) / scale
}
