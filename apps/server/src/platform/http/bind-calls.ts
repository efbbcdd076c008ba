import type { Locale } from '@clearwell/api/codes'
import type { Route } from '@clearwell/api/route'
import { type RouteName, routes } from '@clearwell/api/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RunningCommands } from '../commands/running-commands.ts'
import type { Reads } from '../database/reads.ts'
import { invalidField } from '../ledger/refuse.ts'
import { COMMANDS_PATH, type ForwardedResponse } from '../servers/command-lines.ts'
import { type ForwardOptions, forwardToWriter } from '../servers/forward-to-writer.ts'
import { clientAddressOf } from './client-address.ts'
import { type EnvelopeResponse, envelope, localeOf } from './envelope.ts'
import { requireWhole } from './forwarded-requests.ts'
import { parsePayload, parseQuery } from './parse-body.ts'
import { PreparedResponse, sendPrepared } from './prepared-response.ts'
import type { FileResponse, SignedIn } from './request-context.ts'
import { type FileLimits, type FileSender, sendsFiles } from './send-file.ts'
import { type FindSession, signedIn, tokenOf } from './signed-in.ts'

const IDEMPOTENCY_KEY = /^[\w-]{8,64}$/

/** A handler as the app calls it: its types were checked where the feature declared it. */
export type AnyHandler = (payload: never, context: never) => unknown

export interface CallOptions {
  readonly handlers: Partial<Record<RouteName, AnyHandler>>
  readonly findSession: FindSession
  readonly onBug: (error: unknown, traceId: string) => void
  /** Forwards commands that change the ledger to the leader. If absent, they run in this process. */
  readonly writing?: ForwardOptions
  /** Serves calls that only read, perhaps from a replica. If absent, they run as any other. */
  readonly reads?: Pick<Reads, 'run'>
  /** Remembers the keys of the commands in progress. */
  readonly running?: RunningCommands
  /** Bounds of the files that are being sent. Those of production where absent. */
  readonly fileLimits?: FileLimits
}

/** Binds each handler to its route: parse, session, idempotency key, forward or run, respond. */
export function bindCalls(app: FastifyInstance, options: CallOptions): void {
  const sendFile = sendsFiles(app, options.onBug, options.fileLimits)
  for (const name of Object.keys(options.handlers) as RouteName[]) bindCall(app, name, options, sendFile)
}

function bindCall(app: FastifyInstance, name: RouteName, options: CallOptions, sendFile: FileSender): void {
  const { findSession, writing, reads } = options
  const route: Route = routes[name]
  const runCall = callRunner(name, options)
  app.route({
    method: route.method,
    url: `/api${route.path}`,
    // HEAD would have the whole file made.
    ...(route.returnsFile ? { exposeHeadRoute: false } : {}),
    config: { isCall: true, callName: name, call: route },
    async handler(request, reply) {
      requireWhole(request)
      const locale = localeOf(request.headers['accept-language'])
      const user = await callerOf(request, route, findSession)
      const isGet = route.method === 'GET'
      const payload = parsePayload(route.payload, isGet ? parseQuery(request.url.split('?')[1] ?? '') : request.body)
      const idempotencyKey = route.idempotent ? readKey(request) : undefined
      const clientAddress = clientAddressOf(request)
      const run = (key: string | undefined) => runCall(payload, { locale, idempotencyKey: key, user, clientAddress })
      if (route.returnsFile)
        return sendFile(reply, clientAddress, async () => (await run(idempotencyKey)) as FileResponse)
      let response: unknown
      if (isForwarded(route) && writing && !request.forwarded) {
        const { url: path, headers, body, id: traceId, traceHeaders } = request
        const call = route.path
        const command = { path, call, headers, clientAddress, traceId, traceHeaders, payload: body, idempotencyKey }
        const done = await forwardToWriter(writing, command, run)
        if ('there' in done) return sendForwarded(reply, done.there)
        response = done.here
      } else if (reads && onlyReads(route)) response = await reads.run(() => run(idempotencyKey))
      else response = await run(idempotencyKey)
      if (response instanceof PreparedResponse) return sendPrepared(request, reply, response, locale)
      return sendEnvelope(reply, envelope('ok', response, locale))
    },
  })
}

/** The caller of a command or a read, as its handler needs it. */
interface Caller {
  readonly locale: Locale
  readonly idempotencyKey: string | undefined
  readonly user: SignedIn | undefined
  readonly clientAddress: string
}

/** Returns the handler of a call, which notes the key of each command while it runs. */
export function callRunner(name: RouteName, { handlers, running }: Pick<CallOptions, 'handlers' | 'running'>) {
  const handler = handlers[name] as unknown as (payload: unknown, context: Caller) => unknown
  return (payload: unknown, caller: Caller): Promise<unknown> => {
    const handle = async () => handler(payload, caller)
    const { user, idempotencyKey: key } = caller
    return running && user && key !== undefined ? running.during(user.id, key, handle) : handle()
  }
}

/** The paths of all calls that a server takes from another one, and the one where it takes many together. */
export const FORWARDED_CALLS: readonly string[] = [
  ...Object.values<Route>(routes).flatMap((route) => (isForwarded(route) ? [route.path] : [])),
  COMMANDS_PATH,
]

/** Files are read while they are sent, and a call that waits for the chain's node would occupy a connection meanwhile. */
function onlyReads({ idempotent, asksWriter, isSignIn, writes, localOnly, returnsFile, asksChain }: Route): boolean {
  const changes = idempotent || isSignIn || writes || localOnly
  return !(changes || asksWriter || returnsFile || asksChain)
}

/** Returns whether a server that does not lead forwards the call. */
export function isForwarded({ idempotent, asksWriter }: Route): boolean {
  return idempotent || asksWriter === true
}

/** @throws Refusal `sign_in_again` if the call needs a session and the token has none. */
export async function callerOf(
  request: Pick<FastifyRequest, 'headers' | 'hasUnknownToken' | 'tokenHash'>,
  { session }: Route,
  findSession: FindSession,
): Promise<SignedIn | undefined> {
  if (session === 'required') return signedIn(request, findSession)
  const token = session === 'optional' && !request.hasUnknownToken ? tokenOf(request) : undefined
  return token === undefined ? undefined : findSession(token, request.tokenHash)
}

/** @throws Refusal `invalid_input` for a key that is none. */
export function readKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || key === '') return undefined
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
    throw invalidField('Idempotency-Key', '8 to 64 of A-Z a-z 0-9 - _')
  return key
}

/** An envelope concerns one caller at one moment: no cache may store it. */
export function sendEnvelope(reply: FastifyReply, { status, body }: EnvelopeResponse): FastifyReply {
  reply.envelopeCode = body.code
  return reply.code(status).header('cache-control', 'no-store').send(body)
}

/** Sends the response of another server of the ledger. */
function sendForwarded(reply: FastifyReply, { status, code, body }: ForwardedResponse): FastifyReply {
  reply.envelopeCode = code
  return reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(body)
}
