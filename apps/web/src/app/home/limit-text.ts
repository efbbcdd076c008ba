import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { isOverAtOnePrice } from '../../features/stake/health-mark.tsx'
import type { Loan, MarketPool } from '../../features/stake/stake.queries.ts'
import { m } from '../../generated/messages.ts'
import { nearestLimit } from './nearest-limit.ts'

/** The limit that the loan meets first, in words. */
export function limitText(loan: Loan, pool: MarketPool | undefined): string {
  if (isOverAtOnePrice(loan, pool)) return m.positions_limit_one_price()
  const limit = nearestLimit(loan, pool?.ltv_liquidation, Date.now())
  switch (limit.by) {
    case 'reached':
      return m.positions_limit_reached()
    case 'time':
      return m.positions_limit_time({ time: formatDateTime(limit.time) })
    case 'unknown':
      return m.positions_limit_unknown({ time: formatDateTime(limit.time) })
    case 'price':
      return m.positions_limit_price({
        collateral: loan.collateral_asset,
        asset: loan.borrow_asset,
        price: formatPrice(limit.price),
        percent: formatPercent(limit.distance),
      })
  }
}
