import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from './create-app.ts'
import { encodingFor } from './web-app.ts'

const HOME = '<!doctype html><html lang="zh-HK"><style>p{}</style><script>mode()</script>首頁</html>'
const ENGLISH = '<!doctype html><html lang="en"><style>p{}</style><script>mode("en")</script>Home</html>'
const SCRIPT = 'export const answer = 42\n'.repeat(200)

let around: string
let folder: string
let app: FastifyInstance | undefined
beforeEach(async () => {
  around = await mkdtemp(join(tmpdir(), 'clearwell-web-'))
  // A folder above that has the name of the immutable one.
  folder = join(around, 'assets', 'dist')
  await write('index.html', HOME)
  await write('en/index.html', ENGLISH)
  await write('assets/app-1a2b3c.js', SCRIPT)
  await write('builds/latest.json', '{"id":"b1","builtAt":"2026-11-21T09:00:00Z"}')
  await write('white/_payload.json', '{"title":"白皮書"}')
  await write('../secret.txt', 'secret')
})
afterEach(async () => {
  await app?.close()
  app = undefined
  await rm(around, { recursive: true })
})

async function write(path: string, content: string | Buffer): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

async function open(): Promise<FastifyInstance> {
  app = await createApp({
    handlers: {},
    findSession: async () => undefined,
    failingParts: () => [],
    onBug: (error) => {
      throw error
    },
    requestsPerMinute: 1_000_000,
    webFolder: folder,
    connectOrigins: [],
    productName: 'Clearwell',
  })
  return app
}

const get = async (url: string, headers: Record<string, string> = {}, method: InjectOptions['method'] = 'GET') =>
  (app ?? (await open())).inject({ url, headers, method })

test.each(['identity', 'br'])('the exit kit as %s keeps the policy in its page', async (encoding) => {
  await write('exit-kit.html', HOME)
  await write('exit-kit.html.br', HOME)
  const { headers, body } = await get('/exit-kit.html', { 'accept-encoding': encoding })
  expect(headers['content-encoding']).toBe(encoding === 'br' ? 'br' : undefined)
  expect(headers['content-security-policy']).toBe("frame-ancestors 'none'")
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body).toBe(HOME)
})

describe('the pages', () => {
  test.each([
    ['/', HOME],
    ['/?pid=ABCD2345', HOME],
    ['/index.html', HOME],
    ['/en', ENGLISH],
    ['/en/', ENGLISH],
    ['/en?pid=ABCD2345', ENGLISH],
    ['/en/index.html', ENGLISH],
  ])('the page at %s is revalidated on every visit', async (url, page) => {
    const reply = await get(url)
    expect(reply).toMatchObject({ statusCode: 200, body: page })
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
    })
    expect(reply.headers).not.toHaveProperty('content-encoding')
  })

  test.each(['/en/swap/exchange', '/markets/BNBUSDT?kind=pool', '/nowhere'])(
    '%s leads to the same path in the app',
    async (url) => {
      const { statusCode, headers } = await get(url, { accept: 'text/html,*/*;q=0.8' })
      expect([statusCode, headers.location]).toEqual([302, `/#${url}`])
      expect((await get(url)).statusCode).toBe(404)
    },
  )

  test.each(['//example.com', '/wp-login.php', '/%2f%2fexample.com'])('%s leads nowhere', async (url) => {
    expect((await get(url, { accept: 'text/html' })).statusCode).toBe(404)
  })

  test('English paths serve the only page when no English page exists', async () => {
    await rm(join(folder, 'en'), { recursive: true })
    for (const url of ['/en', '/en/']) expect((await get(url)).body).toBe(HOME)
  })

  test('serves precompressed pages, or compresses them at startup', async () => {
    // Not what the server would make of it: other bytes for the same page.
    const sibling = gzipSync(HOME, { level: 0 })
    await write('index.html.gz', sibling)
    const gzip = await get('/', { 'accept-encoding': 'gzip' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gzip.rawPayload).toEqual(sibling)
    const br = await get('/', { 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(HOME)
    const english = await get('/en', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(english.rawPayload).toString()).toBe(ENGLISH)
  })

  test('pages respond 304 to a client that has the same encoding', async () => {
    const etags = new Set<string>()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding }
      const etag = String((await get('/', headers)).headers.etag)
      etags.add(etag)
      const again = await get('/', { ...headers, 'if-none-match': etag })
      expect([again.statusCode, again.body]).toEqual([304, ''])
      expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
      expect((await get('/en', { ...headers, 'if-none-match': etag })).statusCode).toBe(200)
    }
    expect(etags.size).toBe(3)
  })

  test('pages respond to HEAD without a body', async () => {
    for (const url of ['/', '/en', '/assets/app-1a2b3c.js']) {
      const reply = await get(url, {}, 'HEAD')
      expect([reply.statusCode, reply.body]).toEqual([200, ''])
      expect(reply.headers.etag).toBeDefined()
    }
  })

  test('every possible page response allows inline code by its hash', async () => {
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    for (const url of ['/', '/en', '/api/nowhere', '/nowhere']) {
      const policy = String((await get(url)).headers['content-security-policy']).split(';')
      expect(policy).toContain(`script-src 'self' ${hash('mode()')} ${hash('mode("en")')}`)
      expect(policy).toContain(`style-src 'self' ${hash('p{}')}`)
    }
  })

  test('pages carry the page headers, assets only the general ones', async () => {
    const page = (await get('/')).headers
    const asset = (await get('/assets/app-1a2b3c.js')).headers
    for (const name of ['content-security-policy', 'permissions-policy', 'x-frame-options', 'referrer-policy']) {
      expect(page[name], name).toBeDefined()
      expect(asset[name], name).toBeUndefined()
    }
    expect(asset['x-content-type-options']).toBe('nosniff')
    expect(asset['cross-origin-resource-policy']).toBe('same-origin')
  })

  test('the server does not start without the built pages', async () => {
    await rm(join(folder, 'index.html'))
    await expect(open()).rejects.toThrow('the built web app is missing')
  })
})

describe('the other files', () => {
  test.each([
    ['/assets/app-1a2b3c.js', 'public, max-age=31536000, immutable', 'application/javascript; charset=utf-8'],
    ['/builds/latest.json', 'no-cache', 'application/json; charset=utf-8'],
    ['/white/_payload.json', 'no-cache', 'application/json; charset=utf-8'],
  ])('%s is cached as %s', async (url, cacheControl, type) => {
    const { headers, statusCode } = await get(url)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({ 'cache-control': cacheControl, 'content-type': type, vary: 'accept-encoding' })
    const again = await get(url, { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.headers['cache-control']]).toEqual([304, cacheControl])
  })

  test('files are sent compressed from a sibling, with their own type', async () => {
    const sibling = brotliCompressSync(SCRIPT)
    await write('assets/app-1a2b3c.js.br', sibling)
    const br = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'gzip, br' })
    expect(br.rawPayload).toEqual(sibling)
    expect(br.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    // There is no .gz: the response is the file itself.
    const gzip = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'gzip' })
    expect(gzip.body).toBe(SCRIPT)
    expect(gzip.headers).not.toHaveProperty('content-encoding')
    expect((await get('/assets/app-1a2b3c.js')).body).toBe(SCRIPT)
  })

  test('compressed siblings are not served under their own names', async () => {
    await write('index.html.br', brotliCompressSync(HOME))
    await write('assets/app-1a2b3c.js.gz', gzipSync(SCRIPT))
    for (const url of ['/index.html.br', '/assets/app-1a2b3c.js.gz']) expect((await get(url)).statusCode).toBe(404)
  })

  test.each([
    '/secret.txt',
    '/../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets',
    '/assets/',
    '/en/nowhere',
    '/nowhere',
  ])('the web app does not serve %s', async (url) => {
    for (const headers of [{}, { 'accept-encoding': 'br' }]) {
      const reply = await get(url, headers)
      expect([reply.statusCode, reply.body]).toEqual([404, 'Not found'])
    }
  })
})

describe('after the web app is built again', () => {
  const NEW_HOME = HOME.replaceAll('首頁', '新首頁').replace('mode()', 'newMode()')

  /** Replaces the build, as the build does: first everything goes, and the announcement comes last. */
  async function buildAgain(): Promise<void> {
    await rm(folder, { recursive: true })
    await write('assets/app-4d5e6f.js', SCRIPT)
    await write('assets/app-4d5e6f.js.br', brotliCompressSync(SCRIPT))
    await write('index.html', NEW_HOME)
    await write('en/index.html', ENGLISH)
  }
  async function announce(): Promise<void> {
    await write('builds/latest.json', '{"id":"b2","builtAt":"2026-11-22T09:00:00Z"}')
    await utimes(join(folder, 'builds/latest.json'), 2_000_000_000, 2_000_000_000)
  }

  test('pages change once the new build is announced', async () => {
    await open()
    await buildAgain()
    expect((await get('/')).body).toBe(HOME)
    await announce()
    const { body, headers } = await get('/')
    expect(body).toBe(NEW_HOME)
    const hash = createHash('sha256').update('newMode()').digest('base64')
    expect(headers['content-security-policy']).toContain(hash)
  })

  test('serves files of the new build only', async () => {
    await open()
    await buildAgain()
    await announce()
    const asset = await get('/assets/app-4d5e6f.js?v', { 'accept-encoding': 'br' })
    expect(asset).toMatchObject({ statusCode: 200 })
    expect(asset.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': 'application/javascript; charset=utf-8',
    })
    expect(asset.headers).not.toHaveProperty('content-security-policy')
    expect((await get('/assets/app-4d5e6f.js', {}, 'HEAD')).statusCode).toBe(200)
    for (const path of ['/assets/app-1a2b3c.js', '/assets/app-4d5e6f.js.br', '/nowhere'])
      expect((await get(path)).statusCode, path).toBe(404)
  })
})

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['br ; q=0.5 , gzip', 'br'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', 'identity'],
  ['identity', 'identity'],
  ['deflate, zstd', 'identity'],
  ['br;q=high', 'identity'],
  ['brotli', 'identity'],
])('Accept-Encoding %j gets %s', (header, expected) => {
  expect(encodingFor(header)).toBe(expected)
})
