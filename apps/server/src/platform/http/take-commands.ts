import { PassThrough } from 'node:stream'
import type { Route } from '@clearwell/api/route'
import { type RouteName, routes } from '@clearwell/api/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidField } from '../ledger/refuse.ts'
import {
  COMMANDS_PATH,
  type CommandLine,
  commandLine,
  LINES_TYPE,
  MOST_CHARACTERS,
  MOST_COMMANDS,
  outcomeLine,
} from '../servers/command-lines.ts'
import { type CallOptions, callerOf, callRunner, isForwarded, readKey } from './bind-calls.ts'
import { type EnvelopeResponse, envelope, errorEnvelope, localeOf } from './envelope.ts'
import { checkForwardedBody, requireWhole } from './forwarded-requests.ts'
import type { AnsweredRequest } from './observe-requests.ts'
import { parseJson, parsePayload } from './parse-body.ts'
import { PreparedResponse } from './prepared-response.ts'

/** A last line of 64 KiB, as a client may send it, quoted twice. */
const BODY_LIMIT_BYTES = 2 * MOST_CHARACTERS

type RunLine = (line: CommandLine) => Promise<EnvelopeResponse>

/**
 * Takes the commands that other servers of the ledger forward together. Each runs as if it had come alone, and its outcome is sent as
 * soon as it is there.
 */
export function takeCommands(
  app: FastifyInstance,
  options: CallOptions & { readonly onAnswered?: (request: AnsweredRequest) => void },
): void {
  const run = lineRunner(options)
  const config = { isCall: true, callName: 'commands' } as const
  // In a scope, so that no other call takes this type of body.
  app.register(async (scope) => {
    scope.addContentTypeParser(LINES_TYPE, { parseAs: 'string' }, readLines)
    scope.post<{ Body: CommandLine[] }>(
      COMMANDS_PATH,
      { config, bodyLimit: BODY_LIMIT_BYTES, onRequest: refuseStrangers },
      (request, reply) => {
        requireWhole(request)
        const outcomes = new PassThrough()
        // The other server may leave: it asks again with the same keys.
        outcomes.on('error', () => {})
        void sendOutcomes(outcomes, request.body, run)
        return reply.header('cache-control', 'no-store').type(LINES_TYPE).send(outcomes)
      },
    )
  })
}

/** Nothing of a body is read that no server of the ledger has sealed. */
function refuseStrangers({ forwarded }: FastifyRequest, reply: FastifyReply, next: () => void): void {
  if (forwarded) next()
  else reply.callNotFound()
}

/** @throws Refusal for a body that is not the one that was signed, or not of commands. */
async function readLines(request: FastifyRequest, body: string): Promise<CommandLine[]> {
  checkForwardedBody(request, body)
  const lines = body.split('\n', MOST_COMMANDS + 1)
  if (lines.length > MOST_COMMANDS) throw invalidField('body', `more than ${MOST_COMMANDS} commands`)
  return lines.map((line) => parsePayload(commandLine, parseJson(line)))
}

/** Sends those that are there at one moment together, as the ledger stores them. */
async function sendOutcomes(outcomes: PassThrough, lines: readonly CommandLine[], run: RunLine): Promise<void> {
  const made: string[] = []
  const send = () => {
    if (made.length > 0) outcomes.write(made.splice(0).join(''))
  }
  const runOne = async (line: CommandLine, at: number) => {
    const { status, body } = await run(line)
    if (made.push(`${outcomeLine(at, status, body)}\n`) === 1) setImmediate(send)
  }
  await Promise.all(lines.map(runOne))
  outcomes.end(made.splice(0).join(''))
}

/** Returns the function that runs one forwarded command. It never rejects. */
function lineRunner(options: CallOptions & { readonly onAnswered?: (request: AnsweredRequest) => void }): RunLine {
  const { handlers, findSession, onBug, onAnswered } = options
  const calls = new Map(
    (Object.keys(handlers) as RouteName[])
      .filter((name) => isForwarded(routes[name]))
      .map((name) => [
        routes[name].path as string,
        { name, route: routes[name] as Route, runCall: callRunner(name, options) },
      ]),
  )
  async function respond({ call, payload, key, token, language, client, trace }: CommandLine) {
    const locale = localeOf(language)
    try {
      const known = calls.get(call)
      if (!known) return envelope('not_found', {}, locale)
      const { route, runCall } = known
      const headers = { 'xx-token': token, 'idempotency-key': key }
      const user = await callerOf({ headers, hasUnknownToken: false, tokenHash: undefined }, route, findSession)
      const parsed = parsePayload(route.payload, parseJson(payload))
      const idempotencyKey = route.idempotent ? readKey({ headers }) : undefined
      const response = await runCall(parsed, { locale, idempotencyKey, user, clientAddress: client })
      return envelope('ok', response instanceof PreparedResponse ? response.data : response, locale)
    } catch (error) {
      return errorEnvelope(error, { locale, traceId: trace, onBug })
    }
  }
  return async (line) => {
    const startedMs = performance.now()
    const response = await respond(line)
    const { status, body } = response
    const elapsedMs = performance.now() - startedMs
    const call = calls.get(line.call)?.name ?? 'other'
    const [seconds, client] = [elapsedMs / 1000, () => line.client]
    onAnswered?.({ call, code: body.code, status, seconds, elapsedMs, method: 'POST', client, traceId: line.trace })
    return response
  }
}
