import type { PriceState } from '@clearwell/api/market.routes'
import type { AssetId } from '@clearwell/money/asset'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatAmount, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import type { ApiError } from '../../api/api-error.ts'
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

/** The data of a refusal. Any of it may be missing. */
interface RefusalData {
  readonly reason?: unknown
  readonly total_debt?: unknown
  readonly received?: unknown
  readonly min?: unknown
  readonly max?: unknown
}

/** Explains the server's refusal of a liquidation. */
export function explainRefusal(error: ApiError, sent: Sent): Refused {
  const data = (error.data ?? {}) as RefusalData
  switch (error.codeName) {
    case 'conflict':
      return data.reason === 'not_to_be_cleared'
        ? { title: m.liquidation_recovered(), text: m.liquidation_recovered_text(), next: 'others' }
        : { title: m.liquidation_first(), text: m.liquidation_first_text(), next: 'others' }
    case 'not_found':
      return { title: m.liquidation_gone(), text: m.liquidation_gone_text(), next: 'others' }
    case 'price_out_of_date':
      return { title: m.liquidation_stale(), text: priceText(data.reason), next: 'again' }
    case 'balance_not_enough': {
      const text = m.liquidation_balance_text({ amount: amountText(sent.paid, sent.lending) })
      return { title: m.liquidation_balance(), text, next: 'fund' }
    }
    case 'amount_out_of_range':
      return { title: m.liquidation_part_refused(), text: partText(data, sent.lending), next: 'again' }
    case 'price_moved':
      return movedText(data, sent)
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

function priceText(reason: unknown): string {
  const state = reason as PriceState
  const text =
    state === 'one_source'
      ? m.liquidation_one_source_refused()
      : state === 'unknown'
        ? m.liquidation_unknown_refused()
        : m.liquidation_stale_refused()
  return sentences(text, m.liquidation_nothing_paid())
}

/** The part that was chosen is no longer allowed: the debt or its ratio changed meanwhile. */
function partText({ reason, min, max }: RefusalData, asset: AssetId): string {
  const [least, most] = [amountOr(min, asset), amountOr(max, asset)]
  const text = {
    half: m.liquidation_over_part_refused({ max: most }),
    least_part: m.liquidation_least_part_refused({ min: least }),
    least_rest: m.liquidation_least_rest_refused({ min: least }),
    whole_only: m.liquidation_whole_only(),
  }[String(reason)]
  return sentences(text ?? m.liquidation_range_refused({ min: least, max: most }), m.liquidation_nothing_paid())
}

/** The debt or the collateral passed a limit that was sent. */
function movedText(
  { total_debt, received }: RefusalData,
  { lending, collateral, maxDebt, minReceived }: Sent,
): Refused {
  if (typeof total_debt === 'string') {
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

function amountOr(amount: unknown, asset: string): string {
  return typeof amount === 'string' ? amountText(amount, asset) : '—'
}
