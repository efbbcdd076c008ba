import { ASSET_DECIMALS, type AssetId } from './asset.ts'
import { formatUnits, parseUnits } from './decimal.ts'

/** Money: base units together with the asset they are units of. */
export interface Amount {
  readonly asset: AssetId
  readonly units: bigint
}

/** Parses text that names an amount of `asset`, or answers `undefined`. See {@link parseUnits} for what is refused. */
export function parseAmount(text: string, asset: AssetId): Amount | undefined {
  const units = parseUnits(text, ASSET_DECIMALS[asset])
  return units === undefined ? undefined : { asset, units }
}

/** Plain decimal text of an amount, without its asset: `12.5`. */
export function formatAmount(amount: Amount): string {
  return formatUnits(amount.units, ASSET_DECIMALS[amount.asset])
}

/** An amount from text that this code base wrote itself, such as a constant; text that does not parse is a bug. */
export function amountOf(text: string, asset: AssetId): Amount {
  const amount = parseAmount(text, asset)
  if (!amount) throw new TypeError(`amountOf: ${JSON.stringify(text)} is not an amount of ${asset}`)
  return amount
}
