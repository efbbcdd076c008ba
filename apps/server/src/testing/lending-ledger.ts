import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { amountOf } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { loans } from '../domain/lending/lending.tables.ts'
import { readPool } from '../domain/lending/lending-books.ts'
import type { LendingConfig, LendingRules } from '../domain/lending/lending-parameters.ts'
import type { KnownPrices } from '../domain/lending/loan-prices.ts'
import { stakeConfig, stakeRules } from '../domain/lending/stake-config.ts'
import { pricesAt } from '../domain/lending/testing/known-prices.ts'
import { members } from '../domain/members/members.ts'
import { liquidateLoan } from '../features/liquidation/liquidate-loan.ts'
import { storeFirstParameters } from '../features/stake/announce-parameters.ts'
import { addCollateral, removeCollateral } from '../features/stake/change-collateral.ts'
import { pledgeToPool, withdrawFromPool } from '../features/stake/change-pledge.ts'
import { judgeLoans } from '../features/stake/judge-loans.ts'
import { openLoan } from '../features/stake/open-loan.ts'
import { repayLoan } from '../features/stake/repay-loan.ts'
import { userAccount } from '../platform/ledger/accounts.ts'
import type { NoticeDraft } from '../platform/notices/notice.store.ts'
import { unsentNotices } from '../platform/notices/unsent-notices.ts'

export const START = new Date('2026-11-22T00:00:00Z')
const ASSETS = { collateral: 'BNB', borrowed: 'USDT' } as const

/** The lending market of USDT against BNB on a ledger in memory: every command with the price of BNB as text. */
export class LendingLedger extends MemoryLedger {
  readonly rules: LendingRules
  /** The knowledge about the price of BNB. */
  prices: KnownPrices

  constructor(config: LendingConfig = stakeConfig.shape.stake.parse(undefined)) {
    super(START)
    this.rules = { ...stakeRules({ stake: config }), version: 1 }
    this.execute(storeFirstParameters(config))
    this.prices = pricesAt(START, units('600'))
  }

  /** Adds activated users. */
  join(...ids: string[]): void {
    for (const id of ids) this.put(members, { id, activated_at: this.now, activation_order_id: null })
  }

  give(userId: string, asset: AssetId, amount: string): void {
    this.add(userAccount(userId, 'available'), asset, amountOf(amount, asset).units)
  }

  has(userId: string, asset: AssetId, place: 'available' | 'collateral' = 'available'): bigint {
    return this.balance(userAccount(userId, place), asset)
  }

  /** Two sources agree on a price of BNB from now on, for a minute. */
  setPrice(bnb: string): void {
    this.prices = pricesAt(this.now, units(bnb))
  }

  pledge(userId: string, amount: string) {
    const input = { userId, amount: amountOf(amount, 'USDT'), pairs: this.#pairs(), key: undefined }
    return this.execute(pledgeToPool(this.rules, input)).position
  }

  withdraw(userId: string, amount: string) {
    const wish = amount === 'all' ? ('all' as const) : units(amount)
    const input = { userId, asset: 'USDT' as const, amount: wish, pairs: this.#pairs(), key: undefined }
    return this.execute(withdrawFromPool(this.rules, input)).position
  }

  borrow(userId: string, collateral: string, amount: string, more: Partial<Parameters<typeof openLoan>[1]> = {}) {
    const input = {
      userId,
      collateral: amountOf(collateral, 'BNB'),
      borrow: amountOf(amount, 'USDT'),
      termDays: 30,
      maxRateE18: undefined,
      prices: this.prices,
      key: undefined,
      ...more,
    }
    return this.execute(openLoan(this.rules, input))
  }

  repay(userId: string, orderId: string, amount: string) {
    const wish = amount === 'all' ? ('all' as const) : units(amount)
    const input = { userId, orderId, amount: wish, key: undefined, assets: ASSETS, prices: this.prices }
    return this.execute(repayLoan(this.rules, input))
  }

  addCollateral(userId: string, orderId: string, amount: string) {
    return this.execute(addCollateral(this.#collateral(userId, orderId, amount)))
  }

  removeCollateral(userId: string, orderId: string, amount: string) {
    return this.execute(removeCollateral(this.#collateral(userId, orderId, amount)))
  }

  judge(...orderIds: string[]) {
    return this.execute(judgeLoans(['USDT', 'BNB'], orderIds, () => this.prices))
  }

  /** The notices that the leader has decided so far. A kind and key that comes again is not sent again. */
  notices(): NoticeDraft[] {
    return this.rows(unsentNotices).flatMap(({ drafts }) => JSON.parse(drafts) as NoticeDraft[])
  }

  /** @param wish.amount the debt that ends; absent: the most that is allowed. */
  liquidate(
    userId: string,
    orderId: string,
    wish: { readonly amount?: string; readonly maxDebt?: string; readonly minReceived?: string } = {},
  ) {
    const borrowerId = this.row(loans, orderId)?.user_id ?? ''
    const text = (value: string | undefined) => (value === undefined ? undefined : units(value))
    const input = {
      userId,
      orderId,
      assets: ASSETS,
      borrowerId,
      amount: text(wish.amount) ?? ('most' as const),
      maxDebt: text(wish.maxDebt),
      minReceived: text(wish.minReceived),
      prices: this.prices,
      key: undefined,
    }
    return this.execute(liquidateLoan(this.rules, input))
  }

  pool() {
    return readPool(this, 'USDT', this.now)
  }

  #collateral(userId: string, orderId: string, amount: string) {
    const { prices } = this
    return { userId, orderId, amount: amountOf(amount, 'BNB'), borrowAsset: 'USDT' as const, prices, key: undefined }
  }

  #pairs() {
    return [{ ...ASSETS, prices: this.prices }]
  }
}

/** Base units of an asset of 18 decimals. */
export function units(text: string): bigint {
  return amountOf(text, 'USDT').units
}
