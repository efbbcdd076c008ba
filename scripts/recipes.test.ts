import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { applyChange, type RecipeEdit, readRecipe } from './recipe.ts'
import { runCommand } from './run-command.ts'

/**
 * Follows the recipes of docs/recipes in a copy of the working tree, then runs types, boundaries and the touched tests
 * there. A failure names the edit that does not fit, or shows what the tool wrote.
 */
const root = join(import.meta.dirname, '..')
const RECIPES = ['add-a-field', 'add-a-feature']
/** Files that a change of one field may touch, as its recipe promises. */
const MAX_FILES_OF_FIELD = 4

vi.setConfig({ testTimeout: 240_000 })

let copy: string
const recipes = new Map(RECIPES.map((name) => [name, readRecipe(readFileSync(pageOf(name), 'utf8'))]))
const edits = [...recipes.values()].flat()

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'clearwell-recipes-'))
  copyWorkingTree()
  linkPackages()
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('a field changes at most four files', () => {
  expect(new Set(recipes.get('add-a-field')?.map(({ path }) => path)).size).toBeLessThanOrEqual(MAX_FILES_OF_FIELD)
})

test.each(edits.map((edit) => [edit.path, edit] as const))('the edit of %s fits', (_path, edit) => makeEdit(edit))

test('the web app’s code is generated', () => expectSuccess(process.execPath, ['generate.ts'], 'apps/web'))

test.each(['.', 'apps/web', 'e2e'])('types of %s are right', (project) => expectSuccess(bin('tsc'), ['-p', project]))

test('boundaries are kept', () => expectSuccess(process.execPath, ['scripts/check-boundaries.ts']))

test('format and lint are right', () => {
  const changed = edits.map(({ path }) => path).filter((path) => /\.(tsx?|json)$/.test(path))
  return expectSuccess(bin('biome'), [
    'check',
    '--vcs-enabled=false',
    '--error-on-warnings',
    '--colors=off',
    ...changed,
  ])
})

test('the touched tests pass', () =>
  expectSuccess(bin('vitest'), [
    'run',
    ...['rules', 'server', 'web'].flatMap((project) => ['--project', project]),
    ...edits.map(({ path }) => path).filter((path) => /\.test\.tsx?$/.test(path)),
    'apps/server/src/features.test.ts',
    'apps/web/src/routes/screens.test.tsx',
    'apps/web/src/features/notice',
  ]))

function pageOf(name: string): string {
  return join(root, `docs/recipes/${name}.md`)
}

/** Copies the files that Git tracks, and new files that it does not ignore. */
function copyWorkingTree(): void {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  for (const path of new Set(list.split('\0').filter((each) => each !== ''))) {
    cpSync(join(root, path), join(copy, path), { recursive: true, force: true, errorOnExist: false })
  }
}

/** Packages of others are linked to the real ones, the repository's own to the copy. */
function linkPackages(): void {
  for (const folder of ['.', 'apps/web', 'apps/server', 'vault', 'e2e', 'bench', 'sim']) {
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
  for (const name of ['vault', 'e2e', 'bench', 'sim']) symlinkSync(join(copy, name), join(own, name))
}

function foldersOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function makeEdit(edit: RecipeEdit): void {
  const file = join(copy, edit.path)
  if ('create' in edit) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, edit.create, { flag: 'wx' })
    return
  }
  writeFileSync(file, edit.changes.reduce(applyChange, readFileSync(file, 'utf8')))
}

async function expectSuccess(command: string, args: readonly string[], folder = '.'): Promise<void> {
  const { exitCode, all } = await runCommand(command, args, { cwd: join(copy, folder), output: 'keep' })
  expect(exitCode, all).toBe(0)
}

function bin(name: string): string {
  return join(root, 'node_modules/.bin', name)
}
