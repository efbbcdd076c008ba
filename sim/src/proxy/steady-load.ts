import { randomUUID } from 'node:crypto'
import { Agent, request as tlsRequest } from 'node:https'
import { text } from 'node:stream/consumers'

/** A request that got no response, or one that no user should see. */
export interface Fault {
  readonly path: string
  readonly problem: string
  /** From the start of the load until the request was sent, and until it failed. */
  readonly sentAfterMs: number
  readonly failedAfterMs: number
}

export interface Client {
  readonly url: string
  /** The authority of the proxy's certificate. */
  readonly ca: string
}

export interface Swap {
  /** Absent: the proxy adds one. */
  readonly key: string | undefined
  readonly token: string
  readonly payload: Readonly<Record<string, unknown>>
}

export interface LoadResult {
  readonly requests: number
  readonly faults: readonly Fault[]
  /** The acknowledged swaps with the ids of their transactions. */
  readonly swaps: ReadonlyMap<Swap, string>
  readonly slowestMs: number
  readonly perSecond: number
}

export interface Load {
  /** Waits until every request that is open now has its response. */
  settle(): Promise<void>
  stop(): Promise<LoadResult>
}

export interface LoadOptions {
  readonly perSecond: number
  /** Tokens of the users who send nearly all requests. */
  readonly busy: readonly string[]
  /** Tokens of users with a swap now and then: they miss few entries while their stream connects to another server. */
  readonly calm: readonly string[]
}

/** One swap of this many is a calm user's. */
const CALM_EVERY = 50
const GIVE_UP_AFTER_MS = 60_000
/** Connections to the proxy. Each request on a new connection would measure handshakes of TLS. */
const CONNECTIONS = 64
/** Requests without a response, beyond which the load waits: a slow machine gets fewer requests, not ever more. */
const MAX_OPEN = 400
/** The same for every repetition: another deadline would be another payload. */
const DEADLINE = new Date(Date.now() + 600_000).toISOString()

/** Requests over connections that stay open, as a browser sends them. */
export function createRequests({ url, ca }: Client) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, ca })
  return {
    close: () => agent.destroy(),
    async send(
      method: 'GET' | 'POST',
      path: string,
      options: { token?: string; key?: string | undefined; payload?: unknown; signal?: AbortSignal } = {},
    ): Promise<{ status: number; body: string }> {
      const { token, key, payload, signal = AbortSignal.timeout(GIVE_UP_AFTER_MS) } = options
      const headers = {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { 'xx-token': token }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      }
      return new Promise((resolve, reject) => {
        const request = tlsRequest(`${url}${path}`, { method, headers, agent, signal })
        request.on('error', reject)
        request.once('response', (response) => {
          text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
        })
        request.end(method === 'POST' ? JSON.stringify(payload ?? {}) : undefined)
      })
    },
  }
}

/**
 * Sends requests at a constant rate, although earlier ones wait for their responses: half of them swaps, of which every
 * tenth has no key, and half of them reads.
 */
export function startLoad(client: Client, { perSecond: rate, busy, calm }: LoadOptions): Load {
  const requests = createRequests(client)
  const faults: Fault[] = []
  const swaps = new Map<Swap, string>()
  const open = new Set<Promise<void>>()
  let sent = 0
  let slowestMs = 0

  async function attempt(path: string, run: () => Promise<string | undefined>): Promise<void> {
    const sentMs = performance.now()
    const problem = await run().catch((error: Error & { code?: string }) => error.code ?? error.message)
    slowestMs = Math.max(slowestMs, performance.now() - sentMs)
    if (problem === undefined) return
    const [sentAfterMs, failedAfterMs] = [sentMs, performance.now()].map((ms) => Math.round(ms - startedMs))
    faults.push({ path, problem, sentAfterMs: sentAfterMs ?? 0, failedAfterMs: failedAfterMs ?? 0 })
  }

  async function swap(number: number): Promise<string | undefined> {
    const [place, users] = number % CALM_EVERY === 0 ? [number / CALM_EVERY, calm] : [number, busy]
    const each = newSwap(number, users[place % users.length] ?? '')
    const reply = await requests.send('POST', '/api/SwapPool/doSwap', each)
    if (reply.status !== 200) return `status ${reply.status}: ${reply.body.slice(0, 200)}`
    const { code, data } = JSON.parse(reply.body) as { code: number; data: { transaction_id: string } }
    if (code !== 1) return `code ${code}`
    swaps.set(each, data.transaction_id)
    return undefined
  }

  async function read(method: 'GET' | 'POST', path: string, token: string): Promise<string | undefined> {
    const reply = await requests.send(method, path, { token })
    return reply.status === 200 ? undefined : `status ${reply.status}: ${reply.body.slice(0, 200)}`
  }

  function sendOne(number: number): void {
    const token = busy[number % busy.length] ?? ''
    const readings = [
      ['POST', '/api/SwapPool/pairs'],
      ['GET', '/api/profile/userinfo'],
      ['POST', '/api/Wallet/balances'],
    ] as const
    const [method, path] = readings[number % readings.length] ?? readings[0]
    const attempted =
      number % 2 === 0
        ? attempt('/api/SwapPool/doSwap', () => swap(number / 2))
        : attempt(path, () => read(method, path, token))
    open.add(attempted)
    void attempted.finally(() => open.delete(attempted))
  }

  const startedMs = performance.now()
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * rate)
    while (sent < due && open.size < MAX_OPEN) sendOne(sent++)
  }, 5)
  return {
    async settle() {
      await Promise.all(open)
    },
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      requests.close()
      const perSecond = (sent / (performance.now() - startedMs)) * 1_000
      return { requests: sent, faults, swaps, slowestMs, perSecond }
    },
  }
}

/** Back and forth, so that no user runs out of either asset. */
function newSwap(number: number, token: string): Swap {
  const inverse = Math.floor(number / 10) % 2
  const amounts = { amount: inverse ? '0.62' : '0.001', min_amount_out: '0' }
  return {
    key: number % 10 === 0 ? undefined : randomUUID(),
    token,
    payload: { pool_id: 'bnb-usdt', inverse, ...amounts, deadline: DEADLINE },
  }
}
