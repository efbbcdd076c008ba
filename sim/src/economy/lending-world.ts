import type { Command } from '@clearwell/ledger/command'
import { minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { totalDebt } from '@clearwell/rules/loan-order'
import { type LoanPool, valueOfShares } from '@clearwell/rules/loan-pool'
import {
  isOpenLoan,
  LOAN_STATUS,
  loans,
  type OpenLoan,
  pledges,
} from '@clearwell/server/src/domain/lending/lending.tables.ts'
import { lendingCash } from '@clearwell/server/src/domain/lending/lending-accounts.ts'
import { debtOf, poolRulesOf, readPool } from '@clearwell/server/src/domain/lending/lending-books.ts'
import type { LendingRules } from '@clearwell/server/src/domain/lending/lending-parameters.ts'
import type { KnownPrices } from '@clearwell/server/src/domain/lending/loan-prices.ts'
import type { PricedPair } from '@clearwell/server/src/domain/lending/pair-prices.ts'
import { readKnownLoss } from '@clearwell/server/src/domain/lending/ratio-books.ts'
import { stakeRules } from '@clearwell/server/src/domain/lending/stake-config.ts'
import { members } from '@clearwell/server/src/domain/members/members.ts'
import { liquidateLoan } from '@clearwell/server/src/features/liquidation/liquidate-loan.ts'
import { storeFirstParameters } from '@clearwell/server/src/features/stake/announce-parameters.ts'
import { pledgeToPool, withdrawFromPool } from '@clearwell/server/src/features/stake/change-pledge.ts'
import { judgeLoans } from '@clearwell/server/src/features/stake/judge-loans.ts'
import { openLoan } from '@clearwell/server/src/features/stake/open-loan.ts'
import { repayLoan } from '@clearwell/server/src/features/stake/repay-loan.ts'
import { INSURANCE } from '@clearwell/server/src/platform/ledger/accounts.ts'
import type { NoticeDraft } from '@clearwell/server/src/platform/notices/notice.store.ts'
import { unsentNotices } from '@clearwell/server/src/platform/notices/unsent-notices.ts'
import { configOf, lossPricesOf, type OldLendingRules } from './old-lending-rules.ts'
import { PriceSources } from './price-sources.ts'
import { E18, World } from './world.ts'

export const DAY = 86_400
const ASSETS = { collateral: 'BNB', borrowed: 'USDT' } as const

/** The lending pool of USDT with loans that BNB secures: every step is a command of the server on a ledger in memory. */
export class LendingWorld {
  readonly #world: World
  readonly #rules: LendingRules
  readonly #old: OldLendingRules
  readonly #sources = new PriceSources()
  readonly #accounts = new Map<string, string>()

  constructor(seed: number, { old = {} }: { readonly old?: OldLendingRules } = {}) {
    this.#world = new World(seed)
    this.#old = old
    const config = configOf(old)
    this.#rules = { ...stakeRules({ stake: config }), version: 1 }
    this.#world.ledger.execute(storeFirstParameters(config))
    this.setPrice(this.market)
  }

  random(): number {
    return this.#world.random()
  }

  normal(): number {
    return this.#world.normal()
  }

  /** The account of somebody, who signs up with the first use. In lending, activations cost nothing: the attacker's best case. */
  #account(owner: string): string {
    const known = this.#accounts.get(owner)
    if (known !== undefined) return known
    const [id = ''] = this.#world.join()
    const { ledger } = this.#world
    ledger.put(members, { id, activated_at: ledger.now, activation_order_id: null })
    this.#accounts.set(owner, id)
    return id
  }

  /** Money from outside. */
  give(owner: string, asset: 'USDT' | 'BNB', amount: bigint): void {
    this.#world.give(this.#account(owner), asset, amount)
  }

  available(owner: string, asset: 'USDT' | 'BNB'): bigint {
    return this.#world.available(this.#account(owner), asset)
  }

  /** Buys BNB outside of the product, at the market's price and without a fee; below zero, sells it. */
  buy(owner: string, bnb: bigint): void {
    this.give(owner, 'BNB', bnb)
    this.give(owner, 'USDT', -this.inUsdt(bnb))
  }

  get insurance(): bigint {
    return this.#world.ledger.balance(INSURANCE, 'USDT')
  }

  set insurance(units: bigint) {
    this.#world.ledger.add(INSURANCE, 'USDT', units - this.insurance)
  }

  get pool(): LoanPool {
    const { ledger } = this.#world
    return readPool(ledger, 'USDT', ledger.now)
  }

  /** Sends money to the pool without a pledge. No command does this. */
  donate(amount: bigint): void {
    this.#world.ledger.add(lendingCash('USDT'), 'USDT', amount)
  }

  /** Open orders, the oldest first. */
  get orders(): OpenLoan[] {
    return this.#world.ledger.rows(loans).filter(isOpenLoan)
  }

  ordersOf(owner: string): OpenLoan[] {
    const id = this.#account(owner)
    return this.orders.filter(({ user_id: user }) => user === id)
  }

  order(id: string): OpenLoan {
    const order = this.#world.ledger.row(loans, id)
    if (!order || !isOpenLoan(order)) throw new RangeError(`${id} is no open order`)
    return order
  }

  isOpen(id: string): boolean {
    const order = this.#world.ledger.row(loans, id)
    return order !== undefined && isOpenLoan(order)
  }

  /** The whole debt of an order now. */
  owed(order: OpenLoan): bigint {
    return totalDebt(debtOf(order), this.pool.indexE27)
  }

  advance(seconds: number): void {
    this.#world.ledger.advance(seconds)
  }

  /** The price of BNB in the market, whether the sources show it or not. */
  get market(): bigint {
    return this.#world.spot.BNB
  }

  /** @param sources the price of each fresh source from now on; all of them that of the market by default. */
  setPrice(market: bigint, sources: readonly bigint[] = [market, market]): void {
    this.#world.spot.BNB = market
    this.#sources.set(sources, this.#world.ledger.now)
  }

  get #prices(): KnownPrices {
    return this.#sources.pricesAt(this.#world.ledger.now)
  }

  /** The pairs whose orders can lose money, with the prices that the known loss is reckoned by. */
  #pairs(): PricedPair[] {
    return this.#old.noKnownLoss ? [] : [{ ...ASSETS, prices: lossPricesOf(this.#old, this.#prices) }]
  }

  /** The loss that everybody can know now. */
  knownLoss(pairs = this.#pairs()): bigint {
    const { ledger } = this.#world
    return readKnownLoss(ledger, { pool: this.pool, rules: this.#rules, pairs, now: ledger.now })
  }

  /** The loss at a price that every source shows: what everybody would know then. */
  lossAt(price: bigint): bigint {
    const { now } = this.#world.ledger
    const sources = new PriceSources()
    sources.set([price, price], now)
    return this.knownLoss([{ ...ASSETS, prices: sources.pricesAt(now) }])
  }

  pledge(owner: string, units: bigint): void {
    if (this.#old.oneValue) this.#pledgeAtOneValue(owner, units)
    else this.#execute(pledgeToPool(this.#rules, { ...this.#pledgeOf(owner, units), pairs: this.#pairs() }))
  }

  #pledgeOf(owner: string, units: bigint) {
    return { userId: this.#account(owner), amount: { asset: 'USDT' as const, units }, key: undefined }
  }

  /** The old rule sold at the lower value too: as if the loss had left the cash. */
  #pledgeAtOneValue(owner: string, units: bigint): void {
    const lost = this.knownLoss()
    this.donate(-lost)
    this.#execute(pledgeToPool(this.#rules, { ...this.#pledgeOf(owner, units), pairs: [] }))
    this.donate(lost)
  }

  /** Withdraws a pledge, as far as the pool has cash. */
  unpledge(owner: string): void {
    const input = { userId: this.#account(owner), asset: 'USDT' as const, pairs: this.#pairs(), key: undefined }
    const withdraw = (amount: bigint | 'all') => this.#world.try(withdrawFromPool(this.#rules, { ...input, amount }))
    if (withdraw('all') === 'exceeds_lending_pool') withdraw(this.pool.cash)
  }

  /** The value of a pledge if it left now. */
  worthOfPledge(owner: string): bigint {
    const { reserveBps } = poolRulesOf(this.#rules, 'USDT')
    return valueOfShares(this.pool, this.#sharesOf(owner), { reserveBps, knownLoss: this.knownLoss() })
  }

  /** The part of an amount of the whole pool that falls on a pledge. */
  partOfPool(owner: string, amount: bigint): bigint {
    return mulDiv(amount, this.#sharesOf(owner), this.pool.shares, 'up')
  }

  #sharesOf(owner: string): bigint {
    const userId = this.#account(owner)
    return this.#world.ledger.rows(pledges).find((each) => each.user_id === userId)?.shares ?? 0n
  }

  /** Opens an order. @returns its id, or `undefined` if it was refused. */
  borrow(
    owner: string,
    { collateral, amount, days = 180 }: { collateral: bigint; amount: bigint; days?: number },
  ): string | undefined {
    const input = {
      userId: this.#account(owner),
      collateral: { asset: ASSETS.collateral, units: collateral },
      borrow: { asset: ASSETS.borrowed, units: amount },
      termDays: days,
      maxRateE18: undefined,
      prices: this.#prices,
      key: undefined,
    }
    return this.#execute(openLoan(this.#rules, input))?.order_id
  }

  /** Repays a part or all of an order. @returns false if it was refused. */
  repay(orderId: string, amount: bigint | 'all' = 'all'): boolean {
    const userId = this.order(orderId).user_id
    const input = { userId, orderId, amount, assets: ASSETS, prices: this.#prices, key: undefined }
    const before = this.insurance
    const isRepaid = this.#execute(repayLoan(this.#rules, input)) !== undefined
    if (this.#old.steepInterest) {
      this.donate(this.insurance - before)
      this.insurance = before
    }
    return isRepaid
  }

  /** Judges orders as the leader does each second. @returns those that a liquidator may clear. */
  toBeCleared(orders = this.orders): OpenLoan[] {
    const prices = this.#prices
    const ids = orders.map(({ id }) => id)
    this.#world.ledger.execute(judgeLoans([ASSETS.borrowed], ids, () => prices))
    return ids.map((id) => this.order(id)).filter(({ status }) => status === LOAN_STATUS.toBeCleared)
  }

  /** Ids of the orders whose borrower was notified until now that the rate has doubled. */
  notifiedOfRate(): string[] {
    this.toBeCleared()
    return this.#world.ledger
      .rows(unsentNotices)
      .flatMap(({ drafts }) => JSON.parse(drafts) as NoticeDraft[])
      .flatMap((notice) => (notice.kind === 'loan_rate_doubled' ? [notice.params.order_id] : []))
  }

  /** Clears a part of an order. @returns false if it was refused. */
  clear(liquidator: string, orderId: string, amount: bigint | 'most' = 'most'): boolean {
    const order = this.order(orderId)
    this.toBeCleared([order])
    const input = {
      userId: this.#account(liquidator),
      orderId,
      assets: ASSETS,
      borrowerId: order.user_id,
      amount,
      maxDebt: undefined,
      minReceived: undefined,
      prices: this.#prices,
      key: undefined,
    }
    return this.#execute(liquidateLoan(this.#rules, input)) !== undefined
  }

  /**
   * The wealth of a person in USDT at the market: balances, pledges as if they left now, and each order at what is left of it if it is
   * repaid, or nothing where it is better to leave it.
   */
  wealth(owners: readonly string[]): bigint {
    const balances = this.#world.wealth({ accounts: owners.map((owner) => this.#account(owner)) })
    const pledged = owners.reduce((sum, owner) => sum + this.worthOfPledge(owner), 0n)
    return owners
      .flatMap((owner) => this.ordersOf(owner))
      .reduce((sum, order) => {
        const [owed, collateral] = [this.owed(order), this.inUsdt(order.collateral)]
        return sum - minUnits(owed, collateral)
      }, balances + pledged)
  }

  inUsdt(bnb: bigint): bigint {
    return mulDiv(bnb, this.market, E18, 'down')
  }

  /** @returns `undefined` if the command was refused. @throws RangeError where an account lacks money: a fault of the strategy. */
  #execute<Result>(command: Command<Result>): Result | undefined {
    const result = this.#world.try(command)
    if (result === 'balance_not_enough') throw new RangeError(`${command.kind}: the account has too little`)
    return typeof result === 'string' ? undefined : result
  }
}
