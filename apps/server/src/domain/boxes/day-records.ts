import { type Command, type State, write } from '@clearwell/ledger/command'
import type { ColumnKind } from '@clearwell/ledger/table'
import { boxDayRecords, boxDays, boxPools, type DayPhase, type DayRow, type PoolRow } from './box.tables.ts'

/** A day with its pools. */
export interface DayRecord {
  readonly day: DayRow
  readonly pools: readonly PoolRow[]
}

const PHASES: readonly DayPhase[] = ['open', 'closed', 'rooted', 'mined', 'seeded', 'drawn', 'shared', 'divided']

/** Returns true if a phase is before another one. */
export function isPhaseBefore(phase: DayPhase, other: DayPhase): boolean {
  return PHASES.indexOf(phase) < PHASES.indexOf(other)
}

/** Writes a record as JSON. Numbers of more than 53 bits are decimal text. Progress within a phase is left out: its steps are repeated. */
export function recordText({ day, pools }: DayRecord): string {
  const facts = { ...day, cursor_id: '' }
  return JSON.stringify({ day: facts, pools }, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
}

/** Reads a record that {@link recordText} has written. A column that a later version has added is null. */
export function readRecord(text: string): DayRecord {
  const { day, pools } = JSON.parse(text)
  return { day: fromText(day, boxDays.kinds), pools: pools.map((pool: object) => fromText(pool, boxPools.kinds)) }
}

function fromText<Row>(cells: object, kinds: Readonly<Record<string, ColumnKind<unknown>>>): Row {
  const known = new Map(Object.entries(cells))
  const values = Object.entries(kinds).map(([name, { sql }]) => {
    const cell = known.get(name)
    if (cell === undefined || cell === null) return [name, null]
    if (sql === 'numeric' || sql === 'bigint') return [name, BigInt(cell)]
    return [name, sql === 'timestamptz' ? new Date(cell) : cell]
  })
  return Object.fromEntries(values)
}

/** Reads the record of a day in a decision. */
export function knownRecord(state: State, day: string): DayRecord | undefined {
  const row = state.row(boxDayRecords, day)
  return row && readRecord(row.body)
}

/**
 * Records the facts of a day. One that is on record with this phase or a later one stays as it is: a root never changes.
 *
 * @returns the record as JSON.
 */
export function recordDay(record: DayRecord): Command<{ body: string }> {
  const { day, phase } = record.day
  return {
    kind: 'record_box_day',
    owner: 'blind-box',
    payload: { day, phase },
    preload: [{ table: boxDayRecords, id: day }],
    decide(state, { now }) {
      const known = state.row(boxDayRecords, day)
      if (known && !isPhaseBefore(readRecord(known.body).day.phase, phase)) return { response: { body: known.body } }
      const body = recordText(record)
      return { rows: [write(boxDayRecords, { id: day, body, at: now })], response: { body } }
    },
  }
}
