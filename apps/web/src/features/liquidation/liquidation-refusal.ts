import type { ReasonOf } from '@clearwell/api/codes'
import type { LiquidationConflict, LiquidationRange, PriceReason } from '@clearwell/api/refusal-reasons'
import type { AssetId } from '@clearwell/money/asset'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatAmount, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import type { ApiError } from '../../api/api-error.ts'
import { type ByReason, type KnownData, refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'
import type { LiquidationResult } from './liquidation.queries.ts'

/** Why an order was not liquidated, in words, and what can be done next. No refusal moves money. */
export interface Refused {
  readonly title: string
  readonly text: string
  /**
   * `others`: this order is lost. `again`: the same press may succeed. `fund`: the balance must grow first. `none`: this account cannot
   * liquidate now.
   */
  readonly next: 'others' | 'again' | 'fund' | 'accept' | 'activate' | 'none'
  /** With `accept`: the debt of the order now. */
  readonly debt?: string
}

/** The amounts that were sent, for the words. */
interface Sent {
  readonly lending: AssetId
  readonly collateral: AssetId
  readonly paid: string
  readonly maxDebt: string
  readonly minReceived: string
}

/** Explains the server's refusal of a liquidation. */
export function explainRefusal(error: ApiError, sent: Sent): Refused {
  switch (error.codeName) {
    case 'conflict':
      return conflictOf(refusalData(error, 'conflict')?.reason)
    case 'not_found':
      return { title: m.liquidation_gone(), text: m.liquidation_gone_text(), next: 'others' }
    case 'price_out_of_date':
      return {
        title: m.liquidation_stale(),
        text: priceText(refusalData(error, 'price_out_of_date')?.reason),
        next: 'again',
      }
    case 'balance_not_enough': {
      const text = m.liquidation_balance_text({ amount: amountText(sent.paid, sent.lending) })
      return { title: m.liquidation_balance(), text, next: 'fund' }
    }
    case 'amount_out_of_range':
      return {
        title: m.liquidation_part_refused(),
        text: partText(refusalData(error, 'amount_out_of_range'), sent.lending),
        next: 'again',
      }
    case 'price_moved':
      return movedText(refusalData(error, 'price_moved'), sent)
    case 'not_activated':
      return { title: errorText(error), text: m.liquidation_nothing_paid(), next: 'activate' }
    case 'account_is_leaving':
    case 'not_available':
      return { title: errorText(error), text: m.liquidation_not_available(), next: 'none' }
    case 'trading_suspended':
      return { title: errorText(error), text: m.liquidation_suspended(), next: 'again' }
    default:
      return {
        title: m.liquidation_refused(),
        text: `${errorText(error)} ${m.liquidation_nothing_paid()}`,
        next: 'again',
      }
  }
}

/** An amount for a sentence: cut like everywhere, with its asset. */
export function amountText(amount: string, asset: string): string {
  return `${formatAmount(amount, { decimals: significantDecimals(amount) })} ${asset}`
}

/** Says how the order ended, or how much of it is left. */
export function restText({ status, remaining_debt: rest }: LiquidationResult, lending: string): string {
  if (status === -1) return m.liquidation_done_ended()
  const words = { rest: amountText(rest, lending) }
  return status === 2 ? m.liquidation_done_cured(words) : m.liquidation_done_rest(words)
}

const CONFLICTS: ByReason<LiquidationConflict, ReasonOf<'conflict'>, () => Refused> = {
  not_to_be_cleared: () => ({
    title: m.liquidation_recovered(),
    text: m.liquidation_recovered_text(),
    next: 'others',
  }),
  already_cleared: () => ({ title: m.liquidation_first(), text: m.liquidation_first_text(), next: 'others' }),
}

function conflictOf(reason: ReasonOf<'conflict'> = 'already_cleared'): Refused {
  return (CONFLICTS[reason] ?? CONFLICTS.already_cleared)()
}

const PRICE_TEXTS: Readonly<Record<PriceReason, () => string>> = {
  apart: m.liquidation_unknown_refused,
  one_source: m.liquidation_one_source_refused,
  stale: m.liquidation_stale_refused,
  unknown: m.liquidation_unknown_refused,
}

function priceText(reason: PriceReason = 'stale'): string {
  return sentences(PRICE_TEXTS[reason](), m.liquidation_nothing_paid())
}

interface Bounds {
  readonly min: string
  readonly max: string
}

const PART_TEXTS: ByReason<LiquidationRange, ReasonOf<'amount_out_of_range'>, (bounds: Bounds) => string> = {
  half: m.liquidation_over_part_refused,
  least_part: m.liquidation_least_part_refused,
  least_rest: m.liquidation_least_rest_refused,
  whole_only: m.liquidation_whole_only,
}

/** The part that was chosen is no longer allowed: the debt or its ratio changed meanwhile. */
function partText({ reason, min, max }: KnownData<'amount_out_of_range'> = {}, asset: AssetId): string {
  const bounds = { min: amountOr(min, asset), max: amountOr(max, asset) }
  const textOf = (reason && PART_TEXTS[reason]) ?? m.liquidation_range_refused
  return sentences(textOf(bounds), m.liquidation_nothing_paid())
}

/** The debt or the collateral passed a limit that was sent. */
function movedText(
  { total_debt, received }: KnownData<'price_moved'> = {},
  { lending, collateral, maxDebt, minReceived }: Sent,
): Refused {
  if (total_debt !== undefined) {
    const words = { debt: amountText(total_debt, lending), max: amountText(maxDebt, lending) }
    return { title: m.liquidation_moved(), text: m.liquidation_moved_text(words), next: 'accept', debt: total_debt }
  }
  const min = amountText(minReceived, collateral)
  return {
    title: m.liquidation_less(),
    text: m.liquidation_less_text({ received: amountOr(received, collateral), min }),
    next: 'again',
  }
}

function amountOr(amount: string | undefined, asset: string): string {
  return amount === undefined ? '—' : amountText(amount, asset)
}
