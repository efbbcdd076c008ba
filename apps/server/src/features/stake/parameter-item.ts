import type { ResponseOf } from '@clearwell/api/routes'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import type { ParameterSet } from '../../domain/lending/lending-parameters.ts'
import { curveItem } from './pool-items.ts'

const fraction = (bps: bigint) => formatUnits(bps, 4)

/** A set of parameters as everyone sees it. */
export function parameterItem({ announcedAt, effectiveAt, rules }: ParameterSet): ResponseOf<'stakeParameters'>['now'] {
  const { pools, collateral, termsDays, limits, liquidation, caps } = rules
  return {
    announced_at: announcedAt.toISOString(),
    effective_at: effectiveAt.toISOString(),
    pools: pools.map(({ asset, curve, reserveBps, minPledge, minLoan }) => ({
      asset,
      curve: curveItem(curve),
      reserve_factor: fraction(reserveBps),
      min_pledge: formatAmount({ asset, units: minPledge }),
      min_loan: formatAmount({ asset, units: minLoan }),
    })),
    collateral: [...collateral],
    terms_days: [...termsDays],
    ltv_initial: fraction(limits.initialBps),
    ltv_warning: fraction(limits.warningBps),
    ltv_last_warning: fraction(limits.lastWarningBps),
    ltv_liquidation: fraction(limits.liquidationBps),
    liquidation_factor: fraction(liquidation.bonusBps),
    overdue_factor: fraction(liquidation.overdueBonusBps),
    floor_factor: fraction(liquidation.floorBps),
    ltv_whole: fraction(liquidation.wholeBps),
    liquidation_part: fraction(liquidation.partBps),
    small_order_loans: Number(liquidation.smallOrderLoans),
    max_open_orders: caps.openOrders,
    order_cap: fraction(caps.orderBps),
    account_cap: fraction(caps.accountBps),
    unknown_price: fraction(rules.unknownPriceBps),
    remind_hours: rules.remindSeconds.map((seconds) => Number(seconds / 3_600n)),
  }
}
