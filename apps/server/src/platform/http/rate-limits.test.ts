import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from './create-app.ts'
import type { RateLimitOptions } from './rate-limits.ts'
import type { SignedIn } from './request-context.ts'

const PER_MINUTE = 300
const OFFICE = '203.0.113.7'
const PROXY = '10.0.0.5'
const PAYLOAD = {
  tx_hash: `0x${'a'.repeat(64)}`,
  address: `0x${'b'.repeat(40)}`,
  box_id: `0x${'c'.repeat(40)}-2026-11-21`,
  board: 'power',
  period: 'day',
}

let app: FastifyInstance
let nowMs: number
/** The sessions in the database, and how often it was asked for one. */
let sessions: Map<string, SignedIn>
let lookups: number
/** The sessions that the server has loaded. */
let loaded: Map<string, SignedIn>

async function open(options: Partial<RateLimitOptions> & { trustedProxies?: readonly string[] } = {}): Promise<void> {
  app = await createApp({
    handlers: {
      userinfo: () => ({}),
      retrieve: () => ({}),
      config: () => ({}),
      pairs: () => ({}),
      getNonce: () => ({ nonceStr: '' }),
      boxInclusion: () => ({}),
      rankList: () => ({}),
    } as never,
    async findSession(token) {
      const known = loaded.get(token)
      if (known) return known
      lookups++
      const found = sessions.get(token)
      if (found) loaded.set(token, found)
      return found
    },
    peekSession: (token) => loaded.get(token),
    requestsPerMinute: PER_MINUTE,
    trustedProxies: [PROXY],
    nowMs: () => nowMs,
    failingParts: () => [],
    onBug: (error) => {
      throw error
    },
    webFolder: undefined,
    connectOrigins: [],
    productName: 'Clearwell',
    ...options,
  })
}

beforeEach(async () => {
  nowMs = 0
  lookups = 0
  loaded = new Map()
  sessions = new Map()
  for (let user = 0; user < 200; user++)
    sessions.set(`token-${user}`, { id: `0x${user}`, parentId: null, tokenHash: `hash-${user}` })
  await open()
})
afterEach(() => app.close())

interface From {
  readonly token?: string
  readonly forwardedFor?: string
  readonly peer?: string
}

async function codeOf(
  url:
    | '/profile/userinfo'
    | '/config'
    | '/SwapPool/pairs'
    | '/Wallet/retrieve'
    | '/DappUser/getNonce'
    | '/BlindBox/inclusion'
    | '/Rank/list',
  { token, forwardedFor = OFFICE, peer = PROXY }: From,
): Promise<number> {
  const isGet = url === '/profile/userinfo' || url === '/config'
  const reply = await app.inject({
    method: isGet ? 'GET' : 'POST',
    url: `/api${url}`,
    remoteAddress: peer,
    headers: { 'x-forwarded-for': forwardedFor, ...(token === undefined ? {} : { 'xx-token': token }) },
    ...(isGet ? {} : { payload: PAYLOAD }),
  })
  return reply.json().code
}

/** The codes of many requests, each with how often it came. */
async function codesOf(times: number, ask: () => Promise<number>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let request = 0; request < times; request++) {
    const code = await ask()
    counts[code] = (counts[code] ?? 0) + 1
  }
  return counts
}

describe('users behind one address', () => {
  test('poll without a limit in their way, fifty of them', async () => {
    // The app polls about once a second while its stream is down.
    for (let second = 0; second < 60; second++) {
      for (let user = 0; user < 50; user++) {
        const from = { token: `token-${user}` }
        expect(await codeOf(second % 2 === 0 ? '/profile/userinfo' : '/SwapPool/pairs', from)).toBe(1)
      }
      nowMs += 1_000
    }
    expect(lookups).toBe(50)
  })

  test('poll prices without signing in, fifty of them', async () => {
    expect(await codesOf(50 * 60, () => codeOf('/SwapPool/pairs', {}))).toEqual({ 1: 50 * 60 })
  })

  test('accounts of one address have separate limits', async () => {
    const [busy, quiet] = [{ token: 'token-1' }, { token: 'token-2' }]
    expect(await codesOf(1_000, () => codeOf('/profile/userinfo', busy))).toEqual({ 1: PER_MINUTE, 42900: 700 })
    expect(await codeOf('/profile/userinfo', quiet)).toBe(1)
    expect(await codeOf('/config', {})).toBe(1)
    // The limit follows the account to other addresses.
    expect(await codeOf('/profile/userinfo', { ...busy, forwardedFor: '198.51.100.1' })).toBe(42900)
    nowMs += 60_000
    expect(await codeOf('/profile/userinfo', busy)).toBe(1)
  })

  test('keep theirs when a visitor without a session uses up the address', async () => {
    expect(await codesOf(400, () => codeOf('/config', {}))).toEqual({ 1: PER_MINUTE, 42900: 100 })
    expect(await codeOf('/profile/userinfo', { token: 'token-1' })).toBe(1)
  })

  test('share what many accounts may do', async () => {
    await app.close()
    await open({ requestsPerMinute: 10, accountsPerAddress: 3 })
    const codes: number[] = []
    for (let user = 0; user < 5; user++)
      for (let request = 0; request < 10; request++)
        codes.push(await codeOf('/profile/userinfo', { token: `token-${user}` }))
    expect(codes.filter((code) => code === 1)).toHaveLength(30)
    expect(await codeOf('/profile/userinfo', { token: 'token-5', forwardedFor: '198.51.100.1' })).toBe(1)
  })

  test('an address asks the chain only as often as ten accounts', async () => {
    const ask = (user: number) => codesOf(30, () => codeOf('/Wallet/retrieve', { token: `token-${user}` }))
    for (let user = 0; user < 10; user++) expect(await ask(user)).toEqual({ 1: 30 })
    expect(await ask(11)).toEqual({ 42900: 30 })
    expect(await codeOf('/profile/userinfo', { token: 'token-11' })).toBe(1)
  })
})

describe('calls without a session', () => {
  /**
   * @attack S05 Three free accounts lifted the sign-ins of one address from 300 to more than 1,200 a minute.
   * @holds Sign-in calls count by network address, with or without a token.
   */
  test('sign-ins of an address are limited with or without a token', async () => {
    expect(await codesOf(PER_MINUTE, () => codeOf('/DappUser/getNonce', {}))).toEqual({ 1: PER_MINUTE })
    for (const token of ['token-1', 'token-2', 'token-3'])
      expect(await codesOf(PER_MINUTE, () => codeOf('/DappUser/getNonce', { token }))).toEqual({ 42900: PER_MINUTE })
    // Neither other addresses nor other calls pay for it.
    expect(await codeOf('/DappUser/getNonce', { token: 'token-1', forwardedFor: '198.51.100.1' })).toBe(1)
    expect(await codeOf('/config', {})).toBe(1)
    expect(await codeOf('/profile/userinfo', { token: 'token-1' })).toBe(1)
  })

  test('public calls of an address share one limit with any token', async () => {
    expect(await codesOf(PER_MINUTE, () => codeOf('/config', { token: 'token-1' }))).toEqual({ 1: PER_MINUTE })
    expect(await codeOf('/config', { token: 'token-2' })).toBe(42900)
    expect(await codeOf('/config', {})).toBe(42900)
    expect(lookups).toBe(0)
    expect(await codeOf('/profile/userinfo', { token: 'token-2' })).toBe(1)
  })

  /**
   * @attack S22 One address proved boxes 300 times a minute, at some 4,000 rows each.
   * @holds A dear call counts as several requests; docs/reference/limits.md lists what it reads and counts as.
   */
  test('a dear call counts as several requests', async () => {
    const asked = await codesOf(PER_MINUTE, () => codeOf('/BlindBox/inclusion', {}))
    expect(asked[42900]).toBe(PER_MINUTE - PER_MINUTE / 20)
    expect(await codeOf('/BlindBox/inclusion', { forwardedFor: '198.51.100.1' })).not.toBe(42900)
  })

  test('a dear call of an account counts as several requests', async () => {
    const from = { token: 'token-1' }
    expect((await codesOf(PER_MINUTE, () => codeOf('/Rank/list', from)))[42900]).toBe(PER_MINUTE - PER_MINUTE / 5)
    expect(await codeOf('/profile/userinfo', { token: 'token-2' })).toBe(1)
  })
})

describe('a token without a session', () => {
  test.each(['/profile/userinfo', '/config'] as const)(
    'an unknown token at %s costs a bounded number of queries',
    async (url) => {
      const codes = await codesOf(2_000, () => codeOf(url, { token: randomUUID() }))
      expect(codes[42900]).toBe(2_000 - PER_MINUTE)
      expect(lookups).toBeLessThanOrEqual(PER_MINUTE)
      // Known sessions at the address are not affected.
      loaded.set('token-1', sessions.get('token-1') as SignedIn)
      expect(await codeOf('/profile/userinfo', { token: 'token-1' })).toBe(1)
    },
  )

  test('costs one query per request', async () => {
    expect(await codeOf('/profile/userinfo', { token: 'gone' })).toBe(10001)
    expect(lookups).toBe(1)
  })

  test('an unknown token after a restart locks out no other users', async () => {
    for (let user = 0; user < 200; user++)
      for (let other = 0; other < 2; other++)
        expect(await codeOf('/profile/userinfo', { token: `token-${user}` })).toBe(1)
    expect(lookups).toBe(200)
  })
})

describe('the address of a client', () => {
  const exhaust = (from: From) => codesOf(PER_MINUTE, () => codeOf('/config', from))

  test("the client's address is the one that a trusted proxy reports", async () => {
    await exhaust({ forwardedFor: '203.0.113.1' })
    expect(await codeOf('/config', { forwardedFor: '203.0.113.1' })).toBe(42900)
    expect(await codeOf('/config', { forwardedFor: '203.0.113.2' })).toBe(1)
  })

  test.each(['198.51.100.9', '::1', '127.0.0.1'])(
    "the client's address ignores the report of an untrusted peer %s",
    async (peer) => {
      for (let request = 0; request < PER_MINUTE; request++)
        await codeOf('/config', { peer, forwardedFor: `203.0.113.${request % 250}` })
      expect(await codeOf('/config', { peer, forwardedFor: '192.0.2.1' })).toBe(42900)
    },
  )

  test("the client's address ignores entries that the client adds", async () => {
    for (let request = 0; request < PER_MINUTE; request++)
      await codeOf('/config', { forwardedFor: `192.0.2.${request % 250}, ${OFFICE}` })
    expect(await codeOf('/config', { forwardedFor: OFFICE })).toBe(42900)
    expect(await codeOf('/config', { forwardedFor: '192.0.2.1' })).toBe(1)
  })

  test('the address of an IPv6 client is its /64 network', async () => {
    for (let request = 0; request < PER_MINUTE; request++)
      await codeOf('/config', { forwardedFor: `2001:db8:1:2::${request.toString(16)}` })
    expect(await codeOf('/config', { forwardedFor: '2001:db8:1:2:ffff::1' })).toBe(42900)
    expect(await codeOf('/config', { forwardedFor: '2001:db8:1:3::1' })).toBe(1)
  })
})
