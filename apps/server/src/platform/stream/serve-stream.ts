import type { OutgoingHttpHeaders } from 'node:http'
import { STREAM_PATH, streamQuery } from '@clearwell/api/stream'
import type { FastifyInstance } from 'fastify'
import { clientAddressOf } from '../http/client-address.ts'
import { parsePayload, parseQuery } from '../http/parse-body.ts'
import { type FindSession, signedIn } from '../http/signed-in.ts'
import type { Streams } from './stream.ts'

/** Binds `GET /api/stream`. Refusals before the head is sent use an envelope, as for any call. */
export function serveStream(app: FastifyInstance, streams: Streams, findSession: FindSession): void {
  app.addHook('preClose', async () => streams.drain())
  app.get(`/api${STREAM_PATH}`, { exposeHeadRoute: false }, async (request, reply) => {
    const query = parseQuery(request.url.split('?')[1] ?? '')
    const lastEventId = query.last_event_id ?? request.headers['last-event-id']
    const { channels, last_event_id } = parsePayload(streamQuery, { ...query, last_event_id: lastEventId })
    const user = channels.includes('account') ? await signedIn(request, findSession) : undefined
    await streams.open(
      {
        channels,
        address: clientAddressOf(request),
        user,
        lastEventId: last_event_id === undefined ? undefined : BigInt(last_event_id),
      },
      reply.raw,
      () => {
        reply.hijack()
        reply.raw.removeHeader('transfer-encoding')
        reply.raw.writeHead(200, {
          ...(reply.getHeaders() as OutgoingHttpHeaders),
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          // Turns off buffering in proxies.
          'x-accel-buffering': 'no',
          // No chunked encoding: the connection's end ends the stream, so frames are written unchanged.
          connection: 'close',
        })
        reply.raw.flushHeaders()
      },
    )
    return reply
  })
}
