import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isUnchanged } from './is-unchanged.ts'

/** In the order in which they are chosen: the smallest first. */
const ENCODINGS = [
  { name: 'br', extension: '.br', compress: promisify(brotliCompress) },
  { name: 'gzip', extension: '.gz', compress: promisify(gzip) },
] as const
type Encoding = (typeof ENCODINGS)[number]['name'] | 'identity'

interface Page {
  readonly html: string
  readonly bodies: Readonly<Record<Encoding, { readonly bytes: Buffer; readonly etag: string }>>
}

const HEADERS_OF_PAGES = [
  'content-security-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-frame-options',
]

/** The built web app, as far as it is kept in memory: its pages, by the paths that they are served at. */
export interface WebApp {
  readonly folder: string
  readonly pages: ReadonlyMap<string, Page>
}

/** Reads the pages of a build, with their compressed siblings; a sibling that is missing is made here. */
export async function readWebApp(folder: string): Promise<WebApp> {
  const home = join(folder, 'index.html')
  if (!existsSync(home)) throw new Error(`the built web app is missing in ${folder}`)
  const english = join(folder, 'en/index.html')
  const homePage = await readPage(home)
  const englishPage = existsSync(english) ? await readPage(english) : homePage
  return {
    folder,
    pages: new Map([
      ['/', homePage],
      ['/en', englishPage],
      ['/en/', englishPage],
    ]),
  }
}

/** Serves the pages from memory and every other file from the folder. */
export async function serveWebApp(app: FastifyInstance, { folder, pages }: WebApp): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    // They are served in the place of the file that they were made of, not under their own names.
    globIgnore: ['**/*.br', '**/*.gz'],
    preCompressed: true,
    setHeaders(reply, path) {
      // Names of assets carry the hash of their content.
      const isAsset = relative(folder, path).startsWith(`assets${sep}`)
      reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
      // A kilobyte with each of the many small files that would say nothing: they are about pages.
      if (isAsset) for (const name of HEADERS_OF_PAGES) reply.removeHeader(name)
    },
  })
  for (const [path, page] of pages) app.get(path, async (request, reply) => sendPage(request, reply, page))
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  const { bytes, etag } = page.bodies[encoding]
  reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', etag)
  if (isUnchanged(request, etag)) return reply.code(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type('text/html; charset=utf-8').send(bytes)
}

/** The smallest encoding that the caller reads (RFC 9110 §12.5.3). */
export function encodingFor(acceptEncoding: string | undefined): Encoding {
  const qualities = new Map<string, number>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = parameters.find((text) => text.startsWith('q='))?.slice('q='.length)
    qualities.set(name, quality === undefined ? 1 : Number(quality))
  }
  const isRead = (name: string) => (qualities.get(name) ?? qualities.get('*') ?? 0) > 0
  return ENCODINGS.find(({ name }) => isRead(name))?.name ?? 'identity'
}

async function readPage(file: string): Promise<Page> {
  const bytes = await readFile(file)
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  const [br, gz] = await Promise.all(
    ENCODINGS.map(async ({ name, extension, compress }) => ({
      bytes: existsSync(file + extension) ? await readFile(file + extension) : await compress(bytes),
      etag: `"${hash}-${name}"`,
    })),
  )
  const identity = { bytes, etag: `"${hash}"` }
  return { html: bytes.toString(), bodies: { identity, br: br ?? identity, gzip: gz ?? identity } }
}
