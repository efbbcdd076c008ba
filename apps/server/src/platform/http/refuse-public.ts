import { NotReady } from '@clearwell/ledger/writer'
import type { FastifyInstance } from 'fastify'

const HEALTH = ['/healthz', '/readyz']

/**
 * Leaves a server to what other servers forward. The public gets 50300, so a proxy that leads a request here by mistake tries
 * another server. A proxy asks `/healthz` and `/readyz` with `?for=public`, to which this server answers 503 too: it runs and it is
 * ready, but not for the proxy's clients.
 */
export function refusePublic(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isHealth = HEALTH.includes(request.routeOptions.url ?? '') && !isForPublic(request.query)
    const isAllowed = request.forwarded !== undefined || isHealth
    done(isAllowed ? undefined : new NotReady('this server takes only what other servers forward'))
  })
}

function isForPublic(query: unknown): boolean {
  return (query as { readonly for?: unknown }).for === 'public'
}
