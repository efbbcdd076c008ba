import { exactPrice, formatPrice, reachedDecimals } from '@clearwell/ui/i18n/price-text.ts'
import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'
import { marketName } from './alert-text.ts'

export default {
  notices: {
    price_alert({ symbol, direction, price, price_seen }, time) {
      const values = { symbol: marketName(symbol), price: exactPrice(price) }
      // With as many decimals the price seen is at or beyond the alert's, as it was.
      const seen = formatPrice(price_seen, reachedDecimals(price))
      return {
        icon: 'bell',
        title: direction === 'above' ? m.alert_notice_rose(values) : m.alert_notice_fell(values),
        detail: m.alert_notice_seen({ price: seen, time }),
      }
    },
  },
} as const satisfies FeatureWords
