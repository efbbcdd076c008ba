import type { Refusal } from '@clearwell/ledger/refusal'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidField } from '../ledger/refuse.ts'
import { bodyHashOf, FORWARDED, type Forwarded } from '../servers/server-seal.ts'
import { keepTrace } from './trace-id.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if another server of the same ledger has forwarded the request. It is neither counted nor forwarded again. */
    forwarded: ForwardedRequest | undefined
  }
}

export interface ForwardedRequest extends Forwarded {
  /** The body is the one that the other server has signed. */
  isWhole: boolean
}

/** Returns the claims that a server of this ledger has signed, or `undefined` if none has signed the request. */
export type VerifyForwarded = (request: {
  readonly method: string
  readonly path: string
  readonly headers: FastifyRequest['headers']
}) => Forwarded | undefined

/**
 * Recognizes the requests that other servers of the ledger forward. A request that claims to be one and is not is refused,
 * with a header that tells a server with another key from a refused command.
 *
 * @param verify absent on a server that no other forwards to.
 */
export function acceptForwarded(app: FastifyInstance, verify: VerifyForwarded = () => undefined): void {
  app.decorateRequest('forwarded', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { method, url: path, headers } = request
    if (headers[FORWARDED] === undefined) return done()
    // Servers forward calls only, whose body is compared.
    const forwarded = request.routeOptions.config.isCall ? verify({ method, path, headers }) : undefined
    if (forwarded) {
      request.forwarded = { ...forwarded, isWhole: false }
      keepTrace(request, reply)
      return done()
    }
    reply.header(FORWARDED, 'refused')
    done(notOurs())
  })
}

/**
 * Servers forward JSON. Without a body, or with another type, nothing has compared it.
 *
 * @throws Refusal if another server has forwarded the request, and its body was not compared.
 */
export function requireWhole({ forwarded }: FastifyRequest): void {
  if (forwarded?.isWhole === false) throw notOurs()
}

/** @throws Refusal if the body is not the one that the other server has signed. */
export function checkForwardedBody({ forwarded }: FastifyRequest, body: string): void {
  if (!forwarded) return
  if (bodyHashOf(body) !== forwarded.bodyHash) throw notOurs()
  forwarded.isWhole = true
}

function notOurs(): Refusal {
  return invalidField(FORWARDED, 'not signed by a server of this ledger')
}
