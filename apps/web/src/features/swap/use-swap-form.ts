import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { useEffect, useState } from 'react'
import { isFinalRefusal } from '../../api/api-error.ts'
import type { Config } from '../../api/config.ts'
import { useStore } from '../../browser/store.ts'
import { typedUnits } from '../../components/amount-input.ts'
import { formatAmount } from '../../i18n/format.ts'
import { expiryMs, useAvailable, useIsPast, useQuote } from './swap.queries.ts'
import { draftOn, EMPTY_DRAFT, exactSideOf, flipped, type SwapDraft, typedInto, useDraft } from './swap-draft.ts'
import { exactUnits, readable, textOf, worthUsdt } from './swap-figures.ts'
import { obstacleOf } from './swap-refusal.ts'
import { slippageBpsOf, swapSettingsStore } from './swap-settings.ts'
import {
  boughtAsset,
  type ExactSide,
  feesOf,
  type Pair,
  previewQuote,
  type Quote,
  quoteOf,
  type SwapTerms,
  soldAsset,
  type Trade,
  termsOf,
} from './swap-terms.ts'

/** All decimals that `readable` leaves. */
const SHOWN_DECIMALS = 9
/** The pause in typing before a quote is requested, in milliseconds. */
const TYPING_PAUSE_MS = 250

/** The typed amount, its quote, and the obstacle to swapping it. */
export function useSwapForm({ config, pair }: { config: Config; pair: Pair }) {
  const { draft, exact, ...editing } = useDraftOn(pair)
  const { slippagePercent } = useStore(swapSettingsStore)
  const slippageBps = slippageBpsOf(slippagePercent) ?? 0n
  const trade = { pair, inverse: draft.inverse, fees: feesOf(config.fees) }
  const sold = soldAsset(trade)
  const bought = boughtAsset(trade)
  const typed = typedUnits(draft.text, ASSET_DECIMALS[exact === 'in' ? sold : bought])

  const quoting = useServerQuote(trade, { exact, typed })
  const { serverQuote, isExpired, quoteError } = quoting
  // Until the server responds: a preview from the pool as it was last seen.
  const preview = typed ? previewQuote(trade, { exact, amount: typed }) : undefined
  const quote = serverQuote ? quoteOf(serverQuote, sold, bought) : preview
  const terms = typed && quote ? termsOf(trade, quote, { exact, amount: typed, slippageBps }) : undefined

  const available = { sell: useAvailable(sold), buy: useAvailable(bought) }
  const balance = available.sell === undefined ? undefined : exactUnits(available.sell, sold)
  const obstacle = obstacleOf({ pair, sold, exact, typed, quote, balance })
  const side = (name: SwapDraft['side']) => ({
    ...sideOf(name, { draft, quote, trade }),
    available: available[name],
  })

  // Without an obstacle the amount could be swapped, so an error of its quote matters.
  const shownQuoteError = obstacle === undefined ? quoteError : undefined

  return {
    ...editing,
    ...quoting,
    shownQuoteError,
    /** The server refuses to quote this amount. */
    refusal: isFinalRefusal(shownQuoteError) ? shownQuoteError : undefined,
    trade,
    exact,
    slippageBps,
    terms,
    obstacle,
    /** The server could not be reached for this amount, or its quote has expired. */
    needsQuote: obstacle === undefined && (isExpired || (quoteError !== undefined && !isFinalRefusal(quoteError))),
    sell: side('sell'),
    buy: side('buy'),
  }
}

export type SwapFormState = ReturnType<typeof useSwapForm>

/** The draft of a pair and the functions that change it. Each change cancels an earlier press of the button. */
function useDraftOn(pair: Pair) {
  const [kept, setDraft] = useDraft()
  const [pressed, setPressed] = useState(false)
  const [isWanted, setWanted] = useState(false)
  const draft = draftOn(pair, kept)

  function change(next: SwapDraft): void {
    setDraft(next)
    setPressed(false)
    setWanted(false)
  }

  return {
    draft,
    exact: exactSideOf(draft),
    pressed,
    press: () => setPressed(true),
    /** `true` if the user pressed Swap before the server had quoted this amount. */
    isWanted,
    setWanted,
    type: (side: SwapDraft['side'], text: string) => change(typedInto(pair, draft, side, text)),
    flip: () => change(flipped(draft)),
    clear: () => change({ ...EMPTY_DRAFT, inverse: draft.inverse }),
  }
}

/** The server's quote for the typed amount, requested after a pause in typing. */
function useServerQuote(trade: Trade, { exact, typed }: { exact: ExactSide; typed: bigint | undefined }) {
  const { pair, inverse } = trade
  const amount = typed ? textOf(typed, exact === 'in' ? soldAsset(trade) : boughtAsset(trade)) : undefined
  const quotedAmount = useDebounced(amount, TYPING_PAUSE_MS)
  const quoteQuery = useQuote({ pair, inverse, amount: quotedAmount, exact })
  const isCurrent = quotedAmount !== undefined && quotedAmount === amount
  const serverQuote = isCurrent ? quoteQuery.data : undefined
  const isPast = useIsPast(expiryMs(serverQuote, quoteQuery.dataUpdatedAt))
  return {
    quoteQuery,
    /** The server's quote for exactly the typed amount; absent until it responds. */
    serverQuote,
    isExpired: isPast && serverQuote !== undefined,
    /** The server rejected the typed amount or did not respond. */
    quoteError: isCurrent && serverQuote === undefined ? (quoteQuery.error ?? undefined) : undefined,
  }
}

/** One amount of the form: as typed, or calculated from the quote and then grouped for reading. */
function sideOf(
  side: SwapDraft['side'],
  { draft, quote, trade }: { draft: SwapDraft; quote: Quote | undefined; trade: Trade },
): { asset: SwapTerms['sold']; text: string; worth: string | undefined } {
  const asset = side === 'sell' ? soldAsset(trade) : boughtAsset(trade)
  if (draft.side === side) return { asset, text: draft.text, worth: worthUsdt(draft.text, asset, trade.pair) }
  const calculated = !quote
    ? ''
    : side === 'sell'
      ? readable(textOf(quote.amountIn, asset), 'up')
      : readable(textOf(quote.amountOut, asset), 'down')
  return {
    asset,
    text: calculated && formatAmount(calculated, { decimals: SHOWN_DECIMALS }),
    worth: worthUsdt(calculated, asset, trade.pair),
  }
}

/** The value once it has not changed for `pauseMs`. */
function useDebounced<Value>(value: Value, pauseMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
