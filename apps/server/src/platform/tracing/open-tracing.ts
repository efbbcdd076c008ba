import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyRequest } from 'fastify'
import type { TracingVariables } from '../../config/service-variables.ts'
import { callOf } from '../http/observe-requests.ts'
import type { Tracing } from './tracing.ts'

export interface TracingOptions extends TracingVariables {
  readonly version: string
  readonly host: string
}

/** Opens tracing by the SDK of OpenTelemetry. This file is only loaded where the operator has named a collector. */
export function openTracing({ version, host, url, headers, ratio }: TracingOptions): Tracing {
  const ids = requestIds()
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'clearwell', 'service.version': version, 'host.name': host }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    idGenerator: ids.generator,
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url, headers: parseKeyPairsIntoRecord(headers) }) }),
    ],
  })
  const tracer = provider.getTracer('clearwell', version)
  const propagator = new W3CTraceContextPropagator()
  const spans = new WeakMap<FastifyRequest, Span>()

  function begin(request: FastifyRequest): void {
    // A client cannot choose a trace.
    const { forwarded } = request
    const parent = forwarded ? propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter) : ROOT_CONTEXT
    const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method } }
    const span = ids.during(request.id, () => tracer.startSpan(callOf(request), options, parent))
    const headers: Record<string, string> = {}
    propagator.inject(trace.setSpan(parent, span), headers, defaultTextMapSetter)
    request.traceHeaders = headers
    spans.set(request, span)
  }

  return {
    observe(app) {
      app.decorateRequest('traceHeaders', undefined)
      app.addHook('onRequest', async (request) => begin(request))
      app.addHook('onResponse', async (request, reply) => {
        const span = spans.get(request)
        span?.setAttributes({ 'http.response.status_code': reply.statusCode, 'clearwell.code': reply.envelopeCode })
        if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
        span?.end()
      })
    },
    stop: () => provider.shutdown(),
  }
}

/** A trace has the id of its first request, so that `X-Trace-Id` finds it. */
function requestIds() {
  const random = new RandomIdGenerator()
  let current: string | undefined
  return {
    generator: {
      generateTraceId: () => current ?? random.generateTraceId(),
      generateSpanId: () => random.generateSpanId(),
    },
    /** Runs `start`, which begins one span, for the request with this id. */
    during(id: string, start: () => Span): Span {
      current = id.replaceAll('-', '')
      try {
        return start()
      } finally {
        current = undefined
      }
    },
  }
}
