import { type AssetId, isAssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import type { LoanStatus } from './stake.queries.ts'

/** Readers of the queries of these screens' paths: each returns the valid part. A path fills forms and confirms nothing. */

/** The kept forms of these screens: of pledges and withdrawals, of loans, and of each order. */
export const PLEDGE_FORM = 'pledge'
export const LOAN_FORM = 'loan'
export const collateralForm = (orderId: string) => `collateral-${orderId}`
export const repayForm = (orderId: string) => `repay-${orderId}`

/** A pledge or a withdrawal, from the form to its confirmation. */
export interface PledgeDraft {
  /** Out of the pool; else into it. */
  readonly way?: 'out'
  readonly asset?: AssetId
  /** `all` only for a withdrawal. */
  readonly amount?: string
}

export function readPledgeDraft({ way, asset, amount }: Record<string, unknown>): PledgeDraft {
  return {
    ...(way === 'out' ? { way } : {}),
    ...(isAssetId(asset) ? { asset } : {}),
    ...(isAmount(amount) || (amount === 'all' && way === 'out') ? { amount } : {}),
  }
}

/** A loan, from the form to its confirmation. */
export interface LoanDraft {
  readonly borrow?: AssetId
  readonly amount?: string
  readonly collateral?: AssetId
  readonly collateralAmount?: string
  readonly term?: number
}

export function readLoanDraft(search: Record<string, unknown>): LoanDraft {
  const { borrow, amount, collateral, collateralAmount, term } = search
  return {
    ...(isAssetId(borrow) ? { borrow } : {}),
    ...(isAmount(amount) ? { amount } : {}),
    ...(isAssetId(collateral) ? { collateral } : {}),
    ...(isAmount(collateralAmount) ? { collateralAmount } : {}),
    ...(typeof term === 'number' && Number.isInteger(term) && term > 0 ? { term } : {}),
  }
}

/** The order whose collateral changes. */
export interface CollateralDraft {
  readonly order?: string
  /** Takes collateral back; else adds it. */
  readonly way?: 'out'
}

export function readCollateralDraft({ order, way }: Record<string, unknown>): CollateralDraft {
  return { ...(typeof order === 'string' ? { order } : {}), ...(way === 'out' ? { way } : {}) }
}

/** The loan whose outcome is shown. */
export interface ShownLoan {
  readonly order?: string
}

export function readShownLoan({ order }: Record<string, unknown>): ShownLoan {
  return typeof order === 'string' ? { order } : {}
}

/** Orders of one status, or all without one, and the order whose repayment opens. */
export interface OrdersFilter {
  readonly status?: LoanStatus
  readonly repay?: string
}

export function readOrdersFilter({ status, repay }: Record<string, unknown>): OrdersFilter {
  return {
    ...(status === 2 || status === 0 || status === 1 || status === -1 ? { status } : {}),
    ...(typeof repay === 'string' ? { repay } : {}),
  }
}

/** A number would already have been through floating point. */
function isAmount(value: unknown): value is string {
  return typeof value === 'string' && parseUnits(value, 18) !== undefined
}
