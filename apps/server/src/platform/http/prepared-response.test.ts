import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp } from './create-app.ts'
import { PreparedResponse } from './prepared-response.ts'

let app: FastifyInstance
let response: PreparedResponse
beforeEach(async () => {
  response = new PreparedResponse([{ id: 'bnb-usdt', name: '幣' }])
  app = await createApp({
    handlers: { pairs: async () => response },
    findSession: async () => undefined,
    failingParts: () => [],
    onBug: (error) => {
      throw error
    },
    requestsPerMinute: 1_000_000,
    webFolder: undefined,
    connectOrigins: [],
    productName: 'Clearwell',
  })
})
afterEach(() => app.close())

const ask = (headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/api/SwapPool/pairs', headers: { 'accept-language': 'en', ...headers } })

test('a client without ETags gets the envelope each time', async () => {
  for (let count = 0; count < 2; count++) {
    const reply = await ask()
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toEqual({ code: 1, msg: 'ok', data: [{ id: 'bnb-usdt', name: '幣' }] })
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      'content-length': String(reply.rawPayload.length),
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    })
  }
})

test('a client with the current ETag gets an empty 304', async () => {
  const { etag } = (await ask()).headers
  const unchanged = await ask({ 'if-none-match': String(etag) })
  expect([unchanged.statusCode, unchanged.body, unchanged.headers.etag]).toEqual([304, '', etag])
  response = new PreparedResponse([])
  expect((await ask({ 'if-none-match': String(etag) })).json().data).toEqual([])
  response = new PreparedResponse([{ id: 'bnb-usdt', name: '幣' }])
  expect((await ask({ 'if-none-match': String(etag) })).statusCode).toBe(304)
})

test('each language has a separate prepared response', async () => {
  const { etag } = (await ask()).headers
  const reply = await ask({ 'if-none-match': String(etag), 'accept-language': 'zh-HK' })
  expect([reply.statusCode, reply.json().msg]).toEqual([200, '成功'])
})

test.each(['*', 'W/"x"', '"', 'x'.repeat(8000)])('If-None-Match %s gets the envelope', async (tag) => {
  expect((await ask({ 'if-none-match': tag })).statusCode).toBe(200)
})
