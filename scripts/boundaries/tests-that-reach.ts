import { existsSync, globSync, readFileSync } from 'node:fs'
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

/** The imports of files that were read, by their paths: the configuration of Vitest asks several times. */
const read = new Map<string, readonly string[]>()

function importedBy(root: string, path: string): readonly string[] {
  const file = join(root, path)
  const found = read.get(file) ?? readImports(file, path)
  read.set(file, found)
  return found
}

function readImports(file: string, path: string): string[] {
  if (!/\.[mc]?tsx?$/.test(path) || !existsSync(file)) return []
  return importsOf(parse({ path, text: readFileSync(file, 'utf8') })).flatMap(
    ({ specifier }) => (specifier === undefined ? undefined : resolveImport(path, specifier)) ?? [],
  )
}
