import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from './create-app.ts'

const bugs: unknown[] = []
let app: FastifyInstance
beforeAll(async () => {
  app = await createApp({
    handlers: {},
    findSession: async () => undefined,
    failingParts: () => [],
    onBug: (error) => bugs.push(error),
    requestsPerMinute: 1_000_000,
    webFolder: undefined,
    connectOrigins: [],
    productName: 'Clearwell',
  })
})
afterAll(async () => {
  expect(bugs).toEqual([])
  await app.close()
})

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { 'accept-language': 'en', ...headers } })
const icons = async (names: string) => (await get(`/icons/lucide.json?icons=${names}`)).json()

const set = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('@iconify-json/lucide/icons.json')), 'utf8')) as {
  icons: Record<string, object>
  aliases: Record<string, { parent: string }>
  width: number
}

describe('the icon service', () => {
  test('the icon service returns only the requested icons and their size', async () => {
    const reply = await get('/icons/lucide.json?icons=wallet,house')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.json()).toMatchObject({
      prefix: 'lucide',
      icons: { wallet: set.icons.wallet, house: set.icons.house },
      width: set.width,
    })
    expect(Object.keys(reply.json().icons)).toEqual(['house', 'wallet'])
    expect(reply.json()).not.toHaveProperty('not_found')
  })

  test('the icon service returns the marks of all assets', async () => {
    const {
      icons: marks,
      prefix,
      width,
      not_found: missing,
    } = (await get('/icons/token.json?icons=bnb,eth,rt,usdt')).json()
    expect([prefix, width, Object.keys(marks), missing]).toEqual(['token', 32, ['bnb', 'eth', 'rt', 'usdt'], undefined])
  })

  test('the icon service returns the original icon for an alias', async () => {
    const [alias, { parent }] = Object.entries(set.aliases)[0] as [string, { parent: string }]
    expect(await icons(alias)).toMatchObject({
      aliases: { [alias]: { parent } },
      icons: { [parent]: set.icons[parent] },
    })
  })

  test.each([
    ['some names', 'wallet,no-such-icon', ['wallet'], ['no-such-icon']],
    ['all names', 'nothing,none', [], ['none', 'nothing']],
    ['names of what every object has', 'constructor,wallet', ['wallet'], ['constructor']],
  ])('the icon service lists %s that it does not know', async (_name, asked, found, missing) => {
    const response = await icons(asked)
    expect(Object.keys(response.icons)).toEqual(found)
    expect(response.not_found).toEqual(missing)
  })

  test('the icon service ignores order, repetition and escaping of names', async () => {
    const replies = await Promise.all(
      ['house,wallet,none', 'wallet,none,house', 'none,house,none,wallet', 'house%2Cwallet%2cnone'].map((names) =>
        get(`/icons/lucide.json?icons=${names}`),
      ),
    )
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(1)
  })

  test('icons are cached publicly for an hour and revalidated with 304', async () => {
    const url = '/icons/lucide.json?icons=wallet'
    const { headers } = await get(url)
    expect(headers['cache-control']).toBe('public, max-age=3600')
    const etag = String(headers.etag)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(url, { 'if-none-match': known })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
      expect(again.headers['cache-control']).toBe('public, max-age=3600')
    }
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200)
    expect((await get('/icons/lucide.json?icons=house', { 'if-none-match': etag })).statusCode).toBe(200)
  })

  test('icons need no token and are closed to other sites', async () => {
    const { headers, statusCode } = await get('/icons/lucide.json?icons=wallet', { origin: 'https://evil.example' })
    expect(statusCode).toBe(200)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  test.each([
    ['another set', '/icons/mdi.json?icons=home'],
    ['a set named like a method', '/icons/constructor.json?icons=home'],
    ['no set', '/icons/.json?icons=home'],
    ['a path out of the folder', '/icons/..%2fpackage.json?icons=home'],
    ['the set as something else', '/icons/lucide.svg?icons=home'],
  ])('the icon service responds 404 to %s', async (_name, url) => {
    const { statusCode } = await get(url)
    expect(statusCode).toBe(404)
  })

  test('the icon service refuses a set of 300 letters', async () => {
    expect((await get(`/icons/${'x'.repeat(300)}.json?icons=home`)).json()).toMatchObject({ code: 20000 })
  })

  test('an unknown icon set gets an uncached envelope', async () => {
    const reply = await get('/icons/mdi.json?icons=home')
    expect(reply.json()).toEqual({ code: 20009, msg: 'We couldn’t find this. It may have been removed.', data: {} })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  const names = (count: number) => Array.from({ length: count }, (_, i) => `i${i}`).join(',')
  test.each([
    ['no names at all', ''],
    ['an empty list', '?icons='],
    ['an empty name', '?icons=wallet,'],
    ['a list under another name', '?icon=wallet'],
    ['two lists', '?icons=wallet&icons=house'],
    ['a name in capitals', '?icons=Wallet'],
    ['a path', '?icons=../wallet'],
    ['a prototype', '?icons=__proto__'],
    ['a character that is none', '?icons=%00'],
    ['what is no text', '?icons=%zz'],
    ['65 names', `?icons=${names(65)}`],
    [
      'an address of 501 characters',
      `?icons=wallet&x=${'x'.repeat(501 - '/icons/lucide.json?icons=wallet&x='.length)}`,
    ],
  ])('the icon service refuses %s as invalid input', async (_name, query) => {
    const reply = await get(`/icons/lucide.json${query}`)
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toEqual({
      code: 20000,
      msg: 'Invalid input',
      data: { fields: { icons: expect.stringMatching(/./) } },
    })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test('the icon service accepts 64 names and 500 unescaped characters', async () => {
    expect((await get(`/icons/lucide.json?icons=${names(64)}`)).json().not_found).toHaveLength(64)
    const start = '/icons/lucide.json?icons='
    const long = `${names(60)},`
    const url = `${start}${long}${'a'.repeat(500 - start.length - long.length - 65)},${'b'.repeat(64)}`
    expect(url.length).toBe(500)
    const refused = async (text: string) => (await get(text)).json().data?.fields?.icons
    // Its last but one name is too long; the address is not.
    expect(await refused(url.replaceAll(',', '%2C'))).toBe('names of a-z, 0-9 and -')
    expect(await refused(`${url.replaceAll(',', '%2C')}b`)).toBe('an address of at most 500 characters')
  })

  test('the icon service returns or refuses every query without failing', async () => {
    const part = fc.constantFrom('wallet', ',', '%2C', '%', '&', 'icons=', '[', ']', '__proto__', 'constructor', '%00')
    await fc.assert(
      fc.asyncProperty(fc.array(part), async (parts) => {
        expect([200, 400]).toContain((await get(`/icons/lucide.json?icons=${parts.join('')}`)).statusCode)
      }),
    )
  })
})

test('the icon set is read once for all requests', async () => {
  const other = fastify()
  const { serveIcons } = await import('./icons.ts')
  serveIcons(other)
  const bodies = await Promise.all(
    Array.from({ length: 5 }, async () => (await other.inject({ url: '/icons/lucide.json?icons=wallet' })).body),
  )
  expect(new Set(bodies).size).toBe(1)
  await other.close()
})
