import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { amountOf } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import type { PoolReserves } from '@clearwell/rules/swap'
import { members } from '../domain/members/members.ts'
import { executeSwap, type SwapAmounts, type SwapInput, type SwapRules } from '../features/swap/execute-swap.ts'
import { openPool, type PoolDefinition } from '../features/swap/open-pool.ts'
import { poolAccount, userAccount } from '../platform/ledger/accounts.ts'
import { fixedRule } from './fixed-rule.ts'

export const START = new Date('2026-11-22T00:00:00Z')

export const SWAP_RULES: SwapRules = {
  fees: fixedRule({ totalBps: 25n, revenueBps: 8n }),
  revenueShares: fixedRule({ rewards: 5_000n, referral: 2_000n, insurance: 1_000n, treasury: 2_000n }),
}

/** 1,000 BNB at 600 USDT. */
export const BNB_POOL: PoolDefinition = {
  id: 'bnb-usdt',
  base: 'BNB',
  quote: 'USDT',
  initialBase: units('1000'),
  initialQuote: units('600000'),
}

/** A million RT at 0.1 USDT. */
export const RT_POOL: PoolDefinition = {
  id: 'rt-usdt',
  base: 'RT',
  quote: 'USDT',
  initialBase: units('1000000'),
  initialQuote: units('100000'),
}

/** Two pools, and an activated `trader` with 2 BNB and 490 USDT, on a ledger in memory. */
export class SwapLedger extends MemoryLedger {
  constructor() {
    super(START)
    for (const pool of [BNB_POOL, RT_POOL]) {
      this.add('treasury', pool.base, pool.initialBase)
      this.add('treasury', pool.quote, pool.initialQuote)
      this.execute(openPool(pool))
    }
    this.join('trader')
    this.give('trader', 'BNB', '2')
    this.give('trader', 'USDT', '490')
  }

  /** Adds activated users. */
  join(...ids: string[]): void {
    for (const id of ids) this.put(members, { id, activated_at: this.now, activation_order_id: null })
  }

  give(userId: string, asset: AssetId, amount: string): void {
    this.add(userAccount(userId, 'available'), asset, units(amount))
  }

  has(userId: string, asset: AssetId): bigint {
    return this.balance(userAccount(userId, 'available'), asset)
  }

  reserves({ id, base, quote }: PoolDefinition = BNB_POOL): PoolReserves {
    return { base: this.balance(poolAccount(id), base), quote: this.balance(poolAccount(id), quote) }
  }

  /** Swaps as `trader` on the pool of BNB, at any price, until now, where `wish` says nothing else. */
  swap(amounts: SwapAmounts, wish: SwapWish = {}) {
    return this.execute(this.command(amounts, wish))
  }

  command(amounts: SwapAmounts, wish: SwapWish = {}) {
    const place = { userId: 'trader', parentId: null, pool: BNB_POOL, inverse: false }
    return executeSwap(SWAP_RULES, { ...place, ...amounts, deadline: this.now, key: undefined, ...wish })
  }
}

type SwapWish = Partial<Omit<SwapInput, keyof SwapAmounts>>

/** Sells exactly this much, for at least `least`. */
export function sell(amount: string, least = 0n): SwapAmounts {
  return { amountIn: units(amount), minAmountOut: least }
}

/** Buys at least this much, for at most `most`. */
export function buy(amount: string, most = 10n ** 30n): SwapAmounts {
  return { amountOut: units(amount), maxAmountIn: most }
}

/** Base units of an asset of 18 decimals. */
export function units(text: string): bigint {
  return amountOf(text, 'USDT').units
}
