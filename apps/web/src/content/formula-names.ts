/** The formulas that content can show. Their MathML is in formula.tsx, their spoken text in the content. */
export const FORMULA_NAMES = [
  'swap_out',
  'swap_revenue',
  'swap_minimum',
  'swap_impact',
  'utilisation',
  'borrow_rate',
  'interest',
  'ltv',
  'liquidation',
  'liquidation_short',
  'box_power',
  'box_draw',
  'box_reward',
  'star_deposit',
  'star_release',
  'ledger_zero',
  'ledger_vault',
] as const

export type FormulaName = (typeof FORMULA_NAMES)[number]
