import { type AssetId, isAssetId } from '@clearwell/money/asset'
import { useKeptForm } from '../../account/use-kept-form.ts'
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

/** The kept form of a swap. */
export const SWAP_FORM = 'swap'

const UNTOUCHED = { pair: '', isDraft: false, inverse: false, side: 'sell', text: '', asset: '' }

/** The amount and side that a link asks for. */
export interface SwapStart {
  readonly sell?: AssetId | undefined
  readonly amount?: string | undefined
}

/** The draft of the form, once the user has changed it. It survives a visit to another screen. */
export function useDraft(
  pair: Pair,
  start: SwapStart,
): [draft: SwapDraft | undefined, setDraft: (draft: SwapDraft | undefined) => void] {
  const { fields, change } = useKeptForm(SWAP_FORM, UNTOUCHED, askedBy(pair, start))
  const { isDraft, inverse, side, text, asset } = fields
  const draft: SwapDraft = {
    inverse,
    side: side === 'buy' ? 'buy' : 'sell',
    text,
    asset: isAssetId(asset) ? asset : undefined,
  }
  return [
    isDraft ? draft : undefined,
    (next) =>
      change(
        next
          ? { ...next, asset: next.asset ?? '', pair: pair.symbol, isDraft: true }
          : { isDraft: false, pair: pair.symbol },
      ),
  ]
}

/** The symbol of the pair that the form was left on; empty where there is none. */
export function useKeptPair(): string {
  return useKeptForm(SWAP_FORM, UNTOUCHED).fields.pair
}

/** The fields that a link names. */
function askedBy({ base, quote }: Pair, { sell, amount }: SwapStart): Partial<typeof UNTOUCHED> {
  if (sell !== base && sell !== quote) return {}
  const inverse = sell === quote
  return amount === undefined ? { inverse } : { inverse, side: 'sell', text: amount, asset: sell }
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
