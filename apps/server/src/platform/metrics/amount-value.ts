import { type Amount, formatAmount } from '@clearwell/money/amount'

/** An amount as a figure for charts and alerts, in whole units of the asset. Prometheus only knows floating point. */
export function amountValue(amount: Amount): number {
  return Number(formatAmount(amount))
}
