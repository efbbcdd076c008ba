import { CODES, type CodeName, type RefusalName } from '@clearwell/api/codes'
import type { Route } from '@clearwell/api/route'
import { type RouteName, routes } from '@clearwell/api/routes'
import { type JsonSchema, jsonSchema } from './json-schema.ts'
import { STREAM_REFUSALS, streamOperation } from './stream-operation.ts'

/** Calls under one heading, in the order of the features. */
export interface RouteGroup {
  readonly name: string
  readonly routes: readonly RouteName[]
}

export interface DescribedApi {
  readonly title: string
  readonly groups: readonly RouteGroup[]
  /** True if the app serves `GET /api/stream`, which is not in the table of calls. */
  readonly hasStream: boolean
}

interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonSchema
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** An operation of the document, with the refusals that callers can receive in an envelope. */
export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>
  readonly 'x-refusals': readonly {
    readonly code: number
    readonly http: number
    readonly msg: string
    /** The schema of the envelope's data. */
    readonly data: { readonly $ref: string }
  }[]
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}

const CONVENTIONS = [
  'Bodies are `application/x-www-form-urlencoded` with nested brackets, or `application/json`. GET takes query parameters.',
  'Every response is an envelope `{code, msg, data}`. Code 1 is success, any other code a refusal, whose `data` has a schema under its name; a later version may add fields and reasons. `msg` is in the language of ' +
    '`Accept-Language` (`zh-HK` or `en`).',
  'Amounts and prices are decimal strings, times ISO 8601 in UTC.',
  'A call that needs a session takes the token of `login` in the header `XX-Token`. Code 10001 asks you to sign in again.',
  'Send an `Idempotency-Key` with every command: the same key with the same payload repeats the first response, and does ' +
    'nothing twice.',
  'Each response has the header `X-Trace-Id`. Quote it when you report a problem.',
]

const REFUSALS = Object.keys(CODES).filter((name): name is Exclude<CodeName, 'ok'> => name !== 'ok')

/** The API as an OpenAPI 3.1 document, derived from the table of routes. */
export function openApiDocument({ title, groups, hasStream }: DescribedApi): OpenApiDocument {
  const calls = groups.flatMap(({ name: tag, routes: names }) =>
    names.map((name) => [routes[name].path, { [routes[name].method.toLowerCase()]: operation(name, tag) }]),
  )
  const tags = [...groups.map(({ name }) => name), ...(hasStream ? ['stream'] : [])]
  return {
    openapi: '3.1.0',
    info: { title: `${title} API`, version: '1', description: CONVENTIONS.join('\n\n') },
    servers: [{ url: '/api' }],
    tags: tags.map((name) => ({ name })),
    paths: { ...Object.fromEntries(calls), ...(hasStream ? streamOperation(refusals(STREAM_REFUSALS)) : {}) },
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'XX-Token' } },
      schemas: Object.fromEntries(REFUSALS.map((name) => [name, jsonSchema(CODES[name].data, 'output')])),
    },
  }
}

function operation(name: RouteName, tag: string): Operation {
  const route: Route = routes[name]
  const payload = jsonSchema(route.payload, 'input')
  const body = {
    content: { 'application/x-www-form-urlencoded': { schema: payload }, 'application/json': { schema: payload } },
  }
  return {
    operationId: name,
    tags: [tag],
    summary: route.summary,
    description: '',
    parameters: [...(route.method === 'GET' ? queryOf(payload) : []), ...(route.idempotent ? [IDEMPOTENCY_KEY] : [])],
    ...(route.method === 'POST' ? { requestBody: body } : {}),
    ...SECURITY[route.session],
    responses: { 200: success(route) },
    ...refusals(refusalsOf(route)),
  }
}

const SECURITY: Readonly<Record<Route['session'], Pick<Operation, 'security'>>> = {
  none: {},
  // In OpenAPI, an empty requirement makes the others optional.
  optional: { security: [{}, { token: [] }] },
  required: { security: [{ token: [] }] },
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
}

function queryOf({ properties = {}, required = [] }: JsonSchema): Parameter[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function success(route: Route): Operation['responses'][string] {
  const data = jsonSchema(route.response, 'output')
  if (route.returnsFile)
    return { description: 'A file; a refusal is an envelope', content: { 'text/*': { schema: data } } }
  const properties = { code: { const: CODES.ok.code }, msg: { type: 'string' }, data }
  const schema = { type: 'object', properties, required: ['code', 'msg', 'data'] }
  return { description: 'The envelope', content: { 'application/json': { schema } } }
}

/** All refusals that a call can meet: its own, and those of every call like it. */
function refusalsOf(route: Route): RefusalName[] {
  return [
    ...(route.session === 'required' ? (['sign_in_again'] as const) : []),
    'invalid_input',
    ...route.refusals,
    ...(route.idempotent && !route.refusals.includes('conflict') ? (['conflict'] as const) : []),
    ...(refusesFrozen(route) ? (['not_available'] as const) : []),
    // Of an account that leaves, also what works in the first days.
    ...(route.session === 'required' && route.idempotent ? (['account_is_leaving'] as const) : []),
    'too_many_requests',
    'not_ready',
  ]
}

/** Every command is refused for a frozen account, unless it says that it works. */
function refusesFrozen({ session, idempotent, worksFrozen, refusals }: Route): boolean {
  return session === 'required' && idempotent && !worksFrozen && !refusals.includes('not_available')
}

function refusals(names: readonly RefusalName[]): Pick<Operation, 'x-refusals'> {
  return {
    'x-refusals': names.map((name) => {
      const { code, http, msg } = CODES[name]
      return { code, http, msg: msg.en, data: { $ref: `#/components/schemas/${name}` } }
    }),
  }
}
