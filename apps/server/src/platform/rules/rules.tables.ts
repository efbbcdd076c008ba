import { column, defineWriterTable, forever, type RowOf } from '@clearwell/ledger/table'
import type { AnyRule, Rule } from './rule.ts'
import type { Schedule } from './schedule.ts'

/** One row for each rule: a decision reads its value from it. */
export const rules = defineWriterTable('rules', forever('one row for each rule that can change'), {
  /** The rule's key. */
  id: column.text,
  /** The value in force and those that are announced, as JSON. */
  schedule: column.text,
  /** How many changes were ever announced. */
  changes: column.integer,
})
export type RuleRow = RowOf<typeof rules>

/** Every change that was announced: the public list. */
export const ruleChanges = defineWriterTable(
  'rule_changes',
  forever('the public record of changed rules; a few rows a year'),
  {
    /** `<key>-<number>`. */
    id: column.text,
    rule: column.text,
    /** The value that it follows, and its own, as JSON. */
    old_value: column.text,
    new_value: column.text,
    announced_at: column.time,
    starts_at: column.time,
    withdrawn_at: column.optional(column.time),
  },
)
export type RuleChangeRow = RowOf<typeof ruleChanges>

/** Reads a rule's schedule. Rows are replaced and never edited, so each is parsed once. */
export function readSchedule<Value>(rule: Rule<Value, never>, row: RuleRow): Schedule<Value> {
  const known = parsed.get(row)
  if (known) return known as Schedule<Value>
  const stored: { value: unknown; from: string; change: number }[] = JSON.parse(row.schedule)
  const schedule = stored.map(({ value, from, change }) => ({
    value: rule.schema.parse(value),
    from: new Date(from),
    change,
  }))
  parsed.set(row, schedule)
  return schedule
}
const parsed = new WeakMap<RuleRow, Schedule<unknown>>()

/** @param changes how many changes were ever announced. */
export function ruleRow({ key }: Pick<AnyRule, 'key'>, schedule: Schedule<unknown>, changes: number): RuleRow {
  return { id: key, schedule: JSON.stringify(schedule), changes }
}
