import { once } from 'node:events'
import { request as rawRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { refusal } from '../ledger/refuse.ts'
import { createServerSeal, FORWARDED } from '../servers/server-seal.ts'
import { type AppOptions, createApp } from './create-app.ts'
import { CALL_HEADERS } from './security-headers.ts'

let app: FastifyInstance
/** The arguments of each call of a handler. */
let calls: { payload: unknown; context: unknown }[]
let bugs: { error: unknown; traceId: string }[]
let ready: boolean

const user = { id: '0xabc', parentId: null, tokenHash: 'hash' }

async function open(options: Partial<AppOptions> = {}): Promise<void> {
  calls = []
  bugs = []
  ready = true
  const record = (response: unknown) => (payload: unknown, context: unknown) => {
    calls.push({ payload, context })
    return response
  }
  app = await createApp({
    handlers: {
      getNonce: record({ nonceStr: 'sign this' }),
      userinfo: record({ id: user.id }),
      activeByBalance: record({ status: 2 }),
      retrieve: record({}),
      getQuote: record({ amount_out: '1' }),
      pairs: () => {
        throw new TypeError('secret of the database')
      },
      logout: async () => {
        throw refusal('not_open', { opens_at: 'tomorrow' })
      },
    },
    findSession: async (token) => (token === 'good' ? user : undefined),
    failingParts: () => (ready ? [] : ['database']),
    onBug: (error, traceId) => bugs.push({ error, traceId }),
    requestsPerMinute: 1_000_000,
    webFolder: undefined,
    connectOrigins: ['https://rpc.example'],
    productName: 'Clearwell',
    ...options,
  })
}

beforeEach(() => open())
afterEach(async () => {
  await app.close()
})

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { 'content-type': FORM, 'accept-language': 'en', ...headers },
    payload: body,
  })
const BOUNDARY = 'x'.repeat(30)
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`
const FILE_PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="address"; filename="a"\r\n\r\nx\r\n--${BOUNDARY}--\r\n`
const invalid = (fields: Record<string, unknown>) => ({ code: 20000, msg: 'Invalid input', data: { fields } })

describe('a payload', () => {
  test.each([
    ['a form', FORM, 'pool_id=bnb-usdt&amount=1.5&inverse=1'],
    ['a form with its charset', `${FORM}; charset=UTF-8`, 'pool_id=bnb-usdt&amount=1.5&inverse=1'],
    ['JSON', JSON_TYPE, '{"pool_id":"bnb-usdt","amount":"1.5","inverse":1}'],
    [
      'JSON with fields that the call does not know',
      JSON_TYPE,
      '{"pool_id":"bnb-usdt","amount":"1.5","inverse":"1","x":{"y":1}}',
    ],
    ['a form with nested fields that the call does not know', FORM, 'pool_id=bnb-usdt&amount=1.5&inverse=1&x[y][]=1'],
  ])('a payload is read from %s', async (_name, type, body) => {
    const reply = await post('/SwapPool/getQuote', body, { 'content-type': type })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ code: 1, msg: 'ok', data: { amount_out: '1' } })
    expect(calls).toEqual([
      {
        payload: { pool_id: 'bnb-usdt', amount: '1.5', inverse: 1 },
        context: { locale: 'en', idempotencyKey: undefined, clientAddress: '127.0.0.1', user: undefined },
      },
    ])
  })

  test('an invalid payload lists every faulty field with its reason', async () => {
    const reply = await post('/SwapPool/getQuote', 'pool_id=../etc&amount=1e5')
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toEqual(
      invalid({ pool_id: 'not an id', amount: 'not a plain decimal amount', inverse: expect.stringMatching(/./) }),
    )
    expect(calls).toEqual([])
  })

  test('a payload may be absent when a call takes no fields', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/SwapPool/activeByBalance',
      headers: { 'xx-token': 'good' },
    })
    expect(reply.json()).toMatchObject({ code: 1 })
    expect(calls[0]?.payload).toEqual({})
  })

  test.each([
    ['broken JSON', JSON_TYPE, '{"address":', 'body'],
    ['a list', JSON_TYPE, '[{"address":"0x"}]', 'body'],
    ['null', JSON_TYPE, 'null', 'body'],
    ['a number', JSON_TYPE, '5', 'body'],
    ['JSON with __proto__', JSON_TYPE, '{"__proto__":{"address":"0x"}}', '__proto__'],
    ['JSON with constructor', JSON_TYPE, '{"address":{"constructor":1}}', 'constructor'],
    ['JSON nested too deep', JSON_TYPE, '{"a":{"b":{"c":{"d":{"e":1}}}}}', 'body'],
    ['a form with __proto__', FORM, '__proto__[address]=0x', '__proto__'],
    ['a form with constructor', FORM, 'constructor[prototype][x]=1', 'constructor'],
    ['101 parameters', FORM, Array.from({ length: 101 }, (_, i) => `p${i}=1`).join('&'), 'body'],
    ['four brackets', FORM, 'a[b][c][d][e]=1', 'body'],
    ['more than 64 KiB of a form', FORM, `address=${'x'.repeat(65 * 1024)}`, 'body'],
    ['more than 64 KiB of JSON', JSON_TYPE, JSON.stringify({ address: 'x'.repeat(65 * 1024) }), 'body'],
    ['plain text', 'text/plain', 'address=0x', 'Content-Type'],
    ['XML', 'application/xml', '<address/>', 'Content-Type'],
    ['a file', MULTIPART, FILE_PART, 'address'],
    ['form data that ends too early', MULTIPART, FILE_PART.slice(0, -8), 'body'],
    ['more than 64 KiB of form data', MULTIPART, FILE_PART + 'x'.repeat(65 * 1024), 'body'],
    ['a content type that is none', 'garbage', 'address=0x', 'Content-Type'],
  ])('a payload that is %s is refused', async (name, type, body, field) => {
    const reply = await post('/DappUser/getNonce', body, { 'content-type': type })
    expect(reply.statusCode).toBe(name.startsWith('more than 64 KiB') ? 413 : 400)
    expect(reply.json()).toEqual(invalid({ [field]: expect.any(String) }))
    expect(calls).toEqual([])
    expect(bugs).toEqual([])
  })

  test('a payload of another length than announced is refused', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': FORM, 'transfer-encoding': 'chunked', 'content-length': '5' }
      const sending = rawRequest({ port, path: '/api/DappUser/getNonce', method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sending.on('error', reject)
      sending.end('address=0x')
    })
    expect(status).toBe(400)
    expect(bugs).toEqual([])
  })

  test('a GET call reads its payload from the query, equally checked', async () => {
    const get = (query: string) =>
      app.inject({ url: `/api/profile/userinfo?${query}`, headers: { 'xx-token': 'good', 'accept-language': 'en' } })
    expect((await get('x=1')).json()).toMatchObject({ code: 1 })
    expect((await get('a[b][c][d][e]=1')).json()).toEqual(invalid({ body: 'too deep or too long' }))
    expect((await get('__proto__[x]=1')).json()).toEqual(invalid({ ['__proto__']: 'not a field' }))
  })
})

describe('a session', () => {
  test('a missing session is reported before any fault of the payload', async () => {
    const reply = await post('/SwapPool/activeByBalance', '__nothing__=1')
    expect([reply.statusCode, reply.json()]).toEqual([200, { code: 10001, msg: 'Please sign in again', data: {} }])
  })

  test('a handler gets the session, the language and the key', async () => {
    await post('/SwapPool/activeByBalance', '', {
      'xx-token': 'good',
      'idempotency-key': 'A-z_0123',
      'accept-language': 'zh',
    })
    expect(calls).toEqual([
      { payload: {}, context: { locale: 'zh-HK', idempotencyKey: 'A-z_0123', clientAddress: '127.0.0.1', user } },
    ])
  })

  test('a public call does not look up the session', async () => {
    await post('/DappUser/getNonce', 'address=0x', { 'xx-token': 'good' })
    expect(calls[0]?.context).toMatchObject({ user: undefined })
  })
})

describe('an Idempotency-Key', () => {
  test.each([
    ['too short', 'short-1'],
    ['too long', 'x'.repeat(65)],
    ['with a space', 'two words here'],
    ['with a letter of another alphabet', 'k\u00e9y-k\u00e9y-k\u00e9y'],
    ['with SQL in it', "12345678' or 1=1"],
  ])('an Idempotency-Key %s is refused', async (_name, key) => {
    const reply = await post('/SwapPool/activeByBalance', '', { 'xx-token': 'good', 'idempotency-key': key })
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      invalid({ 'Idempotency-Key': '8 to 64 of A-Z a-z 0-9 - _' }),
    ])
    expect(calls).toEqual([])
  })

  test.each([
    ['of 8 characters', '12345678', '12345678'],
    ['of 64 characters', 'x'.repeat(64), 'x'.repeat(64)],
    ['that is empty', '', undefined],
  ])('an Idempotency-Key %s is accepted', async (_name, key, taken) => {
    await post('/SwapPool/activeByBalance', '', { 'xx-token': 'good', 'idempotency-key': key })
    expect(calls[0]?.context).toMatchObject({ idempotencyKey: taken })
  })

  test('a call without idempotency ignores the key', async () => {
    expect((await post('/DappUser/getNonce', 'address=0x', { 'idempotency-key': 'bad' })).json()).toMatchObject({
      code: 1,
    })
  })
})

describe('an answer', () => {
  test('a response has msg in the requested language, zh-HK by default', async () => {
    const msg = async (language?: string) =>
      (
        await app.inject({ url: '/api/profile/userinfo', headers: language ? { 'accept-language': language } : {} })
      ).json().msg
    expect(await msg('en')).toBe('Please sign in again')
    expect(await msg('zh-HK')).toBe('請重新登入')
    expect(await msg()).toBe('請重新登入')
  })

  test('a refusal is sent with its code and data', async () => {
    const reply = await post('/DappUser/logout', '', { 'xx-token': 'good' })
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { code: 20008, msg: 'Not open now', data: { opens_at: 'tomorrow' } },
    ])
    expect(bugs).toEqual([])
  })

  test('a bug is sent with a trace id and no details', { tags: ['§8.07'] }, async () => {
    const reply = await post('/SwapPool/pairs', '')
    expect(reply.statusCode).toBe(500)
    expect(reply.json()).toEqual({
      code: 50000,
      msg: 'Something went wrong',
      data: { trace_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    })
    expect(reply.body + JSON.stringify(reply.headers)).not.toMatch(/secret|TypeError|\.ts/)
    expect(bugs).toEqual([{ error: new TypeError('secret of the database'), traceId: reply.json().data.trace_id }])
    expect(reply.headers['x-trace-id']).toBe(reply.json().data.trace_id)
  })

  test('a failed session lookup is a bug, not a refusal', async () => {
    await app.close()
    await open({ findSession: () => Promise.reject(new Error('the database is away')) })
    const reply = await post('/SwapPool/activeByBalance', '', { 'xx-token': 'good' })
    expect(reply.json()).toMatchObject({ code: 50000 })
    expect(calls).toEqual([])
  })

  test.each<[string, InjectOptions]>([
    ['an unknown path', { method: 'POST', url: '/api/Nowhere/atAll' }],
    ['an unknown path, by GET', { url: '/api/nowhere' }],
    ['a local control where there is none', { method: 'POST', url: '/api/Local/faucet' }],
    ['a path with other letters', { method: 'POST', url: '/api/swappool/activebybalance' }],
    ['a path with a slash at its end', { url: '/api/profile/userinfo/' }],
    ['GET on a call that is POSTed', { url: '/api/SwapPool/getQuote' }],
    ['POST on a call that is GET', { method: 'POST', url: '/api/profile/userinfo' }],
    ['PUT', { method: 'PUT', url: '/api/SwapPool/getQuote' }],
    ['DELETE', { method: 'DELETE', url: '/api/SwapPool/getQuote' }],
    ['OPTIONS', { method: 'OPTIONS', url: '/api/SwapPool/getQuote' }],
    ['POST outside of the API', { method: 'POST', url: '/' }],
    ['a path of 8 kB', { url: `/api/${'x'.repeat(8000)}` }],
  ])('%s responds 20009 in an envelope', async (_name, request) => {
    const reply = await app.inject({ headers: { 'accept-language': 'en' }, ...request })
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toEqual({ code: 20009, msg: 'We couldn’t find this. It may have been removed.', data: {} })
  })

  test.each(['/api/%', '/api/%zz', '/api/SwapPool/%c0%af', '/api/DappUser/getNonce/%e0%a4%a'])(
    'the unreadable path %s responds 20000 in an envelope',
    async (url) => {
      const reply = await app.inject({ url, headers: { 'accept-language': 'en' } })
      expect([reply.statusCode, reply.json()]).toEqual([400, invalid({ path: 'not readable' })])
    },
  )
})

describe('headers', () => {
  test('headers of a response forbid using it as a page', async () => {
    const { headers } = await app.inject({ url: '/api/profile/userinfo' })
    expect(headers).toMatchObject(CALL_HEADERS)
  })

  test.each([
    ['a path that does not exist', '/api/nowhere'],
    ['the API page', '/api/docs'],
    ['health', '/healthz'],
    ['a page that does not exist', '/nowhere'],
    ['icons', '/icons/lucide.json?icons=wallet'],
  ])('headers of %s forbid framing, foreign scripts and type sniffing', async (_name, url) => {
    const { headers } = await app.inject({ url })
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';worker-src 'self';style-src 'self';img-src 'self' data: blob:;font-src 'self';" +
        "connect-src 'self' https://rpc.example;manifest-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'origin-agent-cluster': '?1',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'permissions-policy': expect.stringMatching(/^[a-z-]+=\(\)(,[a-z-]+=\(\))+$/),
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each<[string, InjectOptions]>([
    ['a call', { url: '/api/profile/userinfo' }],
    ['a bug', { method: 'POST', url: '/api/SwapPool/pairs' }],
    ['an unknown path', { url: '/api/nowhere' }],
    ['an unreadable path', { url: '/api/%' }],
    ['health', { url: '/healthz' }],
    ['a page that does not exist', { url: '/nowhere' }],
    ['icons', { url: '/icons/lucide.json?icons=wallet' }],
  ])('the response of %s has a new trace id', async (_name, request) => {
    const chosen = '11111111-1111-4111-8111-111111111111'
    const ids = new Set<unknown>([chosen])
    for (let each = 0; each < 2; each++) {
      const { headers } = await app.inject({ ...request, headers: { 'x-trace-id': chosen } })
      expect(headers['x-trace-id']).toMatch(/^[0-9a-f-]{36}$/)
      ids.add(headers['x-trace-id'])
    }
    expect(ids.size).toBe(3)
  })

  test('headers of a response declare JSON and forbid caching', async () => {
    const { headers } = await app.inject({ url: '/api/profile/userinfo', headers: { 'xx-token': 'good' } })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
  })
})

test('an unfinished request does not keep the server from stopping', async () => {
  await app.close()
  await open({ graceMs: 100 })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const closed = once(socket, 'close')
  const arrived = once(app.server, 'request')
  socket.on('error', () => {})
  socket.resume()
  socket.write('POST /api/DappUser/getNonce HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{')
  await arrived
  await app.close()
  await closed
  expect(bugs).toEqual([])
})

/** Signs and checks what servers of the ledger forward to the one whose holder is `me`. */
const seal = createServerSeal({ secret: Buffer.alloc(32, 7), clock: { now: () => new Date() } })
const verifyForwarded: NonNullable<AppOptions['verifyForwarded']> = (request) => seal.verify(request, 'me')

const TRACE = '11111111-1111-4111-8111-111111111111'

interface Forwarded {
  readonly to?: string
  readonly body?: string
  readonly type?: string
  readonly call?: string
  readonly traceId?: string
}

/** Forwards a command as another server does, with changes in transit. */
function forward({
  to = 'me',
  body = '{}',
  type = JSON_TYPE,
  call = 'activeByBalance',
  traceId = TRACE,
}: Forwarded = {}) {
  const headers = { 'accept-language': 'en', 'x-trace-id': traceId, 'xx-token': 'good' }
  const path = `/api/SwapPool/${call}`
  const value = seal.sign({ method: 'POST', path, headers, body: '{}', clientAddress: '192.0.2.7' }, to)
  return app.inject({
    method: 'POST',
    url: path,
    headers: { ...headers, 'content-type': type, [FORWARDED]: value },
    payload: body,
    remoteAddress: '10.0.0.2',
  })
}

test.each([
  ['another server', { to: 'another' }],
  ['another body', { body: '{"amount":"2"}' }],
  ['no body', { body: '' }],
  ['another type of body', { type: FORM }],
])('a forwarded command with %s is refused', async (_name, change) => {
  await app.close()
  await open({ verifyForwarded })
  const reply = await forward(change)
  expect([reply.statusCode, reply.json()]).toEqual([
    400,
    invalid({ 'xx-forwarded': 'not signed by a server of this ledger' }),
  ])
  expect(reply.headers[FORWARDED]).toBe('to' in change ? 'refused' : undefined)
  expect([calls, bugs]).toEqual([[], []])
})

test('a forwarded command keeps its trace id, also in its bug', async () => {
  await app.close()
  await open({ verifyForwarded })
  const reply = await forward({ call: 'pairs' })
  expect([reply.headers['x-trace-id'], reply.json().data]).toEqual([TRACE, { trace_id: TRACE }])
  expect(bugs.map(({ traceId }) => traceId)).toEqual([TRACE])
  const { headers } = await forward({ call: 'pairs', traceId: `${TRACE}1` })
  expect(headers['x-trace-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect((await forward({ to: 'another' })).headers['x-trace-id']).not.toBe(TRACE)
})

test('a server without peers refuses forwarded commands', async () => {
  expect((await forward({})).json().code).toBe(20000)
  expect(calls).toEqual([])
})

describe('the rate limit', () => {
  const ask = (ip: string) =>
    app.inject({ url: '/api/profile/userinfo', headers: { 'accept-language': 'en', 'x-forwarded-for': ip } })

  beforeEach(async () => {
    await app.close()
    await open({ requestsPerMinute: 3 })
  })

  test('the rate limit responds 42900 with Retry-After per address', async () => {
    for (let request = 0; request < 3; request++) expect((await ask('203.0.113.1')).json().code).toBe(10001)
    const reply = await ask('203.0.113.1')
    expect([reply.statusCode, reply.json()]).toEqual([
      429,
      { code: 42900, msg: 'Too many requests. Wait a moment and try again.', data: {} },
    ])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await ask('203.0.113.2')).json().code).toBe(10001)
    expect(bugs).toEqual([])
  })

  test('the rate limit counts calls with escaped paths too', async () => {
    const again = () =>
      app.inject({
        url: '/%61pi/profile/userinfo',
        headers: { 'accept-language': 'en', 'x-forwarded-for': '203.0.113.3' },
      })
    for (let request = 0; request < 3; request++) expect((await again()).json().code).toBe(10001)
    expect((await again()).json().code).toBe(42900)
    expect((await ask('203.0.113.3')).json().code).toBe(42900)
  })

  test('the rate limit skips calls forwarded by servers of this ledger', async () => {
    await app.close()
    await open({ requestsPerMinute: 3, verifyForwarded })
    for (let request = 0; request < 5; request++) expect((await forward({})).json().code).toBe(1)
    expect(calls[0]?.context).toMatchObject({ clientAddress: '192.0.2.7' })
    const strangers = { 'xx-token': 'good', 'x-forwarded-for': '192.0.2.7' }
    const ask = () => post('/SwapPool/activeByBalance', '', strangers)
    for (let request = 0; request < 3; request++) expect((await ask()).json().code).toBe(1)
    expect((await ask()).json().code).toBe(42900)
  })

  test('the rate limit of calls that read the chain is a tenth', async () => {
    await app.close()
    await open({ requestsPerMinute: 20 })
    const body = `tx_hash=0x${'a'.repeat(64)}`
    const retrieve = () => post('/Wallet/retrieve', body, { 'x-forwarded-for': '203.0.113.1' })
    for (let request = 0; request < 2; request++) expect((await retrieve()).json().code).toBe(10001)
    expect((await retrieve()).json().code).toBe(42900)
    expect((await ask('203.0.113.1')).json().code).toBe(10001)
  })

  test('the rate limit counts calls of unknown paths', async () => {
    const probe = () => app.inject({ url: '/api/nowhere', headers: { 'x-forwarded-for': '203.0.113.1' } })
    for (let request = 0; request < 3; request++) expect((await probe()).statusCode).toBe(404)
    expect((await probe()).json().code).toBe(42900)
  })

  test('the rate limit excludes health and readiness', async () => {
    for (let request = 0; request < 10; request++) {
      expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200)
      expect((await app.inject({ url: '/readyz' })).statusCode).toBe(200)
    }
  })
})

describe('health', () => {
  test('healthz reports a running process, readyz whether it can serve', async () => {
    const ask = async (url: string) => {
      const { statusCode, body } = await app.inject({ url })
      return [statusCode, JSON.parse(body)]
    }
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
    expect(await ask('/readyz')).toEqual([200, { status: 'ready' }])
    ready = false
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
    expect(await ask('/readyz')).toEqual([503, { status: 'not ready', failing: ['database'] }])
  })

  test('a draining server is not ready, serves and closes its connections', async () => {
    await app.close()
    let isDraining = false
    await open({ isDraining: () => isDraining })
    const ask = async (path: string) => {
      const { statusCode, headers } = await app.inject({ url: path, headers: { 'xx-token': 'good' } })
      return [statusCode, headers.connection]
    }
    expect(await ask('/api/profile/userinfo')).toEqual([200, 'keep-alive'])
    isDraining = true
    expect(await ask('/api/profile/userinfo')).toEqual([200, 'close'])
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'draining' })
    expect(await ask('/readyz')).toEqual([503, 'close'])
  })

  test('readyz stays 200 while only a shared part is degraded', async () => {
    await open({ degradedParts: async () => ['chain'] })
    const { statusCode, body } = await app.inject({ url: '/readyz' })
    expect([statusCode, JSON.parse(body)]).toEqual([200, { status: 'degraded', parts: ['chain'] }])
  })
})

describe('a path that leads nowhere', () => {
  const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  test('an unknown path shows browsers a bilingual page without inline code', async () => {
    const { body, headers, statusCode } = await app.inject({ url: '/swap/exchange', headers: BROWSER })
    expect(statusCode).toBe(404)
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(headers['content-security-policy']).toContain("style-src 'self';")
    expect(body).toContain('<html lang="zh-HK">')
    expect(body).toContain('<a href="/">返回首頁</a>')
    expect(body).toContain('<p lang="en">Page not found. <a href="/en">Back to home</a></p>')
    expect(body).not.toMatch(/<script|<style|style=|\son\w+=/)
  })

  test.each(['/<script>alert(1)</script>', '/%3Cscript%3Ealert(1)%3C%2Fscript%3E'])(
    'the page of an unknown path does not repeat %s',
    async (url) => {
      expect((await app.inject({ url, headers: BROWSER })).body).not.toContain('alert')
    },
  )

  test('the page of an unknown path escapes the product name', async () => {
    await app.close()
    await open({ productName: 'Well & <b>' })
    expect((await app.inject({ url: '/nowhere', headers: BROWSER })).body).toContain(
      '<title>Well &amp; &lt;b&gt;</title>',
    )
  })

  test('an unknown path responds with text, envelope or headers by client', async () => {
    expect(await app.inject({ url: '/nowhere' })).toMatchObject({ statusCode: 404, body: 'Not found' })
    const head = await app.inject({ method: 'HEAD', url: '/nowhere', headers: BROWSER })
    expect([head.statusCode, head.body]).toEqual([404, ''])
    expect((await app.inject({ url: '/api/nowhere', headers: BROWSER })).json()).toMatchObject({ code: 20009 })
  })
})
