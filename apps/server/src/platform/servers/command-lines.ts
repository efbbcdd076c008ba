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

/** The response of the leader to a command. The server that forwarded it sends the body on as it came. */
export interface ForwardedResponse {
  readonly status: number
  /** The code of the envelope. */
  readonly code: number
  /** The envelope as JSON text. */
  readonly body: string
}

/** The response to one command, with its place in its request, from 0. */
export interface Outcome {
  readonly at: number
  readonly response: ForwardedResponse
}

const OUTCOME_LINE = /^\{"at":(\d+),"status":(\d+),"body":(.+)\}$/
const CODE = /^\{"code":(\d+),/

/** Writes the line of a response, which {@link readOutcome} reads. */
export function outcomeLine(at: number, status: number, body: Envelope): string {
  return `{"at":${at},"status":${status},"body":${JSON.stringify(body)}}`
}

/** Reads a line without reading its envelope, which takes most of the time; `undefined` for text that is no such line. */
export function readOutcome(line: string): Outcome | undefined {
  const [, at, status, body = ''] = OUTCOME_LINE.exec(line) ?? []
  const response = readForwarded(Number(status), body)
  return response && { at: Number(at), response }
}

/** Returns a response of another server; `undefined` if its body is no envelope. */
export function readForwarded(status: number, body: string): ForwardedResponse | undefined {
  const [, code] = CODE.exec(body) ?? []
  return code === undefined ? undefined : { status, code: Number(code), body }
}
