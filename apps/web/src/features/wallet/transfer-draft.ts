import { isAssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'

/** The planned transfer, as the path carries it from the form to the confirmation. */
export interface TransferDraft {
  /** Out of Clearwell, to the account's own wallet; else in. */
  readonly way?: 'out'
  readonly asset?: string
  readonly amount?: string
}

/** Reads a draft out of a path. Anything that is not exactly an asset and an amount is left out. */
export function readDraft(search: Record<string, unknown>): TransferDraft {
  const { way, asset, amount } = search
  return {
    ...(way === 'out' ? { way } : {}),
    ...(isAssetId(asset) ? { asset } : {}),
    // A number would already have been through floating point.
    ...(typeof amount === 'string' && parseUnits(amount, 18) !== undefined ? { amount } : {}),
  }
}
