import { AsyncLocalStorage } from 'node:async_hooks'
import type { Route } from '@clearwell/api/route'
import { type RouteName, routes } from '@clearwell/api/routes'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import fc from 'fast-check'
import qs from 'qs'
import type { Transport } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { TestServer, TestUser } from '../../testing/server.ts'

/** The calls of the server. Simulated people serve the other one. */
const ALL = (Object.keys(routes) as RouteName[]).filter((name) => name !== 'localSeed')
/** Of each call, with and without a token. */
const RUNS = process.env.NIGHTLY === '1' ? 25 : 10

/** The call that the test is making, and the calls that asked the chain's node. */
const calls = { current: undefined as AsyncLocalStorage<RouteName> | undefined, asking: new Set<RouteName>() }

/** Starts a server whose requests to the node are noted. Test files share a process, so its modules are loaded again. */
async function startWatchedServer(): Promise<TestServer> {
  vi.resetModules()
  vi.doMock('../chain/node-transport.ts', async (load) => {
    const original = await load<typeof import('../chain/node-transport.ts')>()
    return {
      ...original,
      nodeTransport(...args: Parameters<typeof original.nodeTransport>): Transport {
        const open = original.nodeTransport(...args)
        return (options) => {
          const node = open(options)
          const request: typeof node.request = (question) => {
            const name = calls.current?.getStore()
            if (name) calls.asking.add(name)
            return node.request(question)
          }
          return { ...node, request }
        }
      },
    }
  })
  const { startTestServer } = await import('../../testing/server.ts')
  return startTestServer()
}

let server: TestServer
let user: TestUser
/** A user that the fuzzer may log out. */
let leaver: TestUser
beforeAll(async () => {
  server = await startWatchedServer()
  leaver = await server.newUser({ faucet: false })
  user = await server.newUser()
  await user.transferIn('USDT', '1000')
  await user.transferIn('BNB', '5')
  await user.activateByBalance()
}, 60_000)
afterAll(async () => {
  await expectBooksBalanced(server.db)
  expect(server.errors.map(({ error }) => String(error).split('\n', 1)[0])).toEqual([])
  await server.destroy()
  vi.doUnmock('../chain/node-transport.ts')
  vi.resetModules()
})

/** Values that are nearly right, wrong in an old way, or of the wrong kind. */
const ODD_VALUES: readonly unknown[] = [
  ...[
    '',
    ' ',
    '0',
    '-0',
    '-1',
    '1',
    '1e5',
    '0x10',
    '00',
    '1.',
    '.5',
    '+1',
    '1,000',
    '0.0000000000000000001',
    'NaN',
    'Infinity',
  ],
  ...['9'.repeat(30), '9'.repeat(31), '1'.repeat(500), '\u0000', 'a\u0000b', '\ud800', '\u202e', '👛', 'ß', '１０'],
  ...["' or 1=1 --", '%00', '../../etc/passwd', '<script>', '{{7*7}}', '[object Object]', 'null', 'undefined', 'true'],
  ...[
    'USDT',
    'BNB',
    'RT',
    'usdt',
    'bnb-usdt',
    'eth-usdt',
    'rt-usdt',
    'BNBUSDT',
    'XXXXUSDT',
    '1m',
    '1d',
    'deposit',
    'all',
  ],
  ...['0000-01-01', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z', '2026-02-30', '2026-11-21T25:00:00Z'],
  ...[
    '2026-11-21T09:00:00+99:99',
    '0000-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
    '9999999999',
    '99999999999',
  ],
  ...[
    '0x',
    `0x${'0'.repeat(64)}`,
    `0x${'f'.repeat(64)}`,
    `0x${'0'.repeat(40)}`,
    `0x${'F'.repeat(40)}`,
    `0x${'ab'.repeat(65)}`,
  ],
  ...['zzzzzzzzz-a', '0-0', '999999999999999999-999999', '1-1', 'OTk5OTk5OTk5OTk5OTk5OmFiYw'],
  ...[null, true, false, 0, 1, -1, 0.5, 1e21, 2 ** 53, [], [[]], {}, { a: { b: 1 } }, ['1', '2'], { length: 1 }],
]

const value = fc.oneof(
  fc.constantFrom(...ODD_VALUES),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.stringMatching(/^\d{1,20}(\.\d{1,19})?$/),
)

/** Something that is right for each field, so that one odd value meets the code behind the schema. */
const RIGHT_VALUES: Readonly<Record<string, unknown>> = {
  address: `0x${'ab'.repeat(20)}`,
  signature: `0x${'ab'.repeat(65)}`,
  pool_id: 'bnb-usdt',
  amount: '12.5',
  inverse: 1,
  min_amount_out: '0',
  deadline: '2036-11-21T09:00:00Z',
  transaction_id: 'none',
  interval: '1h',
  asset: 'USDT',
  tx_hash: `0x${'ab'.repeat(32)}`,
  symbol: 'BNBUSDT',
  price: '620',
  seconds: 1,
  users: 1,
  days: 1,
}

function fieldsOf(name: RouteName): string[] {
  const { properties = {} } = z.toJSONSchema(routes[name].payload, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties)
}

/** Each field of the call present with something in it, now and then, and perhaps others. */
const payloadOf = (name: RouteName) =>
  fc.tuple(
    fc.record(Object.fromEntries(fieldsOf(name).map((field) => [field, value])), { requiredKeys: [] }),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.dictionary(fc.string({ maxLength: 10 }), value, { maxKeys: 3, noNullPrototype: true }),
      },
    ),
  )

interface Request {
  readonly name: RouteName
  readonly type: string
  readonly body: string
  readonly key: string | undefined
}

async function send({ name, type, body, key }: Request, token: string | undefined) {
  const { method, path } = routes[name]
  const response = await server.app.inject({
    method,
    url: `/api${path}${method === 'GET' ? `?${encodeURI(body.toWellFormed()).slice(0, 4000)}` : ''}`,
    headers: {
      'content-type': type,
      ...(token ? { 'xx-token': token } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(method === 'POST' ? { payload: body } : {}),
  })
  if (response.headers['content-disposition']) {
    expect((routes[name] as Route).returnsFile).toBe(true)
    expect(response.statusCode).toBe(200)
    return
  }
  const { code, msg, data } = response.json()
  if (response.statusCode === 500) {
    // The internal error is the most useful part of the report.
    const inside = server.errors.map(({ error, task }) => `${task}: ${String(error).split('\n', 1)[0]}`)
    throw new Error(`${name} ${body} answered ${code}; inside: ${inside.at(-1)}`)
  }
  expect(typeof code).toBe('number')
  expect(typeof msg).toBe('string')
  expect(data).toBeDefined()
}

/** Local controls that move everyone's time or money are kept from being right by chance. */
const takesEffect = (name: RouteName, payload: object) =>
  (name === 'localAdvance' || name === 'localFaucet') &&
  z.safeParse(routes[name].payload, payload).success &&
  !('address' in payload && !/^0x[0-9a-f]{40}$/i.test(String(payload.address)))

/**
 * Only payloads that reach the database: the call's schema rejects the others before that, and `npm run nightly` sends them
 * all. A GET reads its payload from the query.
 */
const isWorthSending = (name: RouteName, body: string) =>
  process.env.NIGHTLY === '1' ||
  routes[name].method === 'GET' ||
  z.safeParse(routes[name].payload, JSON.parse(body)).success

/** A call that needs a session refuses before it reads the payload, and one that needs none reads no token. */
const readsPayload = (name: RouteName, isSignedIn: boolean) =>
  routes[name].session !== (isSignedIn ? 'none' : 'required')

describe.each([
  ['without a token', false, () => undefined],
  ['with a token', true, (name: RouteName) => (name === 'logout' ? leaver : user).token],
])('%s', (_name, isSignedIn, token) => {
  test.each(ALL)(
    'nothing that is sent to %s makes the server fail',
    async (name) => {
      const key = fc.constantFrom(undefined, 'bad', 'long-enough-key')
      await fc.assert(
        fc.asyncProperty(
          payloadOf(name),
          fc.constantFrom('form', 'json', 'brackets'),
          key,
          async ([fields, more], as, key) => {
            const payload = { ...more, ...fields }
            fc.pre(!takesEffect(name, payload))
            const body = as === 'json' ? JSON.stringify(payload) : qs.stringify(payload, { encode: as === 'form' })
            // Without escaping, the values' own characters make a form of another shape, with other fields.
            fc.pre(as !== 'brackets' || !takesEffect(name, qs.parse(body)))
            const type = as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
            await send({ name, type, body, key }, token(name))
          },
        ),
        { numRuns: RUNS },
      )
    },
    60_000,
  )

  test.each(ALL.filter((name) => readsPayload(name, isSignedIn)))(
    'an odd value in one payload field of %s never fails it',
    async (name) => {
      const right = Object.fromEntries(fieldsOf(name).map((field) => [field, RIGHT_VALUES[field]]))
      for (const field of Object.keys(right)) {
        for (const odd of ODD_VALUES) {
          const payload = { ...right, [field]: odd }
          if (takesEffect(name, payload)) continue
          const body = JSON.stringify(payload)
          if (!isWorthSending(name, body)) continue
          await send({ name, type: 'application/json', body, key: undefined }, token(name))
        }
      }
    },
    60_000,
  )

  test('a malformed body fails no call', async () => {
    const body = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.constantFrom('[', '{', 'null', '[]', '"', '\u0000', '&&==[][]'),
    )
    const type = fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/json; charset=utf-16',
      ';',
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ALL), type, body, async (name, type, body) => {
        fc.pre(!takesEffect(name, {}))
        await send({ name, type, body, key: undefined }, token(name))
      }),
      { numRuns: 150 },
    )
  }, 60_000)
})

test('the route table marks every call that asks the chain', async () => {
  calls.current = new AsyncLocalStorage()
  const { vault } = server.custody
  // The vault has code, so only the chain knows whether it signed.
  await server.ok('getNonce', { address: vault })
  const product = ALL.filter((name) => !(routes[name] as Route).localOnly)
  for (const name of product) {
    const right = Object.fromEntries(fieldsOf(name).map((field) => [field, RIGHT_VALUES[field]]))
    const payload = { ...right, ...(name === 'login' ? { address: vault } : {}) }
    const request = { name, type: 'application/json', body: JSON.stringify(payload), key: undefined }
    await calls.current.run(name, () => send(request, (name === 'logout' ? leaver : user).token))
  }
  const marked = (mark: Route['asksChain']) => product.filter((name) => (routes[name] as Route).asksChain === mark)
  expect([...calls.asking]).toEqual(expect.arrayContaining([...marked('always'), 'login']))
  expect(marked(undefined).filter((name) => calls.asking.has(name))).toEqual([])
})

test('an odd channel or event id neither opens nor fails a stream', async () => {
  const ask = (query: object) => server.app.inject({ url: `/api/stream?${qs.stringify(query)}` })
  for (const odd of ODD_VALUES) {
    expect((await ask({ channels: odd })).json().code).toBe(20000)
    expect((await ask({ channels: `pairs,${odd}` })).json().code).toBe(20000)
  }
})

test('any cursor is read or refused', async () => {
  for (const cursor of ['zzzzzzzzz-a', '0-0', 'OTk5OTk5OTk5OTk5OTk5OmFiYw', '1-1', 'a-b']) {
    for (const name of ['buyOrders', 'sellOrders', 'orders', 'logs', 'transactions'] as const) {
      const { code } = await server.call(name, { cursor }, { token: user.token })
      expect([1, 20000]).toContain(code)
    }
  }
})

test('paging lists each order exactly once', async () => {
  const made: string[] = []
  for (let order = 0; order < 7; order++) {
    made.push((await server.ok('buy', { asset: 'USDT', amount: '10' }, { token: user.token })).order_id)
  }
  const read: string[] = []
  let cursor: string | undefined
  do {
    const page = await server.ok('buyOrders', { limit: 3, cursor }, { token: user.token })
    read.push(...page.items.map((item) => item.order_id))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  expect(new Set(read).size).toBe(read.length)
  expect(read).toEqual(expect.arrayContaining(made))
})
