import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidField } from '../ledger/refuse.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects calls that another website sends to a server on the developer's own machine. Nothing there needs a token: a page
 * that is open in the same browser could move the clock and the prices.
 *
 * A page of this machine, at the server's own port or at the port of `publicUrl`, is no other website. A `Host` of another
 * name means that a foreign name was pointed at this machine.
 *
 * @param publicUrl where people open the app, if that is not the server's own address: the development server's.
 */
export function refuseForeignOrigins(app: FastifyInstance, publicUrl: string | undefined): void {
  const shown = publicUrl === undefined ? undefined : new URL(publicUrl)
  const ownUrlOf = rememberLast((host: string | undefined) => urlOf(`http://${host}`))
  app.addHook('onRequest', (request, _reply, done) => {
    const isApi = (request.routeOptions.url ?? request.url).startsWith('/api/')
    if (!isApi || READS.has(request.method)) return done()
    const own = ownUrlOf(request.headers.host)
    if (!own || !isOwnName(own, shown)) return done(invalidField('Host', 'not the address of this server'))
    done(isOwnOrigin(request, own, shown) ? undefined : invalidField('Origin', 'not a page of this server'))
  })
}

function isOwnOrigin({ headers }: FastifyRequest, own: URL, shown: URL | undefined): boolean {
  if (headers.origin === undefined) return true
  const origin = urlOf(headers.origin)
  return origin !== undefined && isOwnName(origin, shown) && [own.port, shown?.port].includes(origin.port)
}

const isOwnName = ({ hostname }: URL, shown: URL | undefined) => LOOPBACK.has(hostname) || hostname === shown?.hostname

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/** Nearly all requests carry the same text, and parsing it takes longer than comparing it. */
function rememberLast<Value>(parse: (text: string | undefined) => Value): (text: string | undefined) => Value {
  let last: { readonly text: string | undefined; readonly value: Value } | undefined
  return (text) => {
    if (last?.text !== text || !last) last = { text, value: parse(text) }
    return last.value
  }
}
