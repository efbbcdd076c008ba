import type { FastifyInstance, FastifyRequest } from 'fastify'
import { clientAddressOf } from './client-address.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call's name in the route table. */
    readonly callName?: string
  }
  interface FastifyReply {
    /** The code of the envelope that was sent; 0 for a response without one. */
    envelopeCode: number
  }
}

/** One request that was answered. */
export interface AnsweredRequest {
  /** The name of a call, `stream`, `other` or `page`: never a path that a client chose. */
  readonly call: string
  /** The code of the envelope, or the HTTP status where there is none. */
  readonly code: number
  readonly status: number
  /** Absent for a stream, which ends when its client leaves. */
  readonly seconds: number | undefined
  /** Milliseconds until the response, or the stream, ended. */
  readonly elapsedMs: number
  readonly method: string
  /** As limits count it: an IPv4 address, or an IPv6 network. Few need it, and it costs more than the rest. */
  readonly client: () => string
  readonly traceId: string
}

const STREAM_PATH = '/api/stream'

export function observeRequests(app: FastifyInstance, observe: ((request: AnsweredRequest) => void) | undefined): void {
  app.decorateReply('envelopeCode', 0)
  if (!observe) return
  app.addHook('onResponse', (request, reply, done) => {
    const call = callOf(request)
    const elapsedMs = reply.elapsedTime
    observe({
      call,
      code: reply.envelopeCode || reply.statusCode,
      status: reply.statusCode,
      seconds: call === 'stream' ? undefined : elapsedMs / 1000,
      elapsedMs,
      method: request.method,
      client: () => clientAddressOf(request),
      traceId: request.id,
    })
    done()
  })
}

/** The name of a call, `stream`, `other` or `page`: never a path that a client chose. */
export function callOf({ routeOptions, url: path }: Pick<FastifyRequest, 'routeOptions' | 'url'>): string {
  const { url = '', config } = routeOptions
  if (config.callName !== undefined) return config.callName
  if (url === STREAM_PATH) return 'stream'
  return (url || path).startsWith('/api/') ? 'other' : 'page'
}
