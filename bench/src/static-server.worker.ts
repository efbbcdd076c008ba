import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'

const folder = workerData as string
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const path = normalize(pathname === '/' ? '/index.html' : pathname)
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encodings = [
    { name: 'br', suffix: '.br' },
    { name: 'gzip', suffix: '.gz' },
  ].filter(({ name }) => accepted.includes(name))
  for (const { name, suffix } of [...encodings, { name: undefined, suffix: '' }]) {
    const body = await readFile(join(folder, path + suffix)).catch(() => undefined)
    if (!body) continue
    response.writeHead(200, {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'content-length': body.length,
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      ...(name ? { 'content-encoding': name } : {}),
    })
    return response.end(body)
  }
  response.writeHead(404).end()
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
