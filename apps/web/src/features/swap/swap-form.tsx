import { lazy, Suspense, useState } from 'react'
import { GatedButton } from '../../account/gated-button.tsx'
import { useAccount } from '../../account/use-account.ts'
import { ApiError } from '../../api/api-error.ts'
import type { Config } from '../../api/config.ts'
import { m } from '../../generated/paraglide/messages.js'
import { AmountField } from '../../ui/amount-field.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatAmount, formatPercent } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Screen } from '../../ui/screen.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useStore } from '../../ui/store.ts'
import { useAvailable, useQuote, useSettled } from './swap.queries.ts'
import { SwapDetails } from './swap-details.tsx'
import { SwapOrders } from './swap-orders.tsx'
import { fractionOfBps, slippageBpsOf, swapSettingsStore } from './swap-settings.ts'
import {
  amountInFor,
  boughtAsset,
  feesOf,
  obstacleOf,
  type Pair,
  previewQuote,
  quoteOf,
  readable,
  type SwapObstacle,
  type SwapTerms,
  soldAsset,
  termsOf,
  textOf,
  typedUnits,
} from './swap-terms.ts'

const SwapSettingsSheet = lazy(() => import('./swap-settings-sheet.tsx'))
const SwapConfirmSheet = lazy(() => import('./swap-confirm-sheet.tsx'))

/** The amount that was typed, and on which side; the other side is worked out from it. */
interface Draft {
  readonly side: 'sell' | 'buy'
  readonly text: string
}

interface SwapFormProps {
  readonly config: Config
  readonly pairs: readonly Pair[]
  readonly pair: Pair
  /** The pools could not be asked again. */
  readonly isStale: boolean
  readonly onPairChange: (pair: Pair) => void
}

/** Pair, amounts, what the swap would give now and on what terms. */
export function SwapForm({ config, pairs, pair, isStale, onPairChange }: SwapFormProps) {
  const [inverse, setInverse] = useState(false)
  const [draft, setDraft] = useState<Draft>({ side: 'sell', text: '' })
  const [pressed, setPressed] = useState(false)
  const [settingsOpen, setSettingsOpen] = useState(false)
  const [review, setReview] = useState<{ terms: SwapTerms; expiresAt: string }>()
  const { slippagePercent } = useStore(swapSettingsStore)
  const slippageBps = slippageBpsOf(slippagePercent) ?? 0n
  const { signedIn, user } = useAccount()

  const trade = { pair, inverse, fees: feesOf(config.fees) }
  const sold = soldAsset(trade)
  const bought = boughtAsset(trade)
  const typed = typedUnits(draft.text, draft.side === 'sell' ? sold : bought)
  const amountIn = draft.side === 'sell' ? typed : sellFor(typed)
  const amountInText = amountIn === undefined || amountIn === 0n ? undefined : textOf(amountIn, sold)
  const asked = useSettled(amountInText)
  const answer = useQuote({ pair, inverse, amount: asked })
  const isAnswered = asked !== undefined && asked === amountInText && answer.data !== undefined
  const preview = amountIn === undefined ? undefined : previewQuote(trade, amountIn)
  const quote = isAnswered ? quoteOf(answer.data, sold, bought) : preview
  const terms = amountIn && quote ? termsOf(trade, amountIn, quote, slippageBps) : undefined

  const available = useAvailable(sold)
  const availableBought = useAvailable(bought)
  const balance = available === undefined ? undefined : typedUnits(available, sold)
  const obstacle = obstacleOf({ pair, sold, typed, amountIn, balance, gives: quote?.amountOut })
  // A suspension is said above the form; that nothing was typed is said when it matters.
  const isSilent = obstacle === 'suspended' || (obstacle === 'no_amount' && !pressed)
  const error = obstacle === undefined || isSilent ? undefined : OBSTACLES[obstacle]()
  const refusedQuote = answer.error instanceof ApiError && asked === amountInText ? answer.error : undefined

  /** What must be sold to buy so much, at a readable number of decimals. Up: selling less would not buy it. */
  function sellFor(amountOut: bigint | undefined): bigint | undefined {
    if (amountOut === undefined || amountOut === 0n) return amountOut
    const least = amountInFor(trade, amountOut)
    return least && typedUnits(readable(textOf(least, sold), 'up'), sold)
  }

  function type(side: Draft['side'], text: string): void {
    setDraft({ side, text })
    setPressed(false)
  }

  /** The other way round; the amount that was typed stays an amount of its asset. */
  function flip(): void {
    setInverse(!inverse)
    setDraft({ ...draft, side: draft.side === 'sell' ? 'buy' : 'sell' })
    setPressed(false)
  }

  function openReview(): void {
    setPressed(true)
    if (obstacle === undefined && terms && isAnswered) setReview({ terms, expiresAt: answer.data.expires_at })
  }

  return (
    <Screen
      title={m.nav_swap()}
      aside={
        <span className="flex items-center gap-2">
          {config.simulated_market && <Badge>{m.swap_simulated()}</Badge>}
          <SettingsButton slippage={fractionOfBps(slippageBps)} onClick={() => setSettingsOpen(true)} />
        </span>
      }
      action={
        <GatedButton
          needs="activation"
          disabled={pair.suspended}
          busy={obstacle === undefined && !isAnswered && !answer.isError}
          onClick={openReview}
        >
          {pair.suspended ? m.swap_suspended() : m.swap_action()}
        </GatedButton>
      }
    >
      <SegmentedControl
        label={m.swap_pair()}
        options={pairs.map(({ id, base, quote }) => ({ value: id, label: `${base}/${quote}` }))}
        value={pair.id}
        onChange={(id) => onPairChange(pairs.find((each) => each.id === id) ?? pair)}
      />
      {signedIn && user?.activated === false && <Warning text={m.swap_not_activated()} />}
      {pair.suspended && <Warning title={m.swap_suspended()} text={m.swap_suspended_text()} />}
      <Card className="flex flex-col">
        <AmountField
          label={m.swap_sell()}
          value={draft.side === 'sell' ? draft.text : (amountInText ?? '')}
          onChange={(text) => type('sell', text)}
          asset={sold}
          balance={available}
          error={obstacle === 'exceeds_pool' ? undefined : error}
        />
        <FlipButton label={m.swap_flip()} onClick={flip} />
        <AmountField
          label={m.swap_buy()}
          value={draft.side === 'buy' ? draft.text : quote ? readable(textOf(quote.amountOut, bought), 'down') : ''}
          onChange={(text) => type('buy', text)}
          asset={bought}
          error={obstacle === 'exceeds_pool' ? error : undefined}
          hint={availableBought === undefined ? '' : `${m.ui_available()} ${formatAmount(availableBought)} ${bought}`}
        />
      </Card>
      {refusedQuote && obstacle === undefined ? (
        <ErrorState error={refusedQuote} onRetry={answer.refetch} />
      ) : (
        <SwapDetails trade={trade} terms={terms} isStale={isStale} answeredAtMs={answer.dataUpdatedAt} />
      )}
      {signedIn && <SwapOrders pairs={pairs} />}
      <Suspense>
        {settingsOpen && <SwapSettingsSheet onClose={() => setSettingsOpen(false)} />}
        {review && (
          <SwapConfirmSheet
            trade={trade}
            terms={review.terms}
            expiresAt={review.expiresAt}
            live={isAnswered && quote ? { amountOut: quote.amountOut, expiresAt: answer.data.expires_at } : undefined}
            onSwapped={() => type('sell', '')}
            onClose={() => setReview(undefined)}
          />
        )}
      </Suspense>
    </Screen>
  )
}

const OBSTACLES: Record<SwapObstacle, () => string> = {
  suspended: m.swap_suspended,
  no_amount: m.swap_enter_amount,
  balance_not_enough: m.swap_balance_not_enough,
  rt_balance_not_enough: m.swap_rt_balance_not_enough,
  exceeds_pool: m.swap_exceeds_pool,
  too_small: m.swap_too_small,
}

function SettingsButton({ slippage, onClick }: { slippage: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`${m.swap_settings()} ${m.swap_slippage()} ${formatPercent(slippage)}`}
      onClick={onClick}
      className="figures inline-flex min-h-11 items-center gap-2 rounded-control px-2 text-label text-muted transition-colors hover:text-text"
    >
      {formatPercent(slippage)}
      <Icon name="settings" />
    </button>
  )
}

function FlipButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="mx-auto -mt-1 -mb-5 inline-flex size-11 items-center justify-center rounded-full border border-line bg-raised text-accent transition-colors hover:border-accent"
    >
      <Icon name="arrow-up-down" />
    </button>
  )
}

function Warning({ title, text }: { title?: string; text: string }) {
  return (
    <div className="flex gap-2 rounded-control border border-warn/50 px-3 py-2.5 text-warn">
      <Icon name="triangle-alert" />
      <p>
        {title && <strong className="block">{title}</strong>}
        {text}
      </p>
    </div>
  )
}
