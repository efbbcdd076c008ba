import { formatAmount, formatPercent } from '@clearwell/ui/i18n/format.ts'
import { liveFiguresOf } from '../../content/live-figures.ts'

/** The rules of planned swaps, as the operator has configured them. */
export default liveFiguresOf('config', {
  plan_least: ({ plans }) => `${formatAmount(plans.least_usdt)} USDT`,
  plan_max_open: ({ plans }) => String(plans.max_open),
  plan_slippage: ({ plans }) => percent(plans.slippage),
  plan_max_slippage: ({ plans }) => percent(plans.max_slippage),
  plan_max_skipped: ({ plans }) => String(plans.max_skipped),
  plan_limit_days: ({ plans }) => String(plans.limit_days),
})

function percent(fraction: string): string {
  return formatPercent(fraction, { decimals: 4 })
}
