import type { Envelope } from '@clearwell/api/codes'
import * as z from 'zod/mini'

/** Where a leader takes the commands of another server, many in one request. */
export const COMMANDS_PATH = '/internal/commands'
/** One command or outcome a line. */
export const LINES_TYPE = 'application/jsonl'
export const MOST_COMMANDS = 256
/** Characters of the lines of one request, but for the last line. */
export const MOST_CHARACTERS = 512 * 1024

/** A command on its way to the leader. */
export const commandLine = z.strictObject({
  /** The path of the call, without the base path. */
  call: z.string().check(z.maxLength(100)),
  /** The payload as JSON text: the leader reads it as if the client had sent it. */
  payload: z.string(),
  key: z.string(),
  token: z.optional(z.string()),
  language: z.optional(z.string()),
  client: z.string(),
  trace: z.string(),
})
export type CommandLine = z.output<typeof commandLine>

/** The response to one command. */
export interface OutcomeLine {
  /** The place of the command in its request, from 0. */
  readonly at: number
  readonly status: number
  readonly body: Envelope
}
