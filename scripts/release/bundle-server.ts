import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import type { BuildInfo } from './build-info.ts'

/** The programs of a release, each a file at its top. */
const PROGRAMS = ['main', 'operator', 'vault']

/** Threads that the server starts by their files, which have the same place as in the repository. */
export const THREADS = ['apps/server/src/domain/proofs/proof.worker']

/**
 * Packages that are copied into the release instead of bundled, with the reason. Each is complete without dependencies.
 */
export const COPIED_PACKAGES: Readonly<Record<string, string>> = {
  '@electric-sql/pglite': 'reads WASM and data files beside its modules',
  '@iconify-json/lucide': 'is read as a file, when the first icon is requested',
  '@iconify-json/cryptocurrency-color': 'is read as a file, when the first icon is requested',
}

/** A package that `pg` tries, and does without. */
export const NOT_INSTALLED = ['pg-native', 'supports-color']

/** The folder of the release, in the code of its chunks. */
const FOLDER = 'CLEARWELL_FOLDER'

/**
 * Bundles the server and the commands of the operator into `folder`. Each module finds the files that it reads at their
 * place in the repository: the release has the same folders below its own.
 *
 * @returns the folders of the packages whose code is in the bundle, from the root.
 */
export async function bundleServer(root: string, folder: string, build: BuildInfo): Promise<string[]> {
  const input = [
    ...PROGRAMS.map((name) => [name, join(root, `apps/server/src/${name}.ts`)]),
    ...THREADS.map((name) => [name, join(root, `${name}.ts`)]),
  ]
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(input),
    platform: 'node',
    external: [...Object.keys(COPIED_PACKAGES), ...NOT_INSTALLED],
    transform: { define: { CLEARWELL_BUILD: JSON.stringify(build) } },
    plugins: [keepFolders(root)],
    onLog(level, log) {
      if (level === 'warn') throw new Error(`the bundle of the server: ${log.message}`)
    },
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'lib/[name]-[hash].js',
    intro: ({ fileName }) =>
      `const ${FOLDER} = import.meta.dirname + "${'/..'.repeat(fileName.split('/').length - 1)}";`,
  })
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  return packagesOf(modules.map((path) => relative(root, path)))
}

/**
 * Bundles the bookkeeper into `folder` as one file, which runs alone on another machine and shares no chunk with the server.
 *
 * @returns the folders of the packages whose code is in the file, from the root.
 */
export async function bundleBookkeeper(root: string, folder: string): Promise<string[]> {
  const bundle = await rolldown({
    cwd: root,
    input: { bookkeeper: join(root, 'bookkeeper/src/main.ts') },
    platform: 'node',
    external: NOT_INSTALLED,
    onLog(level, log) {
      if (level === 'warn') throw new Error(`the bundle of the bookkeeper: ${log.message}`)
    },
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    codeSplitting: false,
  })
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  return packagesOf(modules.map((path) => relative(root, path)))
}

/** Replaces `import.meta.dirname` of each module of the repository by its folder in the release. */
function keepFolders(root: string) {
  return {
    name: 'keep-folders',
    async load(id: string) {
      const path = relative(root, id).replaceAll('\\', '/')
      if (!/^(apps|packages)\/.*\.ts$/.test(path)) return null
      const code = await readFile(id, 'utf8')
      return {
        code: code.replaceAll('import.meta.dirname', `(${FOLDER} + "/${dirname(path)}")`),
        moduleType: 'ts' as const,
      }
    },
  }
}

function packagesOf(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  return [...new Set(folders)].toSorted()
}
