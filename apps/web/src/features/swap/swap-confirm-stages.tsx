import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { Problem, Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatDateTime, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ApiError, isFinalRefusal } from '../../api/api-error.ts'
import { refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'
import { Fold } from './fold.tsx'
import { PayReceive } from './pay-receive.tsx'
import type { IncludedActivation } from './swap-activation.ts'
import { type ConfirmedTerms, type ConfirmState, movedIn } from './swap-confirmation.ts'
import {
  exactFact,
  expectedText,
  foldedFacts,
  LossWarning,
  largeLossWords,
  limitFact,
  mainFacts,
  moreFacts,
  sinceQuoteFact,
} from './swap-facts.tsx'
import { exactly, paid, received, textOf } from './swap-figures.ts'
import { refusalText } from './swap-refusal.ts'
import { slippageRisk } from './swap-settings.ts'
import { type Amounts, type SwapTerms, type Trade, termsAt } from './swap-terms.ts'

/** The content of the confirm sheet at one stage. */
export interface Stage {
  readonly name: string
  readonly title: string
  readonly text?: ReactNode
  readonly content: ReactNode
  readonly confirm?: {
    readonly label: string
    readonly confirmed: ConfirmedTerms
    readonly impactAccepted?: boolean
    /** The figures that replaced those of the review, if they did. */
    readonly figures?: string
  }
}

/** The stage that asks for a confirmation: the review, its price impact, or the new figures after the price moved. */
export function askingStage({
  state,
  trade,
  live,
  deadlineFrom,
  expiresAt,
  activation,
}: {
  state: Extract<ConfirmState, { readonly confirmed: ConfirmedTerms }>
  trade: Trade
  /** The activation that is paid first; absent once it is paid. */
  activation: IncludedActivation | undefined
  /** The server's latest quote for the same swap. */
  live: (Amounts & { readonly expiresAt: string }) | undefined
  deadlineFrom: (time: string) => string
  /** When the quote of the first terms expires, in the server's time. */
  expiresAt: string
}): Stage {
  const moved = movedIn(state, live)
  if (!moved)
    return state.name === 'impact'
      ? impactStage(state.confirmed, trade)
      : reviewStage(state.confirmed, { trade, activation })
  const { terms } = state.confirmed
  const next = { terms: termsAt(trade, terms, moved.now), deadline: deadlineFrom(live?.expiresAt ?? expiresAt) }
  return movedStage({ before: terms, next, isLate: moved.isLate, trade })
}

function reviewStage(
  confirmed: ConfirmedTerms,
  { trade, activation }: { trade: Trade; activation: IncludedActivation | undefined },
): Stage {
  const { terms, deadline } = confirmed
  const words = <span className="text-text">{termsText(terms)}</span>
  return {
    name: 'review',
    title: activation ? m.swap_activation_title() : m.swap_confirm_title(),
    text: activation ? undefined : words,
    content: (
      <>
        {activation && <BothInWords activation={activation} swap={words} />}
        <PayReceive terms={terms} />
        <LossWarning terms={terms} />
        {slippageRisk(terms.slippageBps) === 'loose' && <Warning text={m.swap_slippage_loose()} />}
        <div>
          <FactList facts={mainFacts(terms, trade)} />
          <Fold label={m.swap_more()}>
            <FactList
              facts={[
                ...foldedFacts(terms),
                ...moreFacts(terms, trade),
                { label: m.swap_valid_until(), value: formatTime(deadline) },
              ]}
            />
          </Fold>
        </div>
      </>
    ),
    confirm: { label: activation ? m.swap_activate_and_swap() : m.swap_action(), confirmed },
  }
}

/** The two things that one press confirms, each in words, and the outcome if only the first succeeds. */
function BothInWords({ activation: { price, asset }, swap }: { activation: IncludedActivation; swap: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <div>
        <h3 className="text-section">{m.swap_activation_first()}</h3>
        <p>{m.swap_activation_pay({ price: exactly(price, asset) })}</p>
      </div>
      <div>
        <h3 className="text-section">{m.swap_activation_then()}</h3>
        <p>{swap}</p>
      </div>
      <p className="text-muted">{m.swap_activation_if_fails()}</p>
    </div>
  )
}

/** The activation failed, so the swap was not sent. The same press tries both again. */
export function notActivatedStage({ confirmed, error }: Extract<ConfirmState, { name: 'not_activated' }>): Stage {
  const isRefused = isFinalRefusal(error)
  const opensAt = refusalData(error, 'not_open')?.opens_at
  return {
    name: 'not_activated',
    title: m.swap_activation_failed(),
    content: (
      <Problem
        text={sentences(
          errorText(error),
          ...(opensAt ? [m.activation_opens_at({ time: formatDateTime(opensAt) })] : []),
        )}
        detail={isRefused ? m.swap_activation_nothing() : m.swap_activation_unknown()}
      />
    ),
    ...(isRefused ? {} : { confirm: { label: m.app_retry(), confirmed } }),
  }
}

function termsText({ sold, bought, exact, amount, limit, fee }: SwapTerms): string {
  return exact === 'in'
    ? m.swap_confirm_text({
        sell: exactly(textOf(amount, sold), sold),
        minimum: received(limit, bought),
        fee: paid(fee, sold),
      })
    : m.swap_confirm_text_out({
        buy: exactly(textOf(amount, bought), bought),
        maximum: paid(limit, sold),
        fee: paid(fee, sold),
      })
}

function impactStage(confirmed: ConfirmedTerms, trade: Trade): Stage {
  const { terms } = confirmed
  const { title, text, advice } = largeLossWords(terms)
  return {
    name: 'impact',
    title,
    text,
    content: (
      <>
        <Warning text={advice} tone="danger" />
        <FactList facts={[exactFact(terms), limitFact(terms), ...moreFacts(terms, trade).slice(0, 2)]} />
      </>
    ),
    confirm: { label: m.swap_anyway(), confirmed, impactAccepted: true },
  }
}

function movedStage({
  before,
  next,
  isLate,
  trade,
}: {
  before: SwapTerms
  next: ConfirmedTerms
  isLate: boolean
  trade: Trade
}): Stage {
  const { terms, deadline } = next
  return {
    name: 'moved',
    title: isLate ? m.swap_too_late() : m.swap_price_moved(),
    text: isLate ? m.swap_too_late_text() : m.swap_price_moved_text(),
    content: (
      <>
        <FactList
          facts={[
            exactFact(terms),
            { label: m.swap_before(), value: <s className="text-muted">{expectedText(before, before)}</s> },
            { label: m.swap_now(), value: <strong>{expectedText(terms, terms)}</strong> },
            ...moreFacts(terms, trade).slice(0, 1),
            limitFact(terms),
            sinceQuoteFact(before, terms),
          ]}
        />
        {isLate && <p className="text-muted">{m.swap_new_deadline({ time: formatTime(deadline) })}</p>}
      </>
    ),
    confirm: { label: m.swap_accept_new(), confirmed: next, figures: `${terms.amountIn} ${terms.amountOut}` },
  }
}

/** @param paidActivation the activation that was paid before the swap was refused. */
export function refusedStage(refusal: ApiError, paidActivation: IncludedActivation | undefined): Stage {
  return {
    name: 'refused',
    title: m.swap_not_done(),
    content: (
      <>
        <Problem
          text={refusalText(refusal)}
          detail={
            paidActivation ? sentences(m.swap_nothing_swapped(), paidText(paidActivation)) : m.ui_no_money_moved()
          }
        />
        <RefusalAction refusal={refusal} />
      </>
    ),
  }
}

/** Says that the first of two commands succeeded. */
export function paidText({ price, asset }: IncludedActivation): string {
  return m.swap_activation_done({ price: exactly(price, asset) })
}

/** The link that helps against a refusal. */
function RefusalAction({ refusal }: { refusal: ApiError }): ReactNode {
  switch (refusal.codeName) {
    case 'not_activated':
      return (
        <Link to="/{-$locale}/swap/activate" className={buttonClass()}>
          {m.nav_activate_now()}
        </Link>
      )
    case 'balance_not_enough':
      return (
        <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
          {m.swap_transfer_in()}
        </Link>
      )
    default:
      return null
  }
}
