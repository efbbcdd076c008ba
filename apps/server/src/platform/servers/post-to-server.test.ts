import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServerPoster, postJson } from './post-to-server.ts'

/** A certificate of an authority of our own, which Node does not trust. */
let certificate: { readonly cert: string; readonly key: string }
let url: string
let sockets: number
const ends: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-tls-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await promisify(execFile)('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, ...subject])
  certificate = { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') }
  const server = createServer(certificate, async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    response.writeHead(request.url === '/moved' ? 302 : 200, { location: '/' }).end(`${request.method} ${body}`)
  })
  sockets = 0
  server.on('secureConnection', () => sockets++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  url = `https://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const request = (path: string, timeoutMs = 30_000) => ({
  url: `${url}${path}`,
  headers: {},
  body: '{"a":1}',
  timeoutMs,
})

test('a server of an own authority is reached over one connection', async () => {
  const post = createServerPoster({ ca: certificate.cert })
  for (let times = 0; times < 3; times++)
    expect(await postJson(post, request('/'))).toMatchObject({ status: 200, body: 'POST {"a":1}' })
  expect(sockets).toBe(1)
  expect(await postJson(post, request('/moved'))).toMatchObject({ status: 302 })
})

test('a server of an unknown authority is refused', async () => {
  const post = createServerPoster({ ca: undefined })
  await expect(postJson(post, request('/'))).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
})
