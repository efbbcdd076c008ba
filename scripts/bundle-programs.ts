import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type OutputChunk, type RolldownOutput, rolldown } from 'rolldown'
import { COPIED_PACKAGES, NOT_INSTALLED } from './release/bundle-server.ts'

/** Programs that tests start as processes again and again, mostly to kill them. */
const PROGRAMS = {
  server: 'apps/server/src/main.ts',
  kill: 'sim/src/kill-child.ts',
  'withdrawal-kill': 'sim/src/withdrawal-kill-child.ts',
  'exit-kill': 'sim/src/exit-kill-child.ts',
}

const root = join(import.meta.dirname, '..')
/** Below node_modules, so that the bundles find the packages that are not in them. */
const FOLDER = join(root, 'node_modules/.cache/clearwell-programs')
/** Bundles of sources that have changed since are removed when they are so old, in milliseconds. */
const UNUSED_MS = 3_600_000

let bundled: Promise<string> | undefined

/**
 * Returns the path of a program's bundle, made of the present sources once for each process. It starts in a third of the
 * processor time that its 900 modules take.
 */
export async function bundledProgram(name: keyof typeof PROGRAMS): Promise<string> {
  bundled ??= bundlePrograms()
  return join(await bundled, `${name}.js`)
}

/** @returns the folder of the bundles, named by their code: the compile cache knows code that has not changed. */
async function bundlePrograms(): Promise<string> {
  const bundle = await rolldown({
    cwd: root,
    input: PROGRAMS,
    platform: 'node',
    external: [...Object.keys(COPIED_PACKAGES), ...NOT_INSTALLED],
    plugins: [keepPlaces()],
  })
  const made = await bundle.generate({ format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  const chunks = chunksOf(made)
  const hash = createHash('sha256')
  for (const { fileName, code } of chunks) hash.update(`${fileName}\n${code}\n`)
  const folder = join(FOLDER, hash.digest('hex').slice(0, 16))
  if (await stat(folder).catch(() => undefined)) return folder
  await removeUnused()
  // Rename when complete: another test process must never start half a program.
  const unfinished = `${folder}.${randomBytes(4).toString('hex')}`
  await mkdir(unfinished, { recursive: true })
  for (const { fileName, code } of chunks) await writeFile(join(unfinished, fileName), code)
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}

function chunksOf({ output }: RolldownOutput): OutputChunk[] {
  return output.filter((file) => file.type === 'chunk').toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1))
}

async function removeUnused(): Promise<void> {
  for (const name of await readdir(FOLDER).catch(() => [])) {
    const folder = join(FOLDER, name)
    const made = (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0
    if (Date.now() - made > UNUSED_MS) await rm(folder, { recursive: true, force: true })
  }
}

/** Modules find the files that they read, and the threads that they start, at their place in the repository. */
function keepPlaces() {
  return {
    name: 'keep-places',
    async load(id: string) {
      const path = relative(root, id).replaceAll('\\', '/')
      if (!/^(apps|packages|sim)\/.*\.ts$/.test(path)) return null
      const places = { dirname: dirname(id), filename: id, url: pathToFileURL(id).href }
      const code = await readFile(id, 'utf8')
      return {
        code: code.replaceAll(/\bimport\.meta\.(dirname|filename|url)\b/g, (_, name: keyof typeof places) =>
          JSON.stringify(places[name]),
        ),
        moduleType: 'ts' as const,
      }
    },
  }
}
