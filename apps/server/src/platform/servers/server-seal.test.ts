import { expect, test } from 'vitest'
import { bodyHashOf, createServerSeal, FORWARDED } from './server-seal.ts'

const SECRET = Buffer.alloc(32, 7)
let nowMs = Date.parse('2026-11-24T09:00:00Z')
const clock = { now: () => new Date(nowMs) }
const seal = createServerSeal({ secret: SECRET, clock })

const request = {
  method: 'POST',
  path: '/api/Wallet/sell?x=1',
  headers: { 'xx-token': 'token', 'idempotency-key': 'key-00001', 'accept-language': 'en' },
  body: '{"asset":"BNB"}',
  clientAddress: '2001:db8:1:2',
}
const signed = (by = seal, to = 'leader') => ({
  ...request,
  headers: { ...request.headers, [FORWARDED]: by.sign(request, to) },
})

test('the seal names the client and the body to the addressee', () => {
  expect(seal.verify(signed(), 'leader')).toEqual({
    clientAddress: '2001:db8:1:2',
    bodyHash: bodyHashOf(request.body),
  })
})

test.each([
  ['another addressee', signed(seal, 'former leader')],
  ['another secret', signed(createServerSeal({ secret: Buffer.alloc(32, 8), clock }))],
  ['no secret', signed(createServerSeal({ secret: undefined, clock }))],
  ['another path', { ...signed(), path: '/api/Wallet/sell?x=2' }],
  ['another method', { ...signed(), method: 'GET' }],
  ['another token', { ...signed(), headers: { ...signed().headers, 'xx-token': 'other' } }],
  ['another key', { ...signed(), headers: { ...signed().headers, 'idempotency-key': 'key-00002' } }],
  ['another client', changedClaim(1, '192.0.2.9')],
  ['another body', changedClaim(2, bodyHashOf('{}'))],
  ['a later time', changedClaim(0, String(nowMs + 1_000))],
  ['no seal', request],
  ['a malformed seal', { ...request, headers: { ...request.headers, [FORWARDED]: 'leader' } }],
])('the seal is refused for %s', (_name, received) => {
  expect(seal.verify(received, 'leader')).toBeUndefined()
})

test('the seal is refused after a minute', () => {
  const received = signed()
  nowMs += 60_000
  expect(seal.verify(received, 'leader')).toBeDefined()
  nowMs += 1
  expect(seal.verify(received, 'leader')).toBeUndefined()
})

test('servers without a secret accept each other by name', () => {
  const plain = createServerSeal({ secret: undefined, clock })
  expect(plain.verify(signed(plain), 'leader')).toBeDefined()
  expect(plain.verify(signed(plain), 'another')).toBeUndefined()
})

function changedClaim(place: number, value: string) {
  const { headers, ...rest } = signed()
  const claims = headers[FORWARDED].split(' ')
  return { ...rest, headers: { ...headers, [FORWARDED]: claims.with(place, value).join(' ') } }
}
