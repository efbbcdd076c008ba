import { type AssetId, isAssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'

/** The swap that a path asks for. It fills the form and confirms nothing. */
export interface SwapSearch {
  readonly pair?: string
  readonly sell?: AssetId
  readonly amount?: string
}

/** `?pair=ETHUSDT` selects a pair, `&sell=USDT` the asset to sell, and `&amount=10` fills in how much of it. */
export function readSwap({ pair, sell, amount }: Record<string, unknown>): SwapSearch {
  return {
    ...(typeof pair === 'string' ? { pair } : {}),
    ...(isAssetId(sell) ? { sell } : {}),
    // A number would already have been through floating point.
    ...(typeof amount === 'string' && parseUnits(amount, 18) !== undefined ? { amount } : {}),
  }
}
