import type { AssetId } from '@clearwell/money/asset'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import type { Config } from '../../api/config.ts'
import { cx } from '../../browser/cx.ts'
import { usePreloaded } from '../../browser/use-preloaded.ts'
import { Badge } from '../../components/badge.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { explicitRead } from '../../components/explicit-read.ts'
import { lazySheet } from '../../components/lazy-part.tsx'
import { Screen } from '../../components/screen.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatPercent } from '../../i18n/format.ts'
import { Icon } from '../../icons/icon.tsx'
import { PairHeader } from './pair-header.tsx'
import { LostSwapSheet, PendingSwaps } from './pending-swaps.tsx'
import { QuoteSaid } from './quote-said.tsx'
import { SwapDetails } from './swap-details.tsx'
import { Problem, SuspensionNote, Warning } from './swap-notes.tsx'
import { OBSTACLE_TEXTS } from './swap-obstacle.ts'
import { type SwapOrder, SwapOrderSheet, SwapOrders } from './swap-orders.tsx'
import { SwapPanels } from './swap-panels.tsx'
import { isDefinite, refusalText } from './swap-refusal.ts'
import { fractionOfBps, slippageRisk } from './swap-settings.ts'
import type { Pair, SwapTerms, Trade } from './swap-terms.ts'
import { useSwapForm } from './use-swap-form.ts'

const PairSheet = lazySheet(() => import('./pair-sheet.tsx'))
const SwapSettingsSheet = lazySheet(() => import('./swap-settings-sheet.tsx'))
const SwapConfirmSheet = lazySheet(() => import('./swap-confirm-sheet.tsx'))
const SHEETS = [PairSheet, SwapSettingsSheet, SwapConfirmSheet, LostSwapSheet, SwapOrderSheet]

interface SwapFormProps {
  readonly config: Config
  readonly pairs: readonly Pair[]
  readonly pair: Pair
  /** The pools could not be asked again. */
  readonly isStale: boolean
  readonly onPairChange: (pair: Pair) => void
}

/** What a confirmation begins with. */
interface Review {
  readonly trade: Trade
  readonly terms: SwapTerms
  /** When the quote of these terms expires, in the server's time. */
  readonly expiresAt: string
}

/** Pair, amounts, what the swap would give now and on what terms. */
export function SwapForm({ config, pairs, pair, isStale, onPairChange }: SwapFormProps) {
  const form = useSwapForm({ config, pair })
  const { terms, obstacle, answered, answer, needsQuote } = form
  const [open, setOpen] = useState<'pairs' | 'settings'>()
  const [review, setReview] = useState<Review>()
  const [openOrder, setOpenOrder] = useState<SwapOrder>()
  const { signedIn, user } = useAccount()
  const sellInput = useRef<HTMLInputElement>(null)
  usePreloaded(SHEETS)

  // A suspension is said above the form; that nothing was typed is said when it matters.
  const isSilent = obstacle === 'suspended' || (obstacle === 'no_amount' && !form.pressed)
  const error = obstacle === undefined || isSilent ? undefined : OBSTACLE_TEXTS[obstacle]()
  const quoteError = obstacle === undefined ? form.quoteError : undefined
  const refusal = isDefinite(quoteError) ? quoteError : undefined

  const reviewed = obstacle === undefined && terms && answered && !needsQuote ? { terms, answered } : undefined
  const isComing = obstacle === undefined && !answered && !quoteError

  function press(): void {
    form.press()
    if (obstacle === 'no_amount') sellInput.current?.focus()
    else if (needsQuote) void explicitRead(() => answer.refetch())
    else if (reviewed) startReview(reviewed)
    else form.setWanted(isComing)
  }

  function startReview({ terms, answered }: NonNullable<typeof reviewed>): void {
    setReview({ trade: form.trade, terms, expiresAt: answered.expires_at })
  }

  // A press in the moment between the last key and the answer is no press too early: it goes on with the answer.
  useEffect(() => {
    if (!form.isWanted || isComing) return
    form.setWanted(false)
    if (reviewed) startReview(reviewed)
  })

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
          busy={(needsQuote && answer.isFetching) || form.isWanted}
          onClick={press}
        >
          {pair.suspended ? m.swap_suspended() : needsQuote ? m.swap_new_quote() : m.swap_action()}
        </GatedButton>
      }
    >
      <PairHeader pair={pair} onChoose={() => setOpen('pairs')} />
      {signedIn && !review && <PendingSwaps onSwapped={form.clear} onViewOrder={setOpenOrder} />}
      {signedIn && user?.activated === false && <Warning text={m.swap_not_activated()} />}
      {pair.suspended && <SuspensionNote pair={pair} />}
      <SwapPanels
        form={form}
        sellError={obstacle === 'exceeds_pool' ? undefined : error}
        buyError={obstacle === 'exceeds_pool' ? error : undefined}
        sellWay={obstacle === 'balance_not_enough' && signedIn ? <TransferIn asset={form.sell.asset} /> : undefined}
        sellInput={sellInput}
      />
      {refusal ? (
        <Problem text={refusalText(refusal, pair)} />
      ) : quoteError ? (
        <ErrorState error={quoteError} onRetry={answer.refetch} />
      ) : (
        <SwapDetails
          trade={form.trade}
          terms={terms}
          isStale={isStale || form.isExpired}
          answeredAtMs={answer.dataUpdatedAt}
        />
      )}
      <QuoteSaid terms={answered && terms} isExpired={form.isExpired} />
      {signedIn && <SwapOrders pairs={pairs} pair={pair} open={openOrder} onOpen={setOpenOrder} />}
      {open === 'pairs' && (
        <PairSheet pairs={pairs} chosen={pair} onChoose={onPairChange} onClose={() => setOpen(undefined)} />
      )}
      {open === 'settings' && <SwapSettingsSheet onClose={() => setOpen(undefined)} />}
      {review && (
        <SwapConfirmSheet
          {...review}
          live={answered && terms && { ...terms, expiresAt: answered.expires_at }}
          onSwapped={form.clear}
          onViewOrder={setOpenOrder}
          onClose={() => setReview(undefined)}
        />
      )}
    </Screen>
  )
}

/** What helps where there is too little of an asset. RT is earned and bought here, never transferred in. */
function TransferIn({ asset }: { asset: AssetId }) {
  return (
    <Link
      to="/{-$locale}/wallet/buy"
      search={{ asset }}
      className="-my-2 inline-block py-2 text-accent underline underline-offset-4"
    >
      {m.swap_transfer_in()}
    </Link>
  )
}

/** The tolerance at work; amber where it is one to think about. */
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
