import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CONFIG_PARTS } from '../load-config.ts'
import { fieldsOf, jsonSchema } from '../platform/http/json-schema.ts'
import { composeSchema } from './read-config.ts'
import { withDefaults } from './with-defaults.ts'

type Json = Record<string, unknown>

test('an absent key has its part of the default at every depth', () => {
  const inner = z.strictObject({ a: z.number(), b: z._default(z.number(), 3) })
  const schema = withDefaults(z.strictObject({ inner, list: z.array(z.number()) }), {
    inner: { a: 1, b: 2 },
    list: [4],
  })
  expect(z.parse(schema, undefined)).toEqual({ inner: { a: 1, b: 2 }, list: [4] })
  expect(z.parse(schema, { inner: { a: 9 } })).toEqual({ inner: { a: 9, b: 3 }, list: [4] })
})

const schema = composeSchema(CONFIG_PARTS)
/** The keys with a default. No file has the elements of lists, nor the relay of an absent project. */
const withDefault = fieldsOf(jsonSchema(schema, 'input')).filter(
  ({ path, default: own }) => own !== undefined && !/\[|^market\b|^walletConnect\./.test(path),
)

test.each(withDefault)('the file may omit $path alone', async ({ path, default: own }) => {
  const file = JSON.parse(await readFile(join(import.meta.dirname, '../../config/local.json'), 'utf8')) as Json
  // A copy: the parsed values share the objects of the defaults.
  const complete = structuredClone(schema.parse(file)) as Json
  const keys = path.split('.')
  const last = keys.pop() as string
  const parent = (json: Json) => keys.reduce((object, key) => object[key] as Json, json)
  delete parent(complete)[last]
  expect(parent(schema.parse(complete) as Json)[last]).toEqual(own)
})
