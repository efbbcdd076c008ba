import type { AssetId } from '@clearwell/money/asset'
import type { ApiError } from '../../api/api-error.ts'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../i18n/error-text.ts'
import { formatAmount, significantDecimals } from '../../i18n/format.ts'

/** Why an order was not liquidated, in words, and what can be done next. No refusal moves money. */
export interface Refused {
  readonly title: string
  readonly text: string
  /** `others`: this order is lost. `again`: the same press may succeed. `fund`: the balance must grow first. */
  readonly next: 'others' | 'again' | 'fund' | 'accept' | 'activate'
  /** With `accept`: what the order costs now. */
  readonly debt?: string
}

/** Explains the server's refusal of a liquidation. */
export function explainRefusal(
  error: ApiError,
  { lending, maxDebt, debt }: { readonly lending: AssetId; readonly maxDebt: string; readonly debt: string },
): Refused {
  const data = (error.data ?? {}) as { readonly reason?: unknown; readonly total_debt?: unknown }
  const amount = (text: string) => amountText(text, lending)
  switch (error.codeName) {
    case 'conflict':
      return data.reason === 'not_to_be_cleared'
        ? { title: m.liquidation_recovered(), text: m.liquidation_recovered_text(), next: 'others' }
        : { title: m.liquidation_first(), text: m.liquidation_first_text(), next: 'others' }
    case 'not_found':
      return { title: m.liquidation_gone(), text: m.liquidation_gone_text(), next: 'others' }
    case 'price_out_of_date':
      return { title: m.liquidation_stale(), text: m.liquidation_stale_refused(), next: 'again' }
    case 'balance_not_enough':
      return {
        title: m.liquidation_balance(),
        text: m.liquidation_balance_text({ debt: amount(debt) }),
        next: 'fund',
      }
    case 'price_moved': {
      const now = typeof data.total_debt === 'string' ? data.total_debt : debt
      const text = m.liquidation_moved_text({ debt: amount(now), max: amount(maxDebt) })
      return { title: m.liquidation_moved(), text, next: 'accept', debt: now }
    }
    case 'not_activated':
      return { title: errorText(error), text: m.liquidation_nothing_paid(), next: 'activate' }
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
