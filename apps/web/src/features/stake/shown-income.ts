import { formatUnits, parseUnits } from '@clearwell/money/decimal'

/** The units that rounding can take of a pledge: one for each step. */
const DUST_UNITS = 4n
/** A typed pledge has hardly more than 12 decimals; the units below are dust. */
const STEP_UNITS = 10n ** 6n

/** An income for reading: rounding takes a unit or two at the moment of a pledge, which is no loss. */
export function shownIncome(income: string): string {
  if (!income.startsWith('-')) return income
  return (parseUnits(income.slice(1), 18) ?? 0n) <= DUST_UNITS ? '0' : income
}

/** A pledge for reading: 200 that rounding left at 199.999999999999999999 is 200. */
export function shownPledge(total: string): string {
  const units = parseUnits(total, 18)
  if (units === undefined) return total
  const missing = (STEP_UNITS - (units % STEP_UNITS)) % STEP_UNITS
  return missing <= DUST_UNITS ? formatUnits(units + missing, 18) : total
}
