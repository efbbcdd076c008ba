import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { exactPrice } from '@clearwell/ui/i18n/price-text.ts'
import { refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'
import type { Direction } from './alert-price.ts'

interface Alert {
  readonly symbol: string
  readonly direction: Direction
  readonly price: string
}

/** The market of a symbol as its screen names it. */
export function marketName(symbol: string): string {
  return symbol.replace(/(?<=.)USDT$/, '/USDT')
}

/** Names the market and the price of an alert. */
export function alertText({ symbol, direction, price }: Alert): string {
  const values = { symbol: marketName(symbol), price: exactPrice(price) }
  return direction === 'above' ? m.alert_is_above(values) : m.alert_is_below(values)
}

/** Says that the price has already reached the alert. */
export function reachedText(direction: Direction, price: string): string {
  return direction === 'above' ? m.alert_too_low({ price }) : m.alert_too_high({ price })
}

/** Why an alert was not set or not removed, in words that say what to do. */
export function refusalText(error: unknown, direction: Direction = 'above'): string {
  const range = refusalData(error, 'amount_out_of_range')
  if (range?.reason === 'already_reached' && range.price !== undefined)
    return reachedText(direction, exactPrice(range.price))
  const { reason, max } = refusalData(error, 'conflict') ?? {}
  if (reason === 'too_many_alerts' && max !== undefined) return m.alert_too_many({ max: String(max) })
  return errorText(error)
}
