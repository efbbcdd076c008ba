import type { AssetId } from '@clearwell/money/asset'
import { boughtAsset, type ExactSide, type Pair, soldAsset } from './swap-terms.ts'

/** What is being typed: on which side, and so which amount is exact. The other side is worked out from it. */
export interface SwapDraft {
  /** Sells the second asset of the pair. */
  readonly inverse: boolean
  readonly side: 'sell' | 'buy'
  readonly text: string
  /** What the text is an amount of. */
  readonly asset: AssetId | undefined
}

export const EMPTY_DRAFT: SwapDraft = { inverse: false, side: 'sell', text: '', asset: undefined }

/** The draft on a pair. An amount stays where its asset stands at the same side; of anything else it would be no amount. */
export function draftOn(pair: Pair, draft: SwapDraft): SwapDraft {
  const asset = assetAt(pair, draft)
  return asset === draft.asset ? draft : { ...draft, text: '', asset }
}

export function typedInto(pair: Pair, draft: SwapDraft, side: SwapDraft['side'], text: string): SwapDraft {
  const next = { ...draft, side, text }
  return { ...next, asset: assetAt(pair, next) }
}

/** The other way round; the amount that was typed stays an amount of its asset, and stays the exact one. */
export function flipped(draft: SwapDraft): SwapDraft {
  if (draft.text === '') return { ...EMPTY_DRAFT, inverse: !draft.inverse }
  return { ...draft, inverse: !draft.inverse, side: draft.side === 'sell' ? 'buy' : 'sell' }
}

export function exactSideOf({ side }: SwapDraft): ExactSide {
  return side === 'sell' ? 'in' : 'out'
}

function assetAt(pair: Pair, { inverse, side }: Pick<SwapDraft, 'inverse' | 'side'>): AssetId {
  return side === 'sell' ? soldAsset({ pair, inverse }) : boughtAsset({ pair, inverse })
}
