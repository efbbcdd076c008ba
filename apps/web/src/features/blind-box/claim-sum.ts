import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import type { Amounts, Box } from './blind-box.queries.ts'

/** The rewards of boxes together, by asset. */
export function rewardSum(boxes: readonly Pick<Box, 'reward'>[]): Amounts {
  const sums = new Map<AssetId, bigint>()
  for (const { asset, amount } of boxes.flatMap(({ reward }) => reward))
    sums.set(asset, (sums.get(asset) ?? 0n) + (parseUnits(amount, ASSET_DECIMALS[asset]) ?? 0n))
  return [...sums].map(([asset, units]) => ({ asset, amount: formatUnits(units, ASSET_DECIMALS[asset]) }))
}
