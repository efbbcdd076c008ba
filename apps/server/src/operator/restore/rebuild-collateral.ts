import { write } from '@clearwell/ledger/command'
import type { Queryable } from '@clearwell/ledger/database'
import type { Draft } from '@clearwell/ledger/draft'
import { isOpenLoan, type LoanRow, loans, type OpenLoan } from '../../domain/lending/lending.tables.ts'
import { debtOf, readPool } from '../../domain/lending/lending-books.ts'
import { readTerms } from '../../domain/lending/lending-parameters.ts'
import { moveInIndex } from '../../domain/lending/ratio-books.ts'
import { updateLoan } from '../../domain/lending/update-loan.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { isOfCollateral } from './entry-kinds.ts'
import type { StoredEntry } from './read-store.ts'

type CollateralEntry = Pick<StoredEntry, 'seq' | 'kind' | 'reference' | 'postings' | 'at'>

/**
 * Changes the collateral of an open loan as its entry says, and its place in the index. The debt stays: an entry of collateral does not touch it.
 *
 * The price of that moment is gone, so the loan is judged as without a price: it keeps its status and its warnings until a server judges it.
 *
 * @throws Error if the entry does not belong to the loan of its reference.
 */
export function changeCollateral(draft: Draft, entry: CollateralEntry): void {
  const { kind, reference, postings, at } = entry
  const before = draft.row(loans, reference)
  const changed = applyToLoan(before, entry)
  if (!before || !changed) throw new Error(`entry ${entry.seq} changes the collateral of no open loan`)
  const moment = {
    terms: readTerms(draft, before.terms_version),
    pool: readPool(draft, before.borrow_asset, at),
    now: at,
    // A server judges it again.
    stop: undefined,
  }
  const change = { debt: debtOf(before), collateral: changed.collateral, prices: undefined, isByUser: true }
  const after = updateLoan(changed, change, moment)
  const rows = [write(loans, after), ...moveInIndex(draft, [{ before, after }])]
  draft.add({ entries: [{ kind, reference, postings }], rows })
}

/**
 * Finds the first entry of collateral that the loans of the database cannot take, before anything is imported.
 *
 * @returns `undefined` if there is none.
 */
export async function findForeignCollateral<Entry extends CollateralEntry>(
  db: Queryable,
  entries: readonly Entry[],
): Promise<Entry | undefined> {
  const ofCollateral = entries.filter(({ kind }) => isOfCollateral(kind))
  if (ofCollateral.length === 0) return undefined
  const ids = [...new Set(ofCollateral.map(({ reference }) => reference))]
  const rows = await db.query<LoanRow>(`select ${loans.columns} from loans where id = any($1::text[])`, [ids])
  const known = new Map(rows.map((row) => [row.id, row]))
  return ofCollateral.find((entry) => {
    const after = applyToLoan(known.get(entry.reference), entry)
    if (after) known.set(after.id, after)
    return after === undefined
  })
}

/** Returns the loan with the collateral after an entry; `undefined` if the entry is not of this loan, or the loan cannot be open after it. */
function applyToLoan(row: LoanRow | undefined, { kind, postings }: CollateralEntry): OpenLoan | undefined {
  if (!row || !isOpenLoan(row) || postings.length !== 2) return undefined
  const unitsOf = (place: 'available' | 'collateral') =>
    postings.find(({ account, asset }) => account === userAccount(row.user_id, place) && asset === row.collateral_asset)
      ?.units
  const units = unitsOf('collateral')
  if (units === undefined || unitsOf('available') !== -units) return undefined
  if (units > 0n !== (kind === 'collateral_added')) return undefined
  const collateral = row.collateral + units
  return collateral > 0n ? { ...row, collateral } : undefined
}
