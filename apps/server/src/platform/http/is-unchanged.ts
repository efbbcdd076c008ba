import type { FastifyRequest } from 'fastify'

/** Returns whether the client already has the response of this ETag (RFC 9110 §13.1.2) and can get 304 instead. */
export function isUnchanged({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes('*') || known.includes(etag)
}
