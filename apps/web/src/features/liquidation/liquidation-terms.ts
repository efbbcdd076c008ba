import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { significantDecimals } from '../../i18n/format.ts'
import type { LiquidationOrder } from './liquidation.queries.ts'

const DECIMALS = 18

/** The liquidator's side of a liquidation, at the price of the order. Plain decimal text. */
export interface LiquidationTerms {
  /** The limit that is sent. Interest grows until the server executes, so it is a little above the payment. */
  readonly maxDebt: string
  /** About this much of the lent asset leaves the balance. */
  readonly paid: string
  /** About this much of the collateral arrives. */
  readonly received: string
  /** The value of `received` in the lent asset. */
  readonly worth: string
  /** The collateral is worth less than the debt with its bonus: the liquidator pays less and receives all of it. */
  readonly isShort: boolean
}

type Priced = Pick<LiquidationOrder, 'total_debt' | 'estimated_profit' | 'pays' | 'receives'>

/**
 * Computes the terms of a liquidation from the server's estimate. The server decides at its own price, so only `maxDebt` is
 * binding.
 *
 * @returns `undefined` while the price is out of date.
 */
export function termsOf({ total_debt, estimated_profit, pays, receives }: Priced): LiquidationTerms | undefined {
  if (estimated_profit === null || pays === null || receives === null) return undefined
  const paid = unitsOf(pays)
  const isShort = paid < unitsOf(total_debt)
  return {
    // Where the collateral is short, the price decides the payment, and it moves more than interest does.
    maxDebt: withMargin(paid, isShort ? 100n : 1_000n),
    paid: pays,
    received: receives,
    worth: text(paid + signedUnitsOf(estimated_profit)),
    isShort,
  }
}

/** The terms at a payment that the server has just named, with all else as it was. */
export function termsAtDebt(order: Priced, debt: string): LiquidationTerms | undefined {
  const terms = termsOf(order)
  return terms && { ...terms, paid: debt, maxDebt: withMargin(unitsOf(debt), 1_000n) }
}

/** Rounds an amount up to as many decimals as are shown, so that the limit that is sent is the limit that is read. */
export function roundUp(amount: string): string {
  const decimals = Math.min(significantDecimals(amount), DECIMALS)
  const step = 10n ** BigInt(DECIMALS - decimals)
  return text(mulDiv(unitsOf(amount), 1n, step, 'up') * step)
}

/** How much of an amount is missing from a balance; `undefined` if nothing is. */
export function missingOf(needed: string, balance: string): string | undefined {
  const missing = unitsOf(needed) - unitsOf(balance)
  return missing > 0n ? text(missing) : undefined
}

/** An estimate of a profit may be negative. */
function signedUnitsOf(amount: string): bigint {
  return amount.startsWith('-') ? -unitsOf(amount.slice(1)) : unitsOf(amount)
}

function unitsOf(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n
}

function withMargin(units: bigint, part: bigint): string {
  return roundUp(text(units + units / part))
}

function text(units: bigint): string {
  return formatUnits(units, DECIMALS)
}
