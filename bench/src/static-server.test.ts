import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanUp } from './clean-up.ts'
import { startStaticServer } from './static-server.ts'

let folder: string
let url: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-static-'))
  await writeFile(join(folder, 'index.html'), 'plain')
  await writeFile(join(folder, 'index.html.br'), 'as brotli')
  await writeFile(join(folder, 'index.html.gz'), 'as gzip')
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/a-1.js'), 'script')
  url = await startStaticServer(folder)
})

afterAll(async () => {
  await cleanUp()
  await rm(folder, { recursive: true })
})

test.each([
  ['gzip, deflate, br, zstd', 'br', 'as brotli'],
  ['gzip', 'gzip', 'as gzip'],
  ['', undefined, 'plain'],
])('a browser that takes %j is served %s', async (accepted, encoding, body) => {
  const response = await get('/', accepted)
  expect(response).toMatchObject({ status: 200, body })
  expect(response.headers['content-encoding']).toBe(encoding)
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.headers['cache-control']).toBe('no-cache')
})

test('assets are cached for ever and served unencoded without a variant', async () => {
  const { headers, body } = await get('/assets/a-1.js?again', 'br')
  expect(body).toBe('script')
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers['content-encoding']).toBeUndefined()
})

test('a file outside the folder is not found', async () => {
  expect(await get('/nothing.js', 'br')).toMatchObject({ status: 404 })
  expect(await get('/../../etc/hostname', '')).toMatchObject({ status: 404 })
})

/** Not by `fetch`, which undoes the encoding. */
function get(path: string, accepted: string) {
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(url)
      request({ hostname, port, path, headers: { 'accept-encoding': accepted } }, async (response) => {
        const chunks = await response.toArray()
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() })
      })
        .once('error', reject)
        .end()
    },
  )
}
