import { parseUnits } from '@clearwell/money/decimal'
import { formatAmount, formatPercent, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../generated/messages.ts'
import type { Comparison } from './compare-receipt.ts'
import type { Receipt } from './liquidation.queries.ts'

type Figure = keyof Comparison['computed']
type AmountFigure = Exclude<Figure, 'status_after' | 'ltv' | 'ltv_after' | 'factor'>

/** One step of the formula with its numbers. */
export interface ReceiptStep {
  readonly id: Figure
  readonly title: string
  /** The calculation in figures; absent where the step follows from the one before. */
  readonly formula?: string
  readonly result: string
  /** The result with all of its decimals. */
  readonly exact: string
  readonly note?: string
  /** The browser computes the same, to the unit. */
  readonly isEqual: boolean
  /** The browser's figure. */
  readonly computed: string
}

/** An index starts at one and grows slowly, so six decimals would say nothing. */
const INDEX_DECIMALS = 12

type Details = Pick<ReceiptStep, 'formula' | 'note'>

/** The formula of a liquidation, step by step, in the order in which it is computed. */
export function stepsOf(receipt: Receipt, comparison: Comparison): ReceiptStep[] {
  return [...debtSteps(receipt, comparison), ...paymentSteps(receipt, comparison), ...restSteps(receipt, comparison)]
}

/** The debt, its ratio, and the part that ended. */
function debtSteps(receipt: Receipt, comparison: Comparison): ReceiptStep[] {
  const { steps, inputs, lending_asset: lending } = receipt
  const step = amountStep(receipt, comparison)
  return [
    step('total_debt', m.liquidation_step_debt(), lending, {
      formula: `${short(inputs.debt_shares)} × ${formatAmount(inputs.index, { decimals: INDEX_DECIMALS })}`,
      note: m.liquidation_step_debt_text(),
    }),
    step('interest', m.liquidation_step_interest(), lending, {
      formula: `${short(steps.total_debt)} − ${short(inputs.principal)}`,
    }),
    ...ratioSteps(receipt, comparison),
    step('max_amount', m.liquidation_step_most(), lending, { note: mostText(receipt) }),
    step('debt_ended', m.liquidation_step_ended(), lending, { note: m.liquidation_step_ended_text() }),
  ]
}

/** The ratio of debt to collateral, and the factor that follows from it. */
function ratioSteps(receipt: Receipt, { computed, isEqual }: Comparison): ReceiptStep[] {
  const { inputs, steps } = receipt
  const limit = formatPercent(inputs.ltv_liquidation)
  const { factor, ltv } = steps
  return [
    {
      id: 'ltv',
      title: m.liquidation_step_ltv(),
      formula: `${short(steps.total_debt)} × ${price(receipt, 'lending')} ÷ (${short(inputs.collateral_amount)} × ${price(receipt, 'collateral')})`,
      result: ratio(ltv),
      exact: ltv ?? '∞',
      note: m.liquidation_rounding_up(),
      isEqual: isEqual.ltv,
      computed: ratio(computed.ltv),
    },
    {
      id: 'factor',
      title: m.liquidation_step_factor(),
      result: `× ${factor}`,
      exact: factor,
      note:
        factor === inputs.factor_liquidation
          ? m.liquidation_step_ltv_over({ limit, factor })
          : m.liquidation_step_ltv_overdue({ limit, factor }),
      isEqual: isEqual.factor,
      computed: computed.factor,
    },
  ]
}

/** The amounts that the liquidator receives and pays, and who bears the rest. */
function paymentSteps(receipt: Receipt, comparison: Comparison): ReceiptStep[] {
  const { steps, inputs, collateral_asset: collateral, lending_asset: lending } = receipt
  const step = amountStep(receipt, comparison)
  return [
    step('by_factor', m.liquidation_step_by_factor(), collateral, {
      formula: `${short(steps.debt_ended)} × ${price(receipt, 'lending')} × ${steps.factor} ÷ ${price(receipt, 'collateral')}`,
      note: m.liquidation_rounding_down(),
    }),
    step('by_share', m.liquidation_step_by_share(), collateral, {
      formula: `${short(inputs.collateral_amount)} × ${short(steps.debt_ended)} ÷ ${short(steps.total_debt)}`,
      note: m.liquidation_rounding_down(),
    }),
    step('received', m.liquidation_step_received(), collateral, { note: receivedText(receipt) }),
    step('paid', m.liquidation_step_paid(), lending, paidText(receipt)),
    ...(isShort(receipt)
      ? [
          step('shortfall', m.liquidation_step_shortfall(), lending, {
            formula: `${short(steps.debt_ended)} − ${short(steps.paid)}`,
          }),
          step('paid_by_insurance', m.liquidation_receipt_insurance(), lending, {
            note: m.liquidation_step_insurance({ available: `${short(inputs.insurance)} ${lending}` }),
          }),
          step('lost_by_pledgers', m.liquidation_receipt_pledgers(), lending, {
            formula: `${short(steps.shortfall)} − ${short(steps.paid_by_insurance)}`,
          }),
        ]
      : []),
    step('profit', m.liquidation_receipt_profit(), lending, {
      formula: `${short(steps.received)} × ${price(receipt, 'collateral')} ÷ ${price(receipt, 'lending')} − ${short(steps.paid)}`,
      note: m.liquidation_rounding_down(),
    }),
  ]
}

/** The rest of the order: collateral goes back only when no debt is left. */
function restSteps(receipt: Receipt, comparison: Comparison): ReceiptStep[] {
  const { steps, inputs, collateral_asset: collateral, lending_asset: lending } = receipt
  const step = amountStep(receipt, comparison)
  const formula = `${short(inputs.collateral_amount)} − ${short(steps.received)}`
  if (steps.status_after === -1) return [step('returned', m.liquidation_step_returned(), collateral, { formula })]
  return [
    step('remaining_debt', m.liquidation_rest(), lending, {
      formula: `${short(steps.total_debt)} − ${short(steps.debt_ended)}`,
      note: m.liquidation_rounding_up(),
    }),
    step('kept', m.liquidation_step_kept(), collateral, { formula }),
    {
      id: 'ltv_after',
      title: m.liquidation_step_ltv_after(),
      result: ratio(steps.ltv_after),
      exact: steps.ltv_after ?? '∞',
      note: steps.status_after === 2 ? m.liquidation_step_cured() : m.liquidation_step_still_due(),
      isEqual: comparison.isEqual.ltv_after && comparison.isEqual.status_after,
      computed: ratio(comparison.computed.ltv_after),
    },
  ]
}

function amountStep({ steps }: Receipt, comparison: Comparison) {
  return (id: AmountFigure, title: string, asset: string, details: Details = {}): ReceiptStep => {
    const amount = steps[id]
    return {
      id,
      title,
      result: `${short(amount)} ${asset}`,
      exact: `${amount} ${asset}`,
      isEqual: comparison.isEqual[id],
      computed: `${comparison.computed[id]} ${asset}`,
      ...details,
    }
  }
}

function mostText({ steps, inputs }: Receipt): string {
  if (steps.is_overdue) return m.liquidation_step_most_overdue()
  if (steps.max_amount !== steps.total_debt)
    return m.liquidation_step_most_part({ part: formatPercent(inputs.liquidation_part) })
  return steps.ltv === null || fractionOf(steps.ltv) >= fractionOf(inputs.ltv_whole)
    ? m.liquidation_step_most_over({ limit: formatPercent(inputs.ltv_whole) })
    : m.liquidation_step_most_small({ times: String(inputs.small_order_loans), min: short(inputs.min_loan) })
}

function receivedText({ steps }: Receipt): string {
  return steps.received === steps.by_share && steps.by_share !== steps.by_factor
    ? m.liquidation_step_received_share()
    : m.liquidation_step_received_factor()
}

function paidText(receipt: Receipt): Details {
  const { inputs, steps } = receipt
  if (!isShort(receipt)) return { note: m.liquidation_step_paid_whole() }
  return {
    formula: `${short(steps.by_share)} × ${price(receipt, 'collateral')} ÷ (${price(receipt, 'lending')} × ${inputs.factor_floor})`,
    note: m.liquidation_step_paid_short(),
  }
}

function isShort({ steps }: Receipt): boolean {
  return /[1-9]/.test(steps.shortfall)
}

function ratio(ltv: string | null): string {
  return ltv === null || ltv === '' ? '∞' : formatPercent(ltv)
}

function price({ inputs }: Receipt, of: 'collateral' | 'lending'): string {
  return short(of === 'collateral' ? inputs.collateral_price : inputs.lending_price)
}

function fractionOf(text: string): bigint {
  return parseUnits(text, 18) ?? 0n
}

function short(amount: string): string {
  return formatAmount(amount, { decimals: significantDecimals(amount) })
}
