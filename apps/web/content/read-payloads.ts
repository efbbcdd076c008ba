import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type Payload, payloadSchema } from './payload-schema.ts'

const LOCALES = ['zh-HK', 'en'] as const

/** Written by `generate.ts`. Read and not imported: Vite's configuration is loaded before the file is there. */
const SCREENS = join(import.meta.dirname, '../src/generated/screens.json')

/**
 * Reads and checks the static content of the screens in both languages: `<folder>/<locale>/stake/lend.json` is that of
 * `/stake/lend`, `home.json` that of `/`, `markets.json` that of every market. The manifests of the screens say which have
 * content.
 *
 * @throws Error that lists every fault: a file that is missing, unknown, not as the schema says, or not like its twin in
 * the other language.
 */
export function readPayloads(folder = import.meta.dirname): Payload[] {
  const files = new Set(globSync('*/**/*.json', { cwd: folder }).map((path) => path.replaceAll('\\', '/')))
  const wanted = pathsWithContent().flatMap((route) =>
    LOCALES.map((locale) => ({ file: fileOf(route, locale), route, locale })),
  )
  const faults: string[] = []
  const payloads: Payload[] = []
  for (const file of files) {
    if (!wanted.some((each) => each.file === file))
      faults.push(`${file}: no language, or no screen with "hasContent: true" in its manifest`)
  }
  for (const { file, route, locale } of wanted) {
    const read = readOne(join(folder, file))
    if ('fault' in read) faults.push(`${file}: ${read.fault}`)
    else if (read.payload.route !== route || read.payload.locale !== locale)
      faults.push(`${file}: must say "route": "${route}" and "locale": "${locale}"`)
    else payloads.push(read.payload)
  }
  faults.push(...faultsBetween(payloads))
  if (faults.length > 0) throw new Error(`content:\n${faults.join('\n')}`)
  return payloads
}

function pathsWithContent(): string[] {
  const screens = JSON.parse(readFileSync(SCREENS, 'utf8')) as Record<string, { readonly hasContent: boolean }>
  return Object.keys(screens).filter((path) => screens[path]?.hasContent)
}

function readOne(path: string): { payload: Payload } | { fault: string } {
  try {
    const parsed = z.safeParse(payloadSchema, JSON.parse(readFileSync(path, 'utf8')))
    return parsed.success ? { payload: parsed.data } : { fault: z.prettifyError(parsed.error) }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return { fault: 'is missing' }
    return { fault: String(error) }
  }
}

/** Twins say the same things in the same order, titles tell screens apart, and links lead somewhere. */
function faultsBetween(payloads: readonly Payload[]): string[] {
  const faults: string[] = []
  const sections = new Set(
    payloads.find(({ route }) => route === '/white')?.blocks?.flatMap((block) => ('id' in block ? [block.id] : [])),
  )
  for (const payload of payloads) {
    const { route, locale } = payload
    const linked = payload.blocks?.flatMap((block) =>
      block.type === 'links' ? block.items.flatMap((item) => ('section' in item ? [item.section] : [])) : [],
    )
    for (const section of [payload.section, ...(linked ?? [])])
      if (section && !sections.has(section)) faults.push(`${route} (${locale}): the whitepaper has no "${section}"`)
    for (const block of payload.blocks ?? [])
      if (block.type === 'table' && block.rows.some((row) => row.length !== block.columns.length))
        faults.push(`${route} (${locale}): "${block.caption}" has a row that does not fit its columns`)
    const same = payloads.find((other) => other !== payload && other.locale === locale && other.title === payload.title)
    if (same) faults.push(`${route} (${locale}): has the title of ${same.route}`)
    const twin = payloads.find((other) => other.locale !== locale && other.route === route)
    if (locale === 'en' && twin && shapeOf(payload) !== shapeOf(twin))
      faults.push(`${route}: the two languages differ in more than their words (${firstDifference(payload, twin)})`)
  }
  return faults
}

/** All of a payload but its words: its blocks, ids, numbers, and which live figures stand where. */
function shapeOf(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (typeof part !== 'string' || ['type', 'id', 'name', 'value', 'feature', 'section', 'to', 'href'].includes(key))
      return part
    return (part.match(/\{\w+\}/g) ?? []).sort().join()
  })
}

function firstDifference(payload: Payload, twin: Payload): string {
  const at = (payload.blocks ?? []).findIndex((block, i) => shapeOf(block) !== shapeOf(twin.blocks?.[i]))
  return at < 0 ? 'summary or section' : `block ${at + 1}, "${JSON.stringify(payload.blocks?.[at]).slice(0, 90)}"`
}

function fileOf(route: string, locale: (typeof LOCALES)[number]): string {
  const name = route === '/' ? 'home' : route.slice(1).replace('/{name}', '')
  return `${locale}/${name}.json`
}
