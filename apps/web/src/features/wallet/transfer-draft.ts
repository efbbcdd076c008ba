import { isAssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'

/** What is to be transferred in, as the path carries it from the form to the confirmation. */
export interface TransferDraft {
  readonly asset?: string
  readonly amount?: string
}

/** Reads a draft out of a path. Anything that is not exactly an asset and an amount is left out. */
export function readDraft(search: Record<string, unknown>): TransferDraft {
  const { asset, amount } = search
  return {
    ...(isAssetId(asset) ? { asset } : {}),
    // A number would already have been through floating point.
    ...(typeof amount === 'string' && parseUnits(amount, 18) !== undefined ? { amount } : {}),
  }
}
