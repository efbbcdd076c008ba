import { cut, Fraction } from './fraction.ts'

const [ZERO, ONE] = [new Fraction(0n), new Fraction(1n)]

/**
 * A second implementation of the lending pool, which the tests compare with `loan-pool.ts`. It has no shares and no index: it keeps
 * each pledger's claim and each loan as fractions to 60 decimals, and gives every claim its part of the interest up to the kink. The interest from
 * above the kink is a claim of insurance, paid with each interest that arrives. Slow and simple on purpose: it shares neither code nor
 * formulas with the pool.
 */
export class ClaimsBook {
  /** The last claim belongs to no user: the pool starts with one unit of it. */
  readonly #claims = new Map<string, Fraction>([['', new Fraction(1n)]])
  readonly #loans = new Map<string, { principal: Fraction; interest: Fraction }>()
  readonly #pledgersPart: Fraction
  /** Interest from above the kink that loans owe, and that has arrived for insurance. */
  #above = ZERO
  #insured = ZERO

  constructor(reserveBps: bigint) {
    this.#pledgersPart = new Fraction(10_000n - reserveBps, 10_000n)
  }

  /** All that insurance has received or is owed. */
  get ofInsurance(): Fraction {
    return this.#above.plus(this.#insured)
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

  /** Lets all debts grow by a factor, and the pledgers' part of them by another. */
  grow(factor: Fraction, below: Fraction): void {
    const [all, belowKink] = [factor.minus(ONE), below.minus(ONE)]
    let [debts, earned] = [ZERO, ZERO]
    for (const loan of this.#loans.values()) {
      const debt = loan.principal.plus(loan.interest)
      const interest = debt.times(all)
      loan.interest = cut(loan.interest.plus(interest))
      debts = debts.plus(debt)
      earned = earned.plus(interest)
    }
    const ofPledgers = debts.minus(this.#above).times(belowKink)
    this.#above = cut(this.#above.plus(earned.minus(ofPledgers)))
    this.#share(ofPledgers.times(this.#pledgersPart))
  }

  repay(loan: string, { principal, interest }: { readonly principal: bigint; readonly interest: bigint }): void {
    const owed = this.#owed(loan)
    const toInsurance = new Fraction(interest).times(this.#partAbove())
    this.#above = cut(this.#above.minus(toInsurance))
    this.#insured = cut(this.#insured.plus(toInsurance))
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
    const part = this.#partAbove()
    const ofPledgers = ONE.minus(part).times(this.#pledgersPart)
    const value = principal.plus(interest.times(ofPledgers))
    const arrived = isAbove ? principal.plus(above.times(ofPledgers)) : money
    if (isAbove) this.#insured = cut(this.#insured.plus(above.times(part)))
    this.#above = cut(this.#above.minus(interest.times(part)))
    this.#loans.delete(loan)
    this.#share(arrived.minus(value))
  }

  /**
   * The part of all interest that is from above the kink, from 0 to 1. Loans pay whole units, so in a pool of a few units they may
   * have paid more interest than they owed, and what is left of it would not divide.
   */
  #partAbove(): Fraction {
    const all = [...this.#loans.values()].reduce((sum, { interest }) => sum.plus(interest), ZERO)
    if (all.top <= 0n || this.#above.top <= 0n) return ZERO
    const part = this.#above.over(all)
    return part.floor() >= 1n ? ONE : part
  }

  #owed(loan: string): { readonly principal: Fraction; readonly interest: Fraction } {
    return this.#loans.get(loan) ?? { principal: new Fraction(0n), interest: new Fraction(0n) }
  }

  #share(amount: Fraction): void {
    const total = [...this.#claims.values()].reduce((sum, each) => sum.plus(each), new Fraction(0n))
    for (const [user, claim] of this.#claims) this.#claims.set(user, cut(claim.plus(amount.times(claim).over(total))))
  }
}
