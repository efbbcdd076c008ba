import type { Route } from '@clearwell/api/route'
import { type RouteName, routes } from '@clearwell/api/routes'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { invalidField, refusal } from '../ledger/refuse.ts'
import { HANDED_ON, type HandOnOptions, handOn } from '../servers/hand-on.ts'
import { CALL_HEADERS } from './call-headers.ts'
import { contentPolicy } from './content-policy.ts'
import { type EnvelopeAnswer, envelope, errorEnvelope, localeOf } from './envelope.ts'
import { serveIcons } from './icons.ts'
import { notFoundPage } from './not-found-page.ts'
import { apiPage, openApiDocument } from './open-api.ts'
import { parseForm, parseJson } from './parse-body.ts'
import { parsePayload } from './parse-payload.ts'
import { PERMISSIONS_POLICY } from './permissions-policy.ts'
import { PreparedAnswer, sendPrepared } from './prepared-answer.ts'
import type { FileAnswer } from './request-context.ts'
import { type FileSender, sendsFiles } from './send-file.ts'
import { type FindSession, signedIn } from './signed-in.ts'
import { readWebApp, serveWebApp } from './web-app.ts'

const BODY_LIMIT_BYTES = 64 * 1024
const REQUEST_MS = 30_000
/** Shorter than other servers wait for the next writer. */
const GRACE_MS = 6_000
/** How much less often an address may call what asks the chain. */
const CHAIN_SHARE = 10
/** The same of what may ask the exchange: charts, which are paged back through. */
const EXCHANGE_SHARE = 5
const IDEMPOTENCY_KEY = /^[\w-]{8,64}$/

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers data, not a page. */
    isCall?: true
  }
}

/** A handler as the app calls it: the types were checked where it was bound. */
export type AnyHandler = (payload: never, context: never) => unknown

export interface AppOptions {
  readonly handlers: Partial<Record<RouteName, AnyHandler>>
  readonly findSession: FindSession
  readonly isReady: () => boolean
  readonly onBug: (error: unknown, traceId: string) => void
  readonly requestsPerMinute: number
  /** Where commands run that change the ledger. Absent: always here. */
  readonly writing?: HandOnOptions
  /** Adds `GET /api/stream`, where there is one. */
  readonly serveStream?: (app: FastifyInstance) => void
  /** The built web app, or `undefined` to serve the API alone. */
  readonly webFolder: string | undefined
  /** Origins that the page may talk to beside its own: the chain's node. */
  readonly connectOrigins: readonly string[]
  readonly productName: string
  /** How long a client of a file may take nothing of it before it is let go. A minute where absent. */
  readonly fileStallMs?: number
  /** How long what is under way may take when the server ends. */
  readonly graceMs?: number
}

/** The HTTP side of everything: one handler per route of the table, one envelope for each answer. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { handlers, isReady, onBug } = options
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    // 64 KiB come sooner; who sends them byte by byte would hold a connection for ever.
    requestTimeout: REQUEST_MS,
    trustProxy: 'loopback',
    routerOptions: { maxParamLength: 200 },
    // A path that is no text reaches neither a handler nor the error handler.
    frameworkErrors: (_error, request, reply) => {
      send(reply, errorEnvelope(invalidField('path', 'not readable'), locale(request), onBug))
    },
  })

  const webApp = options.webFolder === undefined ? undefined : await readWebApp(options.webFolder)
  const pages = [...(webApp?.pages.values() ?? [])].map(({ html }) => html)
  const ownHeaders = {
    'content-security-policy': contentPolicy(pages, options.connectOrigins),
    'permissions-policy': PERMISSIONS_POLICY,
  }
  // Cross-Origin-Opener-Policy stays at helmet's `same-origin`: no wallet that we offer answers through a pop-up that
  // must reach its opener. Extensions are injected, WalletConnect goes over its relay, and deep links leave the page.
  await app.register(helmet, { global: false, contentSecurityPolicy: false })
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isCall) return void reply.headers(CALL_HEADERS)
    await reply.helmet()
    // The policy is one constant: helmet would put it together anew for each request.
    reply.headers(ownHeaders)
  })
  await app.register(rateLimit, {
    max: options.requestsPerMinute,
    timeWindow: '1 minute',
    // By its route: the address may be written in other ways (`/%61pi/…`, `http://host/api/…`).
    allowList: (request) =>
      // What another server hands on was counted there, by the address that it came from.
      isHandedOn(request, options.writing) || !(request.routeOptions.url ?? request.url).startsWith('/api/'),
    errorResponseBuilder: () => refusal('too_many_requests'),
  })

  app.removeAllContentTypeParsers()
  const asText = { parseAs: 'string' } as const
  app.addContentTypeParser('application/x-www-form-urlencoded', asText, async (_request: unknown, body: string) =>
    parseForm(body),
  )
  app.addContentTypeParser('application/json', asText, async (_request: unknown, body: string) => parseJson(body))

  app.setErrorHandler((error, request, reply) => send(reply, errorEnvelope(asRefusal(error), locale(request), onBug)))
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (request.url.startsWith('/api/') || !isRead) return send(reply, envelope('not_found', {}, locale(request)))
    reply.code(404).header('cache-control', 'no-store').header('vary', 'accept')
    if (request.headers.accept?.includes('text/html'))
      return reply.type('text/html; charset=utf-8').send(notFoundPage(options.productName))
    return reply.type('text/plain; charset=utf-8').send('Not found')
  })

  const sendFile = sendsFiles(app, onBug, options.fileStallMs)
  for (const name of Object.keys(handlers) as RouteName[]) bind(app, name, options, sendFile)
  options.serveStream?.(app)

  const served = Object.keys(handlers) as RouteName[]
  const hasStream = options.serveStream !== undefined
  app.get('/api/openapi.json', async () => openApiDocument(options.productName, served, { hasStream }))
  app.get('/api/docs', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(apiPage(options.productName, served, { hasStream })),
  )
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) =>
    reply.code(isReady() ? 200 : 503).send({ status: isReady() ? 'ready' : 'not ready' }),
  )
  serveIcons(app)
  if (webApp) await serveWebApp(app, webApp)
  app.addHook('preClose', async () => {
    // Whoever has sent half a request must not keep the server, and with it the writer's lease, from ending.
    setTimeout(() => app.server.closeAllConnections(), options.graceMs ?? GRACE_MS).unref()
  })
  return app
}

function bind(
  app: FastifyInstance,
  name: RouteName,
  { handlers, findSession, requestsPerMinute, writing }: AppOptions,
  sendFile: FileSender,
): void {
  const route: Route = routes[name]
  const handler = handlers[name] as unknown as (payload: unknown, context: unknown) => unknown
  app.route({
    method: route.method,
    url: `/api${route.path}`,
    // Whoever asks for the head of a file would have it made to the end.
    ...(route.answersFile ? { exposeHeadRoute: false } : {}),
    config: {
      isCall: true,
      // What is not given here is as for all routes.
      ...(shareOf(route) > 1 ? { rateLimit: { max: Math.ceil(requestsPerMinute / shareOf(route)) } } : {}),
    },
    async handler(request, reply) {
      const language = locale(request)
      const user = route.session === 'required' ? await signedIn(request, findSession) : undefined
      const payload = parsePayload(
        route.payload,
        route.method === 'GET' ? parseForm(request.url.split('?')[1] ?? '') : request.body,
      )
      const idempotencyKey = route.idempotent ? readKey(request) : undefined
      const run = (key: string | undefined) => handler(payload, { locale: language, idempotencyKey: key, user })
      let answer: unknown
      if ((route.idempotent || route.asksWriter) && writing && !isHandedOn(request, writing)) {
        const { url: path, headers, ip, body } = request
        const done = await handOn(writing, { path, headers, ip, payload: body, idempotencyKey }, async (key) =>
          run(key),
        )
        if ('there' in done) return send(reply, done.there)
        answer = done.here
      } else answer = await run(idempotencyKey)
      if (answer instanceof PreparedAnswer) return sendPrepared(request, reply, answer, language)
      if (route.answersFile) return sendFile(reply, answer as FileAnswer)
      return send(reply, envelope('ok', answer, language))
    },
  })
}

/** How much less often than others an address may make this call. */
function shareOf({ asksChain, asksExchange }: Route): number {
  return asksChain ? CHAIN_SHARE : asksExchange ? EXCHANGE_SHARE : 1
}

/** Whether another server of the same ledger sent it: nobody else knows this one's name. */
function isHandedOn({ headers }: FastifyRequest, writing: HandOnOptions | undefined): boolean {
  return writing !== undefined && headers[HANDED_ON] === writing.servers.holder
}

function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || key === '') return undefined
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
    throw invalidField('Idempotency-Key', '8 to 64 of A-Z a-z 0-9 - _')
  return key
}

/** Fastify's own refusals (a body too large, of an unknown type, broken) are bad input, not bugs. */
function asRefusal(error: unknown): unknown {
  const code = (error as { code?: unknown }).code
  const isBroken = code === 'ECONNRESET' && (error as { statusCode?: unknown }).statusCode === 400
  if (isBroken || (typeof code === 'string' && code.startsWith('FST_ERR_CTP')))
    return invalidField('body', 'not readable')
  return error
}

function locale(request: { headers: FastifyRequest['headers'] }) {
  return localeOf(request.headers['accept-language'])
}

/** Sends an envelope. It is about one caller at one moment: nobody in between may keep it. */
function send(reply: FastifyReply, { status, body }: EnvelopeAnswer): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send(body)
}
