import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { refuseForeignOrigins } from './own-origin.ts'

let app: FastifyInstance
afterEach(() => app.close())

async function statusOf(
  headers: Record<string, string>,
  { method = 'POST', publicUrl }: { method?: 'POST' | 'GET'; publicUrl?: string } = {},
): Promise<number> {
  app = fastify()
  app.setErrorHandler((error, _request, reply) => reply.code(400).send(String(error)))
  refuseForeignOrigins(app, publicUrl)
  app.route({ method: ['GET', 'POST'], url: '/api/Local/price', handler: async () => 'ok' })
  const reply = await app.inject({ method, url: '/api/Local/price', headers: { host: '127.0.0.1:3000', ...headers } })
  return reply.statusCode
}

describe('a call in the local profile', () => {
  /**
   * @attack S20 Any website set prices and moved the clock of a developer's local server with a plain form.
   * @holds A call with a foreign Origin or Host is rejected in the local profile.
   */
  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: '' }],
    [{ origin: 'http://localhost:8080' }],
    [{ origin: 'http://127.0.0.1.evil.example:3000' }],
    [{ host: 'evil.example:3000' }],
    [{ host: 'evil.example:3000', origin: 'http://evil.example:3000' }],
    [{ host: 'evil.example@127.0.0.1.example:3000' }],
  ])('is rejected from %o', async (headers) => {
    expect(await statusOf(headers as Record<string, string>)).toBe(400)
  })

  test.each([
    [{}],
    [{ origin: 'http://127.0.0.1:3000' }],
    [{ host: 'localhost:3000', origin: 'http://localhost:3000' }],
    [{ host: '[::1]:3000', origin: 'http://[::1]:3000' }],
    [{ host: 'localhost:3000', origin: 'http://127.0.0.1:3000' }],
  ])('passes from %o', async (headers) => {
    expect(await statusOf(headers as Record<string, string>)).toBe(200)
  })

  test('passes through the proxy of the development server', async () => {
    const publicUrl = 'http://localhost:5173'
    expect(await statusOf({ origin: 'http://localhost:5173' }, { publicUrl })).toBe(200)
    await app.close()
    expect(await statusOf({ origin: 'http://localhost:5174' }, { publicUrl })).toBe(400)
  })

  test('passes from anywhere if it only reads', async () => {
    expect(await statusOf({ origin: 'https://evil.example' }, { method: 'GET' })).toBe(200)
  })
})
