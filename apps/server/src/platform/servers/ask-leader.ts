import type { IncomingHttpHeaders } from 'node:http'
import { TRACE_ID } from '../http/trace-id.ts'
import type { Report } from '../log/report.ts'
import { createCommandBatches } from './command-batches.ts'
import { type ForwardedResponse, readForwarded } from './command-lines.ts'
import { createServerPoster, type Post, postJson } from './post-to-server.ts'
import { FORWARDED, type ServerSeal } from './server-seal.ts'

/** How long one server waits for the response of another. */
const RESPONSE_TIMEOUT_MS = 5_000
/** A leader that refuses this server is reported once in this time. */
const REPORT_EVERY_MS = 60_000
/** A server that has just started at the address of a former leader refuses too, for one or two attempts. */
const REFUSALS_TO_REPORT = 5

const PASSED_ON = ['accept-language', 'xx-device-type', 'xx-token'] as const

/** A command as the client sent it. */
export interface ForwardedCommand {
  /** With the base path. */
  readonly path: string
  /** The path of the call in the table of all calls. */
  readonly call: string
  readonly headers: IncomingHttpHeaders
  /** The client whose rate the command counts toward. */
  readonly clientAddress: string
  /** The id of the request, which the leader uses too. */
  readonly traceId: string
  /** See `FastifyRequest.traceHeaders`. */
  readonly traceHeaders?: Readonly<Record<string, string>> | undefined
  readonly payload: unknown
  /** The client's key. Without one, this server makes one before it forwards the command. */
  readonly idempotencyKey: string | undefined
}

/** Returns `undefined` if the outcome is unknown: the other server is gone, or is no longer the leader. */
export type AskLeader = (
  leader: {
    readonly url: string
    readonly holder: string
    /** It takes many commands in one request. */
    readonly takesBatches: boolean
  },
  command: ForwardedCommand & { readonly idempotencyKey: string },
) => Promise<ForwardedResponse | undefined>

interface Asking {
  readonly seal: ServerSeal
  readonly onRefused: (isRefused: boolean, url: string) => void
}

/**
 * Returns a function that sends a command to the leader, signed as a server of the same ledger: together with others of the same moment, or alone
 * to a leader that takes no batches. A traced command is alone too, so that its span on the leader belongs to its own trace.
 */
export function createAskLeader({
  seal,
  ca,
  onError,
}: {
  readonly seal: ServerSeal
  readonly ca: string | undefined
  readonly onError: Report
}): AskLeader {
  const post = createServerPoster({ ca })
  const onRefused = createRefusalReport(onError)
  const askInBatch = createCommandBatches({ seal, post, timeoutMs: RESPONSE_TIMEOUT_MS, onRefused })
  return (leader, command) => {
    if (!leader.takesBatches || command.traceHeaders) return askAlone(post, { seal, onRefused }, leader, command)
    const { call, payload, idempotencyKey: key, clientAddress: client, traceId: trace, headers } = command
    const [token, language] = [textOf(headers['xx-token']), textOf(headers['accept-language'])]
    return askInBatch(leader, { call, payload: JSON.stringify(payload ?? {}), key, token, language, client, trace })
  }
}

async function askAlone(
  post: Post,
  { seal, onRefused }: Asking,
  ...[{ url, holder }, { path, clientAddress, payload, ...command }]: Parameters<AskLeader>
): Promise<ForwardedResponse | undefined> {
  const headers: Record<string, string> = {
    'idempotency-key': command.idempotencyKey,
    [TRACE_ID]: command.traceId,
    ...command.traceHeaders,
  }
  for (const name of PASSED_ON) {
    const value = command.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  const body = JSON.stringify(payload ?? {})
  headers[FORWARDED] = seal.sign({ method: 'POST', path, headers, body, clientAddress }, holder)
  try {
    const response = await postJson(post, { url: `${url}${path}`, headers, body, timeoutMs: RESPONSE_TIMEOUT_MS })
    const isRefused = response.headers[FORWARDED] === 'refused'
    onRefused(isRefused, url)
    if (isRefused || response.status === 503) return undefined
    return readForwarded(response.status, response.body)
  } catch {
    return undefined
  }
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

/** Reports a leader that keeps refusing this server: an operator has to act. */
function createRefusalReport(onError: Report): (isRefused: boolean, url: string) => void {
  let refusals = 0
  let reportedMs = Number.NEGATIVE_INFINITY
  return (isRefused, url) => {
    refusals = isRefused ? refusals + 1 : 0
    if (refusals < REFUSALS_TO_REPORT || performance.now() - reportedMs < REPORT_EVERY_MS) return
    reportedMs = performance.now()
    const why = 'Both need the same SERVER_KEY, and clocks less than a minute apart.'
    onError(new Error(`The leader at ${url} refuses the commands that this server forwards. ${why}`), 'forwarding')
  }
}
