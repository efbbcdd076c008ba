import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { useEffect, useState } from 'react'
import { takeResumedSwap } from '../../account/interrupted-swap.ts'
import { refreshPersonalData } from '../../api/query-client.ts'
import { type IncludedActivation, isApart, type SwapActivation } from './swap-activation.ts'
import type { SwapTerms, Trade } from './swap-terms.ts'
import type { SwapFormState } from './use-swap-form.ts'

/** The trade and terms that a confirmation starts with. */
interface Review {
  readonly trade: Trade
  readonly terms: SwapTerms
  /** When the quote of these terms expires, in the server's time. */
  readonly expiresAt: string
  readonly activation: IncludedActivation | undefined
}

interface ReviewInput {
  readonly form: SwapFormState
  readonly activation: SwapActivation
  readonly sellInput: { readonly current: HTMLInputElement | null }
}

/** Controls the review of a swap: its open state and presses of the main button. */
export function useSwapReview({ form, activation, sellInput }: ReviewInput) {
  const [review, setReview] = useState<Review>()
  const { trade, terms, obstacle, serverQuote, needsQuote, quoteError, quoteQuery, setWanted } = form
  const isReady = obstacle === undefined && activation.name !== 'loading'
  const next: Review | undefined =
    isReady && terms && serverQuote && !needsQuote && !isApart(form, activation)
      ? {
          trade,
          terms,
          expiresAt: serverQuote.expires_at,
          activation: activation.name === 'with_swap' ? activation : undefined,
        }
      : undefined
  const isQuoteComing = (!serverQuote && !quoteError) || (next === undefined && quoteQuery.isFetching)
  const isComing = obstacle === undefined && (isQuoteComing || activation.name === 'loading')

  function open(): void {
    setReview(next)
    form.remember()
  }

  function press(): void {
    form.press()
    if (obstacle !== undefined) sellInput.current?.focus()
    else if (next) open()
    else if (isComing) setWanted(true)
    else if (needsQuote) void explicitRead(() => quoteQuery.refetch())
  }

  // A press between the last key and the quote is not too early: the review opens when the quote arrives.
  useEffect(() => {
    if (!form.isWanted || isComing) return
    setWanted(false)
    if (next) open()
  })

  // Back from a transfer in: the link was the press. The balance that it credited is read first.
  useEffect(() => {
    if (takeResumedSwap()) void refreshPersonalData().then(() => setWanted(true))
  }, [setWanted])

  return { review, closeReview: () => setReview(undefined), press }
}
