import { boxRulesText, DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { boxDays, type DayRow } from '../../../domain/boxes/box.tables.ts'

/** A flat day after its last click, with the default numbers and runs of two boxes. */
export function closedDay(day: DayRow['day'], changes: Partial<DayRow> = {}): DayRow {
  const columns = Object.fromEntries(Object.keys(boxDays.kinds).map((name) => [name, null]))
  const facts = { rule: 'flat', ledger_seq: 1n, entry_hash: 'ee'.repeat(32), rules: boxRulesText(DEFAULT_BOX_RULES) }
  const progress = { phase: 'closed', peaks: [], box_count: 0, cursor_id: '', run_length: 2, total_power: 0n }
  // Every column has a value of its kind, or null.
  return { ...columns, ...facts, ...progress, day, ...changes } as DayRow
}
