import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { knownLoss, type LossTerms, lossLine } from '@clearwell/rules/known-loss'
import { type LoanPrices, loanToValue } from '@clearwell/rules/loan'
import { checkCaps, checkRest } from '@clearwell/rules/loan-limits'
import { type Debt, isAtLimit, repay, totalDebt } from '@clearwell/rules/loan-order'
import type { LoanPool, ShareTerms } from '@clearwell/rules/loan-pool'
import * as pools from '@clearwell/rules/loan-pool'
import { checkPart } from '@clearwell/rules/part-liquidation'
import { type PartSettlement, settlePart } from '@clearwell/rules/part-settlement'
import { currentRate, nextRateToNotify, rateToNotify } from '@clearwell/rules/pool-rate'
import { type PriceSides, sidesOf } from '@clearwell/rules/price-sides'
import { RatioIndex } from '@clearwell/rules/ratio-index'
import { stakeConfig, stakeRules } from '@clearwell/server/src/domain/lending/stake-config.ts'
import { createRandom, type Random } from './random.ts'

export const E18 = 10n ** 18n
export const DAY = 86_400n
const BPS = 10_000n
const PAIR = 'BNB:USDT'
const OUTAGE_BPS = 8_000n
const CAPS = { orderBps: 2_000n, accountBps: 4_000n }
/** Sources farther apart than this give no price to new loans, or to anything. */
const [APART_BPS, UNKNOWN_BPS] = [200n, 1_000n]
const LEAST_NOTIFIED_E18 = E18 / 100n

const RULES = stakeRules({ stake: stakeConfig.shape.stake.parse(undefined) })
const [USDT_POOL] = RULES.pools
if (USDT_POOL?.asset !== 'USDT') throw new RangeError('the first lending pool is the one of USDT')
const LENDING = {
  ...USDT_POOL,
  limits: RULES.limits,
  part: {
    liquidationBps: RULES.limits.liquidationBps,
    leastLoan: USDT_POOL.minLoan,
    ...RULES.liquidation,
  },
}

/** An order that secures USDT with BNB. */
export interface Order {
  readonly id: string
  readonly owner: string
  readonly debt: Debt
  readonly collateral: bigint
  readonly repaymentTime: bigint
  /** The rate at which the borrower is notified that it has doubled. */
  readonly notifyE18: bigint
}

/** Other rules than today's: earlier ones, to see that the simulation finds their faults. */
export interface OldLendingRules {
  /** Shares were bought and paid back at one value, without a known loss. */
  readonly noKnownLoss?: boolean
  /** Shares were bought at the value less the known loss too. */
  readonly oneValue?: boolean
  /** From 92.59 % on, the liquidator paid the value less the whole bonus, and insurance the rest. */
  readonly wholeBonus?: boolean
  /** A pledger who left paid the known loss at the mean of the two prices. */
  readonly lossAtMean?: boolean
}

interface Purse {
  USDT: bigint
  BNB: bigint
}

/**
 * The lending pool of USDT on the pure rules of the server, with purses instead of a ledger and a virtual clock. Every step that the
 * server refuses is refused here by the same functions.
 */
export class LendingWorld {
  readonly random: Random
  readonly #old: OldLendingRules
  readonly #purses = new Map<string, Purse>()
  readonly #shares = new Map<string, bigint>()
  readonly #orders = new Map<string, Order>()
  readonly #nodes = new Map<string, string>()
  #pool: LoanPool
  #reserve = 0n
  #sources = { low: 620n * E18, high: 620n * E18 }
  /** The last mean that money could use. */
  #last = 620n * E18
  #next = 0
  now = 1_800_000_000n
  insurance = 0n
  /** The price of BNB in the market, whether the sources show it or not. */
  market = 620n * E18

  constructor(
    seed: number,
    { donated = 0n, old = {} }: { readonly donated?: bigint; readonly old?: OldLendingRules } = {},
  ) {
    this.random = createRandom(seed)
    this.#old = old
    this.#pool = pools.newPool(this.now, donated)
  }

  purse(owner: string): Purse {
    const purse = this.#purses.get(owner) ?? { USDT: 0n, BNB: 0n }
    this.#purses.set(owner, purse)
    return purse
  }

  get pool(): LoanPool {
    return this.#pool
  }

  get rateE18(): bigint {
    return currentRate(this.#pool.rate)
  }

  get orders(): Order[] {
    return [...this.#orders.values()]
  }

  order(id: string): Order {
    const order = this.#orders.get(id)
    if (!order) throw new RangeError(`there is no order ${id}`)
    return order
  }

  advance(seconds: bigint): void {
    this.now += seconds
    this.#pool = pools.accrue(this.#pool, this.now)
  }

  /** Sets both sources and the market. @param apartBps how far the sources are apart, around the same mean. */
  setPrice(
    market: bigint,
    { low = market, high = market }: { readonly low?: bigint; readonly high?: bigint } = {},
  ): void {
    this.market = market
    this.#sources = { low, high }
    if (this.#isUsable()) this.#last = (low + high) / 2n
  }

  #isUsable(bps = UNKNOWN_BPS): boolean {
    const { low, high } = this.#sources
    return low > 0n && (high - low) * BPS <= low * bps
  }

  /** The prices of an order from three sides; `undefined` while money has no price. */
  get sides(): PriceSides | undefined {
    const { low, high } = this.#sources
    if (!this.#isUsable()) return undefined
    const exact = { lowE18: E18, highE18: E18, meanE18: E18 }
    return sidesOf({ lowE18: low, highE18: high, meanE18: (low + high) / 2n }, exact)
  }

  #lossTerms(): LossTerms {
    const usable = this.#old.lossAtMean ? this.sides?.mean : this.sides?.worse
    return {
      indexE27: this.#pool.indexE27,
      prices: usable ?? { collateral: this.#last, borrowed: E18 },
      countedBps: usable ? BPS : OUTAGE_BPS,
      floorBps: LENDING.part.floorBps,
    }
  }

  /** The loss that everybody can know now. */
  knownLoss(): bigint {
    const terms = this.#lossTerms()
    return knownLoss([{ terms, below: this.#index().sumBelow(lossLine(terms)) }])
  }

  #terms(): ShareTerms {
    return { reserveBps: LENDING.reserveBps, knownLoss: this.#old.noKnownLoss ? 0n : this.knownLoss() }
  }

  pledge(owner: string, amount: bigint): bigint {
    const terms = this.#terms()
    // The old rule sold at the lower value too: as if the loss had left the cash.
    const lost = this.#old.oneValue ? terms.knownLoss : 0n
    const change = pools.pledge({ ...this.#pool, cash: this.#pool.cash - lost }, amount, {
      ...terms,
      knownLoss: terms.knownLoss - lost,
    })
    if (typeof change === 'string') return 0n
    this.#pay(owner, 'USDT', -amount)
    this.#pool = this.#repriced({ ...change.pool, cash: change.pool.cash + lost })
    this.#shares.set(owner, (this.#shares.get(owner) ?? 0n) + change.shares)
    return change.shares
  }

  /** @returns the amount that came out; 0 where the pool has no cash. */
  unpledge(owner: string, amount: bigint | 'all' = 'all'): bigint {
    const owned = this.#shares.get(owner) ?? 0n
    if (owned === 0n) return 0n
    const change = pools.unpledge(this.#pool, { owned, amount }, this.#terms())
    if (change === 'cash' && amount === 'all') return this.unpledge(owner, this.#pool.cash)
    if (typeof change === 'string') return 0n
    this.#pool = this.#repriced(change.pool)
    this.#shares.set(owner, owned - change.shares)
    this.#pay(owner, 'USDT', change.amount)
    return change.amount
  }

  /** The value of a pledge if it left now. */
  worthOfPledge(owner: string): bigint {
    return pools.valueOfShares(this.#pool, this.#shares.get(owner) ?? 0n, this.#terms())
  }

  /** Opens an order. @returns its id, or the reason of the refusal. */
  borrow(
    owner: string,
    { collateral, amount, days = 180n }: { collateral: bigint; amount: bigint; days?: bigint },
  ): string {
    const sides = this.sides
    if (!sides || !this.#isUsable(APART_BPS)) return 'price'
    if (amount > this.#pool.cash) return 'cash'
    if (amount < LENDING.minLoan) return 'least_loan'
    const own = this.orders.filter((each) => each.owner === owner)
    if (own.length >= 200) return 'orders'
    const owed = own.reduce((sum, { debt }) => sum + totalDebt(debt, this.#pool.indexE27), 0n)
    const refused = checkCaps(amount, { pool: this.#pool.cash + pools.debtsOf(this.#pool), owed }, CAPS)
    if (refused) return refused.reason
    if ((loanToValue(amount, collateral, sides.worse) ?? E18 * 10n) * BPS > LENDING.limits.initialBps * E18)
      return 'ltv'
    const { pool, debtShares } = pools.lend(this.#pool, amount)
    this.#pay(owner, 'BNB', -collateral)
    this.#pay(owner, 'USDT', amount)
    this.#pool = this.#repriced(pool)
    const id = `order-${++this.#next}`
    const repaymentTime = this.now + days * DAY
    const notifyE18 = rateToNotify(this.rateE18, LEAST_NOTIFIED_E18)
    this.#put({ id, owner, debt: { principal: amount, debtShares }, collateral, repaymentTime, notifyE18 })
    return id
  }

  /** Repays a part or all of an order. @returns what was paid; 0 if the rest would be too small. */
  repay(id: string, amount: bigint | 'all' = 'all'): bigint {
    const order = this.order(id)
    const owed = totalDebt(order.debt, this.#pool.indexE27)
    const paid = amount === 'all' ? owed : minUnits(amount, owed)
    if (checkRest(owed, paid, LENDING.minLoan)) return 0n
    const ended = repay(order.debt, paid, this.#pool.indexE27)
    this.#pay(order.owner, 'USDT', -paid)
    this.#receive({ principal: ended.principal, debtShares: ended.debtShares, paid })
    if (paid === owed) {
      this.#remove(order)
      this.#pay(order.owner, 'BNB', order.collateral)
    } else this.#put({ ...order, debt: ended.after })
    return paid
  }

  /** The orders that a liquidator may clear. */
  toBeCleared(): Order[] {
    const sides = this.sides
    if (!sides) return []
    return this.orders.filter((order) => this.#isToBeCleared(order, sides))
  }

  #isToBeCleared({ debt, collateral, repaymentTime }: Order, { better }: PriceSides): boolean {
    const ratio = { debtShares: debt.debtShares, collateral }
    return this.now >= repaymentTime || isAtLimit(ratio, LENDING.limits.liquidationBps, better, this.#pool.indexE27)
  }

  /** Clears a part of an order. @returns the settlement, or the reason of the refusal. */
  clear(liquidator: string, id: string, part: bigint | 'most' = 'most'): PartSettlement | string {
    const [order, sides] = [this.order(id), this.sides]
    if (!sides) return 'price'
    if (order.owner === liquidator) return 'own'
    if (!this.#isToBeCleared(order, sides)) return 'not_to_be_cleared'
    const settled = this.#settle(order, sides, part)
    const refused = checkPart(settled.ended, settled.debt, settled.allowed)
    if (refused) return refused.reason
    this.#pay(liquidator, 'USDT', -settled.paid)
    this.#pay(liquidator, 'BNB', settled.received)
    this.insurance -= settled.paidByInsurance
    this.#receive({
      principal: settled.principalEnded,
      debtShares: settled.debtSharesEnded,
      paid: settled.paid + settled.paidByInsurance,
    })
    if (settled.after.state === 'liquidated') {
      this.#remove(order)
      this.#pay(order.owner, 'BNB', settled.returned)
    } else this.#put({ ...order, debt: settled.after.debt, collateral: settled.after.collateral })
    return settled
  }

  #settle({ debt, collateral, repaymentTime }: Order, sides: PriceSides, part: bigint | 'most'): PartSettlement {
    const settled = settlePart({
      debt,
      indexE27: this.#pool.indexE27,
      collateral,
      prices: sides.mean,
      betterPrices: sides.better,
      part,
      at: this.now,
      repaymentTime,
      rules: LENDING.part,
      insurance: this.insurance,
    })
    return this.#old.wholeBonus ? withWholeBonus(settled, sides.mean, this.insurance) : settled
  }

  /** Orders whose borrower is notified now that the rate has doubled. */
  notified(): Order[] {
    const rate = this.rateE18
    const told = this.orders.filter(({ notifyE18 }) => notifyE18 <= rate)
    for (const order of told)
      this.#orders.set(order.id, { ...order, notifyE18: nextRateToNotify(order.notifyE18, rate) })
    return told
  }

  /**
   * The wealth of a person in USDT at the market: purse, pledges as if they left now, and each order at what is left of it if it is
   * repaid, or nothing where it is better to leave it.
   */
  wealth(owners: readonly string[]): bigint {
    return owners.reduce((sum, owner) => {
      const { USDT, BNB } = this.purse(owner)
      const orders = this.orders
        .filter((order) => order.owner === owner)
        .map(({ debt, collateral }) => this.inUsdt(collateral) - totalDebt(debt, this.#pool.indexE27))
        .reduce((total, left) => total + (left > 0n ? left : 0n), 0n)
      return sum + USDT + this.inUsdt(BNB) + this.worthOfPledge(owner) + orders
    }, 0n)
  }

  inUsdt(bnb: bigint): bigint {
    return mulDiv(bnb, this.market, E18, 'down')
  }

  /** Money in the world: a step that loses or makes any is a fault of this simulation. */
  total(asset: keyof Purse): bigint {
    const inPurses = [...this.#purses.values()].reduce((sum, purse) => sum + purse[asset], 0n)
    if (asset === 'USDT') return inPurses + this.#pool.cash + this.#reserve + this.insurance
    return inPurses + this.orders.reduce((sum, { collateral }) => sum + collateral, 0n)
  }

  #receive(ended: pools.EndedDebt): void {
    const { pool, reserve } = pools.receive(this.#pool, ended, LENDING.reserveBps)
    this.#reserve += reserve
    this.#pool = this.#repriced(pool)
  }

  #repriced(pool: LoanPool): LoanPool {
    return pools.reprice(pool, LENDING.curve)
  }

  #pay(owner: string, asset: keyof Purse, amount: bigint): void {
    const purse = this.purse(owner)
    purse[asset] += amount
    if (purse[asset] < 0n) throw new RangeError(`${owner} has not enough ${asset}`)
  }

  #index(): RatioIndex {
    return new RatioIndex({ read: (id) => this.#nodes.get(id) }, PAIR)
  }

  #put(order: Order): void {
    this.#reindex(this.#orders.get(order.id), order)
    this.#orders.set(order.id, order)
  }

  #remove(order: Order): void {
    this.#reindex(order, undefined)
    this.#orders.delete(order.id)
  }

  #reindex(before: Order | undefined, after: Order | undefined): void {
    const entryOf = (order: Order | undefined) =>
      order && { id: order.id, collateral: order.collateral, debtShares: order.debt.debtShares }
    const index = this.#index()
    index.replace(entryOf(before), entryOf(after))
    for (const { id, body } of index.changes()) this.#nodes.set(id, body)
  }
}

/** The old rule: the liquidator pays at most the value of the collateral ÷ 1.08, and insurance and pledgers bear the rest. */
function withWholeBonus(settled: PartSettlement, prices: LoanPrices, insurance: bigint): PartSettlement {
  const worth = mulDiv(settled.received * prices.collateral, BPS, prices.borrowed * LENDING.part.bonusBps, 'up')
  const paid = minUnits(settled.ended, worth)
  const paidByInsurance = minUnits(settled.ended - paid, insurance)
  return {
    ...settled,
    paid,
    shortfall: settled.ended - paid,
    paidByInsurance,
    lostByPledgers: settled.ended - paid - paidByInsurance,
  }
}
