import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RPC_LIMITS, rpcTransport } from './transport.ts'

interface RpcRequest {
  readonly jsonrpc: string
  readonly id: number
  readonly method: string
}

interface Seen {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  /** A single call is an object, a batch a list. */
  readonly body: RpcRequest | RpcRequest[]
  readonly atMs: number
}

type Reply = (response: ServerResponse, body: RpcRequest | RpcRequest[]) => void

/** A node on this machine: it writes down what it is sent, and replies as the test says, well in the end. */
let server: Server
let url: string
let seen: Seen[]
let replies: Reply[]

/** Replies to a single call with an object and to a batch with a list, as nodes do. */
const reply =
  (outcome: object): Reply =>
  (response, body) => {
    const each = ({ id }: RpcRequest) => ({ jsonrpc: '2.0', id, ...outcome })
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify(Array.isArray(body) ? body.map(each) : each(body)))
  }

const well = reply({ result: '0x1' })

const status =
  (code: number, headers: Record<string, string> = {}, body = 'no'): Reply =>
  (response) =>
    response.writeHead(code, headers).end(body)

const rpcError = (code: number) => reply({ error: { code, message: 'no' } })

beforeEach(async () => {
  seen = []
  replies = []
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text) as RpcRequest | RpcRequest[]
    seen.push({ method: request.method, headers: request.headers, body, atMs: performance.now() })
    ;(replies.shift() ?? well)(response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(async () => {
  vi.useRealTimers()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** The product's transport, in a hundredth of its time where the test waits for real. */
function client(limits: Partial<Record<keyof typeof RPC_LIMITS, number>> = {}) {
  return createClient({ transport: rpcTransport(url, { ...RPC_LIMITS, retryDelayMs: 2, ...limits }) })
}

const ask = (method = 'eth_blockNumber', limits = {}) => client(limits).request({ method } as never)

test('the transport has the product’s timeout, retries and batch size', {
  tags: ['§9.12', '§9.28'],
}, () => {
  expect(RPC_LIMITS).toEqual({ timeoutMs: 10_000, retryCount: 3, retryDelayMs: 150, batchSize: 1_000 })
  const { transport } = createClient({ transport: rpcTransport(url) })
  expect(transport).toMatchObject({ timeout: 10_000, retryCount: 3, retryDelay: 150, url })
})

test('a single call posts one JSON-RPC 2.0 object with numeric id', {
  tags: ['§7.37', '§7.38'],
}, async () => {
  expect(await ask()).toBe('0x1')
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
  expect(seen[0]?.body).toEqual({ jsonrpc: '2.0', id: expect.any(Number), method: 'eth_blockNumber' })
})

test('concurrent calls form one batch with distinct ids', { tags: ['§7.38'] }, async () => {
  const one = client()
  await Promise.all(
    ['eth_blockNumber', 'eth_chainId', 'eth_gasPrice'].map((method) => one.request({ method } as never)),
  )
  expect(seen).toHaveLength(1)
  const batch = [seen[0]?.body].flat()
  expect(batch.map((each) => each?.method)).toEqual(['eth_blockNumber', 'eth_chainId', 'eth_gasPrice'])
  expect(new Set(batch.map((each) => each?.id)).size).toBe(3)
})

test('a batch holds at most 1000 calls', { tags: ['§7.39', '§9.28'] }, async () => {
  const one = client()
  const calls = Array.from({ length: 1_001 }, (_, i) =>
    one.request({ method: 'eth_getBalance', params: [String(i)] } as never),
  )
  await Promise.all(calls)
  expect(seen.map(({ body }) => (Array.isArray(body) ? body.length : 'single'))).toEqual([1_000, 'single'])
})

for (const [code, row] of [
  [403, '§9.15'],
  [408, '§9.16'],
  [413, '§9.17'],
  [429, '§9.18'],
  [500, '§9.19'],
  [502, '§9.20'],
  [503, '§9.21'],
  [504, '§9.22'],
] as const) {
  test(`HTTP ${code} is retried three times`, { tags: [row] }, async () => {
    replies = [status(code), status(code), status(code)]
    expect(await ask()).toBe('0x1')
    expect(seen).toHaveLength(4)
  })
}

test.each([400, 401, 404, 409, 410, 422, 501, 505])('HTTP %i is final', async (code) => {
  replies = [status(code)]
  await expect(ask()).rejects.toMatchObject({ name: 'HttpRequestError', status: code })
  expect(seen).toHaveLength(1)
})

test('the HTTP status decides over an error in the body', async () => {
  const body = JSON.stringify({ error: { code: -32000, message: 'busy' } })
  replies = [status(503, { 'Content-Type': 'application/json' }, body)]
  expect(await ask()).toBe('0x1')
  expect(seen).toHaveLength(2)
})

for (const [code, row] of [
  [-1, '§9.23'],
  [-32005, '§9.24'],
  [-32603, '§9.25'],
] as const) {
  test(`RPC code ${code} is retried three times`, { tags: [row] }, async () => {
    replies = [rpcError(code), rpcError(code), rpcError(code)]
    expect(await ask()).toBe('0x1')
    expect(seen).toHaveLength(4)
  })
}

test.each([-32700, -32600, -32601, -32602, -32000, -32001, -32002, -32003, -32004, -32006, -32007, 429, 3, 4001])(
  'RPC code %i is final',
  async (code) => {
    replies = [rpcError(code)]
    await expect(ask()).rejects.toMatchObject({ code })
    expect(seen).toHaveLength(1)
  },
)

test('the transport reports a failure after three retries', { tags: ['§9.13'] }, async () => {
  replies = Array.from({ length: 9 }, () => status(502))
  await expect(ask()).rejects.toMatchObject({ name: 'HttpRequestError', status: 502 })
  expect(seen).toHaveLength(4)
})

test('the transport doubles its retry delay from 150 ms', { tags: ['§9.13'] }, async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  replies = [status(500), status(500), status(500)]
  const waits: number[] = []
  const real = globalThis.setTimeout
  vi.stubGlobal('setTimeout', (work: () => void, ms = 0) => {
    // Longer ones belong to the time limit and to the server.
    if (ms > 0 && ms < 1_000) waits.push(ms)
    return real(work, ms)
  })
  const response = createClient({ transport: rpcTransport(url) }).request({ method: 'eth_chainId' } as never)
  const stepping = setInterval(() => vi.advanceTimersByTime(50), 1)
  expect(await response).toBe('0x1')
  clearInterval(stepping)
  vi.unstubAllGlobals()
  expect(waits).toEqual([150, 300, 600])
})

test('the transport honours Retry-After in seconds and as a date', { tags: ['§9.14'] }, async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: Date.UTC(2026, 10, 21, 12, 0, 0) })
  replies = [
    status(429, { 'Retry-After': '7' }),
    // 8 s after 12:00:07, which the first wait has come to.
    status(503, { 'Retry-After': 'Sat, 21 Nov 2026 12:00:15 GMT' }),
  ]
  const start = Date.now()
  const response = createClient({ transport: rpcTransport(url) }).request({ method: 'eth_chainId' } as never)
  const stepping = setInterval(() => vi.advanceTimersByTime(seen.length >= 1 ? 500 : 0), 1)
  expect(await response).toBe('0x1')
  clearInterval(stepping)
  expect(seen).toHaveLength(3)
  expect(Date.now() - start).toBeGreaterThanOrEqual(15_000)
  expect(Date.now() - start).toBeLessThan(20_000)
})

test('the transport retries a timeout before it reports the failure', { tags: ['§9.12'] }, async () => {
  replies = Array.from({ length: 4 }, () => () => {})
  // On a busy machine a request may be over before the node has seen it.
  const sent = vi.spyOn(globalThis, 'fetch')
  await expect(ask('eth_chainId', { timeoutMs: 20 })).rejects.toThrow('The request took too long to respond.')
  expect(sent).toHaveBeenCalledTimes(4)
  sent.mockRestore()
})

test('a response that stops midway times out', async () => {
  const half: Reply = (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).write('[{"json')
  replies = [half]
  expect(await ask('eth_chainId', { timeoutMs: 400 })).toBe('0x1')
  expect(seen).toHaveLength(2)
})

test('the transport retries a broken connection', async () => {
  replies = [(response) => response.destroy()]
  expect(await ask()).toBe('0x1')
  expect(seen).toHaveLength(2)
})

test('the transport does not retry when the caller forbids it', async () => {
  replies = [status(500)]
  await expect(client().request({ method: 'eth_sendRawTransaction' } as never, { retryCount: 0 })).rejects.toThrow(
    'HTTP request failed.',
  )
  expect(seen).toHaveLength(1)
})

test('the cache of addresses holds the latest 8192', {
  tags: ['§9.29'],
}, async () => {
  const { isAddress } = await import('viem')
  // viem does not export its cache: this is the very module that `isAddress` comes from.
  const path = new URL('utils/address/isAddress.js', import.meta.resolve('viem')).href
  const { isAddressCache } = (await import(path)) as { isAddressCache: Map<string, boolean> & { maxSize: number } }
  expect(isAddressCache.maxSize).toBe(8_192)
  for (let i = 0; i < 8_200; i += 1) isAddress(`0x${i.toString(16).padStart(40, '0')}`)
  expect(isAddressCache.size).toBe(8_192)
})

test('a client without a URL throws', { tags: ['§8.28'] }, () => {
  expect(() => createClient({ transport: rpcTransport(undefined) })).toThrow('No URL was provided to the Transport')
})
