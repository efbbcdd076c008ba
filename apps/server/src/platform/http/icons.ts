import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { RT_MARK } from '@clearwell/api/rt-mark'
import type { IconifyJSON } from '@iconify/types'
import { getIcons } from '@iconify/utils/lib/icon-set/get-icons'
import type { FastifyInstance } from 'fastify'
import { invalidField, refusal } from '../ledger/refuse.ts'
import { isUnchanged } from './is-unchanged.ts'

/** The icon loader keeps its addresses within this (specification §7). */
const MAX_URL_CHARACTERS = 500
const MAX_NAMES = 64
const NAME = /^[a-z0-9-]{1,64}$/

/**
 * `GET /icons/{prefix}.json?icons=a,b`: the icons of these names as Iconify JSON, and in `not_found` the names that the
 * set does not have. `lucide` has the icons of controls, `token` the marks of assets. The same names in another order, or twice, give the same response.
 */
export function serveIcons(app: FastifyInstance): void {
  app.get<{ Params: { prefix: string }; Querystring: { icons?: unknown } }>(
    '/icons/:prefix.json',
    async (request, reply) => {
      const readSet = SETS.get(request.params.prefix)
      if (!readSet) throw refusal('not_found')
      // The loader counts a comma as the one character that it is, and then sends it as three.
      if (request.url.replaceAll(/%2c/gi, ',').length > MAX_URL_CHARACTERS)
        throw invalidField('icons', `an address of at most ${MAX_URL_CHARACTERS} characters`)
      const body = JSON.stringify(getIcons(await readSet(), namesOf(request.query.icons), true))
      const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
      reply.header('cache-control', 'public, max-age=3600').header('etag', etag)
      if (isUnchanged(request, etag)) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(body)
    },
  )
}

function namesOf(icons: unknown): string[] {
  if (typeof icons !== 'string') throw invalidField('icons', 'names, separated by commas')
  const names = icons.split(',')
  if (names.length > MAX_NAMES) throw invalidField('icons', `at most ${MAX_NAMES} names`)
  if (!names.every((name) => NAME.test(name))) throw invalidField('icons', 'names of a-z, 0-9 and -')
  return [...new Set(names)].sort()
}

/** Each set by its prefix, read at the first call: half a megabyte that a server without icon requests need not hold. */
const SETS: ReadonlyMap<string, () => Promise<IconifyJSON>> = new Map([
  ['lucide', once(() => readSet(import.meta.resolve('@iconify-json/lucide/icons.json')))],
  ['token', once(readTokens)],
])

function once(read: () => Promise<IconifyJSON>): () => Promise<IconifyJSON> {
  let reading: Promise<IconifyJSON> | undefined
  return () => {
    reading ??= read().catch((error) => {
      reading = undefined
      throw error
    })
    return reading
  }
}

/** The marks of assets as discs of 32 by 32: a set in the public domain (CC0), and our own mark of RT. */
async function readTokens(): Promise<IconifyJSON> {
  const set = await readSet(import.meta.resolve('@iconify-json/cryptocurrency-color/icons.json'))
  set.icons.rt = { body: RT_MARK }
  return { ...set, prefix: 'token' }
}

async function readSet(url: string): Promise<IconifyJSON> {
  const { icons, aliases = {}, ...set } = JSON.parse(await readFile(fileURLToPath(url), 'utf8')) as IconifyJSON
  // Without a prototype, so that `constructor` is the name of no icon.
  return { ...set, icons: withoutPrototype(icons), aliases: withoutPrototype(aliases) }
}

function withoutPrototype<Value extends object>(object: Value): Value {
  return Object.assign(Object.create(null), object)
}
