import { FIRST_PRICES, type PriceStep } from './price-paths.ts'
import { type LoanPlan, PLEDGES, type Pooled, priceOf } from './shocked-loans.ts'

/**
 * The same loans under Aave v3's published parameters for these assets on BNB Chain.
 *
 * Source: the reserve configuration of the pool's activation, reported in the repository bgd-labs/aave-proposals-v3,
 * `diffs/AaveV3Bnb_AaveV3BNBActivation_20231122_before_AaveV3Bnb_AaveV3BNBActivation_20231122_after.md`. The two thresholds
 * of the close factor are those of `LiquidationLogic.sol` in aave/aave-v3-core.
 */
const AAVE = {
  collateral: {
    BNB: { ltv: 0.7, threshold: 0.75, bonus: 0.1 },
    ETH: { ltv: 0.8, threshold: 0.825, bonus: 0.1 },
    USDT: { ltv: 0.75, threshold: 0.8, bonus: 0.05 },
  },
  rates: {
    USDT: { optimal: 0.9, slope1: 0.05, slope2: 0.75 },
    BNB: { optimal: 0.45, slope1: 0.07, slope2: 3 },
  },
  /** Half of a debt can be liquidated while the health factor is above 0.95, and all of it below. */
  closeFactor: { above: 0.5, healthAbove: 0.95 },
} as const

const POOLS = Object.keys(PLEDGES).length
const YEAR_SECONDS = 31_536_000

interface Position {
  readonly plan: LoanPlan
  collateral: number
  debt: number
}

/**
 * Runs a path: liquidators act at each new price, until a position is healthy or its collateral is gone. Loans have no term.
 *
 * Aave has no check of the age of a price. No price is reported in a gap, so nothing changes there either.
 *
 * @param principalOf the amount that each loan borrows.
 * @returns the bad debt that suppliers bear, in parts of each pool and averaged over the pools.
 */
export function runAavePath(
  plans: readonly LoanPlan[],
  path: readonly PriceStep[],
  principalOf: (plan: LoanPlan) => number,
): number {
  const positions = plans.map((plan) => ({ plan, collateral: plan.collateral, debt: principalOf(plan) }))
  let lost = 0
  for (const [index, { seconds, prices, isStale }] of path.entries()) {
    accrue(positions, seconds)
    for (const position of positions) {
      if (position.plan.repaysAt === index) Object.assign(position, { debt: 0, collateral: 0 })
      if (!isStale) lost += liquidate(position, prices) / PLEDGES[position.plan.borrowAsset] / POOLS
    }
  }
  return lost
}

/** The principal at the same share of Aave's own highest ratio. */
export function aavePrincipal({ collateralAsset, borrowAsset, collateral, share }: LoanPlan): number {
  const worth = collateral * priceOf(FIRST_PRICES, collateralAsset)
  return (share * AAVE.collateral[collateralAsset].ltv * worth) / priceOf(FIRST_PRICES, borrowAsset)
}

/** Variable rates, by the utilisation of each pool. */
function accrue(positions: readonly Position[], seconds: number): void {
  for (const asset of ['USDT', 'BNB'] as const) {
    const ofPool = positions.filter(({ plan }) => plan.borrowAsset === asset)
    const borrowed = ofPool.reduce((sum, { debt }) => sum + debt, 0)
    const growth = 1 + (rateAt(asset, Math.min(1, borrowed / PLEDGES[asset])) * seconds) / YEAR_SECONDS
    for (const position of ofPool) position.debt *= growth
  }
}

function rateAt(asset: Pooled, utilisation: number): number {
  const { optimal, slope1, slope2 } = AAVE.rates[asset]
  if (utilisation <= optimal) return (slope1 * utilisation) / optimal
  return slope1 + (slope2 * (utilisation - optimal)) / (1 - optimal)
}

/** @returns the bad debt, in the borrowed asset. */
function liquidate(position: Position, prices: PriceStep['prices']): number {
  const { collateralAsset, borrowAsset } = position.plan
  const [ofCollateral, ofDebt] = [priceOf(prices, collateralAsset), priceOf(prices, borrowAsset)]
  const { threshold, bonus } = AAVE.collateral[collateralAsset]
  for (;;) {
    const worth = position.collateral * ofCollateral
    const owed = position.debt * ofDebt
    if (owed === 0) return 0
    const health = (worth * threshold) / owed
    if (health >= 1) return 0
    const most = owed * (health > AAVE.closeFactor.healthAbove ? AAVE.closeFactor.above : 1)
    const paid = Math.min(most, worth / (1 + bonus))
    position.debt -= paid / ofDebt
    position.collateral -= (paid * (1 + bonus)) / ofCollateral
    // All of the collateral is gone, or all of the debt is paid.
    if (paid < most || paid === owed) {
      const missing = paid < most ? position.debt : 0
      position.debt = 0
      return missing
    }
  }
}
