import type { FastifyReply, FastifyRequest } from 'fastify'

/** The header that names a request in every response, in the log, and between the servers of one ledger. */
export const TRACE_ID = 'x-trace-id'

const FORMAT = /^[0-9a-f-]{36}$/

/** Names the request in its response. */
export function nameTrace({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.header(TRACE_ID, id)
}

/** Gives a request the id that it has on the server that forwarded it. A client cannot choose one. */
export function keepTrace(request: FastifyRequest, reply: FastifyReply): void {
  const given = request.headers[TRACE_ID]
  if (typeof given !== 'string' || !FORMAT.test(given)) return
  request.id = given
  nameTrace(request, reply)
}
