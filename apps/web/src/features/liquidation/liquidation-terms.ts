import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { significantDecimals } from '@clearwell/ui/i18n/format.ts'
import type { LiquidationOrder } from './liquidation.queries.ts'

const DECIMALS = 18
const ONE = 10n ** 18n
/** Interest grows until the server executes, so the limit of the debt is a thousandth above it. */
const DEBT_MARGIN = 1_000n
/** The price moves until then, so at least 99 % of the estimated collateral is accepted. */
const RECEIVED_MARGIN = 100n

/** The part of a debt that a liquidator chooses: all of it, half, or an amount. */
export type Part = 'all' | 'half' | { readonly amount: string }

/** The amounts that one payment may end. Plain decimal text. */
export interface AllowedAmounts {
  readonly isAllAllowed: boolean
  readonly isHalfAllowed: boolean
  /** `undefined` where the order can only be cleared whole. */
  readonly range: { readonly min: string; readonly max: string } | undefined
}

/** The liquidator's side of a liquidation, at the price of the order. Plain decimal text. */
export interface LiquidationTerms {
  /** The part to send; absent for all of the debt, which grows until the server executes. */
  readonly amount: string | undefined
  /** The debt that ends. */
  readonly ended: string
  /** The debt that stays, with the order. */
  readonly rest: string
  /** The limit of the whole debt that is sent. */
  readonly maxDebt: string
  /** The least collateral that is accepted, and is sent. */
  readonly minReceived: string
  /** About this much of the lent asset leaves the balance, and at most this much. */
  readonly paid: string
  readonly paidAtMost: string
  /** About this much of the collateral arrives. */
  readonly received: string
  /** The value of `received` in the lent asset, and what is left of it after the payment. */
  readonly worth: string
  readonly profit: string
  /** The collateral does not cover the debt: the liquidator pays less than the part that ends. */
  readonly isShort: boolean
}

type Bounds = Pick<LiquidationOrder, 'total_debt' | 'min_amount' | 'max_amount'>
type Priced = Bounds & Pick<LiquidationOrder, 'pays' | 'receives' | 'price'>

/** The amounts of a debt that one payment may end; `undefined` while money has no price. */
export function allowedAmounts({ total_debt, min_amount, max_amount }: Bounds): AllowedAmounts | undefined {
  if (min_amount === null || max_amount === null) return undefined
  const [debt, min, most] = [unitsOf(total_debt), unitsOf(min_amount), unitsOf(max_amount)]
  // The rest is at least the least loan, too.
  const max = minUnits(most, debt - min)
  const range = max >= min && min > 0n ? { min: min_amount, max: text(max) } : undefined
  const half = debt / 2n
  return {
    isAllAllowed: most === debt,
    isHalfAllowed: range !== undefined && half >= min && half <= max,
    range,
  }
}

/** The part that a liquidator is offered first: the most that is allowed. */
export function mostOf(allowed: AllowedAmounts): Part {
  if (allowed.isAllAllowed) return 'all'
  return allowed.isHalfAllowed ? 'half' : { amount: allowed.range?.max ?? '0' }
}

/** The part that a form names, as far as the order still allows it; else the most. */
export function partOf({ way, amount }: { way: string; amount: string }, allowed: AllowedAmounts): Part {
  if (way === 'all' && allowed.isAllAllowed) return way
  if (way === 'half' && allowed.isHalfAllowed) return way
  return way === 'other' && allowed.range ? { amount } : mostOf(allowed)
}

/** The choice of a part in the form. */
export function wayOf(part: Part): 'all' | 'half' | 'other' {
  return typeof part === 'string' ? part : 'other'
}

/** Why an amount cannot be cleared, besides its form. */
export type PartProblem = 'under_min' | 'over_max' | 'rest'

/** Compares an amount with what one payment may end. */
export function partProblem(amount: string, order: Bounds, { range }: AllowedAmounts): PartProblem | undefined {
  const units = unitsOf(amount)
  if (units === unitsOf(order.max_amount ?? '') && units === unitsOf(order.total_debt)) return undefined
  if (!range || units < unitsOf(range.min)) return 'under_min'
  if (units <= unitsOf(range.max)) return undefined
  return units > unitsOf(order.max_amount ?? '') ? 'over_max' : 'rest'
}

/**
 * Computes the terms of a liquidation from the server's estimate for the most that is allowed: payment and collateral are in proportion to
 * the debt that ends. The server decides at its own price, so only the limits that are sent are binding.
 *
 * @returns `undefined` while money has no price, and for an amount that is not allowed.
 */
export function termsOf(order: Priced, part: Part): LiquidationTerms | undefined {
  const allowed = allowedAmounts(order)
  const { pays, receives, price, max_amount: most } = order
  if (!allowed || pays === null || receives === null || price === null || most === null) return undefined
  const debt = unitsOf(order.total_debt)
  const ended = endedBy(part, debt)
  if (ended === 0n || (part !== 'all' && partProblem(text(ended), order, allowed))) return undefined
  const paid = mulDiv(unitsOf(pays), ended, unitsOf(most), 'up')
  const received = mulDiv(unitsOf(receives), ended, unitsOf(most), 'down')
  const worth = mulDiv(received, unitsOf(price), ONE, 'down')
  const isAll = ended === debt
  const maxDebt = roundUp(text(debt + debt / DEBT_MARGIN))
  return {
    amount: isAll ? undefined : text(ended),
    ended: text(ended),
    rest: text(debt - ended),
    maxDebt,
    minReceived: roundDown(text(received - received / RECEIVED_MARGIN)),
    paid: text(paid),
    paidAtMost: isAll ? maxDebt : text(ended),
    received: text(received),
    worth: text(worth),
    profit: signedText(worth - paid),
    isShort: unitsOf(pays) < unitsOf(most),
  }
}

/** The terms with a higher limit of the debt, which the server has just named. */
export function termsAtDebt(terms: LiquidationTerms, debt: string): LiquidationTerms {
  const units = unitsOf(debt)
  const maxDebt = roundUp(text(units + units / DEBT_MARGIN))
  return terms.amount === undefined ? { ...terms, maxDebt, paidAtMost: maxDebt } : { ...terms, maxDebt }
}

/** Rounds an amount up to as many decimals as are shown, so that the limit that is sent is the limit that is read. */
export function roundUp(amount: string): string {
  const step = stepOf(amount)
  return text(mulDiv(unitsOf(amount), 1n, step, 'up') * step)
}

function roundDown(amount: string): string {
  const step = stepOf(amount)
  return text((unitsOf(amount) / step) * step)
}

/** How much of an amount is missing from a balance; `undefined` if nothing is. */
export function missingOf(needed: string, balance: string): string | undefined {
  const missing = unitsOf(needed) - unitsOf(balance)
  return missing > 0n ? text(missing) : undefined
}

function endedBy(part: Part, debt: bigint): bigint {
  if (part === 'all') return debt
  return part === 'half' ? debt / 2n : minUnits(debt, unitsOf(part.amount))
}

function stepOf(amount: string): bigint {
  return 10n ** BigInt(DECIMALS - Math.min(significantDecimals(amount), DECIMALS))
}

function unitsOf(amount: string): bigint {
  return parseUnits(amount, DECIMALS) ?? 0n
}

function text(units: bigint): string {
  return formatUnits(maxUnits(0n, units), DECIMALS)
}

/** A profit may be negative. */
function signedText(units: bigint): string {
  return units < 0n ? `-${text(-units)}` : text(units)
}
