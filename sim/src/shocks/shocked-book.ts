import type { Command } from '@clearwell/ledger/command'
import { Refusal } from '@clearwell/ledger/refusal'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { E18 } from '@clearwell/money/scale'
import { ratioThreshold } from '@clearwell/rules/loan-order'
import { valueIn, valueOfShares } from '@clearwell/rules/loan-pool'
import { currentRate } from '@clearwell/rules/pool-rate'
import { sidesOf } from '@clearwell/rules/price-sides'
import {
  isOpenLoan,
  LOAN_STATUS,
  type LoanRow,
  lendingLosses,
  loans,
  pledges,
} from '@clearwell/server/src/domain/lending/lending.tables.ts'
import { lendingCash } from '@clearwell/server/src/domain/lending/lending-accounts.ts'
import { readPool } from '@clearwell/server/src/domain/lending/lending-books.ts'
import type { LendingRules } from '@clearwell/server/src/domain/lending/lending-parameters.ts'
import type { UsablePrices } from '@clearwell/server/src/domain/lending/loan-prices.ts'
import type { PoolRules } from '@clearwell/server/src/domain/lending/stake-config.ts'
import { stakeConfig } from '@clearwell/server/src/domain/lending/stake-config.ts'
import { members } from '@clearwell/server/src/domain/members/members.ts'
import { liquidateLoan } from '@clearwell/server/src/features/liquidation/liquidate-loan.ts'
import { storeFirstParameters } from '@clearwell/server/src/features/stake/announce-parameters.ts'
import { pledgeToPool } from '@clearwell/server/src/features/stake/change-pledge.ts'
import { judgeLoans } from '@clearwell/server/src/features/stake/judge-loans.ts'
import { openLoan } from '@clearwell/server/src/features/stake/open-loan.ts'
import { repayLoan } from '@clearwell/server/src/features/stake/repay-loan.ts'
import { INSURANCE, userAccount } from '@clearwell/server/src/platform/ledger/accounts.ts'
import { FIRST_PRICES, type PriceStep } from './price-paths.ts'
import { type LoanPlan, PLEDGES, type Pooled, priceOf, type Secured } from './shocked-loans.ts'

/** How long a price of this simulation counts, as `market.staleAfterMs` of the server. */
const PRICE_COUNTS_MS = 60_000
const START = new Date('2026-01-01T00:00:00Z')
const POOLED = ['USDT', 'BNB'] as const
/** More than any liquidation costs. */
const WEALTH = 10n ** 30n
const LIQUIDATOR = 'liquidator'

/** Counts over all paths. */
export interface ShockCounts {
  checks: number
  liquidations: number
  staleAttempts: number
  repaid: number
}

/** A book of loans on the server's own commands, and the checks that hold after every step. */
export class ShockedBook {
  readonly #ledger = new MemoryLedger(START)
  readonly #rules: LendingRules
  readonly #counts: ShockCounts
  readonly #orders: { readonly plan: LoanPlan; readonly id: string; readonly owner: string }[] = []
  readonly #totals: ReadonlyMap<string, bigint>
  /** The price of each asset in USDT at 10^18, and when it was reported. */
  #prices = pricesOf(FIRST_PRICES)
  #reportedAt = START

  constructor(rules: LendingRules, plans: readonly LoanPlan[], counts: ShockCounts, insuranceShare: number) {
    this.#rules = rules
    this.#counts = counts
    this.#ledger.execute(storeFirstParameters(stakeConfig.shape.stake.parse(undefined)))
    for (const asset of [...POOLED, 'ETH'] as const)
      this.#ledger.add(userAccount(LIQUIDATOR, 'available'), asset, WEALTH)
    this.#join(LIQUIDATOR)
    for (const asset of POOLED) {
      this.#join('pledger')
      const amount = { asset, units: unitsOf(PLEDGES[asset]) }
      this.#ledger.add(userAccount('pledger', 'available'), asset, amount.units)
      this.#ledger.add(INSURANCE, asset, unitsOf(PLEDGES[asset] * insuranceShare))
      this.#ledger.execute(pledgeToPool(this.#rules, { userId: 'pledger', amount, pairs: [], key: undefined }))
    }
    for (const [index, plan] of plans.entries()) this.#open(`user-${index}`, plan)
    this.#totals = new Map((['USDT', 'BNB', 'ETH'] as const).map((asset) => [asset, this.#ledger.total(asset)]))
  }

  /** One step of a path: time, price, what the leader does, what borrowers and liquidators do. */
  step(index: number, { seconds, prices, isStale }: PriceStep): void {
    this.#ledger.advance(seconds)
    if (!isStale) {
      this.#prices = pricesOf(prices)
      this.#reportedAt = this.#ledger.now
    }
    this.#judge()
    for (const { plan, id, owner } of this.#orders) if (plan.repaysAt === index) this.#repay(plan, id, owner)
    for (const order of this.#orders) this.#liquidate(order.plan, order.id, order.owner, isStale)
    this.#check()
  }

  /** The losses of the pledgers and of the insurance, in base units of the asset. */
  losses(asset: Pooled): { readonly pledgers: bigint; readonly insurance: bigint } {
    const row = this.#ledger.row(lendingLosses, asset)
    return { pledgers: row?.lost_by_pledgers ?? 0n, insurance: row?.paid_by_insurance ?? 0n }
  }

  #join(id: string): void {
    this.#ledger.put(members, { id, activated_at: START, activation_order_id: null })
  }

  #pool(asset: Pooled): PoolRules {
    const pool = this.#rules.pools.find((each) => each.asset === asset)
    if (!pool) throw new Error(`the configuration has no pool of ${asset}`)
    return pool
  }

  #open(owner: string, plan: LoanPlan): void {
    const { collateralAsset, borrowAsset, termDays } = plan
    const collateral = { asset: collateralAsset, units: unitsOf(plan.collateral) }
    this.#join(owner)
    this.#ledger.add(userAccount(owner, 'available'), collateralAsset, collateral.units)
    // Repayments need a little more than the loan.
    this.#ledger.add(userAccount(owner, 'available'), borrowAsset, unitsOf(principalOf(plan, this.#rules)))
    const borrow = { asset: borrowAsset, units: unitsOf(principalOf(plan, this.#rules)) }
    const prices = this.#pair(collateralAsset, borrowAsset)
    const input = { userId: owner, collateral, borrow, termDays, maxRateE18: undefined, prices, key: undefined }
    const { order_id: id } = this.#ledger.execute(openLoan(this.#rules, input))
    this.#orders.push({ plan, id, owner })
  }

  #pair(collateral: Secured, borrowed: Pooled): UsablePrices {
    const time = this.#reportedAt
    const goodUntil = new Date(time.getTime() + PRICE_COUNTS_MS)
    const one = (priceE18: bigint) => ({ lowE18: priceE18, highE18: priceE18, meanE18: priceE18 })
    const sides = sidesOf(one(this.#prices[collateral]), one(this.#prices[borrowed]))
    return { ...sides, state: 'fresh', time, goodUntil }
  }

  /** The leader judges the orders that the indexes find. No other order may have to change. */
  #judge(): void {
    const rows = this.#ledger.rows(loans).filter(isOpenLoan)
    const watched = rows.filter((row) => this.#isWatched(row))
    this.#ledger.execute(this.#judging(watched))
    const others = rows.filter((row) => !watched.includes(row))
    const before = others.map(stateOf)
    this.#ledger.execute(this.#judging(others))
    const after = others.map(({ id }) => stateOf(this.#ledger.row(loans, id) as LoanRow))
    if (before.join() !== after.join())
      throw new Error(`the indexes missed an order: ${before.join()} → ${after.join()}`)
    for (const row of others) this.#ledger.put(loans, row)
  }

  #judging(rows: readonly LoanRow[]): Command<unknown> {
    const ids = rows.map(({ id }) => id)
    return judgeLoans(POOLED, ids, (collateral, borrowed) => this.#pair(collateral as Secured, borrowed as Pooled))
  }

  #isFresh(): boolean {
    return this.#ledger.now.getTime() - this.#reportedAt.getTime() <= PRICE_COUNTS_MS
  }

  /** The conditions of the leader's query. */
  #isWatched(row: LoanRow): boolean {
    const isNormal = row.status === LOAN_STATUS.normal
    const borrowed = row.borrow_asset as Pooled
    const { indexE27, rate } = readPool(this.#ledger, borrowed, this.#ledger.now)
    if (row.notify_rate_e18 !== null && row.notify_rate_e18 <= currentRate(rate)) return true
    if (isNormal && row.watch_until <= this.#ledger.now) return true
    if (!this.#isFresh()) return false
    const line = ratioThreshold(this.#pair(row.collateral_asset as Secured, borrowed).mean, indexE27)
    const isReached = row.clear_ratio >= line || (row.warn_ratio !== null && row.warn_ratio >= line)
    return (isNormal && isReached) || (row.recover_ratio !== null && row.recover_ratio < line)
  }

  #repay({ collateralAsset, borrowAsset }: LoanPlan, id: string, owner: string): void {
    const row = this.#ledger.row(loans, id) as LoanRow
    if (!isOpenLoan(row)) return
    const assets = { collateral: collateralAsset, borrowed: borrowAsset }
    const prices = this.#pair(collateralAsset, borrowAsset)
    const input = { userId: owner, orderId: id, amount: 'all', key: undefined, assets, prices } as const
    // Always possible: also in a gap.
    this.#ledger.execute(repayLoan(this.#rules, input))
    this.#counts.repaid++
  }

  /** A liquidator tries every order at every step, also in a gap. */
  #liquidate({ collateralAsset, borrowAsset }: LoanPlan, id: string, owner: string, isStale: boolean): void {
    const row = this.#ledger.row(loans, id) as LoanRow
    if (!isOpenLoan(row)) return
    const assets = { collateral: collateralAsset, borrowed: borrowAsset }
    const prices = this.#pair(collateralAsset, borrowAsset)
    const wish = { amount: 'most', maxDebt: undefined, minReceived: undefined } as const
    const order = { orderId: id, assets, borrowerId: owner, ...wish }
    try {
      this.#ledger.execute(liquidateLoan(this.#rules, { userId: LIQUIDATOR, ...order, prices, key: undefined }))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const isToBeCleared = row.status === LOAN_STATUS.toBeCleared
      const expected = isStale && isToBeCleared ? 'price_out_of_date' : 'conflict'
      if (error.refusal !== expected) throw new Error(`refused as ${error.refusal}`)
      if (isStale) this.#counts.staleAttempts++
      return
    }
    if (isStale) throw new Error('an order was liquidated on a stale price')
    this.#counts.liquidations++
  }

  /** Units, pools and claims. The ledger itself has checked each entry and that no account is below zero. */
  #check(): void {
    for (const [asset, total] of this.#totals) {
      const now = this.#ledger.total(asset)
      if (now !== total) throw new Error(`${asset} was ${total} and is ${now}`)
    }
    const open = this.#ledger.rows(loans).filter(isOpenLoan)
    for (const asset of POOLED) {
      const pool = readPool(this.#ledger, asset, this.#ledger.now)
      const ofPool = open.filter((row) => row.borrow_asset === asset)
      const sum = (of: (row: LoanRow) => bigint) => ofPool.reduce((total, row) => total + of(row), 0n)
      const expected = [
        sum(({ principal }) => principal),
        sum(({ debt_shares: shares }) => shares),
        this.#ledger.balance(lendingCash(asset), asset),
      ]
      const found = [pool.borrowed, pool.debtShares, pool.cash]
      if (expected.join() !== found.join()) throw new Error(`the pool of ${asset} is ${found}, its loans ${expected}`)
      const { reserveBps } = this.#pool(asset)
      const claims = this.#ledger
        .rows(pledges)
        .filter((row) => row.asset === asset)
        .reduce((total, { shares }) => total + valueOfShares(pool, shares, { reserveBps, knownLoss: 0n }), 0n)
      if (claims > valueIn(pool, reserveBps)) throw new Error(`pledgers of ${asset} own more than the pool`)
    }
    this.#counts.checks++
  }
}

/** The principal at the planned share of the highest ratio. */
export function principalOf(
  { collateralAsset, borrowAsset, collateral, share }: LoanPlan,
  rules: LendingRules,
): number {
  const worth = collateral * priceOf(FIRST_PRICES, collateralAsset)
  // A little below the limit, because collateral and price are rounded.
  return (share * 0.999_999 * (Number(rules.limits.initialBps) / 10_000) * worth) / priceOf(FIRST_PRICES, borrowAsset)
}

/** The owner of an order to be cleared knows that, and gets no reminders. */
function stateOf({ id, status, warned, reminded }: LoanRow): string {
  return [id, status, ...(status === LOAN_STATUS.normal ? [warned, reminded] : [])].join(' ')
}

/** Eight decimals, as a market reports them. */
function unitsOf(amount: number): bigint {
  return BigInt(Math.round(amount * 1e8)) * 10n ** 10n
}

function pricesOf(prices: PriceStep['prices']): Record<Secured | Pooled, bigint> {
  return { USDT: E18, BNB: unitsOf(prices.BNB), ETH: unitsOf(prices.ETH) }
}
