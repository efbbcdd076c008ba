import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Copies the working tree to a temporary folder: the files that Git tracks, and new files that it does not ignore.
 *
 * @returns the copy's folder, and what removes it.
 */
export function copyWorkingTree(name: string): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), `clearwell-${name}-`))
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const path of new Set(list.split('\0').filter((each) => each !== ''))) {
    cpSync(join(root, path), join(folder, path), { recursive: true, force: true, errorOnExist: false })
  }
  linkPackages(folder)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Copies the sources of a commit into `folder`, with the packages of this repository. */
export function checkOut(commit: string, folder: string): void {
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', root, folder])
  execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: folder })
  linkPackages(folder)
}

/** Packages of others are linked to the real ones, the repository's own to the copy. */
function linkPackages(copy: string): void {
  for (const folder of [
    '.',
    'apps/web',
    'apps/server',
    'vault',
    'e2e',
    'bench',
    'sim',
    'cluster',
    'demo',
    'bookkeeper',
    'exit-kit',
    'watch',
  ]) {
    const modules = join(root, folder, 'node_modules')
    for (const name of foldersOf(modules)) {
      if (name !== '@clearwell' && !/^\.(cache|vite)/.test(name)) {
        mkdirSync(join(copy, folder, 'node_modules'), { recursive: true })
        symlinkSync(join(modules, name), join(copy, folder, 'node_modules', name))
      }
    }
  }
  const own = join(copy, 'node_modules/@clearwell')
  mkdirSync(own)
  for (const name of ['packages', 'apps'].flatMap((group) =>
    foldersOf(join(copy, group)).map((each) => `${group}/${each}`),
  )) {
    symlinkSync(join(copy, name), join(own, name.split('/')[1] ?? ''))
  }
  for (const name of ['vault', 'e2e', 'bench', 'sim', 'cluster', 'demo', 'bookkeeper', 'exit-kit', 'watch'])
    symlinkSync(join(copy, name), join(own, name))
}

function foldersOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
