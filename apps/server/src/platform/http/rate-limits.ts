import type { Route } from '@clearwell/api/route'
import { MINUTE_MS } from '@clearwell/rules/spans'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type BucketOptions, type Taking, TokenBuckets } from '../time/token-buckets.ts'
import { clientAddressOf } from './client-address.ts'
import type { SignedIn } from './request-context.ts'
import { type FindSession, tokenOf } from './signed-in.ts'
import { TooManyRequests } from './too-many-requests.ts'

/** The fraction of a caller's rate for each call that asks the chain. */
const CHAIN_SHARE = 10
/** The accounts behind one address that may ask the chain at their full rate. An account costs nothing. */
const CHAIN_ACCOUNTS_PER_ADDRESS = 10
/** The fraction of an address's public calls for each call that asks the exchange: charts, which are paged back through. */
const EXCHANGE_SHARE = 5

declare module 'fastify' {
  interface FastifyRequest {
    /** The rate limit has looked the token up in the database and found no session. */
    hasUnknownToken: boolean
    /** The hash of the token, if the rate limit knew its session. */
    tokenHash: string | undefined
  }
  interface FastifyContextConfig {
    /** The call that a route serves. */
    call?: Route
  }
}

export interface RateLimitOptions {
  readonly findSession: FindSession
  /** Returns a session that this server knows without asking the database, possibly ended since. Absent: none. */
  readonly peekSession?: (token: string) => SignedIn | undefined
  /** Requests of one account, or of one client address without a session, over all calls. */
  readonly requestsPerMinute: number
  /** Calls of one client address that need no session, with or without a token. As `requestsPerMinute` where absent. */
  readonly publicPerMinute?: number
  /** All accounts behind one address make at most as many requests as this many accounts may. */
  readonly accountsPerAddress?: number
  /** A clock that never goes back. */
  readonly nowMs?: () => number
}

/** The account or the address that a request counts for. */
interface Caller {
  readonly address: string
  readonly account: string | undefined
}

/**
 * Limits the rate of API requests: per account for calls that need a session and have one, else per client address. A call
 * that needs no session counts by address with or without a token, because accounts cost nothing.
 *
 * A token that this server does not know costs a query, which counts toward the address before it is made.
 *
 * @param isExempt requests that another server has counted.
 */
export function limitRates(
  app: FastifyInstance,
  options: RateLimitOptions,
  isExempt: (request: FastifyRequest) => boolean,
): void {
  const limits = createLimits(options)
  app.decorateRequest('hasUnknownToken', false)
  app.decorateRequest('tokenHash', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    // By route: the address may be written in other ways (`/%61pi/…`, `http://host/api/…`).
    const { url = request.url, config } = request.routeOptions
    if (!url.startsWith('/api/') || isExempt(request)) return done()
    const { call } = config
    const address = clientAddressOf(request)
    const finish = (user: SignedIn | undefined) => done(count(limits, call, reply, { address, account: user?.id }))
    const token = call?.session === 'none' ? undefined : tokenOf(request)
    const known = token === undefined ? undefined : options.peekSession?.(token)
    request.tokenHash = known?.tokenHash
    if (token === undefined || known) return finish(known)
    lookUp(limits, options.findSession, request, { token, address }).then(finish, done)
  })
}

/** Looks an unknown token up, unless the client has sent too many that belong to no session. */
async function lookUp(
  { lookups }: Limits,
  findSession: FindSession,
  request: FastifyRequest,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<SignedIn | undefined> {
  const taking = lookups.take(address)
  if (!taking.isTaken) throw new TooManyRequests(taking)
  let user: SignedIn | undefined
  try {
    user = await findSession(token)
  } catch (error) {
    lookups.giveBack(address)
    throw error
  }
  // Users of one address do not use up its lookups, however many arrive after a restart.
  if (user) lookups.giveBack(address)
  else request.hasUnknownToken = true
  return user
}

/** @returns the refusal of a request that is over a limit. */
function count(
  limits: Limits,
  call: Route | undefined,
  reply: FastifyReply,
  caller: Caller,
): TooManyRequests | undefined {
  const cost = call?.cost?.requests ?? 1
  const taken: (readonly [TokenBuckets, string])[] = []
  let last: Taking | undefined
  let limit = 0
  for (const bucket of limits.bucketsFor(caller, call)) {
    const [buckets, key] = bucket
    last = buckets.take(key, cost)
    limit = buckets.capacity
    if (!last.isTaken) break
    taken.push(bucket)
  }
  if (!last) return undefined
  reply.headers({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': last.left,
    'x-ratelimit-reset': Math.ceil(last.fullMs / 1000),
  })
  if (last.isTaken) return undefined
  // A rejected request must not use up what others behind the address share.
  for (const [buckets, key] of taken) buckets.giveBack(key, cost)
  return new TooManyRequests(last)
}

interface Limits {
  /** Tokens that belong to no session, per client address. */
  readonly lookups: TokenBuckets
  /** The limits that a request counts toward, the widest first. */
  readonly bucketsFor: (caller: Caller, call: Route | undefined) => (readonly [TokenBuckets, string])[]
}

function createLimits(options: RateLimitOptions): Limits {
  const { requestsPerMinute, publicPerMinute = requestsPerMinute, accountsPerAddress = 100, nowMs } = options
  const bucketsOf = (capacity: number): TokenBuckets => {
    const bucket: BucketOptions = { capacity: Math.ceil(capacity), refillMs: MINUTE_MS }
    return new TokenBuckets(nowMs === undefined ? bucket : { ...bucket, nowMs })
  }
  const callers = bucketsOf(requestsPerMinute)
  const signIns = bucketsOf(requestsPerMinute)
  const publicCalls = bucketsOf(publicPerMinute)
  const polls = bucketsOf(requestsPerMinute * accountsPerAddress)
  const accounts = bucketsOf(requestsPerMinute * accountsPerAddress)
  const chainAccounts = bucketsOf((requestsPerMinute / CHAIN_SHARE) * CHAIN_ACCOUNTS_PER_ADDRESS)
  const byCall = new Map<Route, TokenBuckets>()

  function sharesOf(call: Route): TokenBuckets {
    const limit = call.asksExchange ? publicPerMinute / EXCHANGE_SHARE : requestsPerMinute / CHAIN_SHARE
    const buckets = byCall.get(call) ?? bucketsOf(limit)
    byCall.set(call, buckets)
    return buckets
  }

  return {
    lookups: bucketsOf(requestsPerMinute),
    bucketsFor({ address, account }, call) {
      if (call?.isSignIn) return [[signIns, address]]
      if (call?.isPolled) return [[polls, address]]
      if (call?.session === 'none')
        return [[publicCalls, address], ...(call.asksExchange ? [[sharesOf(call), address] as const] : [])]
      const key = account === undefined ? `address ${address}` : `account ${account}`
      const asksChain = call?.asksChain === 'always'
      return [
        ...(account === undefined ? [] : [[accounts, address] as const]),
        ...(account !== undefined && asksChain ? [[chainAccounts, address] as const] : []),
        [callers, key],
        ...(call && asksChain ? [[sharesOf(call), key] as const] : []),
      ]
    },
  }
}
