import type { State } from '@clearwell/ledger/command'
import { column, defineTable } from '@clearwell/ledger/table'
import { TREASURY } from './accounts.ts'

/** Debts of `treasury` to `rewards` for void days of blind boxes. The row's id is the asset. */
export const treasuryDebts = defineTable('treasury_debts', {
  id: column.text,
  units: column.units,
})

/** Returns the balance of `treasury` that the operator can use: without the debt, which is paid first. */
export function freeTreasury(state: State, asset: string): bigint {
  const free = state.balance(TREASURY, asset) - (state.row(treasuryDebts, asset)?.units ?? 0n)
  return free > 0n ? free : 0n
}
