import type { LogLevel } from '../../config/environment.ts'

/** One event of the log, as the reference page describes it and as a line has it. */
export interface EventDefinition {
  readonly level: Exclude<LogLevel, 'silent'>
  /** The event in one plain sentence: the line's message. */
  readonly text: string
  /** Each field of the line with its meaning. `err` is an error with its stack. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Events by their names: a noun and a past participle, which stay the same for good. */
export type EventTable = Readonly<Record<string, EventDefinition>>

type EventValue = string | number | boolean | readonly string[] | undefined

/** The fields of one event. Those that are undefined are left out of the line. */
export type FieldsOf<Definition> = Definition extends { readonly fields: infer Fields }
  ? { readonly [Field in keyof Fields]: Field extends 'err' ? unknown : EventValue }
  : Readonly<Record<never, never>>

/**
 * Declares events of the platform or of one feature.
 *
 * @example
 * const tipsEvents = defineEvents({
 *   tips_paid: { level: 'info', text: 'the tips of a day are paid', fields: { day: 'the day in Hong Kong' } },
 * })
 */
export function defineEvents<const Table extends EventTable>(table: Table): Table {
  return table
}
