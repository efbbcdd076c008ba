import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../time/clock.ts'

/** The header of a request that another server of the ledger has forwarded: the client, the time, and a signature. */
export const FORWARDED = 'xx-forwarded'

/** Milliseconds between the clocks of two servers, time in transit included. A later request is refused. */
const FRESH_MS = 60_000
const SIGNED_HEADERS = ['accept-language', 'idempotency-key', 'x-trace-id', 'xx-device-type', 'xx-token'] as const
const VALUE = /^(\d{1,15}) ([0-9a-z.:]{1,45}) ([0-9a-f]{64}) ([0-9a-f]{64})$/

/** A request on its way from one server to another. */
interface Request {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** The claims that a server of the ledger has signed. */
export interface Forwarded {
  /** The client that the limits count the request by. */
  readonly clientAddress: string
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string
}

/** Signs the requests between the servers of one ledger, so that no one else can claim to be one of them. */
export interface ServerSeal {
  /**
   * Returns the value of the header {@link FORWARDED}.
   *
   * @param to the addressee's name in the writer's lease. It is part of the key, so no other process accepts the request.
   */
  sign(request: Request & { readonly body: string; readonly clientAddress: string }, to: string): string
  /** Returns `undefined` for a request that no server of this ledger has signed for `holder` in the last minute. */
  verify(request: Request, holder: string): Forwarded | undefined
}

/**
 * @param secret the operator's `SERVER_KEY`. Without one the key is the addressee's name alone, which is unguessable, new at
 * each start, and known to the servers that share the database.
 * @param clock the time that the servers share.
 */
export function createServerSeal({
  secret,
  clock,
}: {
  readonly secret: Uint8Array | undefined
  readonly clock: Clock
}): ServerSeal {
  const macOf = ({ method, path, headers }: Request, claims: readonly string[], to: string): Buffer => {
    const key = createHmac('sha256', secret ?? '')
      .update(to)
      .digest()
    const signed = [...claims, method, path, ...SIGNED_HEADERS.map((name) => headers[name] ?? '')]
    return createHmac('sha256', key).update(JSON.stringify(signed)).digest()
  }
  return {
    sign(request, to) {
      const claims = [String(clock.now().getTime()), request.clientAddress, bodyHashOf(request.body)]
      return [...claims, macOf(request, claims, to).toString('hex')].join(' ')
    },
    verify(request, holder) {
      const value = request.headers[FORWARDED]
      const [, at = '', clientAddress = '', bodyHash = '', mac = ''] = VALUE.exec(String(value)) ?? []
      if (mac === '' || Math.abs(clock.now().getTime() - Number(at)) > FRESH_MS) return undefined
      const isOurs = timingSafeEqual(Buffer.from(mac, 'hex'), macOf(request, [at, clientAddress, bodyHash], holder))
      return isOurs ? { clientAddress, bodyHash } : undefined
    },
  }
}

export function bodyHashOf(body: string): string {
  return hash('sha256', body)
}
