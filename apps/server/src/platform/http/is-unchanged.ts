import type { FastifyRequest } from 'fastify'

/** Whether the caller has the answer of this ETag already (RFC 9110 §13.1.2): then it gets 304 instead. */
export function isUnchanged({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(etag)
}
