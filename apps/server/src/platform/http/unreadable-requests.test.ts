import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from './create-app.ts'

let app: FastifyInstance
const bugs: unknown[] = []
beforeAll(async () => {
  app = await createApp({
    handlers: { getNonce: () => ({ nonceStr: 'sign this' }) },
    findSession: async () => undefined,
    failingParts: () => [],
    onBug: (error) => bugs.push(error),
    requestsPerMinute: 1_000_000,
    webFolder: undefined,
    connectOrigins: [],
    productName: 'Clearwell',
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  expect(bugs).toEqual([])
})

/** Sends bytes as they are and reads the response to its end. */
async function send(bytes: string): Promise<{ status: number; head: string; body: unknown }> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) }
}

const PATH = '/api/DappUser/getNonce'
const HOST = 'Host: x\r\nAccept-Language: en\r\nConnection: close\r\n'
const invalid = (field: string) => ({ code: 20000, data: { fields: { [field]: expect.any(String) } } })

test.each([
  ['headers of more than 16 KiB', `GET ${PATH} HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(17_000)}\r\n\r\n`, 431, 'headers'],
  ['an address of more than 16 KiB', `GET ${PATH}?${'a'.repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`, 431, 'headers'],
  ['an address that is not UTF-8', `GET ${PATH}/%ff HTTP/1.1\r\n${HOST}\r\n`, 400, 'path'],
  ['an address with a space', `GET ${PATH} a HTTP/1.1\r\n${HOST}\r\n`, 400, 'request'],
  ['bytes that are no request', 'hello\r\n\r\n', 400, 'request'],
  ['two lengths', `POST ${PATH} HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400, 'request'],
  ['a method that HTTP lacks', `FETCH ${PATH} HTTP/1.1\r\n${HOST}\r\n`, 400, 'request'],
  [
    'a body of more than 64 KiB',
    `POST ${PATH} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 65537\r\n\r\n${'a'.repeat(65_537)}`,
    413,
    'body',
  ],
  [
    'a body in pieces of more than 64 KiB',
    `POST ${PATH} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n11170\r\n${'a'.repeat(70_000)}\r\n0\r\n\r\n`,
    413,
    'body',
  ],
  [
    'a body of another type',
    `POST ${PATH} HTTP/1.1\r\n${HOST}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`,
    400,
    'Content-Type',
  ],
  ['CONNECT', `CONNECT x:443 HTTP/1.1\r\n${HOST}\r\n`, 400, 'request'],
])('a request with %s gets an envelope', async (_about, bytes, status, field) => {
  const reply = await send(bytes)
  expect(reply).toMatchObject({ status, body: invalid(field) })
  expect(reply.head).toMatch(/^content-type: application\/json/im)
  expect(reply.head).toMatch(/^x-trace-id: [0-9a-f-]{36}$/im)
})

test.each([
  ['no Host', `POST ${PATH} HTTP/1.1\r\nAccept-Language: en\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`],
  ['an expectation', `POST ${PATH} HTTP/1.1\r\n${HOST}Expect: tea\r\nContent-Length: 0\r\n\r\n`],
])('a request with %s is read like any other', async (_about, bytes) => {
  expect(await send(bytes)).toMatchObject({ status: 400, body: invalid('address') })
})

test('a request line of an unknown path and method gets an envelope', async () => {
  expect(await send(`PROPFIND * HTTP/1.1\r\n${HOST}\r\n`)).toMatchObject({ status: 404, body: { code: 20009 } })
})
