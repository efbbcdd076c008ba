import { type RouteName, routes } from '@clearwell/api/routes'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { apiPage } from './api-page.ts'
import { createApp } from './create-app.ts'
import { openApiDocument } from './open-api.ts'

const ALL = Object.keys(routes) as RouteName[]
const PUBLIC = ALL.filter((name) => !('localOnly' in routes[name]))

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> }
  readonly security?: unknown
  readonly 'x-refusals': readonly object[]
  readonly responses: { readonly 200: { readonly content: Record<string, { readonly schema: object }> } }
}
type Paths = Record<string, Record<string, Operation>>
const described = (names: readonly RouteName[], { title = 'Clearwell', hasStream = false } = {}) =>
  openApiDocument({ title, groups: [{ name: 'calls', routes: names }], hasStream })
/** The calls of the document, which takes too long to write for each of them. */
const PATHS = described(ALL).paths as unknown as Paths
const operationOf = (name: RouteName): Operation => {
  const operation = PATHS[routes[name].path]?.[routes[name].method.toLowerCase()]
  if (!operation) throw new Error(`${name} is not described`)
  return operation
}

test.each([
  ['all calls', ALL],
  ['the calls without the local controls', PUBLIC],
  ['one call', ['pairs'] as const],
])('the document of an app that serves %s lists exactly these', async (_name, names) => {
  const app = await createApp({
    handlers: Object.fromEntries(names.map((name) => [name, () => ({})])),
    findSession: async () => undefined,
    failingParts: () => [],
    onBug: () => {},
    requestsPerMinute: 1000,
    webFolder: undefined,
    connectOrigins: [],
    productName: 'Clearwell',
  })
  const document = (await app.inject({ url: '/api/openapi.json' })).json()
  const listed = Object.entries(document.paths as Paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = ALL.filter((name) => app.hasRoute({ method: routes[name].method, url: `/api${routes[name].path}` }))
  expect(listed.sort()).toEqual(served.map((name) => `${routes[name].method} ${routes[name].path}`).sort())
  expect(served).toEqual(names)
  expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Clearwell API' }, servers: [{ url: '/api' }] })
  await app.close()
})

test('calls of the document share no path, method or name', () => {
  expect(new Set(ALL.map((name) => routes[name].path)).size).toBe(ALL.length)
  const ids = Object.values(PATHS).flatMap((methods) => Object.values(methods).map((each) => each.operationId))
  expect(ids.sort()).toEqual([...ALL].sort())
})

/** The compiler of schemas that Fastify brings along. It refuses a schema that is none. */
const compileSchema = (async () => {
  const app = fastify({ ajv: { customOptions: { strict: true, validateFormats: false, coerceTypes: false } } })
  app.post('/', { schema: { body: { type: 'object' } } }, async () => 'valid')
  await app.ready()
  const compiler = app.validatorCompiler
  if (!compiler) throw new Error('Fastify has no validator')
  await app.close()
  return compiler
})()

/** Judges values by a JSON schema. */
async function validatorOf(schema: object): Promise<(value: unknown) => boolean> {
  const compile = await compileSchema
  const validate = compile({ schema, method: 'POST', url: '/', httpPart: 'body' } as never) as (
    value: unknown,
  ) => unknown
  return (value) => validate(value) === true
}

test("the document describes the data of a call's refusals with their reasons", () => {
  const { components } = described(['clickBox']) as unknown as { components: { schemas: Record<string, object> } }
  expect(operationOf('clickBox')['x-refusals']).toContainEqual({
    code: 20008,
    http: 200,
    msg: 'Not open now',
    data: { $ref: '#/components/schemas/not_open' },
  })
  expect(components.schemas.not_open).toMatchObject({
    properties: { opens_at: { type: 'string' }, reason: { enum: ['clicked', 'one_star_a_day'] } },
    required: ['opens_at'],
  })
  expect(apiPage(described(['clickBox']))).toContain('&quot;clicked&quot; or &quot;one_star_a_day&quot;')
})

test('a call that returns a file is documented without an envelope', () => {
  const { responses, parameters, requestBody } = operationOf('logsCsv')
  expect(responses[200].content).toEqual({ 'text/*': { schema: { type: 'string' } } })
  expect(requestBody).toBeUndefined()
  expect(parameters.map((each) => each.name)).toEqual(['asset', 'kind', 'kinds', 'search', 'from', 'to'])
  expect(apiPage(described(['logsCsv']))).toContain('A success is a file.')
})

test.each(ALL.filter((name) => !('returnsFile' in routes[name])))(
  'the schemas of %s are JSON schemas and reject other values',
  async (name) => {
    const { requestBody, responses } = operationOf(name)
    const validate = await validatorOf(responses[200].content['application/json']?.schema as object)
    expect(validate({})).toBe(false)
    expect(validate({ code: 10001, msg: 'Please sign in again', data: {} })).toBe(false)
    for (const { schema } of Object.values(requestBody?.content ?? {})) {
      const payload = await validatorOf(schema)
      expect(payload([])).toBe(false)
      expect(payload(null)).toBe(false)
    }
  },
)

test("a payload's schema accepts what its call accepts, in both encodings", async () => {
  const schema = operationOf('doSwap').requestBody?.content['application/json']?.schema as object
  const isValid = await validatorOf(schema)
  const payload = {
    pool_id: 'bnb-usdt',
    amount: '1.5',
    inverse: 0,
    min_amount_out: '0',
    deadline: '2026-11-21T09:00:00Z',
  }
  expect(isValid(payload)).toBe(true)
  expect(isValid({ ...payload, inverse: '1', deadline: 1_795_251_600 })).toBe(true)
  expect(isValid({ ...payload, inverse: 2 })).toBe(false)
  expect(isValid({ ...payload, amount: 1.5 })).toBe(false)
  const { amount: _, ...incomplete } = payload
  expect(isValid(incomplete)).toBe(false)
})

test('an optional field is optional in the document too', () => {
  const schema = operationOf('login').requestBody?.content['application/json']?.schema
  expect((schema as { required: string[] }).required).toEqual(['address', 'signature'])
})

const SECURITY = { none: undefined, optional: [{}, { token: [] }], required: [{ token: [] }] } as const

test('the document marks calls that need a token or an Idempotency-Key', () => {
  for (const name of ALL) {
    const { security, parameters } = operationOf(name)
    expect([name, security]).toEqual([name, SECURITY[routes[name].session]])
    expect([name, parameters.some((each) => each.name === 'Idempotency-Key')]).toEqual([name, routes[name].idempotent])
  }
})

test('the page describes each call, and takes no markup from its title', () => {
  const page = apiPage(described(PUBLIC, { title: 'Well & <script>alert(1)</script>' }))
  expect(page).toContain('<title>Well &amp; &lt;script&gt;alert(1)&lt;/script&gt; API</title>')
  expect(page).not.toContain('<script')
  for (const name of PUBLIC) {
    const { method, path } = routes[name]
    expect(page).toContain(`<h3 id="${name}">${method} <code>/api${path}</code></h3>`)
  }
  expect(page).not.toContain('/Local/')
  expect(page).toContain('<th scope="row">20001</th><td>200</td><td>Balance not enough</td>')
})

test('the page groups the calls by feature', () => {
  const groups = [
    { name: 'swap', routes: ['pairs'] },
    { name: 'wallet', routes: ['balances', 'buy'] },
  ] as const
  const document = openApiDocument({ title: 'Clearwell', groups, hasStream: false })
  expect(document.tags).toEqual([{ name: 'swap' }, { name: 'wallet' }])
  expect(document.paths['/Wallet/buy']?.post?.tags).toEqual(['wallet'])
  const headings = [...apiPage(document).matchAll(/<h([23]) id="([^"]+)"/g)].map(([, level, id]) => `${level} ${id}`)
  expect(headings).toEqual([
    '2 contents',
    '2 feature-swap',
    '3 pairs',
    '2 feature-wallet',
    '3 balances',
    '3 buy',
    '2 codes',
  ])
})

test('the page shows which calls need a session or a key', () => {
  const sentence = (name: RouteName) => /<p>((?:Needs|Works).*?)<\/p>/.exec(apiPage(described([name])))?.[1]
  expect(sentence('pairs')).toBe('Works without a session.')
  expect(sentence('balances')).toBe('Needs a session.')
  expect(sentence('doSwap')).toBe('Needs a session. Takes an <code>Idempotency-Key</code>.')
})

test('the page lists nested fields and lists of objects by their path', () => {
  const page = apiPage(described(['orders', 'config']))
  expect(page).toContain('<code>items[].transaction_id</code>')
  expect(page).toContain('<code>fees.revenue_split.rewards</code>')
})

test('the document describes the served stream with its events and refusals', () => {
  const document = described([], { hasStream: true })
  expect(document.paths).toMatchObject({ '/stream': { get: { operationId: 'stream', security: [{}, { token: [] }] } } })
  const page = apiPage(document)
  for (const text of [
    'GET <code>/api/stream</code>',
    '<td>Too many requests. Wait a moment and try again.</td>',
    'Last-Event-ID',
  ])
    expect(page).toContain(text)
  for (const event of ['ready', 'pairs', 'ticker:&lt;symbol&gt;', 'entry', 'reset', 'unavailable', 'signed_out'])
    expect(page).toContain(`Event ${event}`)
  expect(apiPage(described([]))).not.toContain('/stream')
})
