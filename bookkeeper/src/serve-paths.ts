import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { NOT_FOUND, type PathCalls, type Reply } from './path-calls.ts'
import { RequestLimits } from './request-limits.ts'

const REQUEST_MS = 10_000
/** A message and a signature of a smart-contract wallet fit into it. */
const MAX_BODY = 32_768
const PER_MINUTE = 30
const MAX_CONNECTIONS = 200
/** Requests that are worked on at a time. */
const MAX_OPEN = 20

const HEADERS = {
  'cache-control': 'no-store',
  // The exit kit runs from a file, whose origin is `null`. No cookie is read here.
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '600',
} as const

/**
 * Serves `POST /proof/nonce` and `POST /proof/mine`, and nothing else: on a port for this alone, so that a network can open it without the
 * statements or the ledger.
 */
export function createPathServer(calls: PathCalls, nowMs: () => number): Server {
  const limits = new RequestLimits(PER_MINUTE, nowMs)
  let open = 0

  async function respond(request: IncomingMessage): Promise<Reply & { readonly retryAfterS?: number }> {
    const call = request.url === '/proof/nonce' ? calls.nonce : request.url === '/proof/mine' ? calls.mine : undefined
    if (!call || request.method !== 'POST') return NOT_FOUND
    const retryAfterS = limits.refuse(addressOf(request)) ?? (open >= MAX_OPEN ? 1 : undefined)
    if (retryAfterS !== undefined)
      return { status: 429, code: 42_900, msg: 'Too many requests', data: null, retryAfterS }
    open += 1
    try {
      const payload = parseObject(await readBody(request))
      return payload ? await call(payload) : { status: 400, code: 20_000, msg: 'Invalid input', data: null }
    } finally {
      open -= 1
    }
  }

  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, HEADERS).end()
      return
    }
    respond(request)
      .catch((): Reply => ({ status: 500, code: 50_000, msg: 'Something went wrong', data: null }))
      .then((made) => send(response, made))
  })
  server.maxConnections = MAX_CONNECTIONS
  return server
}

function send(response: ServerResponse, { status, retryAfterS, ...body }: Reply & { readonly retryAfterS?: number }) {
  response
    .writeHead(status, {
      ...HEADERS,
      'content-type': 'application/json; charset=utf-8',
      ...(retryAfterS === undefined ? {} : { 'retry-after': `${retryAfterS}` }),
      // The rest of a body that is too long is not read.
      ...(status === 200 ? {} : { connection: 'close' }),
    })
    .end(JSON.stringify(body))
}

/** A proxy on this machine says who asks; another client cannot. */
function addressOf(request: IncomingMessage): string {
  const { remoteAddress = '' } = request.socket
  const isHere = /^(::ffff:)?127\.|^::1$/.test(remoteAddress)
  const forwarded = isHere ? `${request.headers['x-forwarded-for'] ?? ''}`.split(',').at(-1)?.trim() : undefined
  return forwarded || remoteAddress
}

/** Returns `undefined` for a body that is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > MAX_BODY) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseObject(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
