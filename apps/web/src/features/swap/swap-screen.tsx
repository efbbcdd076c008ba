import { cx } from '@clearwell/ui/browser/cx.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { lazySheet, usePreloaded } from '@clearwell/ui/components/lazy-part.tsx'
import { PendingScreen } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Problem, Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { formatAmount, formatPercent } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useRef, useState } from 'react'
import { InactiveNote } from '../../account/inactive-note.tsx'
import { useAccount, useAccountAddress } from '../../account/use-account.ts'
import { useIsLeaving } from '../../account/use-is-leaving.ts'
import { CONFIG } from '../../api/config.samples.ts'
import { type Config, fetchConfig, useConfig, useConfigError } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { useReadSearch } from '../../manifest/read-search.ts'
import { Slot } from '../../manifest/slots.ts'
import { PairHeader } from './pair-header.tsx'
import { type SwapOrder, usePairs, useQuotesAfterPairs } from './swap.queries.ts'
import { BNB_POOL } from './swap.samples.ts'
import { SwapAction, TransferInLink } from './swap-action.tsx'
import { type SwapActivation, useSwapActivation } from './swap-activation.ts'
import { pairOf, readSwapChoice } from './swap-choice.ts'
import { QuoteAnnouncement, SwapDetails } from './swap-details.tsx'
import { type SwapDraft, type SwapStart, useKeptPair } from './swap-draft.ts'
import { textOf } from './swap-figures.ts'
import { SwapForm } from './swap-form.tsx'
import { SwapOrderSheet, SwapOrders } from './swap-orders.tsx'
import { OBSTACLE_TEXTS, refusalText, suspensionText } from './swap-refusal.ts'
import { readSwap } from './swap-search.ts'
import { fractionOfBps, slippageRisk } from './swap-settings.ts'
import type { Pair } from './swap-terms.ts'
import { type SwapFormState, useSwapForm } from './use-swap-form.ts'
import { useSwapReview } from './use-swap-review.ts'

const PairSheet = lazySheet(() => import('./pair-sheet.tsx'))
const SwapSettingsSheet = lazySheet(() => import('./swap-settings-sheet.tsx'))
const SwapConfirmSheet = lazySheet(() => import('./swap-confirm-sheet.tsx'))
const TokenSheet = lazySheet(() => import('./token-sheet.tsx'))
const SHEETS = [PairSheet, TokenSheet, SwapSettingsSheet, SwapConfirmSheet, SwapOrderSheet]

/**
 * Swapping at the pools. Without a pair in the address the form's or the account's last pair is shown, and the first pair is the default
 * (specification §7).
 */
export default function SwapScreen() {
  const { pair: symbol, sell, amount } = useReadSearch(readSwap)
  const navigate = useNavigate({ from: '/{-$locale}/swap/exchange' })
  const owner = useAccountAddress()
  const left = useKeptPair()
  const config = useConfig()
  const configError = useConfigError()
  const pairs = usePairs()
  useQuotesAfterPairs(pairs)
  const pair = pairOf(pairs.data, [symbol, left, readSwapChoice(owner)?.pair])
  if (pairs.data && pair && config)
    return (
      <PairScreen
        config={config}
        pairs={pairs.data}
        pair={pair}
        start={{ sell, amount }}
        isStale={pairs.isError}
        onPairChange={(next) => navigate({ search: { pair: next.symbol }, replace: true, resetScroll: false })}
      />
    )
  if (!pairs.isError && !configError && (!pairs.data || pair))
    return (
      <PendingScreen>
        <Sample />
      </PendingScreen>
    )
  return (
    <Screen title={m.nav_swap()}>
      {pairs.isError ? (
        <ErrorState error={pairs.error} onRetry={pairs.refetch} />
      ) : configError ? (
        <ErrorState error={configError} onRetry={fetchConfig} />
      ) : (
        <EmptyState icon="arrow-left-right" title={m.swap_no_pools()} text={m.swap_no_pools_text()} />
      )}
    </Screen>
  )
}

/** The form of a pair, before the pools are known. */
function Sample() {
  const sellInput = useRef<HTMLInputElement>(null)
  const form = useSwapForm({ config: CONFIG, pair: BNB_POOL, start: {}, activation: { name: 'none' } })
  return (
    <Screen title={m.nav_swap()} aside={<Aside config={CONFIG} form={form} onSettings={() => {}} />}>
      <PairHeader pair={BNB_POOL} onChoose={() => {}} />
      <SwapForm
        form={form}
        sellError={undefined}
        buyError={undefined}
        sellInput={sellInput}
        onEnter={() => {}}
        onChooseToken={() => {}}
      />
      <QuoteDetails form={form} isStale={false} />
    </Screen>
  )
}

interface PairScreenProps {
  readonly config: Config
  readonly pairs: readonly Pair[]
  readonly pair: Pair
  readonly start: SwapStart
  /** The pools could not be refreshed. */
  readonly isStale: boolean
  readonly onPairChange: (pair: Pair) => void
}

/** The screen of a pair: amounts, what the swap gives on which terms, and the user's swaps. */
function PairScreen({ config, pairs, pair, start, isStale, onPairChange }: PairScreenProps) {
  const activation = useSwapActivation()
  const form = useSwapForm({ config, pair, start, activation })
  const [open, setOpen] = useState<OpenSheet>()
  const [openOrder, setOpenOrder] = useState<SwapOrder>()
  const { signedIn } = useAccount()
  const isLeaving = useIsLeaving()
  const sellInput = useRef<HTMLInputElement>(null)
  const { review, closeReview, press } = useSwapReview({ form, activation, sellInput })
  usePreloaded(SHEETS)
  const { terms, serverQuote } = form
  const close = () => setOpen(undefined)

  function fill(on: Pair, draft: SwapDraft, isPressed = false): void {
    form.fill(draft)
    // The confirmation opens with the quote.
    if (isPressed) form.setWanted(true)
    onPairChange(on)
  }

  /** The Enter key is a press of the main button, which a visitor, a stopped pool and an account that leaves do not have. */
  function pressByKey(): void {
    if (signedIn && !isLeaving && !pair.suspended && form.refusal === undefined) press()
  }

  function choosePair(on: Pair): void {
    form.keepAmount()
    onPairChange(on)
  }

  // A digit is drawn before the parts that follow from it, most of the screen.
  const { quoted, orders } = useDeferredValue({
    quoted: (
      <>
        <QuoteDetails form={form} isStale={isStale} />
        {/* Last: on a short phone it would push the price below the main action, which says the same. */}
        {signedIn && <InactiveNote detail={activationWithSwap(activation)} />}
        <QuoteAnnouncement terms={serverQuote && terms} isExpired={form.isExpired} />
      </>
    ),
    orders: signedIn && <SwapOrders pairs={pairs} pair={pair} open={openOrder} onOpen={setOpenOrder} onRepeat={fill} />,
  })

  return (
    <Screen
      title={m.nav_swap()}
      aside={<Aside config={config} form={form} onSettings={() => setOpen('settings')} />}
      action={<SwapAction form={form} activation={activation} onPress={press} />}
    >
      <PairHeader pair={pair} onChoose={() => setOpen('pairs')} />
      {pair.suspended && <SuspensionNote pair={pair} />}
      <SwapForm
        form={form}
        {...errorsOf(form, { signedIn })}
        sellInput={sellInput}
        onEnter={pressByKey}
        onChooseToken={setOpen}
      />
      {quoted}
      {/* Its links have the amount that is typed now. */}
      <Slot name="moreWaysToSwap" symbol={pair.symbol} sell={form.sell.asset} amount={amountToSell(form)} />
      {orders}
      {open === 'pairs' && <PairSheet pairs={pairs} chosen={pair} onChoose={choosePair} onClose={close} />}
      {(open === 'sell' || open === 'buy') && (
        <TokenSheet
          side={open}
          config={config}
          pairs={pairs}
          trade={form.trade}
          onChoose={({ pair: on, inverse }) => fill(on, { ...form.draft, inverse })}
          onClose={close}
        />
      )}
      {open === 'settings' && <SwapSettingsSheet onClose={close} />}
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

function Aside({ config, form, onSettings }: { config: Config; form: SwapFormState; onSettings: () => void }) {
  return (
    <span className="flex flex-wrap items-center justify-end gap-1">
      {config.simulated_market && <Badge>{m.swap_simulated()}</Badge>}
      <SettingsButton slippageBps={form.slippageBps} onClick={onSettings} />
    </span>
  )
}

/** The amount to sell as plain text, typed or quoted. */
function amountToSell({ sellAmount, sell }: SwapFormState): string | undefined {
  return sellAmount ? textOf(sellAmount, sell.asset) : undefined
}

/** The fee that the first swap also pays, where the balance covers it. */
function activationWithSwap(activation: SwapActivation): string | undefined {
  if (activation.name !== 'with_swap') return undefined
  const { price, asset } = activation
  return m.swap_activation_with_swap({ price: `${formatAmount(price)} ${asset}` })
}

type OpenSheet = 'pairs' | 'settings' | 'sell' | 'buy'

/** The obstacle as an error of the amount that it is about. */
function errorsOf(
  form: SwapFormState,
  { signedIn }: { signedIn: boolean },
): { sellError: ReactNode; buyError: ReactNode } {
  const { obstacle, pressed } = form
  // A suspension has its own note above the form. An empty form is an error only after a press.
  const isSilent = obstacle === 'suspended' || (obstacle === 'no_amount' && !pressed)
  if (obstacle === undefined || isSilent) return { sellError: undefined, buyError: undefined }
  const text = <span>{OBSTACLE_TEXTS[obstacle]()}</span>
  if (obstacle === 'exceeds_pool') return { sellError: undefined, buyError: text }
  if (obstacle !== 'balance_not_enough' || !signedIn) return { sellError: text, buyError: undefined }
  const withLink = (
    <>
      {text} · <TransferInLink form={form} />
    </>
  )
  return { sellError: withLink, buyError: undefined }
}

/** The quote in detail, or the reason why there is none. */
function QuoteDetails({ form, isStale }: { form: SwapFormState; isStale: boolean }) {
  const { trade, terms, quoteQuery, refusal, shownQuoteError } = form
  if (refusal) return <Problem text={refusalText(refusal)} />
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
        'figures -me-2 inline-flex min-h-11 items-center gap-2 rounded-control px-2 text-label hover:text-text',
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
