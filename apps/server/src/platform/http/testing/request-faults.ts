import { deep, isOutside } from './field-values.ts'
import { ODD_VALUES } from './payload-values.ts'
import { pick } from './random-choice.ts'
import { type Draft, formOf } from './request-draft.ts'

/** The most bytes of a request's body and headers that the server reads, and a little more. */
const [LONG_BODY, LONG_HEADER] = [64 * 1024 + 1, 17_000]

/** How a server must treat a request with a fault. */
export interface Verdict {
  /** No server may do what such a request asks. */
  readonly mustRefuse?: boolean
  /** The sender ends its side in the middle. */
  readonly isCut?: boolean
  /** The HTTP status, where one alone is right. */
  readonly status?: number
}

/** Changes a draft, and returns how a server must treat it. */
type Fault = (draft: Draft) => Verdict

const REFUSED: Verdict = { mustRefuse: true }

/** Faults of the payload. */
export const IN_FIELDS: Readonly<Record<string, Fault>> = {
  'a field is missing'({ fields, random, call }) {
    const name = pick(Object.keys(fields), random)
    if (name === undefined) return {}
    delete fields[name]
    return { mustRefuse: call.payload.required?.includes(name) === true }
  },
  'an odd value': (draft) => replace(draft, pick(ODD_VALUES, draft.random)),
  'a value of another kind': (draft) =>
    replace(draft, pick([null, true, 0, -1, 1e308, 0.1, [], {}, [[]], ['a', 'b'], { a: 'b' }, [null]], draft.random)),
  'a huge value': (draft) => replace(draft, pick(['x', '9', '👛', '\u0000', 'é', '0x'], draft.random).repeat(2_500)),
  'a number that is none': (draft) => replace(draft, pick(['NaN', '-Infinity', '1e999', '--1', '-0.5'], draft.random)),
  'odd characters': (draft) =>
    replace(
      draft,
      pick(['\ud800', '\u202e12', '１２', '١٢', '\ufeff1', 'ＵＳＤＴ', 'U\u0301SDT', '\u0000'], draft.random),
    ),
  'more fields'({ fields, random }) {
    for (let left = random(30); left >= 0; left -= 1) fields[`more_${left}`] = pick(ODD_VALUES, random)
    return {}
  },
  'too many fields'(draft) {
    for (let index = 0; index < 120; index += 1) draft.fields[`more_${index}`] = '1'
    return { mustRefuse: draft.as !== 'json' }
  },
  'a name of the language'({ fields, random }) {
    Object.defineProperty(fields, pick(['__proto__', 'constructor', 'prototype'], random), {
      value: { admin: true },
      enumerable: true,
    })
    return REFUSED
  },
  'a deep value'({ fields, random }) {
    fields[pick(['more', ...Object.keys(fields)], random)] = deep(5 + random(60))
    return REFUSED
  },
  'nothing wrong': () => ({}),
}

/** Faults of the bytes around the payload, which none of them makes right. */
export const IN_BYTES: Readonly<Record<string, Fault>> = {
  'a name twice'(draft) {
    const [name = 'more', value] = pick(Object.entries(draft.fields), draft.random) ?? []
    if (draft.as === 'json') {
      const text = JSON.stringify(draft.fields)
      draft.body = `${text.slice(0, -1)}${text === '{}' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value ?? 1)}}`
    } else draft.body = `${formOf(draft.fields)}&${formOf({ [name]: value ?? '1' })}`
    return {}
  },
  'a body cut short'(draft) {
    if (draft.as !== 'json') return cutLength(draft)
    const text = JSON.stringify({ ...draft.fields, more: 'x' })
    draft.body = text.slice(0, 1 + draft.random(text.length - 1))
    return REFUSED
  },
  'a body that ends before its length': cutLength,
  'a body of another type'(draft) {
    draft.as = 'json'
    const types = ['text/plain', 'application/xml', 'image/png', ';', 'json', '', 'application/octet-stream', 'é']
    draft.contentType = pick(types, draft.random)
    return isPost(draft)
  },
  'form data that is none'(draft) {
    draft.body = `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'1'.repeat(draft.random(200))}`
    draft.contentType = pick(['multipart/form-data', 'multipart/form-data; boundary=x', 'multipart/'], draft.random)
    return isPost(draft)
  },
  'a body that is no object'(draft) {
    draft.body = pick(['[', '{', 'null', '[]', '"', '1', '{"a":}', '\u0000', "{'a':1}", '{"a":NaN}'], draft.random)
    draft.contentType = 'application/json'
    return isPost(draft)
  },
  'bytes that are no text'(draft) {
    // Begins with a byte that UTF-8 does not have: spaces alone would be an empty body.
    draft.body = Buffer.from([0xff, ...Array.from({ length: draft.random(300) }, () => draft.random(256))])
    draft.contentType = pick(['application/json', 'application/json; charset=utf-16'], draft.random)
    return isPost(draft)
  },
  'a body that is too large'(draft) {
    draft.body = Buffer.alloc(LONG_BODY + draft.random(100_000), 'a=1&')
    return draft.call.method === 'POST' ? { ...REFUSED, status: 413 } : {}
  },
  'headers that are too long'(draft) {
    const name = pick(['X-More', 'XX-Token', 'Cookie', 'Accept-Language', 'Idempotency-Key'], draft.random)
    draft.headers.push([name, 'a'.repeat(LONG_HEADER + draft.random(20_000))])
    return { ...REFUSED, status: 431 }
  },
  'an address that is too long'(draft) {
    draft.path = `/api${draft.call.path}?a=${'a'.repeat(LONG_HEADER + draft.random(20_000))}`
    return { ...REFUSED, status: 431 }
  },
  'an address that is not readable'(draft) {
    const ends = [
      '/%ff',
      '/%',
      '/%zz',
      ' a',
      '/\u0001',
      '/é',
      '/..',
      '//',
      '/%2e%2e/%2e%2e',
      '/\\',
      '/%00',
      '/a'.repeat(300),
    ]
    draft.path = `/api${draft.call.path}${pick(ends, draft.random)}`
    return REFUSED
  },
  'another method'(draft) {
    draft.method = pick(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'FETCH', 'post', ''], draft.random)
    return REFUSED
  },
  'odd headers'(draft) {
    const odd: [string, string][] = [
      ['XX-Token', 'é'.repeat(40)],
      ['XX-Token', '0'.repeat(64)],
      ['Idempotency-Key', 'bad'],
      ['Idempotency-Key', 'long-enough-key'],
      ['Accept-Language', ';;q=,*,zz-ZZ'],
      ['XX-Device-Type', '\u0080'],
      ['X-Forwarded-For', "1.2.3.4, ' or 1=1"],
      ['Content-Encoding', 'gzip'],
      ['Expect', 'tea'],
      ['If-None-Match', '"a", W/"'],
      ['Range', 'bytes=9-1'],
    ]
    draft.headers.push(pick(odd, draft.random), pick(odd, draft.random))
    return {}
  },
  'another byte'(draft) {
    // In the request line and the token alone: elsewhere it could change how much the server waits for.
    const [at, byte] = [draft.random(60), draft.random(256)]
    draft.change = (bytes) => Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + 1)])
    return {}
  },
}

function replace({ fields, as, random, call }: Draft, value: unknown): Verdict {
  const name = pick(Object.keys(call.payload.properties ?? {}), random)
  if (name === undefined) return {}
  fields[name] = value
  const isRequired = call.payload.required?.includes(name) === true
  return { mustRefuse: isRequired && isOutside(call.payload.properties?.[name], value, as === 'json') }
}

function cutLength(draft: Draft): Verdict {
  if (draft.call.method === 'GET') return {}
  draft.change = (bytes) => bytes.subarray(0, bytes.length - 1 - draft.random(10))
  draft.body =
    draft.as === 'json'
      ? JSON.stringify({ ...draft.fields, more: 'x'.repeat(20) })
      : `${formOf(draft.fields)}&more=xxxxxxxxxx`
  return { ...REFUSED, isCut: true }
}

function isPost({ call }: Draft): Verdict {
  return { mustRefuse: call.method === 'POST' }
}
