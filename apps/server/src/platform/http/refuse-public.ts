import { NotReady } from '@clearwell/ledger/writer'
import type { FastifyInstance } from 'fastify'

const HEALTH = ['/healthz', '/readyz']

/**
 * Leaves a server to what other servers forward. The public gets 50300, so a proxy that leads a request here by mistake tries
 * another server.
 */
export function refusePublic(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isAllowed = request.forwarded !== undefined || HEALTH.includes(request.routeOptions.url ?? '')
    done(isAllowed ? undefined : new NotReady('this server takes only what other servers forward'))
  })
}
