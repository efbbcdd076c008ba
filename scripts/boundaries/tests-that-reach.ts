import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, resolveImport } from './imports.ts'
import { parse } from './sources.ts'

/**
 * Finds the test files of a folder that import a module, directly or through others.
 *
 * @param root of the repository.
 * @param folder and `target` from the root, with forward slashes.
 * @returns paths from `folder`.
 */
export function testsThatReach(root: string, folder: string, target: string): string[] {
  const reaching = new Map<string, boolean>()
  const reaches = (path: string): boolean => {
    if (path === target) return true
    const known = reaching.get(path)
    if (known !== undefined) return known
    // A circle is decided by its other members.
    reaching.set(path, false)
    const isReaching = importedBy(root, path).some(reaches)
    reaching.set(path, isReaching)
    return isReaching
  }
  return globSync('**/*.test.ts', { cwd: join(root, folder), exclude: (path) => path.includes('node_modules') })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => reaches(`${folder}/${path}`))
    .toSorted()
}

interface ReadImports {
  readonly changedMs: number
  readonly imports: readonly string[]
}

/**
 * The imports of files that were read, by their absolute paths. Vitest evaluates its configuration once for each project,
 * every time as a new module, so what is read is kept for the process: reading takes more than a second of a processor.
 */
const KEPT = Symbol.for('clearwell.imports')
const kept = globalThis as { [KEPT]?: Map<string, ReadImports> }
kept[KEPT] ??= new Map()
const read = kept[KEPT]

function importedBy(root: string, path: string): readonly string[] {
  const file = join(root, path)
  const changedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const known = read.get(file)
  if (known?.changedMs === changedMs) return known.imports
  const imports = readImports(file, path)
  read.set(file, { changedMs, imports })
  return imports
}

function readImports(file: string, path: string): string[] {
  if (!/\.[mc]?tsx?$/.test(path) || !existsSync(file)) return []
  return importsOf(parse({ path, text: readFileSync(file, 'utf8') })).flatMap(
    ({ specifier }) => (specifier === undefined ? undefined : resolveImport(path, specifier)) ?? [],
  )
}
