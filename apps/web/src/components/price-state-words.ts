import type { PriceState } from '@clearwell/api/market.routes'
import { m } from '../generated/messages.ts'

/** The state in one or two words; `undefined` for a fresh price. */
export function priceStateWords(state: PriceState): string | undefined {
  switch (state) {
    case 'fresh':
      return undefined
    case 'apart':
      return m.ui_price_apart()
    case 'one_source':
      return m.ui_price_one_source()
    case 'stale':
      return m.market_stale_price()
    case 'unknown':
      return m.ui_price_unknown()
  }
}
