import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { invalidField } from '../ledger/refuse.ts'
import { envelope, localeOf } from './envelope.ts'
import { TRACE_ID } from './trace-id.ts'

/** Faults of a request that Node could not read, with the status that HTTP has for each. */
const FAULTS: Readonly<Record<string, readonly [status: number, field: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'headers', 'too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request', 'took too long'],
}
const UNREADABLE = [400, 'request', 'not readable'] as const

/** Options of Node's server with which requests that it would refuse without an envelope reach the handlers. */
export const READ_ALL = { requireHostHeader: false }

/**
 * Refuses bytes that are no request: no route, hook or error handler of the app sees them. Nothing of them is read, so the
 * text is in the default language.
 */
export function refuseUnreadable(error: { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, field, reason] = FAULTS[error.code ?? ''] ?? UNREADABLE
  const body = JSON.stringify(envelope('invalid_input', invalidField(field, reason).data, localeOf(undefined)).body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    `${TRACE_ID}: ${randomUUID()}`,
    'connection: close',
  ]
  // A client that keeps its side open must not keep the connection.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Serves requests with an unknown `Expect` like any other, and refuses CONNECT: Node answers both without a body. */
export function refuseTunnels({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => refuseUnreadable({}, socket))
}
