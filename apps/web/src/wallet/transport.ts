import { HttpRequestError, type HttpTransport, http, TimeoutError, withRetry } from 'viem'

/** How patient the app is with a node (specification §9). */
export const RPC_LIMITS = {
  timeoutMs: 10_000,
  retryCount: 3,
  retryDelayMs: 150,
  batchSize: 1_000,
} as const

/** Milliseconds between reads of the chain while the page waits, and the maximum age of a response. */
export const POLLING_INTERVAL_MS = 4_000

const RETRIED_STATUSES = [403, 408, 413, 429, 500, 502, 503, 504]
const RETRIED_CODES = [-1, -32005, -32603]

/**
 * JSON-RPC over HTTP to one node: a single call as an object, calls of the same moment in one batch. What failed is sent again after 150, 300 and
 * 600 ms, or when the node says (`Retry-After`): after no response, and after the statuses and codes above. viem
 * would retry some more codes, so its own retries are off.
 *
 * @throws UrlRequiredError when a client of a chain without a node is made.
 */
export function rpcTransport(
  url: string | undefined,
  limits: { [Name in keyof typeof RPC_LIMITS]: number } = RPC_LIMITS,
): HttpTransport {
  const { timeoutMs, retryCount, retryDelayMs, batchSize } = limits
  const once = http(url, { timeout: timeoutMs, retryCount: 0, batch: { batchSize }, fetchFn: fetchWhole })
  return (parameters) => {
    const transport = once(parameters)
    const request = (args: { method: string }, options?: { retryCount?: number }) =>
      withRetry(() => transport.request(args as never, { ...options, retryCount: 0 }), {
        retryCount: options?.retryCount ?? retryCount,
        delay: ({ count, error }) => retryAfterMs(error) ?? retryDelayMs * 2 ** count,
        shouldRetry: ({ error }) => isRetried(error),
      })
    return {
      ...transport,
      config: { ...transport.config, retryCount, retryDelay: retryDelayMs },
      request: request as typeof transport.request,
    }
  }
}

function isRetried(error: Error): boolean {
  if (error instanceof TimeoutError) return true
  // Without a status there was no response.
  if (error instanceof HttpRequestError) return error.status === undefined || RETRIED_STATUSES.includes(error.status)
  return 'code' in error && RETRIED_CODES.includes(error.code as number)
}

/** Returns the delay that `Retry-After` asks for, given as seconds or a date. */
function retryAfterMs(error: Error): number | undefined {
  const value = error instanceof HttpRequestError ? error.headers?.get('Retry-After') : undefined
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now())
}

/** Fetches with the body: viem's time limit covers this function alone, and a node may stop in the middle of a body. */
async function fetchWhole(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const single = singleCall(init?.body)
  const response = await fetch(input, single === undefined ? init : { ...init, body: single })
  const body = await response.text()
  // viem sent a list, so it expects one.
  const text = single !== undefined && body.trimStart().startsWith('{') ? `[${body}]` : body
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  // The status decides over an error in the body, of which viem would look at the code alone.
  if (RETRIED_STATUSES.includes(status)) {
    headers.set('Content-Type', 'application/json')
    return new Response(JSON.stringify({ error: text }), { status, statusText, headers })
  }
  return new Response(text === '' ? null : text, { status, statusText, headers })
}

/** viem sends every call as a list: the text of its only call, or `undefined` for a batch of several. */
function singleCall(body: unknown): string | undefined {
  if (typeof body !== 'string') return undefined
  const calls: unknown = JSON.parse(body)
  return Array.isArray(calls) && calls.length === 1 ? JSON.stringify(calls[0]) : undefined
}
