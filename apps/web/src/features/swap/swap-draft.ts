import type { AssetId } from '@clearwell/money/asset'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { boughtAsset, type ExactSide, type Pair, soldAsset } from './swap-terms.ts'

/** The typed amount and its side, which is the exact one. The other amount is calculated from it. */
export interface SwapDraft {
  /** Sells the second asset of the pair. */
  readonly inverse: boolean
  readonly side: 'sell' | 'buy'
  readonly text: string
  /** The asset that the text is an amount of. */
  readonly asset: AssetId | undefined
}

export const EMPTY_DRAFT: SwapDraft = { inverse: false, side: 'sell', text: '', asset: undefined }

/** Drafts by entry of the browser's history, for as long as the page lives. */
const drafts = new Map<string, SwapDraft>()

/** The draft of this history entry, once the user has changed the form. Back restores the typed amount. */
export function useDraft(): [SwapDraft | undefined, (draft: SwapDraft | undefined) => void] {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' })
  const [draft, setDraft] = useState(() => drafts.get(entry))
  useEffect(() => {
    if (draft) drafts.set(entry, draft)
    else drafts.delete(entry)
  }, [entry, draft])
  return [draft, setDraft]
}

/** The draft of a new visit: the side to sell, and the amount that a link asks for. */
export function firstDraft(
  pair: Pair,
  { inverse, amount }: { inverse: boolean; amount?: string | undefined },
): SwapDraft {
  const empty = { ...EMPTY_DRAFT, inverse }
  return amount === undefined ? empty : typedInto(pair, empty, 'sell', amount)
}

/** The draft on a pair. The amount is kept only where the pair has the same asset on that side. */
export function draftOn(pair: Pair, draft: SwapDraft): SwapDraft {
  const asset = assetAt(pair, draft)
  return asset === draft.asset ? draft : { ...draft, text: '', asset }
}

export function typedInto(pair: Pair, draft: SwapDraft, side: SwapDraft['side'], text: string): SwapDraft {
  const next = { ...draft, side, text }
  return { ...next, asset: assetAt(pair, next) }
}

/** The opposite direction. The typed amount keeps its asset and stays exact. */
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
