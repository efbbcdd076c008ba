import { type Amount, parseAmount } from '@clearwell/money/amount'
import { isAssetId } from '@clearwell/money/asset'

/** Reads an amount above zero and its asset; `undefined` for anything else. */
export function readAmount(asset: string | undefined, text: string | undefined): Amount | undefined {
  if (!isAssetId(asset) || text === undefined) return undefined
  const amount = parseAmount(text, asset)
  return amount && amount.units > 0n ? amount : undefined
}
