import { ApiError } from '../../api/api-error.ts'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../i18n/error-text.ts'
import { formatAmount } from '../../i18n/format.ts'
import { formatPrice } from '../../i18n/price-text.ts'
import { type Direction, PRICE_DECIMALS, seenPlaces } from './alert-price.ts'

interface Alert {
  readonly symbol: string
  readonly direction: Direction
  readonly price: string
}

/** A price that somebody typed, with every decimal of it. */
function exactPrice(price: string): string {
  return formatAmount(price, { places: PRICE_DECIMALS })
}

/** What an alert waits for. */
export function alertText({ symbol, direction, price }: Alert): string {
  const values = { symbol, price: exactPrice(price) }
  return direction === 'above' ? m.alert_is_above(values) : m.alert_is_below(values)
}

/** What has happened. */
export function noticeText({ symbol, direction, price }: Alert): string {
  const values = { symbol, price: exactPrice(price) }
  return direction === 'above' ? m.alert_rose(values) : m.alert_fell(values)
}

/** The price that an alert was told at, written so that it is where the alert waited for it. */
export function seenText({ price, price_seen }: { price: string; price_seen: string }): string {
  return formatPrice(price_seen, seenPlaces(price))
}

/** The price is there already. */
export function reachedText(direction: Direction, price: string): string {
  return direction === 'above' ? m.alert_too_low({ price }) : m.alert_too_high({ price })
}

/** Why an alert was not set or not removed, in words that say what to do. */
export function refusalText(error: unknown, direction: Direction = 'above'): string {
  const { reason, price, max } = ((error instanceof ApiError && error.data) || {}) as Record<string, unknown>
  switch (reason) {
    case 'already_reached':
      return reachedText(direction, exactPrice(String(price)))
    case 'too_many_alerts':
      return m.alert_too_many({ max: String(max) })
    case 'too_often':
      return m.alert_too_often()
    case 'already_delivered':
      return m.alert_was_delivered()
    default:
      return errorText(error)
  }
}
