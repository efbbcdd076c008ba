import { AsyncLocalStorage } from 'node:async_hooks'
import type { Route } from '@clearwell/api/route'
import { type RouteName, routes } from '@clearwell/api/routes'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import qs from 'qs'
import type { Transport } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { newMember } from '../../testing/new-member.ts'
import { randomFrom } from '../../testing/random-from.ts'
import type { TestServer, TestUser } from '../../testing/server.ts'
import { callsOf } from './testing/api-calls.ts'
import { judgeResponse } from './testing/judge-response.ts'
import { malformedRequest } from './testing/malformed-requests.ts'
import { ODD_VALUES, RIGHT_VALUES } from './testing/payload-values.ts'
import { sendBytes } from './testing/send-bytes.ts'

/** The calls of the server. Simulated people serve the other one. */
const ALL = (Object.keys(routes) as RouteName[]).filter((name) => name !== 'localSeed')
/** Malformed requests: `npm run nightly -- requests` sends 200,000, by the seed of the day. */
const COUNT = Number(process.env.MALFORMED_REQUESTS ?? 2_000)
const SEED = Number(process.env.MALFORMED_SEED ?? 1)
/** Calls that end the session that makes them. */
const ENDS_SESSIONS: ReadonlySet<string> = new Set(['logout'])

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
/** A user that a request may log out. */
let leaver: TestUser
/** A user that no request names. */
let bystander: TestUser
beforeAll(async () => {
  server = await startWatchedServer()
  leaver = await server.newUser({ faucet: false })
  user = await server.newUser()
  await user.transferIn('USDT', '1000')
  await user.transferIn('BNB', '5')
  await user.activateByBalance()
  bystander = await newMember(server, { USDT: '500', BNB: '1' })
})
afterAll(async () => {
  await expectBooksBalanced(server.db)
  expect(server.errors.map(({ error }) => String(error).split('\n', 1)[0])).toEqual([])
  await server.destroy()
  vi.doUnmock('../chain/node-transport.ts')
  vi.resetModules()
})

function fieldsOf(name: RouteName): string[] {
  const { properties = {} } = z.toJSONSchema(routes[name].payload, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties)
}

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

/** All that an account sees, but for the value of its money. */
async function stateOf({ token }: TestUser): Promise<unknown> {
  const lists = [
    'logs',
    'buyOrders',
    'sellOrders',
    'orders',
    'transactions',
    'stakeOrders',
    'alerts',
    'notices',
  ] as const
  const balances = await server.ok('balances', {}, { token })
  return {
    user: await server.ok('userinfo', {}, { token }),
    balances: balances.map(({ value_usdt: _, ...amounts }) => amounts),
    lists: await Promise.all(lists.map((name) => server.ok(name, {}, { token }))),
  }
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
})

test(
  'malformed requests get an envelope and change no other account',
  async () => {
    const calls = callsOf((await server.app.inject({ url: '/api/openapi.json' })).json())
    const random = randomFrom(SEED)
    const port = Number(new URL(server.url).port)
    const before = await stateOf(bystander)
    const faults: string[] = []
    for (let number = 1; number <= COUNT && faults.length < 20; number += 1) {
      const request = malformedRequest(calls, ({ name }) => (ENDS_SESSIONS.has(name) ? leaver : user).token, random)
      const fault = judgeResponse(request, await sendBytes(port, request.bytes, request))
      if (fault)
        faults.push(
          `${number} ${request.call.name}, ${request.fault}: ${fault}\n${request.bytes.toString('latin1', 0, 500)}`,
        )
    }
    expect(await stateOf(bystander)).toEqual(before)
    await expectBooksBalanced(server.db)
    expect(faults.join('\n\n')).toBe('')
  },
  60_000 + COUNT * 60,
)

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
