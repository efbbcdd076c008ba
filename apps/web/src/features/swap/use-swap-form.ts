import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { useStore } from '@clearwell/ui/browser/store.ts'
import { useDebounced } from '@clearwell/ui/browser/use-debounced.ts'
import { typedUnits } from '@clearwell/ui/components/amount-input.ts'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { useEffect, useState } from 'react'
import { useAccountAddress } from '../../account/use-account.ts'
import { isFinalRefusal } from '../../api/api-error.ts'
import type { Config } from '../../api/config.ts'
import { expiryMs, useBalances, useIsPast, useQuote, useSpotPrice } from './swap.queries.ts'
import { reservedFor, type SwapActivation } from './swap-activation.ts'
import { readSwapChoice, saveSwapChoice, startsInverse } from './swap-choice.ts'
import {
  draftOn,
  EMPTY_DRAFT,
  exactSideOf,
  firstDraft,
  flipped,
  type SwapDraft,
  type SwapStart,
  typedInto,
  useDraft,
} from './swap-draft.ts'
import { exactUnits, readable, textOf, worthUsdt } from './swap-figures.ts'
import { obstacleOf, type SwapObstacle } from './swap-refusal.ts'
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

interface SwapFormInput {
  readonly config: Config
  readonly pair: Pair
  readonly start: SwapStart
  /** The activation that the first swap includes. */
  readonly activation: SwapActivation
}

/** The typed amount, its quote, and the obstacle to swapping it. */
export function useSwapForm({ config, pair, start, activation }: SwapFormInput) {
  const balances = useBalances()
  const editing = useDraftOn(pair, start, balances)
  const { draft, exact } = editing
  const { slippagePercent } = useStore(swapSettingsStore)
  const slippageBps = slippageBpsOf(slippagePercent) ?? 0n
  const spot = useSpotPrice(pair.spot_symbol)
  const trade = { pair, inverse: draft.inverse, fees: feesOf(config.fees), spot }
  const sold = soldAsset(trade)
  const bought = boughtAsset(trade)
  const typed = typedUnits(draft.text, ASSET_DECIMALS[exact === 'in' ? sold : bought])

  const quoting = useServerQuote(trade, { exact, typed })
  const { serverQuote, isExpired, quoteError } = quoting
  // Until the server responds: a preview from the pool as it was last seen.
  const preview = typed ? previewQuote(trade, { exact, amount: typed }) : undefined
  const quote = serverQuote ? quoteOf(serverQuote, sold, bought) : preview
  const terms = typed && quote ? termsOf(trade, quote, { exact, amount: typed, slippageBps }) : undefined

  const availableOf = (asset: AssetId) => balances?.find((each) => each.asset === asset)?.available
  const available = { sell: availableOf(sold), buy: availableOf(bought) }
  const balance = available.sell === undefined ? undefined : exactUnits(available.sell, sold)
  const reserved = reservedFor(activation, sold)
  const obstacle = obstacleOf({ pair, sold, exact, typed, quote, balance, reserved })
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
    slippageBps,
    terms,
    obstacle,
    /** The largest amount that can be sold: without the part that the activation takes. */
    spendable: balance === undefined ? undefined : textOf(balance > reserved ? balance - reserved : 0n, sold),
    balances,
    /** The amount to sell in base units; `undefined` where it is not known. */
    sellAmount: exact === 'in' ? typed : quote?.amountIn,
    /** The amount that the balance lacks for the typed amount; `undefined` where it is enough or not known. */
    missing: missingOf(obstacle, { amountIn: exact === 'in' ? typed : quote?.amountIn, reserved, balance }),
    /** The server could not be reached for this amount, or its quote has expired. */
    needsQuote: obstacle === undefined && (isExpired || (quoteError !== undefined && !isFinalRefusal(quoteError))),
    sell: side('sell'),
    buy: side('buy'),
  }
}

export type SwapFormState = ReturnType<typeof useSwapForm>

function missingOf(
  obstacle: SwapObstacle | undefined,
  { amountIn, reserved, balance }: { amountIn: bigint | undefined; reserved: bigint; balance: bigint | undefined },
): bigint | undefined {
  if (obstacle !== 'balance_not_enough' || amountIn === undefined || balance === undefined) return undefined
  return amountIn + reserved - balance
}

/** The draft of a pair and the functions that change it. Each change cancels an earlier press of the button. */
function useDraftOn(pair: Pair, start: SwapStart, balances: ReturnType<typeof useBalances>) {
  const owner = useAccountAddress()
  const inverse = startsInverse(pair, { asked: start.sell, last: readSwapChoice(owner), balances })
  const isOnPair = start.sell === pair.base || start.sell === pair.quote
  const [kept, setDraft] = useDraft(pair, start)
  // Until the user changes the form, the balances may still decide its side.
  const first = firstDraft(pair, { inverse, amount: isOnPair ? start.amount : undefined })
  const [pressed, setPressed] = useState(false)
  const [isWanted, setWanted] = useState(false)
  const draft = draftOn(pair, kept ?? first)
  const [isChosen, setChosen] = useState(false)
  const sell = soldAsset({ pair, inverse: draft.inverse })
  const isSettled = kept !== undefined || balances !== undefined
  useEffect(() => {
    if (isChosen && isSettled) saveSwapChoice(owner, { pair: pair.symbol, sell })
  }, [isChosen, isSettled, owner, pair.symbol, sell])

  function change(next: SwapDraft | undefined): void {
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
    flip: () => fill(flipped(draft)),
    clear: () => change({ ...EMPTY_DRAFT, inverse: draft.inverse }),
    /** Replaces the form's content, and remembers pair and side for the next visit. */
    fill,
    /** Before a change of pair: a typed amount stays, and an empty form sells the larger holding. */
    keepAmount: () => fill(draft.text === '' ? undefined : draft),
    remember: () => setChosen(true),
  }

  function fill(next: SwapDraft | undefined): void {
    change(next)
    setChosen(true)
  }
}

/** The server's quote for the typed amount, requested after a pause in typing. */
function useServerQuote(trade: Trade, { exact, typed }: { exact: ExactSide; typed: bigint | undefined }) {
  const { pair, inverse } = trade
  const amount = typed ? textOf(typed, exact === 'in' ? soldAsset(trade) : boughtAsset(trade)) : undefined
  const quotedAmount = useDebounced(amount, TYPING_PAUSE_MS)
  // An amount that is typed again waits for a new quote like any other: its earlier one may have expired.
  const quoteQuery = useQuote({ pair, inverse, amount: quotedAmount, exact, gcTime: 0 })
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
