import { relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentPolicy } from './content-policy.ts'
import { isUnchanged } from './is-unchanged.ts'
import { ENCODINGS, type Encoding, type Page, readAnnouncedMs, readWebBuild, type WebBuild } from './web-build.ts'

const HEADERS_OF_PAGES = [
  'content-security-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-frame-options',
]

/** The built web app. */
export interface WebApp {
  readonly folder: string
  /** The build that is served now. */
  readonly build: WebBuild
  /** Serves a newer build if the folder has one. */
  refresh(): Promise<void>
}

/**
 * Reads the built web app. Building it again replaces its files: the pages of the old build would ask for files that are
 * gone, so they are read again as soon as the new build is announced.
 */
export async function readWebApp(folder: string): Promise<WebApp> {
  let build = await readWebBuild(folder)
  let reading: Promise<void> | undefined
  const readNewer = async () => {
    const announcedMs = await readAnnouncedMs(folder)
    if (announcedMs === undefined || announcedMs === build.announcedMs) return
    // It may be replaced while it is read: the next request reads again.
    build = await readWebBuild(folder).catch(() => build)
  }
  return {
    folder,
    get build() {
      return build
    },
    refresh() {
      reading ??= readNewer().finally(() => {
        reading = undefined
      })
      return reading
    },
  }
}

/** Serves the pages from memory and every other file from the folder. */
export async function serveWebApp(
  app: FastifyInstance,
  webApp: WebApp,
  connectOrigins: readonly string[],
): Promise<void> {
  const { folder } = webApp
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
      // Its own policy is in the page: it connects to the node that a user chooses. A page cannot say who may frame it.
      if (/^exit-kit\.html(\.br|\.gz)?$/.test(relative(folder, path)))
        reply.header('content-security-policy', "frame-ancestors 'none'")
      if (isAsset) for (const name of HEADERS_OF_PAGES) reply.removeHeader(name)
    },
  })
  const policyOf = policies(connectOrigins)
  for (const path of webApp.build.pages.keys())
    app.get(path, async (request, reply) => {
      await webApp.refresh()
      const { build } = webApp
      const page = build.pages.get(path)
      if (!page) return reply.callNotFound()
      // The policy of the other responses allows the inline code of the first build.
      return sendPage(request, reply.header('content-security-policy', policyOf(build)), page)
    })
}

/** The path of a file that came with a newer build than the one at the start; `undefined` if there is none. */
export async function findNewFile(webApp: WebApp, url: string): Promise<string | undefined> {
  await webApp.refresh()
  const [path = ''] = url.split('?')
  return webApp.build.files.has(path) ? path : undefined
}

/** The Content-Security-Policy of a build, computed once. */
function policies(connectOrigins: readonly string[]): (build: WebBuild) => string {
  const known = new WeakMap<WebBuild, string>()
  return (build) => {
    const policy = known.get(build) ?? contentPolicy(htmlOf(build), connectOrigins)
    known.set(build, policy)
    return policy
  }
}

/** The pages of a build as HTML. */
export function htmlOf({ pages }: WebBuild): string[] {
  return [...pages.values()].map(({ html }) => html)
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
