import { ASSET_DECIMALS, type AssetId } from './asset.ts'
import { formatUnits, parseUnits } from './decimal.ts'

/** Money: base units together with the asset they are units of. */
export interface Amount {
  readonly asset: AssetId
  readonly units: bigint
}

/** Parses an amount of `asset`. Returns `undefined` for text that {@link parseUnits} rejects. */
export function parseAmount(text: string, asset: AssetId): Amount | undefined {
  const units = parseUnits(text, ASSET_DECIMALS[asset])
  return units === undefined ? undefined : { asset, units }
}

/** Formats an amount as plain decimal text, without its asset: `12.5`. */
export function formatAmount(amount: Amount): string {
  return formatUnits(amount.units, ASSET_DECIMALS[amount.asset])
}

/** Parses text from this code base, such as a constant. Text that does not parse is a bug and throws. */
export function amountOf(text: string, asset: AssetId): Amount {
  const amount = parseAmount(text, asset)
  if (!amount) throw new TypeError(`amountOf: ${JSON.stringify(text)} is not an amount of ${asset}`)
  return amount
}
