import { CODES } from '@clearwell/api/codes'
import type { Route } from '@clearwell/api/route'
import { type RouteName, routes } from '@clearwell/api/routes'
import * as z from 'zod/mini'
import { streamOperation, streamSection } from './stream-reference.ts'

type Json = Readonly<Record<string, unknown>>

interface Served {
  /** Whether the app serves `GET /api/stream`, which is in no table of calls. */
  readonly hasStream?: boolean
}

/** The API as an OpenAPI 3.1 document, made from the one route table. */
export function openApiDocument(title: string, names: readonly RouteName[], { hasStream = false }: Served = {}): Json {
  return {
    openapi: '3.1.0',
    info: { title: `${title} API`, version: '1' },
    servers: [{ url: '/api' }],
    paths: {
      ...Object.fromEntries(
        names.map((name) => [routes[name].path, { [routes[name].method.toLowerCase()]: operation(name) }]),
      ),
      ...(hasStream ? streamOperation : {}),
    },
    components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'XX-Token' } } },
  }
}

function operation(name: RouteName): Json {
  const route: Route = routes[name]
  const payload = schemaOf(route.payload, 'input')
  const properties = (payload.properties ?? {}) as Json
  const required = (payload.required ?? []) as string[]
  const query = Object.entries(properties).map(([field, schema]) => ({
    name: field,
    in: 'query',
    required: required.includes(field),
    schema,
  }))
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  }
  const body = {
    content: { 'application/x-www-form-urlencoded': { schema: payload }, 'application/json': { schema: payload } },
  }
  const data = schemaOf(route.answer, 'output')
  const envelope = {
    type: 'object',
    properties: { code: { const: CODES.ok.code }, msg: { type: 'string' }, data },
    required: ['code', 'msg', 'data'],
  }
  return {
    operationId: name,
    summary: route.summary,
    description: refusalsOf(route)
      .map((refusal) => `${CODES[refusal].code}: ${CODES[refusal].msg.en}`)
      .join('\n\n'),
    parameters: [...(route.method === 'GET' ? query : []), ...(route.idempotent ? [key] : [])],
    ...(route.method === 'POST' ? { requestBody: body } : {}),
    ...(route.session === 'required' ? { security: [{ token: [] }] } : {}),
    responses: {
      200: route.answersFile
        ? { description: 'A file; a refusal is an envelope', content: { 'text/*': { schema: data } } }
        : { description: 'The envelope', content: { 'application/json': { schema: envelope } } },
    },
  }
}

/** All refusals that a call can meet: its own, and those of its kind. */
function refusalsOf(route: Route) {
  const session = route.session === 'required' ? (['sign_in_again'] as const) : []
  const conflict = route.idempotent && !route.refusals.includes('conflict') ? (['conflict'] as const) : []
  return [
    ...session,
    'invalid_input' as const,
    ...route.refusals,
    ...conflict,
    'too_many_requests' as const,
    'not_ready' as const,
  ]
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>
  return json
}

/** The same as Markdown, for docs/reference. */
export function apiMarkdown(names: readonly RouteName[]): string {
  return names
    .map((name) => {
      const route: Route = routes[name]
      const marks = [
        route.session === 'required' ? 'needs a token' : 'works without a token',
        route.idempotent ? 'takes an `Idempotency-Key`' : '',
        route.localOnly ? 'local profile only' : '',
      ].filter(Boolean)
      const refusals = refusalsOf(route).map((refusal) => `${CODES[refusal].code} ${CODES[refusal].msg.en}`)
      return [
        `## ${route.method} /api${route.path}`,
        '',
        `${route.summary} (${marks.join(', ')})`,
        '',
        'Payload:',
        '',
        fence(schemaOf(route.payload, 'input')),
        '',
        ...(route.answersFile ? ['A success is a file.'] : ['Data:', '', fence(schemaOf(route.answer, 'output'))]),
        '',
        `Refusals: ${refusals.join('; ')}.`,
      ].join('\n')
    })
    .join('\n\n')
}

function fence(schema: Json): string {
  return ['```json', JSON.stringify(schema, null, 2), '```'].join('\n')
}

/** The API as a page to read: no script, no style from elsewhere. */
export function apiPage(title: string, names: readonly RouteName[], { hasStream = false }: Served = {}): string {
  const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const sections = names.map((name) => {
    const route: Route = routes[name]
    const refusals = refusalsOf(route).map(
      (refusal) => `<li>${CODES[refusal].code} ${escapeHtml(CODES[refusal].msg.en)}</li>`,
    )
    return `<section id="${name}"><h2>${route.method} /api${route.path}</h2><p>${escapeHtml(route.summary)}</p>
<p>${route.session === 'required' ? 'Needs a token.' : 'Works without a token.'}${route.idempotent ? ' Takes an Idempotency-Key.' : ''}${route.answersFile ? ' A success is a file.' : ''}</p>
<h3>Payload</h3><pre>${escapeHtml(JSON.stringify(schemaOf(route.payload, 'input'), null, 2))}</pre>
<h3>Data</h3><pre>${escapeHtml(JSON.stringify(schemaOf(route.answer, 'output'), null, 2))}</pre>
<h3>Refusals</h3><ul>${refusals.join('')}</ul></section>`
  })
  const contents = names.map((name) => `<li><a href="#${name}">${routes[name].method} ${routes[name].path}</a></li>`)
  if (hasStream) {
    sections.push(streamSection())
    contents.push('<li><a href="#stream">GET /stream</a></li>')
  }
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} API</title></head><body><h1>${escapeHtml(title)} API</h1>
<p>Made from the route table. <a href="/api/openapi.json">OpenAPI document</a></p><ul>${contents.join('')}</ul>
${sections.join('\n')}</body></html>`
}
