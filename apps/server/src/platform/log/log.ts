import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { LogLevel } from '../../config/environment.ts'
import { errorFields } from './error-fields.ts'
import { prettyLine } from './pretty-line.ts'

/** The server's log: one JSON object per line. Every part of the server writes to the same one. */
export type Log = Pick<Logger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>

/** Field names that never reach the log, at the top of a line or one object deeper. */
const SECRET_FIELDS = ['token', 'signature', 'headers', 'privateKey', 'password'].flatMap((name) => [name, `*.${name}`])

/**
 * Creates the log.
 *
 * @param options.redact removes secrets from a whole line, whichever field or error message they came in.
 * @param options.isTerminal writes lines for people instead of JSON.
 * @param options.destination receives the lines; the standard error stream where absent.
 */
export function createLog({
  level,
  redact,
  isTerminal = false,
  // Synchronous: a line written just before the process exits is not lost.
  destination = pino.destination({ fd: 2, sync: true }),
}: {
  level: LogLevel
  redact: (text: string) => string
  isTerminal?: boolean
  destination?: DestinationStream
}): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields },
      redact: { paths: SECRET_FIELDS, censor: '[secret]' },
      hooks: { streamWrite: (line) => redact(isTerminal ? prettyLine(redact(line)) : line) },
    },
    destination,
  )
}

/** A log that writes nothing, for parts that are used without a server. */
export const SILENT_LOG: Log = pino({ level: 'silent' })
