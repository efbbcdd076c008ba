import { type Command, type State, write } from '@clearwell/ledger/command'
import type { AssetId } from '@clearwell/money/asset'
import { loanToValue } from '@clearwell/rules/loan'
import { totalDebt } from '@clearwell/rules/loan-order'
import type { LoanPool } from '@clearwell/rules/loan-pool'
import { isOpenLoan, type LoanRow, loans } from '../../domain/lending/lending.tables.ts'
import { debtOf, poolKeys, readPool } from '../../domain/lending/lending-books.ts'
import { readTerms } from '../../domain/lending/lending-parameters.ts'
import { type KnownPrices, type UsablePrices, usableAt } from '../../domain/lending/loan-prices.ts'
import { updateLoan } from '../../domain/lending/update-loan.ts'
import { REPAYMENT_STOP, type RepaymentStop, readStop } from '../../platform/ledger/repayment-stop.ts'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import { decideNotices } from '../../platform/notices/unsent-notices.ts'
import { noticesOf } from './loan-notices.ts'

/** The knowledge about the prices of both assets of an order. */
export type PricesOf = (collateral: AssetId, borrowed: AssetId) => KnownPrices

/**
 * Judges open orders at the present time, prices and rates, each by the terms of its opening: normal, to be cleared, warned,
 * reminded. Notifies their owners of what this finds, and of what earlier commands found. Moves no money.
 *
 * @param pools the assets that can be borrowed.
 * @param ids orders that may have to change, or whose owners have to be notified.
 */
export function judgeLoans(
  pools: readonly AssetId[],
  ids: readonly string[],
  pricesOf: PricesOf,
): Command<{ judged: number; notices: number }> {
  return {
    kind: 'judge_loans',
    owner: 'stake',
    payload: {},
    preload: [REPAYMENT_STOP, ...pools.flatMap(poolKeys), ...ids.map((id) => ({ table: loans, id }))],
    decide(state, context) {
      const { now } = context
      const stop = readStop(state)
      const read = new Map(pools.map((asset) => [asset, readPool(state, asset, now)]))
      const judged = state.rows(loans, ids).flatMap((row) => {
        if (!row || (row.is_announced && !isOpenLoan(row))) return []
        const borrowed = row.borrow_asset
        const prices = usableAt(pricesOf(row.collateral_asset, borrowed), now)
        return [judge(state, row, { pool: read.get(borrowed) ?? readPool(state, borrowed, now), prices, now, stop })]
      })
      const drafts = judged.flatMap(({ notices }) => notices)
      return {
        rows: [...judged.map(({ row }) => write(loans, row)), ...decideNotices(drafts, context)],
        response: { judged: judged.length, notices: drafts.length },
      }
    },
  }
}

/** The pool of an order with the index of this moment, the prices that count, the time, and the last stop of repaying. */
interface Moment {
  readonly pool: LoanPool
  readonly prices: UsablePrices | undefined
  readonly now: Date
  readonly stop: RepaymentStop | undefined
}

/** Judges one order. An order that has ended meanwhile stays as it is. @returns it, and the notices that it causes. */
function judge(
  state: State,
  row: LoanRow,
  { pool, prices, now, stop }: Moment,
): { row: LoanRow; notices: NoticeDraft[] } {
  const terms = readTerms(state, row.terms_version)
  const change = { debt: debtOf(row), collateral: row.collateral, prices, isByUser: false }
  const judged = isOpenLoan(row) ? updateLoan(row, change, { terms, pool, now, stop }) : row
  if (judged.is_announced) return { row: judged, notices: [] }
  // The borrower sees the ratio at the worse price.
  const ltvE18 = prices && loanToValue(totalDebt(debtOf(judged), pool.indexE27), judged.collateral, prices.worse)
  const announced = { ...judged, is_announced: true, is_part_cleared: false, rate_reached_e18: null }
  return { row: announced, notices: noticesOf(judged, { terms, ltvE18 }) }
}
