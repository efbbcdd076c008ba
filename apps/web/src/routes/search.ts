import { type AssetId, isAssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import type { ActivityPart } from '../features/history/activity-items.ts'
import type { ShownTransfer } from '../features/wallet/send-transaction-screen.tsx'

/**
 * Readers of queries: each returns the valid part of the query of a screen's path. The route tree imports them, so their
 * code comes with home's. A feature's longer readers are beside its screens.
 */

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

/** `?section=swap` scrolls to a section, so that a link to it can be shared. */
export function readSection({ section }: Record<string, unknown>): { section?: string } {
  return typeof section === 'string' ? { section } : {}
}

/** `?asset=BNB` shows an asset; without it the screen lists them. */
export function readAsset({ asset }: Record<string, unknown>): { asset?: AssetId } {
  return isAssetId(asset) ? { asset } : {}
}

/** `?show=swaps` shows one part of the activity. */
export function readActivity({ show }: Record<string, unknown>): { show?: ActivityPart } {
  return show === 'transfers' || show === 'swaps' || show === 'rewards' ? { show } : {}
}

/** `?order=…` shows the receipts of a liquidated order, with `&part=…` one of them. */
export function readReceipt({ order, part }: Record<string, unknown>): { order?: string; part?: string } {
  return {
    ...(typeof order === 'string' ? { order } : {}),
    ...(typeof part === 'string' ? { part } : {}),
  }
}

/** `?order=…` shows a transfer in, with `&way=out` a transfer out. */
export function readShown({ order, way }: Record<string, unknown>): ShownTransfer {
  return {
    ...(typeof order === 'string' ? { order } : {}),
    ...(way === 'out' ? { way } : {}),
  }
}
