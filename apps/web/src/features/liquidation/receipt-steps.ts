import { m } from '../../generated/paraglide/messages.js'
import { formatAmount, formatPercent, significantDecimals } from '../../i18n/format.ts'
import type { Comparison } from './compare-receipt.ts'
import type { Receipt } from './liquidation.queries.ts'

type Figure = Exclude<keyof Comparison['computed'], 'status_after' | 'ltv_after'>

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

/** The formula of a liquidation, step by step, in the order in which it is computed. */
export function stepsOf(receipt: Receipt, comparison: Comparison): ReceiptStep[] {
  const { steps, collateral_asset: collateral, lending_asset: lending } = receipt
  const step = (id: Figure, title: string, asset: string, more: { formula?: string; note?: string } = {}) => {
    const amount = steps[id] ?? ''
    return {
      id,
      title,
      result: `${short(amount)} ${asset}`,
      exact: `${amount} ${asset}`,
      isEqual: comparison.isEqual[id],
      computed: `${comparison.computed[id]} ${asset}`,
      ...more,
    }
  }
  return [
    step('interest', m.liquidation_step_interest(), lending, {
      note: m.liquidation_rounding_up(),
    }),
    step('total_debt', m.liquidation_step_debt(), lending, {
      formula: `${short(receipt.inputs.principal)} + ${short(steps.interest)}`,
    }),
    ...ratioSteps(receipt, comparison),
    step('by_factor', m.liquidation_step_owed(), collateral, owedText(receipt)),
    step('paid', m.liquidation_step_paid(), lending, paidText(receipt)),
    step('received', m.liquidation_step_received(), collateral, {
      ...(isShort(receipt) ? { note: m.liquidation_step_all() } : {}),
    }),
    step('returned', m.liquidation_step_returned(), collateral, {
      formula: `${short(receipt.inputs.collateral_amount)} − ${short(steps.received)}`,
    }),
    ...(isShort(receipt)
      ? [
          step('shortfall', m.liquidation_step_shortfall(), lending, {
            formula: `${short(steps.total_debt)} − ${short(steps.paid)}`,
          }),
          step('paid_by_insurance', m.liquidation_receipt_insurance(), lending, {
            note: m.liquidation_step_insurance({ available: `${short(receipt.inputs.insurance)} ${lending}` }),
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

/** The ratio of debt to collateral, and the factor that follows from it. */
function ratioSteps(receipt: Receipt, { computed, isEqual }: Comparison): ReceiptStep[] {
  const { inputs, steps } = receipt
  const limit = formatPercent(inputs.ltv_liquidation)
  const { factor } = steps
  const ratio = (ltv: string | null) => (ltv === null || ltv === '' ? '∞' : formatPercent(ltv))
  return [
    {
      id: 'ltv',
      title: m.liquidation_step_ltv(),
      formula: `${short(steps.total_debt)} × ${price(receipt, 'lending')} ÷ (${short(inputs.collateral_amount)} × ${price(receipt, 'collateral')})`,
      result: ratio(steps.ltv),
      exact: steps.ltv ?? '∞',
      note: m.liquidation_rounding_up(),
      isEqual: isEqual.ltv,
      computed: ratio(computed.ltv),
    },
    {
      id: 'factor',
      title: m.liquidation_step_factor(),
      result: `× ${factor}`,
      exact: factor,
      note: steps.is_over_limit
        ? m.liquidation_step_ltv_over({ limit, factor })
        : m.liquidation_step_ltv_overdue({ limit, factor }),
      isEqual: isEqual.factor,
      computed: computed.factor,
    },
  ]
}

function owedText(receipt: Receipt): Pick<ReceiptStep, 'formula' | 'note'> {
  const { steps } = receipt
  return {
    formula: `${short(steps.total_debt)} × ${price(receipt, 'lending')} × ${steps.factor} ÷ ${price(receipt, 'collateral')}`,
    note: isShort(receipt) ? m.liquidation_step_owed_short() : m.liquidation_rounding_down(),
  }
}

function paidText(receipt: Receipt): Pick<ReceiptStep, 'formula' | 'note'> {
  if (!isShort(receipt)) return { note: m.liquidation_step_paid_whole() }
  const { inputs, steps } = receipt
  return {
    formula: `${short(inputs.collateral_amount)} × ${price(receipt, 'collateral')} ÷ (${price(receipt, 'lending')} × ${steps.factor})`,
    note: m.liquidation_rounding_up(),
  }
}

function isShort({ steps }: Receipt): boolean {
  return /[1-9]/.test(steps.shortfall)
}

function price({ inputs }: Receipt, of: 'collateral' | 'lending'): string {
  return short(of === 'collateral' ? inputs.collateral_price : inputs.lending_price)
}

function short(amount: string): string {
  return formatAmount(amount, { decimals: significantDecimals(amount) })
}
