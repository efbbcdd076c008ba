import { type Command, write } from '@clearwell/ledger/command'
import type { AssetId } from '@clearwell/money/asset'
import { isOpenLoan, type LoanRow, loans } from '../../domain/lending/lending.tables.ts'
import { debtOf, poolKeys, readPool } from '../../domain/lending/lending-books.ts'
import { readTerms } from '../../domain/lending/lending-parameters.ts'
import { type KnownPrices, usableAt } from '../../domain/lending/loan-prices.ts'
import { updateLoan } from '../../domain/lending/update-loan.ts'

/** The knowledge about the prices of both assets of an order. */
export type PricesOf = (collateral: AssetId, borrowed: AssetId) => KnownPrices

/**
 * Judges open orders at the present time, prices and rates, each by the terms of its opening: normal, to be cleared, warned,
 * reminded. Moves no money. An order that has ended meanwhile, or that changes in nothing, stays as it is.
 *
 * @param pools the assets that can be borrowed.
 * @param ids orders that may have to change.
 */
export function judgeLoans(
  pools: readonly AssetId[],
  ids: readonly string[],
  pricesOf: PricesOf,
): Command<{ judged: number }> {
  return {
    kind: 'judge_loans',
    owner: 'stake',
    payload: {},
    preload: [...pools.flatMap(poolKeys), ...ids.map((id) => ({ table: loans, id }))],
    decide(state, { now }) {
      const read = new Map(pools.map((asset) => [asset, readPool(state, asset, now)]))
      const poolOf = (asset: AssetId) => read.get(asset) ?? readPool(state, asset, now)
      const changed = ids.flatMap((id) => {
        const row = state.row(loans, id)
        if (!row || !isOpenLoan(row)) return []
        const borrowed = row.borrow_asset as AssetId
        const prices = usableAt(pricesOf(row.collateral_asset as AssetId, borrowed), now)
        const change = { debt: debtOf(row), collateral: row.collateral, prices, isByUser: false }
        return [updateLoan(row, change, { terms: readTerms(state, row.terms_version), pool: poolOf(borrowed), now })]
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
