import { parseUnits } from '@clearwell/money/decimal'

/** The units that rounding can take of a pledge: one for each step. */
const DUST_UNITS = 4n

/** An income for reading: rounding takes a unit or two at the moment of a pledge, which is no loss. */
export function shownIncome(income: string): string {
  if (!income.startsWith('-')) return income
  return (parseUnits(income.slice(1), 18) ?? 0n) <= DUST_UNITS ? '0' : income
}
