import { randomUUID } from 'node:crypto'
import type { RouteName } from '@clearwell/api/routes'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { invalidField } from '../ledger/refuse.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { API_PAGE_STYLE, API_PAGE_STYLE_PATH, apiPage } from './api-page.ts'
import { bindCalls, type CallOptions, sendEnvelope } from './bind-calls.ts'
import { envelope, errorEnvelope, localeOf } from './envelope.ts'
import { acceptForwarded, checkForwardedBody, type VerifyForwarded } from './forwarded-requests.ts'
import { serveIcons } from './icons.ts'
import { notFoundPage } from './not-found-page.ts'
import { type AnsweredRequest, observeRequests } from './observe-requests.ts'
import { openApiDocument, type RouteGroup } from './open-api.ts'
import { refuseForeignOrigins } from './own-origin.ts'
import { parseForm, parseJson, parseMultipart } from './parse-body.ts'
import { limitRates, type RateLimitOptions } from './rate-limits.ts'
import { refusePublic } from './refuse-public.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { takeCommands } from './take-commands.ts'
import { TooManyRequests } from './too-many-requests.ts'
import { nameTrace } from './trace-id.ts'
import { READ_ALL, refuseTunnels, refuseUnreadable } from './unreadable-requests.ts'
import { findNewFile, htmlOf, readWebApp, serveWebApp, type WebApp } from './web-app.ts'

const LOOPBACK = ['loopback']
const BODY_LIMIT_BYTES = 64 * 1024
const REQUEST_MS = 30_000
/** Shorter than other servers wait for the next leader. */
const GRACE_MS = 6_000

export interface AppOptions extends CallOptions, RateLimitOptions {
  /** Addresses and networks whose `X-Forwarded-For` names the client. Defaults to the loopback addresses. */
  readonly trustedProxies?: readonly string[]
  /** Recognizes what other servers of the ledger forward. Absent: no other does. */
  readonly verifyForwarded?: VerifyForwarded
  /** Refuses what no other server has forwarded, but for the health of this one. */
  readonly onlyForwarded?: boolean
  /** How the API reference groups the calls: by feature. Absent: one group. */
  readonly groups?: readonly RouteGroup[]
  /** Parts of this server that do not work. It then takes no requests. */
  readonly failingParts: () => readonly string[] | Promise<readonly string[]>
  /** Parts that do not work and that all servers share. */
  readonly degradedParts?: () => Promise<readonly string[]>
  /** Returns whether the server is about to end. It serves on, and asks clients to connect to another one. */
  readonly isDraining?: () => boolean
  /** Receives each request that was answered, for the metrics. */
  readonly onAnswered?: (request: AnsweredRequest) => void
  /** Sends spans of requests to a collector. */
  readonly tracing?: Tracing | undefined
  /** Adds `GET /api/stream`. */
  readonly serveStream?: (app: FastifyInstance) => void
  /** Adds the path where the bookkeeper reads the ledger. Absent: no bookkeeper is configured. */
  readonly serveLedger?: ((app: FastifyInstance) => void) | undefined
  /** The built web app, or `undefined` to serve the API alone. */
  readonly webFolder: string | undefined
  /** Origins that a page may talk to beside its own: the chain's node. */
  readonly connectOrigins: readonly string[]
  readonly productName: string
  /** The local profile: other websites may send no calls. */
  readonly onlyOwnOrigins?: { readonly publicUrl: string | undefined }
  /** How long requests in progress may take when the server ends, in milliseconds. */
  readonly graceMs?: number
}

/** The HTTP side of everything: one handler per route of the table, one envelope for each response. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { connectOrigins, graceMs = GRACE_MS, onBug } = options
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    http: READ_ALL,
    clientErrorHandler: refuseUnreadable,
    // 64 KiB arrive sooner; a client that sends them byte by byte would occupy a connection without end.
    requestTimeout: REQUEST_MS,
    // A request that arrives on an open connection while the server closes is served like the ones before it.
    return503OnClosing: false,
    trustProxy: [...(options.trustedProxies ?? LOOPBACK)],
    routerOptions: { maxParamLength: 200 },
    genReqId: () => randomUUID(),
    // A path that is not valid text reaches neither a handler nor the error handler.
    frameworkErrors: (_error, request, reply) => {
      nameTrace(request, reply)
      sendEnvelope(reply, errorEnvelope(invalidField('path', 'not readable'), contextOf(request, onBug)))
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    nameTrace(request, reply)
    done()
  })
  refuseTunnels(app)
  observeRequests(app, options.onAnswered)
  if (options.isDraining) closeConnectionsWhile(app, options.isDraining)
  const webApp = options.webFolder === undefined ? undefined : await readWebApp(options.webFolder)
  const pages = webApp ? htmlOf(webApp.build) : []
  addSecurityHeaders(app, { pages, connectOrigins })
  if (options.onlyOwnOrigins) refuseForeignOrigins(app, options.onlyOwnOrigins.publicUrl)
  acceptForwarded(app, options.verifyForwarded)
  if (options.onlyForwarded) refusePublic(app)
  options.tracing?.observe(app)
  // The server that forwards a command has counted it, by the account or address that it came from.
  limitRates(app, options, ({ forwarded }) => forwarded !== undefined)
  addBodyParsers(app)
  addErrorHandlers(app, options, webApp)

  bindCalls(app, options)
  if (options.verifyForwarded) takeCommands(app, options)
  options.serveStream?.(app)
  options.serveLedger?.(app)
  serveReference(app, options)
  serveHealth(app, options)
  serveIcons(app)
  if (webApp) await serveWebApp(app, webApp, connectOrigins)
  app.addHook('preClose', async () => {
    // A client that has sent half a request must not keep the server, and with it the writer's lease, from ending.
    setTimeout(() => app.server.closeAllConnections(), graceMs).unref()
  })
  return app
}

/** A proxy or client that keeps a connection open would send its next request to a server that has ended. */
function closeConnectionsWhile(app: FastifyInstance, isDraining: () => boolean): void {
  app.addHook('onRequest', (_request, reply, done) => {
    if (isDraining()) reply.header('connection', 'close')
    done()
  })
}

function addBodyParsers(app: FastifyInstance): void {
  const asText = { parseAs: 'string' } as const
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', asText, async (_request: unknown, body: string) =>
    parseForm(body),
  )
  app.addContentTypeParser('application/json', asText, async (request: FastifyRequest, body: string) => {
    checkForwardedBody(request, body)
    return parseJson(body)
  })
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => parseMultipart(body, request.headers['content-type'] ?? ''),
  )
}

/** A path without a file's ending: that of a screen, which the app's own address has behind a `#`. The app says which exist. */
const PATH_OF_A_SCREEN = /^(\/[A-Za-z0-9]{1,40}){1,5}\/?(\?[^#]*)?$/

function addErrorHandlers(app: FastifyInstance, { productName, onBug }: AppOptions, webApp: WebApp | undefined): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof TooManyRequests) reply.header('retry-after', error.retryAfterS)
    const response = errorEnvelope(asRefusal(error), contextOf(request, onBug))
    // The code is that of any bad input; the status is the one that proxies and clients know.
    return sendEnvelope(reply, codeOf(error) === BODY_TOO_LARGE ? { ...response, status: 413 } : response)
  })
  app.setNotFoundHandler(async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (request.url.startsWith('/api/') || !isRead)
      return sendEnvelope(reply, envelope('not_found', {}, localeOfRequest(request)))
    const newFile = webApp && (await findNewFile(webApp, request.url))
    if (newFile !== undefined) return reply.sendFile(newFile)
    if (webApp && request.headers.accept?.includes('text/html') && PATH_OF_A_SCREEN.test(request.url))
      return reply.header('cache-control', 'no-store').redirect(`/#${request.url}`, 302)
    reply.code(404).header('cache-control', 'no-store').header('vary', 'accept')
    if (request.headers.accept?.includes('text/html'))
      return reply.type('text/html; charset=utf-8').send(notFoundPage(productName))
    return reply.type('text/plain; charset=utf-8').send('Not found')
  })
}

const BODY_TOO_LARGE = 'FST_ERR_CTP_BODY_TOO_LARGE'

/** Fastify's own refusals (a body that is too large, of an unknown type, or broken) are bad input, not bugs. */
function asRefusal(error: unknown): unknown {
  const code = codeOf(error)
  if (code === BODY_TOO_LARGE) return invalidField('body', `longer than ${BODY_LIMIT_BYTES / 1024} KiB`)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return invalidField('Content-Type', 'no form and not JSON')
  const isBroken = code === 'ECONNRESET' && (error as { statusCode?: unknown }).statusCode === 400
  return isBroken || code?.startsWith('FST_ERR_CTP') ? invalidField('body', 'not readable') : error
}

function codeOf(error: unknown): string | undefined {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** The OpenAPI document of exactly the calls that are served, and its page. Few servers need them: written when first read. */
function serveReference(app: FastifyInstance, { handlers, groups, serveStream, productName }: AppOptions): void {
  const served = Object.keys(handlers) as RouteName[]
  let document: ReturnType<typeof openApiDocument> | undefined
  let page: string | undefined
  const readDocument = () =>
    (document ??= openApiDocument({
      title: productName,
      groups: groups ?? [{ name: 'calls', routes: served }],
      hasStream: serveStream !== undefined,
    }))
  app.get('/api/openapi.json', async () => readDocument())
  app.get('/api/docs', async (_request, reply) => {
    page ??= apiPage(readDocument())
    return reply.type('text/html; charset=utf-8').send(page)
  })
  app.get(API_PAGE_STYLE_PATH, async (_request, reply) => reply.type('text/css; charset=utf-8').send(API_PAGE_STYLE))
}

function serveHealth(app: FastifyInstance, { isDraining, failingParts, degradedParts }: AppOptions): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (isDraining?.()) return reply.code(503).send({ status: 'draining' })
    const failing = await failingParts()
    if (failing.length > 0) return reply.code(503).send({ status: 'not ready', failing })
    const parts = (await degradedParts?.()) ?? []
    return parts.length === 0 ? { status: 'ready' } : { status: 'degraded', parts }
  })
}

function contextOf(request: FastifyRequest, onBug: AppOptions['onBug']) {
  return { locale: localeOfRequest(request), traceId: request.id, onBug }
}

function localeOfRequest({ headers }: Pick<FastifyRequest, 'headers'>) {
  return localeOf(headers['accept-language'])
}
