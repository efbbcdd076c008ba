import { Fraction } from './fraction.ts'

/**
 * A second implementation of the lending pool, which the tests compare with `loan-pool.ts`. It has no shares and no index: it keeps
 * each pledger's claim and each loan as exact fractions, and gives every claim its part of the interest. Slow and simple on purpose:
 * it shares neither code nor formulas with the pool.
 */
export class ClaimsBook {
  /** The last claim belongs to no user: the pool starts with one unit of it. */
  readonly #claims = new Map<string, Fraction>([['', new Fraction(1n)]])
  readonly #loans = new Map<string, { principal: Fraction; interest: Fraction }>()
  readonly #pledgersPart: Fraction

  constructor(reserveBps: bigint) {
    this.#pledgersPart = new Fraction(10_000n - reserveBps, 10_000n)
  }

  claimOf(user: string): Fraction {
    return this.#claims.get(user) ?? new Fraction(0n)
  }

  change(user: string, amount: bigint): void {
    this.#claims.set(user, this.claimOf(user).plus(new Fraction(amount)))
  }

  lend(loan: string, principal: bigint): void {
    this.#loans.set(loan, { principal: new Fraction(principal), interest: new Fraction(0n) })
  }

  /** Lets all debts grow by a factor. */
  grow(factor: Fraction): void {
    let earned = new Fraction(0n)
    for (const loan of this.#loans.values()) {
      const interest = loan.principal.plus(loan.interest).times(factor.minus(new Fraction(1n)))
      loan.interest = loan.interest.plus(interest)
      earned = earned.plus(interest)
    }
    this.#share(earned.times(this.#pledgersPart))
  }

  repay(loan: string, { principal, interest }: { readonly principal: bigint; readonly interest: bigint }): void {
    const owed = this.#owed(loan)
    this.#loans.set(loan, {
      principal: owed.principal.minus(new Fraction(principal)),
      interest: owed.interest.minus(new Fraction(interest)),
    })
  }

  /** Ends a loan of which only a part is recovered: every claim bears its part of the loss. */
  lose(loan: string, recovered: bigint): void {
    const { principal, interest } = this.#owed(loan)
    const money = new Fraction(recovered)
    const above = money.minus(principal)
    const isAbove = above.floor() >= 0n
    const value = principal.plus(interest.times(this.#pledgersPart))
    const arrived = isAbove ? principal.plus(above.times(this.#pledgersPart)) : money
    this.#loans.delete(loan)
    this.#share(arrived.minus(value))
  }

  #owed(loan: string): { readonly principal: Fraction; readonly interest: Fraction } {
    return this.#loans.get(loan) ?? { principal: new Fraction(0n), interest: new Fraction(0n) }
  }

  #share(amount: Fraction): void {
    const total = [...this.#claims.values()].reduce((sum, each) => sum.plus(each), new Fraction(0n))
    for (const [user, claim] of this.#claims) this.#claims.set(user, claim.plus(amount.times(claim).over(total)))
  }
}
