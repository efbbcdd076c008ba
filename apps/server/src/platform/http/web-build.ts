import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** In the order in which they are chosen: the smallest first. */
export const ENCODINGS = [
  { name: 'br', extension: '.br', compress: promisify(brotliCompress) },
  { name: 'gzip', extension: '.gz', compress: promisify(gzip) },
] as const
export type Encoding = (typeof ENCODINGS)[number]['name'] | 'identity'

export interface Page {
  readonly html: string
  readonly bodies: Readonly<Record<Encoding, { readonly bytes: Buffer; readonly etag: string }>>
}

/** A build of the web app, as far as it is kept in memory. */
export interface WebBuild {
  /** Its pages, by the paths that they are served at. */
  readonly pages: ReadonlyMap<string, Page>
  /** The paths of its other files, without their compressed siblings. */
  readonly files: ReadonlySet<string>
  /** When the build was announced, in milliseconds; absent for one without an announcement. */
  readonly announcedMs: number | undefined
}

/** The file that a build writes last. */
const ANNOUNCEMENT = 'builds/latest.json'

/** Reads a build, with the compressed siblings of its pages; a sibling that is missing is made here. */
export async function readWebBuild(folder: string): Promise<WebBuild> {
  const home = join(folder, 'index.html')
  if (!existsSync(home)) throw new Error(`the built web app is missing in ${folder}`)
  // Before the files: a build that replaces this one while it is read is then read too.
  const announcedMs = await readAnnouncedMs(folder)
  const english = join(folder, 'en/index.html')
  const homePage = await readPage(home)
  const englishPage = existsSync(english) ? await readPage(english) : homePage
  return {
    pages: new Map([
      ['/', homePage],
      ['/en', englishPage],
      ['/en/', englishPage],
    ]),
    files: await listFiles(folder),
    announcedMs,
  }
}

/** When the build in the folder was announced; `undefined` while one is being written. */
export async function readAnnouncedMs(folder: string): Promise<number | undefined> {
  const announcement = await stat(join(folder, ANNOUNCEMENT)).catch(() => undefined)
  return announcement?.mtimeMs
}

async function listFiles(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !ENCODINGS.some(({ extension }) => entry.name.endsWith(extension)))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  return new Set(paths.map((path) => `/${path}`))
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
