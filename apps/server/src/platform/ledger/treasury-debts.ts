import type { State } from '@clearwell/ledger/command'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import { TREASURY } from './accounts.ts'

/** Debts of `treasury` to `rewards`, which are paid before anything else. The row's id is the asset. */
export const treasuryDebts = defineWriterTable(
  'treasury_debts',
  forever('one row for each asset that the treasury ever owed'),
  {
    id: column.text,
    units: column.units,
  },
  { carried: 'always' },
)

/** Returns the balance of `treasury` that the operator can use: without the debt. */
export function freeTreasury(state: State, asset: string): bigint {
  const free = state.balance(TREASURY, asset) - (state.row(treasuryDebts, asset)?.units ?? 0n)
  return free > 0n ? free : 0n
}
