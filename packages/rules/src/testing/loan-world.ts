import { mulDiv } from '@clearwell/money/mul-div'
import { knownLoss, type LossTerms, lossLine } from '../known-loss.ts'
import { isWithin, type LoanPrices } from '../loan.ts'
import { type Debt, repay, totalDebt } from '../loan-order.ts'
import {
  accrue,
  lend,
  newPool,
  pledge,
  receive,
  reprice,
  type ShareTerms,
  unpledge,
  valueOfShares,
} from '../loan-pool.ts'
import { checkPart, type PartRules } from '../part-liquidation.ts'
import { type PartSettlement, settlePart } from '../part-settlement.ts'
import type { RateCurve } from '../pool-rate.ts'
import { RatioIndex } from '../ratio-index.ts'
import { E18, LIMITS } from './loans.ts'
import { MemoryNodes } from './memory-nodes.ts'

export const RESERVE_BPS = 1_000n

export const PART_RULES: PartRules = {
  liquidationBps: LIMITS.liquidationBps,
  wholeBps: 9_000n,
  partBps: 5_000n,
  smallOrderLoans: 4n,
  bonusBps: 10_800n,
  overdueBonusBps: 10_500n,
  floorBps: 10_200n,
  leastLoan: 10n * E18,
}

export const USDT_CURVE: RateCurve = {
  baseE18: 0n,
  kinkE18: 800_000_000_000_000_000n,
  slopeToKinkE18: 45_000_000_000_000_000n,
  slopeAboveKinkE18: 750_000_000_000_000_000n,
  hourlyStepBps: 1_000n,
}

/** An open order of the world: USDT on BNB. */
export interface WorldOrder {
  readonly id: string
  readonly owner: string
  readonly debt: Debt
  readonly collateral: bigint
}

const PAIR = 'BNB:USDT'
/** So small that a few orders make several levels. */
const FAN_OUT = 3

/**
 * A USDT pool with its pledgers and its orders on BNB, insurance, reserve, and the money of every account outside of it. Accounts may
 * owe the outside world, so that nothing limits an attacker but the rules.
 */
export class LoanWorld {
  pool = newPool(0n)
  now = 0n
  priceE18 = 600n * E18
  insurance = 0n
  reserve = 0n
  readonly orders = new Map<string, WorldOrder>()
  readonly shares = new Map<string, bigint>()
  readonly usdt = new Map<string, bigint>()
  readonly bnb = new Map<string, bigint>()
  readonly nodes = new MemoryNodes()
  /** Rounds up to a few units of 10^-18 that commands moved. */
  commands = 0n
  readonly #curve: RateCurve

  constructor(curve: RateCurve = USDT_CURVE) {
    this.#curve = curve
  }

  get prices(): LoanPrices {
    return { collateral: this.priceE18, borrowed: E18 }
  }

  wait(seconds: bigint): void {
    this.now += seconds
    this.pool = accrue(this.pool, this.now)
  }

  /** A command that changes nothing: it only accrues and prices the pool again. */
  poke(): void {
    this.pool = reprice(accrue(this.pool, this.now), this.#curve)
  }

  /** The terms of a share now. @param countedBps 8000 while the price is unknown. */
  terms(countedBps = 10_000n): ShareTerms {
    const terms: LossTerms = {
      indexE27: this.pool.indexE27,
      prices: this.prices,
      countedBps,
      floorBps: PART_RULES.floorBps,
    }
    const below = new RatioIndex(this.nodes, PAIR, FAN_OUT).sumBelow(lossLine(terms))
    return { reserveBps: RESERVE_BPS, knownLoss: knownLoss([{ terms, below }]) }
  }

  pledge(user: string, amount: bigint): boolean {
    const change = pledge(this.pool, amount, this.terms())
    if (typeof change === 'string') return false
    this.#setPool(change.pool)
    add(this.shares, user, change.shares)
    add(this.usdt, user, -amount)
    return true
  }

  unpledge(user: string, amount: bigint | 'all', terms = this.terms()): boolean {
    const change = unpledge(this.pool, { owned: this.shares.get(user) ?? 0n, amount }, terms)
    if (typeof change === 'string') return false
    this.#setPool(change.pool)
    add(this.shares, user, -change.shares)
    add(this.usdt, user, change.amount)
    return true
  }

  /** Opens an order, if the ratio and the cash allow it. */
  open(
    id: string,
    owner: string,
    { collateral, amount }: { readonly collateral: bigint; readonly amount: bigint },
  ): boolean {
    if (this.orders.has(id) || amount > this.pool.cash) return false
    if (!isWithin(LIMITS.initialBps, amount, collateral, this.prices)) return false
    const { pool, debtShares } = lend(this.pool, amount)
    this.#setPool(pool)
    this.#setOrder(undefined, { id, owner, collateral, debt: { principal: amount, debtShares } })
    add(this.bnb, owner, -collateral)
    add(this.usdt, owner, amount)
    return true
  }

  repay(id: string, amount: bigint): boolean {
    const order = this.orders.get(id)
    if (!order) return false
    const { after, interest, principal, debtShares } = repay(order.debt, amount, this.pool.indexE27)
    const paid = interest + principal
    this.#receive({ principal, debtShares, paid })
    add(this.usdt, order.owner, -paid)
    this.#finish(order, { debt: after, kept: after.debtShares === 0n ? 0n : order.collateral })
    if (after.debtShares === 0n) add(this.bnb, order.owner, order.collateral)
    return true
  }

  /** Liquidates a part. @returns `undefined` where the rules refuse it. */
  clear(id: string, liquidator: string, part: bigint | 'most', isOverdue = false): PartSettlement | undefined {
    const order = this.orders.get(id)
    if (!order) return undefined
    const done = settlePart({
      debt: order.debt,
      indexE27: this.pool.indexE27,
      collateral: order.collateral,
      prices: this.prices,
      betterPrices: this.prices,
      part,
      at: this.now,
      repaymentTime: isOverdue ? this.now : this.now + 1n,
      rules: PART_RULES,
      insurance: this.insurance,
    })
    if (!done.isOverLimit && !isOverdue) return undefined
    if (checkPart(done.ended, done.debt, done.allowed)) return undefined
    const { principalEnded: principal, debtSharesEnded: debtShares, paid, paidByInsurance } = done
    this.#receive({ principal, debtShares, paid: paid + paidByInsurance })
    this.insurance -= paidByInsurance
    add(this.usdt, liquidator, -paid)
    add(this.bnb, liquidator, done.received)
    add(this.bnb, order.owner, done.returned)
    this.#finish(order, { debt: done.after.debt, kept: done.kept })
    return done
  }

  debtOf(id: string): bigint {
    const order = this.orders.get(id)
    return order ? totalDebt(order.debt, this.pool.indexE27) : 0n
  }

  /** The gain of an account that leaves now: money, BNB at the price, shares at what they are paid back at, and its orders. */
  gainOf(user: string): bigint {
    const own = [...this.orders.values()].filter(({ owner }) => owner === user)
    const bnb = own.reduce((sum, { collateral }) => sum + collateral, this.bnb.get(user) ?? 0n)
    const debts = own.reduce((sum, { id }) => sum + this.debtOf(id), 0n)
    const worth = mulDiv(bnb < 0n ? -bnb : bnb, this.priceE18, E18, bnb < 0n ? 'up' : 'down')
    const shares = valueOfShares(this.pool, this.shares.get(user) ?? 0n, this.terms())
    return (this.usdt.get(user) ?? 0n) + (bnb < 0n ? -worth : worth) + shares - debts
  }

  #receive(ended: Parameters<typeof receive>[1]): void {
    const { pool, reserve, insurance } = receive(this.pool, ended, RESERVE_BPS)
    this.reserve += reserve
    this.insurance += insurance
    this.#setPool(pool)
  }

  #setPool(pool: typeof this.pool): void {
    this.commands++
    this.pool = reprice(pool, this.#curve)
  }

  #finish(order: WorldOrder, { debt, kept }: { readonly debt: Debt; readonly kept: bigint }): void {
    this.#setOrder(order, debt.debtShares === 0n ? undefined : { ...order, debt, collateral: kept })
  }

  #setOrder(before: WorldOrder | undefined, after: WorldOrder | undefined): void {
    const index = new RatioIndex(this.nodes, PAIR, FAN_OUT)
    index.replace(entryOf(before), entryOf(after))
    this.nodes.write(index.changes())
    if (before) this.orders.delete(before.id)
    if (after) this.orders.set(after.id, after)
  }
}

function entryOf(order: WorldOrder | undefined) {
  return order && { id: order.id, collateral: order.collateral, debtShares: order.debt.debtShares }
}

function add(sums: Map<string, bigint>, user: string, units: bigint): void {
  sums.set(user, (sums.get(user) ?? 0n) + units)
}
