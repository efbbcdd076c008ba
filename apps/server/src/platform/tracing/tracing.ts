import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The headers that make a span of another server a part of this request's trace. Absent without a collector. */
    traceHeaders?: Readonly<Record<string, string>> | undefined
  }
}

/** Sends a span of each request to the operator's collector. */
export interface Tracing {
  /** Records a span of each request of this app. The span of a forwarded one is a part of the other server's. */
  observe(app: FastifyInstance): void
  /** Sends what is left. */
  stop(): Promise<void>
}
