import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { LogLevel } from '../../config/environment.ts'
import type { EventTable, FieldsOf } from './define-events.ts'
import { errorFields } from './error-fields.ts'
import { prettyLine } from './pretty-line.ts'

/** The server's log: one JSON object per line. Every line is an event of a table, so each is described. */
export interface Log {
  /** Returns the function that writes the events of one table. */
  events<Table extends EventTable>(table: Table): LogEvent<Table>
}

/**
 * Writes one line.
 *
 * @param message replaces the event's own text.
 */
export type LogEvent<Table extends EventTable> = <Name extends keyof Table & string>(
  event: Name,
  fields: FieldsOf<Table[Name]>,
  message?: string,
) => void

/** Field names that never reach the log, at the top of a line or one object deeper. */
const SECRET_FIELDS = ['token', 'signature', 'headers', 'privateKey', 'password'].flatMap((name) => [name, `*.${name}`])

/**
 * Creates the log.
 *
 * @param options.redact removes secrets from a whole line, whichever field or error message they came in.
 * @param options.origin fields of every line that tell servers apart. A terminal shows one server, and leaves them out.
 * @param options.isTerminal writes lines for people instead of JSON.
 * @param options.destination receives the lines; the standard error stream where absent.
 */
export function createLog({
  level,
  redact,
  origin,
  isTerminal = false,
  // Synchronous: a line written just before the process exits is not lost.
  destination = pino.destination({ fd: 2, sync: true }),
}: {
  level: LogLevel
  redact: (text: string) => string
  origin?: { readonly version: string; readonly host: string; readonly pid: number }
  isTerminal?: boolean
  destination?: DestinationStream
}): Log {
  const logger = pino(
    {
      level,
      base: isTerminal || !origin ? null : origin,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields },
      redact: { paths: SECRET_FIELDS, censor: '[secret]' },
      hooks: { streamWrite: (line) => redact(isTerminal ? prettyLine(redact(line)) : line) },
    },
    destination,
  )
  return { events: (table) => eventsOf(logger, table) }
}

function eventsOf<Table extends EventTable>(logger: Logger, table: Table): LogEvent<Table> {
  return (event, fields, message) => {
    const { level, text } = table[event] as EventTable[string]
    const line: Readonly<Record<string, unknown>> = { event, ...fields }
    logger[level](line, message ?? text)
  }
}

/** A log that writes nothing, for parts that are used without a server. */
export const SILENT_LOG: Log = { events: () => () => {} }
