import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { type Config, fetchConfig, useConfig, useConfigError } from '../../api/config.ts'
import { cx } from '../../browser/cx.ts'

import { Badge } from '../../components/badge.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { explicitRead } from '../../components/explicit-read.ts'
import { lazySheet, usePreloaded } from '../../components/lazy-part.tsx'
import { PriceChange } from '../../components/price-change.tsx'
import { Screen } from '../../components/screen.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime, formatPercent } from '../../i18n/format.ts'
import { formatPrice } from '../../i18n/price-text.ts'
import { sentences } from '../../i18n/sentences.ts'
import { Icon } from '../../icons/icon.tsx'
import { type SwapOrder, usePairs, useQuotesAfterPairs } from './swap.queries.ts'
import { QuoteAnnouncement, SwapDetails } from './swap-details.tsx'
import { pairName } from './swap-facts.tsx'
import { SwapForm, TransferInLink } from './swap-form.tsx'
import { PendingSwapNotes, PendingSwapSheet, SwapOrderSheet, SwapOrders } from './swap-orders.tsx'
import { Problem, Warning } from './swap-parts.tsx'
import { OBSTACLE_TEXTS, refusalText, suspensionText } from './swap-refusal.ts'
import { fractionOfBps, slippageRisk } from './swap-settings.ts'
import type { Pair, SwapTerms, Trade } from './swap-terms.ts'
import { type SwapFormState, useSwapForm } from './use-swap-form.ts'

const PairSheet = lazySheet(() => import('./pair-sheet.tsx'))
const SwapSettingsSheet = lazySheet(() => import('./swap-settings-sheet.tsx'))
const SwapConfirmSheet = lazySheet(() => import('./swap-confirm-sheet.tsx'))
const SHEETS = [PairSheet, SwapSettingsSheet, SwapConfirmSheet, PendingSwapSheet, SwapOrderSheet]

/** Swapping at the pools. `symbol` names the pair in the address; the first pair is the default (specification §7). */
export function SwapScreen({
  symbol,
  onSymbolChange,
}: {
  symbol: string | undefined
  onSymbolChange: (symbol: string) => void
}) {
  const config = useConfig()
  const configError = useConfigError()
  const pairs = usePairs()
  useQuotesAfterPairs(pairs)
  const pair = pairs.data?.find((each) => each.symbol === symbol) ?? pairs.data?.[0]
  if (pairs.data && pair && config)
    return (
      <PairScreen
        config={config}
        pairs={pairs.data}
        pair={pair}
        isStale={pairs.isError}
        onPairChange={(next) => onSymbolChange(next.symbol)}
      />
    )
  return (
    <Screen title={m.nav_swap()}>
      {pairs.isError ? (
        <ErrorState error={pairs.error} onRetry={pairs.refetch} />
      ) : configError ? (
        <ErrorState error={configError} onRetry={fetchConfig} />
      ) : pairs.data && !pair ? (
        <EmptyState icon="arrow-left-right" title={m.swap_no_pools()} text={m.swap_no_pools_text()} />
      ) : (
        <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-4">
          <Skeleton className="h-14" />
          <div className="flex flex-col gap-5">
            <Skeleton className="h-44" />
            <Skeleton className="h-31" />
          </div>
          <Skeleton className="h-20" />
        </div>
      )}
    </Screen>
  )
}

interface PairScreenProps {
  readonly config: Config
  readonly pairs: readonly Pair[]
  readonly pair: Pair
  /** The pools could not be refreshed. */
  readonly isStale: boolean
  readonly onPairChange: (pair: Pair) => void
}

/** The screen of a pair: amounts, what the swap gives on which terms, and the user's swaps. */
function PairScreen({ config, pairs, pair, isStale, onPairChange }: PairScreenProps) {
  const form = useSwapForm({ config, pair })
  const [open, setOpen] = useState<'pairs' | 'settings'>()
  const [openOrder, setOpenOrder] = useState<SwapOrder>()
  const { signedIn, user } = useAccount()
  const sellInput = useRef<HTMLInputElement>(null)
  const { review, closeReview, press } = useReview(form, sellInput)
  usePreloaded(SHEETS)
  const { terms, serverQuote, needsQuote, quoteQuery, refusal } = form

  return (
    <Screen
      title={m.nav_swap()}
      aside={
        <span className="flex flex-wrap items-center justify-end gap-1">
          {config.simulated_market && <Badge>{m.swap_simulated()}</Badge>}
          <SettingsButton slippageBps={form.slippageBps} onClick={() => setOpen('settings')} />
        </span>
      }
      action={
        <GatedButton
          needs="activation"
          disabled={pair.suspended || refusal !== undefined}
          busy={(needsQuote && quoteQuery.isFetching) || form.isWanted}
          onClick={press}
        >
          {pair.suspended ? m.swap_suspended() : needsQuote ? m.swap_new_quote() : m.swap_action()}
        </GatedButton>
      }
    >
      <PairHeader pair={pair} onChoose={() => setOpen('pairs')} />
      {signedIn && !review && <PendingSwapNotes onSwapped={form.clear} onViewOrder={setOpenOrder} />}
      {signedIn && user?.activated === false && <Warning text={m.swap_not_activated()} />}
      {pair.suspended && <SuspensionNote pair={pair} />}
      <SwapForm form={form} {...errorsOf(form, { signedIn })} sellInput={sellInput} />
      <QuoteDetails form={form} isStale={isStale} />
      <QuoteAnnouncement terms={serverQuote && terms} isExpired={form.isExpired} />
      {signedIn && <SwapOrders pairs={pairs} pair={pair} open={openOrder} onOpen={setOpenOrder} />}
      {open === 'pairs' && (
        <PairSheet pairs={pairs} chosen={pair} onChoose={onPairChange} onClose={() => setOpen(undefined)} />
      )}
      {open === 'settings' && <SwapSettingsSheet onClose={() => setOpen(undefined)} />}
      {review && (
        <SwapConfirmSheet
          {...review}
          live={serverQuote && terms && { ...terms, expiresAt: serverQuote.expires_at }}
          onSwapped={form.clear}
          onViewOrder={setOpenOrder}
          onClose={closeReview}
        />
      )}
    </Screen>
  )
}

/** The trade and terms that a confirmation starts with. */
interface Review {
  readonly trade: Trade
  readonly terms: SwapTerms
  /** When the quote of these terms expires, in the server's time. */
  readonly expiresAt: string
}

/** Controls the review of a swap: its open state and presses of the main button. */
function useReview(form: SwapFormState, sellInput: { readonly current: HTMLInputElement | null }) {
  const [review, setReview] = useState<Review>()
  const { trade, terms, obstacle, serverQuote, needsQuote, quoteError } = form
  const next =
    obstacle === undefined && terms && serverQuote && !needsQuote
      ? { trade, terms, expiresAt: serverQuote.expires_at }
      : undefined
  const isQuoteComing = obstacle === undefined && !serverQuote && !quoteError

  function press(): void {
    form.press()
    if (obstacle === 'no_amount') sellInput.current?.focus()
    else if (needsQuote) void explicitRead(() => form.quoteQuery.refetch())
    else if (next) setReview(next)
    else form.setWanted(isQuoteComing)
  }

  // A press between the last key and the quote is not too early: the review opens when the quote arrives.
  useEffect(() => {
    if (!form.isWanted || isQuoteComing) return
    form.setWanted(false)
    if (next) setReview(next)
  })

  return { review, closeReview: () => setReview(undefined), press }
}

/** The obstacle as an error of the amount that it is about. */
function errorsOf(
  { obstacle, pressed, sell }: SwapFormState,
  { signedIn }: { signedIn: boolean },
): { sellError: ReactNode; buyError: ReactNode } {
  // A suspension has its own note above the form. An empty form is an error only after a press.
  const isSilent = obstacle === 'suspended' || (obstacle === 'no_amount' && !pressed)
  if (obstacle === undefined || isSilent) return { sellError: undefined, buyError: undefined }
  const text = <span>{OBSTACLE_TEXTS[obstacle]()}</span>
  if (obstacle === 'exceeds_pool') return { sellError: undefined, buyError: text }
  if (obstacle !== 'balance_not_enough' || !signedIn) return { sellError: text, buyError: undefined }
  const withLink = (
    <>
      {text} · <TransferInLink asset={sell.asset} />
    </>
  )
  return { sellError: withLink, buyError: undefined }
}

/** The quote in detail, or the reason why there is none. */
function QuoteDetails({ form, isStale }: { form: SwapFormState; isStale: boolean }) {
  const { trade, terms, quoteQuery, refusal, shownQuoteError } = form
  if (refusal) return <Problem text={refusalText(refusal, trade.pair)} />
  if (shownQuoteError) return <ErrorState error={shownQuoteError} onRetry={quoteQuery.refetch} />
  return (
    <SwapDetails
      trade={trade}
      terms={terms}
      isStale={isStale || form.isExpired}
      quotedAtMs={quoteQuery.dataUpdatedAt}
    />
  )
}

/** The chosen pair with its price; a press chooses another, and a link leads to its chart. */
function PairHeader({ pair, onChoose }: { pair: Pair; onChoose: () => void }) {
  const name = pairName(pair)
  return (
    <div className="flex flex-wrap gap-2">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onChoose}
        className="flex min-h-14 min-w-0 grow basis-48 flex-wrap items-center gap-x-2 rounded-card border border-line bg-surface px-4 py-1.5 max-narrow:px-3 text-start transition-colors hover:border-accent"
      >
        <span className="flex min-w-0 items-center gap-1 text-section">
          {name}
          <Icon name="chevron-right" className="size-4 rotate-90 text-muted" />
          <span className="sr-only">{m.swap_choose_pair()}</span>
        </span>
        <span className="figures ms-auto flex min-w-0 flex-col items-end text-end">
          <span className="[overflow-wrap:anywhere]">{formatPrice(pair.price)}</span>
          <span className="text-label text-muted">
            <PriceChange fraction={pair.change_24h} /> {m.swap_24h()}
          </span>
        </span>
      </button>
      <Link
        to="/{-$locale}/markets/$name"
        params={{ name: pair.symbol }}
        aria-label={m.swap_chart({ pair: name })}
        title={m.swap_chart({ pair: name })}
        className="inline-flex min-h-14 w-14 shrink-0 items-center justify-center rounded-card border border-line bg-surface text-accent transition-colors hover:border-accent"
      >
        <Icon name="chart-no-axes-combined" />
      </Link>
    </div>
  )
}

/** The slippage tolerance in use; amber where it is risky. */
function SettingsButton({ slippageBps, onClick }: { slippageBps: bigint; onClick: () => void }) {
  const percent = formatPercent(fractionOfBps(slippageBps))
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`${m.swap_settings()} ${m.swap_slippage()} ${percent}`}
      onClick={onClick}
      className={cx(
        'figures -me-2 inline-flex min-h-11 items-center gap-2 rounded-control px-2 text-label transition-colors hover:text-text',
        slippageRisk(slippageBps) ? 'text-warn' : 'text-muted',
      )}
    >
      {percent}
      <Icon name="settings" />
    </button>
  )
}

/** The pool is suspended: why and since when. */
function SuspensionNote({ pair }: { pair: Pair }) {
  const since = pair.suspended_at ? [m.swap_suspended_since({ time: formatDateTime(pair.suspended_at) })] : []
  return <Warning title={m.swap_suspended()} text={sentences(suspensionText(pair.suspended_reason), ...since)} />
}
