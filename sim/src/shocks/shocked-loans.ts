import { FIRST_PRICES } from './price-paths.ts'

export type Pooled = 'USDT' | 'BNB'
export type Secured = 'BNB' | 'USDT' | 'ETH'

/** A loan that both markets open at the first prices. */
export interface LoanPlan {
  readonly collateralAsset: Secured
  readonly borrowAsset: Pooled
  readonly collateral: number
  /** How much of the highest allowed ratio the borrower takes: 0 to 1. */
  readonly share: number
  readonly termDays: 7 | 30 | 90
  /** The step in which the borrower repays, if the loan is still open. */
  readonly repaysAt: number
}

/** The pledges in whole units. No choice of loans needs more, and about a third of them is lent. */
export const PLEDGES = { USDT: 200_000, BNB: 330 } as const

const LOANS = 12
const PAIRS = [
  ['BNB', 'USDT'],
  ['ETH', 'USDT'],
  ['USDT', 'BNB'],
  ['ETH', 'BNB'],
] as const
const TERMS = [7, 30, 90] as const

/** The price of an asset in USDT. */
export function priceOf(prices: Readonly<Record<'BNB' | 'ETH', number>>, asset: Secured | Pooled): number {
  return asset === 'USDT' ? 1 : prices[asset]
}

/** Twelve loans of 10,000 to 40,000 USDT of collateral, from cautious ones to those at the limit. */
export function planLoans(random: () => number): LoanPlan[] {
  return Array.from({ length: LOANS }, (_, index) => {
    const [collateralAsset, borrowAsset] = PAIRS[index % PAIRS.length] as (typeof PAIRS)[number]
    const worth = 10_000 + 30_000 * random()
    return {
      collateralAsset,
      borrowAsset,
      collateral: worth / priceOf(FIRST_PRICES, collateralAsset),
      share: 0.4 + 0.6 * random(),
      termDays: TERMS[Math.floor(random() * TERMS.length)] as 7 | 30 | 90,
      repaysAt: Math.floor(random() * 96),
    }
  })
}
