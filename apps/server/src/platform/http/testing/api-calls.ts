import type { JsonSchema } from '../json-schema.ts'
import type { OpenApiDocument, Operation } from '../open-api.ts'

/** A call as an OpenAPI document describes it. */
export interface ApiCall {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly payload: JsonSchema
  /** The numbers of the codes that the document states. */
  readonly codes: ReadonlySet<number>
  readonly takesKey: boolean
}

/** The calls that an OpenAPI document lists, without the stream, which does not end. */
export function callsOf({ paths }: OpenApiDocument): ApiCall[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(() => path !== '/stream')
      .map(([method, operation]) => ({
        name: operation.operationId,
        method: method.toUpperCase() as 'GET' | 'POST',
        path,
        payload: payloadOf(operation),
        codes: new Set([1, ...operation['x-refusals'].map(({ code }) => code)]),
        takesKey: operation.parameters.some(({ name }) => name === 'Idempotency-Key'),
      })),
  )
}

function payloadOf({ parameters, requestBody }: Operation): JsonSchema {
  const body = requestBody?.content['application/json']?.schema
  if (body) return body
  const query = parameters.filter((each) => each.in === 'query')
  return {
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  }
}
