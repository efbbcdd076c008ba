import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { formatAmount, formatList, formatPercent } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../../generated/messages.ts'
import type { Parameters } from './book.queries.ts'

const DECIMALS = 18

/** A parameter in words. */
export interface ParameterText {
  readonly label: string
  readonly value: string
}

/** All parameters in words, in the order of a loan's life. */
export function parameterTexts(set: Parameters): ParameterText[] {
  return [
    { label: m.book_collateral(), value: formatList(set.collateral) },
    { label: m.book_terms(), value: formatList(set.terms_days.map(String)) },
    { label: m.book_ltv_initial(), value: formatPercent(set.ltv_initial) },
    {
      label: m.book_ltv_warning(),
      value: formatList([formatPercent(set.ltv_warning), formatPercent(set.ltv_last_warning)]),
    },
    { label: m.book_ltv_liquidation(), value: formatPercent(set.ltv_liquidation) },
    { label: m.book_liquidation_factor(), value: `× ${set.liquidation_factor}` },
    { label: m.book_overdue_factor(), value: `× ${set.overdue_factor}` },
    { label: m.book_floor_factor(), value: `× ${set.floor_factor}` },
    { label: m.book_ltv_whole(), value: formatPercent(set.ltv_whole) },
    { label: m.book_liquidation_part(), value: formatPercent(set.liquidation_part) },
    { label: m.book_small_order(), value: `× ${set.small_order_loans}` },
    { label: m.book_max_open_orders(), value: formatAmount(String(set.max_open_orders)) },
    { label: m.book_order_cap(), value: formatPercent(set.order_cap) },
    { label: m.book_account_cap(), value: formatPercent(set.account_cap) },
    { label: m.book_unknown_price(), value: formatPercent(set.unknown_price) },
    { label: m.book_remind_hours(), value: m.book_hours({ n: formatList(set.remind_hours.map(String)) }) },
    ...set.pools.flatMap(({ asset, curve, reserve_factor, min_pledge, min_loan }) => [
      ...curveTexts(asset, curve),
      { label: m.book_reserve_of({ asset }), value: formatPercent(reserve_factor) },
      { label: m.book_minimum_pledge({ asset }), value: `${formatAmount(min_pledge)} ${asset}` },
      { label: m.book_minimum_loan({ asset }), value: `${formatAmount(min_loan)} ${asset}` },
    ]),
  ]
}

/** A parameter that changes, before and after. */
export interface ParameterChange {
  readonly label: string
  /** `undefined` for a new one. */
  readonly before: string | undefined
  readonly after: string
}

/** The parameters that differ between two sets. */
export function changesBetween(before: Parameters, after: Parameters): ParameterChange[] {
  const known = new Map(parameterTexts(before).map(({ label, value }) => [label, value]))
  return parameterTexts(after)
    .filter(({ label, value }) => known.get(label) !== value)
    .map(({ label, value }) => ({ label, before: known.get(label), after: value }))
}

/** The rate of all loans at the three points of the curve, and where it bends. */
function curveTexts(asset: string, curve: Parameters['pools'][number]['curve']): ParameterText[] {
  const atBend = unitsOf(curve.base) + unitsOf(curve.slope_to_kink)
  const full = atBend + unitsOf(curve.slope_above_kink)
  const percent = (units: bigint) => formatPercent(formatUnits(units, DECIMALS))
  return [
    { label: m.book_rate_unused({ asset }), value: formatPercent(curve.base) },
    { label: m.book_rate_bend({ asset }), value: percent(atBend) },
    { label: m.book_rate_full({ asset }), value: percent(full) },
    { label: m.book_bend({ asset }), value: formatPercent(curve.kink) },
    { label: m.book_step({ asset }), value: formatPercent(curve.hourly_step) },
  ]
}

function unitsOf(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n
}
