import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { GOGC } from './check.ts'
import { applyChange, linesOfTests, type RecipeEdit, readRecipe } from './recipe.ts'
import { runCommand } from './run-command.ts'
import { copyWorkingTree } from './working-copy.ts'

/**
 * Follows the recipes of docs/recipes in a copy of the working tree, then runs types, boundaries and the touched tests
 * there. A failure names the edit that does not fit, or shows what the tool wrote.
 */
const root = join(import.meta.dirname, '..')
const RECIPES = ['add-a-field', 'add-a-feature']
/** Running the touched tests starts three test projects, which takes as long as all the rest. */
const isNightly = process.env.NIGHTLY === '1'
/** Files that a change of one field may touch, as its recipe promises. */
const MAX_FILES_OF_FIELD = 4
/** Files outside its folders that a feature may change, the changelog included. Its new files do not count. */
const MAX_FILES_OF_FEATURE = 4

vi.setConfig({ testTimeout: isNightly ? 900_000 : 240_000 })

let copy: string
const recipes = new Map(RECIPES.map((name) => [name, readRecipe(readFileSync(pageOf(name), 'utf8'))]))
const first = [...recipes.values()].flat()
/** Another feature by the same page: its names and the number of its migration differ. */
const second = readRecipe(renameFeature(readFileSync(pageOf('add-a-feature'), 'utf8')))
const edits = [...first, ...second]

beforeAll(() => {
  const { folder, remove } = copyWorkingTree('recipes')
  copy = folder
  return remove
})

test('a field changes at most four files', () => {
  expect(new Set(recipes.get('add-a-field')?.map(({ path }) => path)).size).toBeLessThanOrEqual(MAX_FILES_OF_FIELD)
})

test('a feature changes three lists, and the changelog by hand', () => {
  const edits = recipes.get('add-a-feature') ?? []
  const changed = edits.filter((edit) => 'changes' in edit).map(({ path }) => path)
  expect(changed.toSorted()).toEqual([
    'apps/server/src/features.ts',
    'apps/web/src/features.ts',
    'packages/api/src/parts.ts',
  ])
  expect(changed.length + 1).toBeLessThanOrEqual(MAX_FILES_OF_FEATURE)
})

test('a feature creates only files that bear its name', () => {
  const created = recipes.get('add-a-feature')?.filter((edit) => 'create' in edit) ?? []
  expect(created.map(({ path }) => path).filter((path) => !/\btips\b|_tips\.sql$/.test(path))).toEqual([])
})

test.each(first.map((edit) => [edit.path, edit] as const))('the edit of %s fits', (_path, edit) => makeEdit(edit))

test.each(second.map((edit) => [edit.path, edit] as const))('the edit of %s fits a second feature', (_path, edit) =>
  makeEdit(edit),
)

test('the web app’s code is generated', () => expectSuccess(process.execPath, ['generate.ts'], 'apps/web'))

test.each(isNightly ? ['.', 'apps/web', 'e2e'] : ['.', 'apps/web'])('types of %s are right', (project) =>
  expectSuccess(bin('tsc'), ['-p', project], '.', { GOGC }),
)

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

test.each(['tips', 'ties'])('the tools find %s without a list', async (name) => {
  const strategy = `${name.slice(0, -1)}-circle`
  await expectSuccess(process.execPath, ['bench/src/main.ts', name, `--${name}`, '100'])
  await expectSuccess(process.execPath, ['sim/src/main.ts', 'economy', '--only', strategy, '--runs', '1'])
  await expectSuccess(process.execPath, ['e2e/scripts/generate-status.ts'])
  expect(readFileSync(join(copy, 'README.md'), 'utf8')).toContain(`- T${name.slice(1)} to other users`)
})

test.runIf(isNightly)('the touched tests pass', () =>
  expectSuccess(bin('vitest'), [
    'run',
    ...['rules', 'server', 'web'].flatMap((project) => ['--project', project]),
    ...edits.filter(({ path }) => /\.test\.tsx?$/.test(path)).flatMap(editedTests),
    'apps/server/src/features.test.ts',
    'apps/server/src/server.test.ts',
    'apps/server/src/retention.test.ts',
    'apps/web/src/routes/screens.test.tsx',
    'apps/web/src/features/history/entry-names.test.ts',
    'apps/web/src/features/notice',
  ]),
)

function pageOf(name: string): string {
  return join(root, `docs/recipes/${name}.md`)
}

/** Turns the recipe of tips into one of ties: a name of the same length, in front of the first in every sorted list. */
function renameFeature(page: string): string {
  return page
    .replaceAll(/(?<![a-z])tip(?=s?(?![a-z]))/g, 'tie')
    .replaceAll('Tip', 'Tie')
    .replaceAll('打賞', '回禮')
    .replaceAll('0900_', '0901_')
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

/** The tests of a file that an edit touches, as Vitest selects them: the file, or its tests by their first lines. */
function editedTests(edit: RecipeEdit): string[] {
  if ('create' in edit) return [edit.path]
  const text = readFileSync(join(copy, edit.path), 'utf8')
  return edit.changes.flatMap(({ after }) => linesOfTests(text, after).map((line) => `${edit.path}:${line}`))
}

async function expectSuccess(
  command: string,
  args: readonly string[],
  folder = '.',
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const { exitCode, all } = await runCommand(command, args, { cwd: join(copy, folder), env, output: 'keep' })
  expect(exitCode, all).toBe(0)
}

function bin(name: string): string {
  return join(root, 'node_modules/.bin', name)
}
