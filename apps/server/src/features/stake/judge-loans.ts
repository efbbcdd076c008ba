import { type Command, write } from '@clearwell/ledger/command'
import type { AssetId } from '@clearwell/money/asset'
import { isOpenLoan, type LoanRow, loans } from '../../platform/lending/lending.tables.ts'
import { debtOf } from '../../platform/lending/lending-books.ts'
import type { FreshPrices } from '../../platform/lending/loan-prices.ts'
import { type JudgeRules, updateLoan } from '../../platform/lending/update-loan.ts'

/** Fresh prices of both assets of an order; `undefined` while one is stale. */
export type PricesOf = (collateral: AssetId, borrowed: AssetId) => FreshPrices | undefined

/**
 * Judges open orders at the present time and prices: normal, to be cleared, warned, reminded. Moves no money. An order that
 * has ended meanwhile, or that changes in nothing, stays as it is.
 *
 * @param ids orders that may have to change.
 */
export function judgeLoans(rules: JudgeRules, ids: readonly string[], pricesOf: PricesOf): Command<{ judged: number }> {
  return {
    kind: 'judge_loans',
    owner: 'stake',
    payload: {},
    preload: ids.map((id) => ({ table: loans, id })),
    decide(state, { now }) {
      const changed = ids.flatMap((id) => {
        const row = state.row(loans, id)
        if (!row || !isOpenLoan(row)) return []
        const prices = pricesOf(row.collateral_asset as AssetId, row.borrow_asset as AssetId)
        const usable = prices && now <= prices.goodUntil ? prices : undefined
        const change = { debt: debtOf(row), collateral: row.collateral, prices: usable, isByUser: false }
        return [updateLoan(row, change, rules, now)]
      })
      return { rows: changed.map((row) => write(loans, row)), response: { judged: changed.length } }
    },
  }
}

/** Marks what was found about orders as announced, unless more was found since. */
export function markAnnounced(sent: readonly LoanRow[]): Command<{ announced: number }> {
  return {
    kind: 'announce_loans',
    owner: 'stake',
    payload: {},
    preload: sent.map(({ id }) => ({ table: loans, id })),
    decide(state) {
      const rows = sent.flatMap((seen) => {
        const row = state.row(loans, seen.id)
        const isSame = row?.status === seen.status && row.warned === seen.warned && row.reminded === seen.reminded
        return row && isSame ? [write(loans, { ...row, is_announced: true })] : []
      })
      return { rows, response: { announced: rows.length } }
    },
  }
}
