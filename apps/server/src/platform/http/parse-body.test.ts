import { Refusal } from '@clearwell/ledger/refusal'
import fc from 'fast-check'
import qs from 'qs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseForm, parseJson, parseMultipart, parsePayload, parseQuery } from './parse-body.ts'

/** The field that a text is refused for. */
function refusedField(parse: (text: string) => unknown, text: string): string {
  try {
    parse(text)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(error.refusal).toBe('invalid_input')
    return Object.keys((error.data as { fields: object }).fields).join()
  }
  throw new Error('it was not refused')
}

describe('a form', () => {
  test.each([
    ['', {}],
    ['a=1&b=two%20words', { a: '1', b: 'two words' }],
    ['a=x+y', { a: 'x y' }],
    ['a', { a: '' }],
    ['a=%E5%95%9F%E7%94%A8', { a: '啟用' }],
    ['a[b]=1&a[c][d]=2', { a: { b: '1', c: { d: '2' } } }],
    ['a[b][c][d]=1', { a: { b: { c: { d: '1' } } } }],
    ['ids[]=x&ids[]=y', { ids: ['x', 'y'] }],
    ['ids[0]=x&ids[1]=y', { ids: ['x', 'y'] }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['toString=1', { toString: '1' }],
    ['a=%zz', { a: '%zz' }],
  ])('%s is read', (text, expected) => {
    expect(parseForm(text)).toEqual(expected)
  })

  test.each([
    ['__proto__[admin]=1', '__proto__'],
    ['__proto__=1', '__proto__'],
    ['a[__proto__][admin]=1', '__proto__'],
    ['a[__proto__]=1', '__proto__'],
    ['%5F%5Fproto%5F%5F[admin]=1', '__proto__'],
    ['a[b][%5F%5Fproto__]=1', '__proto__'],
    ['[__proto__]=1', '__proto__'],
    ['[__proto__][admin]=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['constructor[prototype][admin]=1', 'constructor'],
    ['a[prototype]=1', 'prototype'],
    ['a[b][c][d][e]=1', 'body'],
    ['a[b][c][d][]=1', 'body'],
  ])('%s is refused', (text, field) => {
    expect(refusedField(parseForm, text)).toBe(field)
  })

  test.each([
    ['101 parameters', Array.from({ length: 101 }, (_, i) => `p${i}=1`).join('&')],
    ['a list of 61', 'ids[]=1&'.repeat(61)],
    ['5000 brackets', `a${'[b]'.repeat(5000)}=1`],
  ])('%s are refused', (_name, text) => {
    expect(refusedField(parseForm, text)).toBe('body')
  })

  test('100 parameters are read', () => {
    const text = Array.from({ length: 100 }, (_, i) => `p${i}=1`).join('&')
    expect(Object.keys(parseForm(text))).toHaveLength(100)
  })

  test('a form means the same with and without brackets', () => {
    const part = fc.constantFrom(
      ...['a', 'b', '=', '&', '+', ' ', '%', '%20', '%2B', '%26', '%3D', '%25', '%255B', '%zz', '%00', '%e5', '%C3%9F'],
      ...['啟', '👛', '\ud800', '0', '1', '.', ',', ';', '"x"', '&#9786;', 'toString', 'hasOwnProperty', '__proto__'],
      ...['constructor', '%5F%5Fproto__', 'utf8=%E2%9C%93'],
    )
    const outcome = (text: string) => {
      try {
        return parseForm(text)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return error.data
      }
    }
    const withBrackets = (text: string) => {
      const { z: _, ...form } = outcome(`${text}&z%5B%5D=1`) as Record<string, unknown>
      return form
    }
    const text = fc.oneof(
      fc.array(part, { maxLength: 60 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }).filter((each) => !/[[\]z]/.test(each)),
      fc
        .array(fc.tuple(fc.stringMatching(/^[a-y_]{1,8}$/), fc.string()), { maxLength: 20 })
        .map((fields) => new URLSearchParams(fields).toString().replaceAll(/%5[bd]/gi, '')),
    )
    fc.assert(
      fc.property(text, (form) => {
        expect(outcome(form)).toEqual(withBrackets(form))
        expect(Object.keys(outcome(form))).toEqual(Object.keys(withBrackets(form)))
      }),
      { numRuns: 500 },
    )
  })

  test('any form text is parsed or refused without changing a prototype', () => {
    const part = fc.constantFrom('a', '[', ']', '=', '&', '%', '__proto__', 'constructor', '0', '[]', '%00', '%5B')
    const text = fc.oneof(
      fc.string(),
      fc.array(part).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (form) => {
        try {
          expect(Object.getPrototypeOf(parseForm(form))).toBe(Object.prototype)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
        }
        expect(({} as Record<string, unknown>).a).toBeUndefined()
      }),
    )
  })
})

describe('a query', () => {
  test('decodes each element of a list from JSON', { tags: ['§5.20'] }, () => {
    const list = ['x', 2, true, null, 'a "quoted" &=[] text', { side: 'buy', of: ['BNB'] }]
    const query = new URLSearchParams(list.map((element): [string, string] => ['ids[]', JSON.stringify(element)]))
    expect(parseQuery(`${query}&limit=20&name="x"`)).toEqual({ ids: list, limit: '20', name: '"x"' })
  })

  test('reads an element that is no JSON as text', () => {
    expect(parseQuery('ids[]=x&ids[]=%7B')).toEqual({ ids: ['x', '{'] })
  })

  test.each([
    ['{"__proto__":{"admin":1}}', '__proto__'],
    ['{"a":{"constructor":1}}', 'constructor'],
    ['{"a":{"b":{"c":{"d":1}}}}', 'body'],
  ])('rejects the element %s', (element, field) => {
    expect(refusedField(parseQuery, `ids[]=${encodeURIComponent(element)}`)).toBe(field)
  })
})

describe('a JSON body', () => {
  test.each([
    ['', {}],
    ['  \n', {}],
    ['{}', {}],
    ['{"a":1,"b":[{"c":null}]}', { a: 1, b: [{ c: null }] }],
    ['{"a":{"b":{"c":{"d":1}}}}', { a: { b: { c: { d: 1 } } } }],
    ['{"toString":"x"}', { toString: 'x' }],
  ])('%s is read', (text, expected) => {
    expect(parseJson(text)).toEqual(expected)
  })

  test.each([
    ['{', 'body'],
    ['{"a":1', 'body'],
    ['{"a":1}x', 'body'],
    ["{'a':1}", 'body'],
    ['a=1', 'body'],
    ['[]', 'body'],
    ['[{"address":"x"}]', 'body'],
    ['null', 'body'],
    ['1', 'body'],
    ['"text"', 'body'],
    ['NaN', 'body'],
    ['{"__proto__":{"admin":1}}', '__proto__'],
    ['{"a":{"__proto__":1}}', '__proto__'],
    ['{"\\u005f_proto__":1}', '__proto__'],
    ['{"constructor":{"prototype":{}}}', 'constructor'],
    ['{"a":[{"prototype":1}]}', 'prototype'],
    ['{"a":{"b":{"c":{"d":{"e":1}}}}}', 'body'],
    ['{"a":[[[[1]]]]}', 'body'],
  ])('%s is refused', (text, field) => {
    expect(refusedField(parseJson, text)).toBe(field)
  })
})

test.each([
  ['lists', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ['objects', `{"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
])('thousands of nested %s are refused', (_name, text) => {
  expect(refusedField(parseJson, text)).toBe('body')
})

test('a text payload means the same as form and as JSON', () => {
  const key = fc
    .stringMatching(/^[a-z_]{1,8}$/)
    .filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text))
  const leaf = fc.string({ unit: 'binary', minLength: 1 })
  const within = (depth: number): fc.Arbitrary<unknown> =>
    depth === 0
      ? leaf
      : fc.oneof(leaf, fc.dictionary(key, within(depth - 1), { minKeys: 1, maxKeys: 3, noNullPrototype: true }))
  fc.assert(
    fc.property(fc.dictionary(key, within(3), { maxKeys: 3, noNullPrototype: true }), (payload) => {
      const asForm = parseForm(qs.stringify(payload, { arrayFormat: 'brackets' }))
      expect(JSON.parse(JSON.stringify(asForm))).toEqual(parseJson(JSON.stringify(payload)))
    }),
  )
})

describe('parseMultipart', () => {
  const read = async (form: FormData | string, type?: string) => {
    const request = new Response(form)
    const contentType = type ?? (request.headers.get('content-type') as string)
    return parseMultipart(Buffer.from(await request.arrayBuffer()), contentType)
  }
  const formOf = (fields: Readonly<Record<string, string | Blob>>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    return form
  }

  test('reads text fields as a form does', { tags: ['§7.05'] }, async () => {
    const form = formOf({ amount: '1.5', 'a[b]': 'x & y=z', name: '明池' })
    expect(await read(form)).toEqual({ amount: '1.5', a: { b: 'x & y=z' }, name: '明池' })
  })

  test('refuses files, broken bodies, forbidden keys and too many fields', async () => {
    await expect(read(formOf({ file: new Blob(['x']) }))).rejects.toThrow('invalid_input')
    await expect(read('--x', 'multipart/form-data; boundary=y')).rejects.toThrow('invalid_input')
    await expect(read('a', 'multipart/form-data')).rejects.toThrow('invalid_input')
    await expect(read(formOf({ __proto__x: '1', 'constructor[a]': '1' }))).rejects.toThrow('invalid_input')
    const many = new FormData()
    for (let field = 0; field <= 100; field++) many.append(`f${field}`, '1')
    await expect(read(many)).rejects.toThrow('invalid_input')
  })
})

test('a refused field says why', () => {
  const schema = z.object({
    day: z.string(),
    limit: z.number(),
    board: z.enum(['power', 'volume']),
    name: z.string().check(z.maxLength(3)),
    depth: z.number().check(z.gte(1)),
  })
  const reasons = (body: unknown) => {
    try {
      parsePayload(schema, body)
    } catch (error) {
      return (error as Refusal).data
    }
    throw new Error('expected a refusal')
  }
  expect(reasons({ limit: 'x', board: 'leads', name: 'long', depth: 0 })).toEqual({
    fields: {
      day: 'missing',
      limit: 'not a number',
      board: 'must be power or volume',
      name: 'must be at most 3 characters',
      depth: 'must be at least 1',
    },
  })
})
