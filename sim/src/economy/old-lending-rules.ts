import type { LendingConfig } from '@clearwell/server/src/domain/lending/lending-parameters.ts'
import type { KnownPrices } from '@clearwell/server/src/domain/lending/loan-prices.ts'
import { stakeConfig } from '@clearwell/server/src/domain/lending/stake-config.ts'

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
  /** While money had no price, what a single source said did not count. */
  readonly noReading?: boolean
  /** Interest from above the kink stayed in the pool, for the pledgers. */
  readonly steepInterest?: boolean
}

/** The configuration of the lending market. Where the bonus never shrank, a liquidator paid at most the value of the collateral ÷ 1.08. */
export function configOf({ wholeBonus }: OldLendingRules): LendingConfig {
  const config = stakeConfig.shape.stake.parse(undefined)
  if (!wholeBonus) return config
  const { bonusBps } = config.liquidation
  return { ...config, liquidation: { ...config.liquidation, overdueBonusBps: bonusBps, floorBps: bonusBps } }
}

/** The prices that the known loss is reckoned by. */
export function lossPricesOf({ lossAtMean, noReading }: OldLendingRules, prices: KnownPrices): KnownPrices {
  if ('mean' in prices) return lossAtMean ? { ...prices, worse: prices.mean } : prices
  return noReading ? { ...prices, reading: undefined } : prices
}
