import { LEDGER_TABLES } from '@clearwell/ledger/ledger-tables'
import type { Table } from '@clearwell/ledger/table'
import { FEATURES } from './features.ts'
import { PLATFORM_TABLES } from './platform/platform-tables.ts'
import type { KeptRows } from './platform/retention/retention-jobs.ts'

/**
 * Every table of the database. A test compares them with the schema, and docs/reference/retention.md derives from them. The
 * features' are first: their old rows are deleted first, and then keep no rows of lower floors.
 */
export const TABLES: readonly Table<unknown>[] = [
  ...FEATURES.flatMap((feature) => ('tables' in feature ? (feature.tables ?? []) : [])),
  ...PLATFORM_TABLES,
  ...LEDGER_TABLES,
]

/** Rows of lower floors that features still need. */
export const KEPT_ROWS: readonly KeptRows[] = FEATURES.flatMap((feature) =>
  'keeps' in feature ? (feature.keeps ?? []) : [],
)
