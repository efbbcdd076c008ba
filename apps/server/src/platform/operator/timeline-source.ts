import type { Table } from '@clearwell/ledger/table'

/** Events of an account that the operator sees, beside its entries in the ledger. */
export type TimelineKind = 'sign-up' | 'session' | 'order' | 'operator' | 'notice'

/**
 * Rows of one table as events of an account, for `operator user`. The texts are SQL on a row, so never take one from outside.
 * Several sources can show one table: an order that was made, and its end.
 */
export interface TimelineSource {
  readonly kind: TimelineKind
  readonly table: Pick<Table<unknown>, 'name'>
  /** The column of the account. An index begins with it. */
  readonly account: string
  /** The column of the moment. A row without one is no event. */
  readonly at: string
  /** SQL of what happened, in a few words. */
  readonly what: string
  /** The columns of an asset and of its base units. */
  readonly amount?: readonly [asset: string, units: string]
  /** SQL of the rest: ids, hashes, reasons. */
  readonly detail?: string
}
