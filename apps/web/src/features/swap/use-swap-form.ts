import { useState } from 'react'
import type { Config } from '../../api/config.ts'
import { useStore } from '../../browser/store.ts'
import { formatAmount } from '../../i18n/format.ts'
import { useKeptDraft } from './kept-draft.ts'
import { expiryMs, useIsPast } from './quote-age.ts'
import { useAvailable, useQuote, useSettled } from './swap.queries.ts'
import { draftOn, EMPTY_DRAFT, exactSideOf, flipped, type SwapDraft, typedInto } from './swap-draft.ts'
import { readable, textOf, typedUnits, worthUsdt } from './swap-figures.ts'
import { obstacleOf } from './swap-obstacle.ts'
import { isDefinite } from './swap-refusal.ts'
import { slippageBpsOf, swapSettingsStore } from './swap-settings.ts'
import { boughtAsset, feesOf, type Pair, previewQuote, quoteOf, soldAsset, termsOf } from './swap-terms.ts'

/** All that `readable` leaves. */
const SHOWN_PLACES = 9

/** What is typed, what the server says of it, and what is in the way. */
export function useSwapForm({ config, pair }: { config: Config; pair: Pair }) {
  const [kept, setDraft] = useKeptDraft()
  const [pressed, setPressed] = useState(false)
  const [isWanted, setWanted] = useState(false)
  const { slippagePercent } = useStore(swapSettingsStore)
  const slippageBps = slippageBpsOf(slippagePercent) ?? 0n

  const draft = draftOn(pair, kept)
  const { inverse } = draft
  const exact = exactSideOf(draft)
  const trade = { pair, inverse, fees: feesOf(config.fees) }
  const sold = soldAsset(trade)
  const bought = boughtAsset(trade)
  const typedAsset = exact === 'in' ? sold : bought
  const typed = typedUnits(draft.text, typedAsset)
  const amount = typed ? textOf(typed, typedAsset) : undefined
  const asked = useSettled(amount)
  const answer = useQuote({ pair, inverse, amount: asked, exact })
  const isCurrent = asked !== undefined && asked === amount
  const answered = isCurrent ? answer.data : undefined
  const isExpired = useIsPast(expiryMs(answered, answer.dataUpdatedAt)) && answered !== undefined

  const quoteError = isCurrent && answered === undefined ? (answer.error ?? undefined) : undefined

  // While the server is asked: what the pool, as last seen, would do.
  const preview = typed ? previewQuote(trade, { exact, amount: typed }) : undefined
  const quote = answered ? quoteOf(answered, sold, bought) : preview
  const terms = typed && quote ? termsOf(trade, quote, { exact, amount: typed, slippageBps }) : undefined

  const availableSold = useAvailable(sold)
  const availableBought = useAvailable(bought)
  const balance = availableSold === undefined ? undefined : typedUnits(availableSold, sold)
  const obstacle = obstacleOf({ pair, sold, exact, typed, quote, balance })

  const sellText = exact === 'in' ? draft.text : quote ? readable(textOf(quote.amountIn, sold), 'up') : ''
  const buyText = exact === 'out' ? draft.text : quote ? readable(textOf(quote.amountOut, bought), 'down') : ''
  // What was worked out is grouped for reading; what is being typed stays as it is typed.
  const grouped = (text: string) => text && formatAmount(text, { places: SHOWN_PLACES })

  function change(next: SwapDraft): void {
    setDraft(next)
    setPressed(false)
    setWanted(false)
  }

  return {
    trade,
    exact,
    slippageBps,
    terms,
    obstacle,
    /** The server's quote for exactly what stands in the form; absent while it is asked. */
    answered,
    answer,
    isExpired,
    /** The server has been asked about what stands in the form, and said no, or nothing. */
    quoteError,
    /** The server could not be asked about what stands in the form, or has not been for too long. */
    needsQuote: obstacle === undefined && (isExpired || (quoteError !== undefined && !isDefinite(quoteError))),
    pressed,
    press: () => setPressed(true),
    /** Whether the swap was asked for before the server had answered for what stands in the form. */
    isWanted,
    setWanted,
    sell: {
      asset: sold,
      text: exact === 'in' ? sellText : grouped(sellText),
      available: availableSold,
      worth: worthUsdt(sellText, sold, pair),
    },
    buy: {
      asset: bought,
      text: exact === 'out' ? buyText : grouped(buyText),
      available: availableBought,
      worth: worthUsdt(buyText, bought, pair),
    },
    type: (side: SwapDraft['side'], text: string) => change(typedInto(pair, draft, side, text)),
    flip: () => change(flipped(draft)),
    clear: () => change({ ...EMPTY_DRAFT, inverse }),
  }
}

export type SwapFormState = ReturnType<typeof useSwapForm>
