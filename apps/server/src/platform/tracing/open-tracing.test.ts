import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acceptForwarded } from '../http/forwarded-requests.ts'
import { observeRequests } from '../http/observe-requests.ts'
import { openTracing } from './open-tracing.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code: number }
}

const TRACE = '11111111-1111-4111-8111-111111111111'

let collector: Server
let received: { key: unknown; spans: Span[] }[]
beforeEach(async () => {
  received = []
  collector = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const spans = JSON.parse(body).resourceSpans.flatMap((each: { scopeSpans: { spans: Span[] }[] }) =>
      each.scopeSpans.flatMap((scope) => scope.spans),
    )
    received.push({ key: request.headers['x-key'], spans })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  collector.closeAllConnections()
  collector.close()
})

/** An app that shows the headers by which a forwarded command continues its trace. */
function openApp({ ratio = 1 } = {}) {
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
  const tracing = openTracing({ version: '1.2.3', host: 'app-1', url, headers: 'x-key=Bearer%20secret', ratio })
  const app = fastify({ genReqId: () => TRACE })
  observeRequests(app, undefined)
  acceptForwarded(app, () => ({ clientAddress: '192.0.2.7', bodyHash: '' }))
  tracing.observe(app)
  app.get('/api/config', { config: { isCall: true, callName: 'config' } }, async (request) => request.traceHeaders)
  app.get('/api/broken', { config: { callName: 'pairs' } }, (_request, reply) => reply.code(500).send('broken'))
  return { app, tracing }
}

test('each request has a span in the trace that X-Trace-Id names', async () => {
  const { app, tracing } = openApp()
  const { traceparent } = (await app.inject({ url: '/api/config', headers: { traceparent: PARENT } })).json()
  await app.inject({ url: '/api/broken' })
  await app.close()
  await tracing.stop()
  const traceId = TRACE.replaceAll('-', '')
  const [config, broken] = received.flatMap(({ spans }) => spans)
  expect(received[0]?.key).toBe('Bearer secret')
  // Kind 2 is a server's, status 2 is an error: opentelemetry/proto/trace/v1/trace.proto.
  expect(config).toMatchObject({ traceId, name: 'config', kind: 2, status: { code: 0 } })
  // A client cannot choose its trace.
  expect(config?.parentSpanId).toBeUndefined()
  expect(broken).toMatchObject({ traceId, name: 'pairs', kind: 2, status: { code: 2 } })
  expect(traceparent).toBe(`00-${traceId}-${config?.spanId}-01`)
})

const PARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

test('a forwarded request continues the trace of the other server', async () => {
  const { app, tracing } = openApp()
  app.addHook('onRequest', async (request) => {
    // Its body was compared in the parser of the real app.
    if (request.forwarded) request.forwarded.isWhole = true
  })
  await app.inject({ url: '/api/config', headers: { traceparent: PARENT, 'xx-forwarded': 'signed' } })
  await app.close()
  await tracing.stop()
  expect(received.flatMap(({ spans }) => spans)).toMatchObject([
    { traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16), name: 'config' },
  ])
})

test('a ratio of 0 records nothing and tells the leader so', async () => {
  const { app, tracing } = openApp({ ratio: 0 })
  const { traceparent } = (await app.inject({ url: '/api/config' })).json()
  await app.close()
  await tracing.stop()
  expect([received, traceparent.slice(-3)]).toEqual([[], '-00'])
})
