import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/**
 * The line in the head of each page of docs/recipes: which test follows the page, and how its last run ended. A page without a
 * test says so. `npx node scripts/follow-recipes.ts` runs the tests and writes the line.
 *
 * @example Followed by `sim/src/restore.test.ts`, last run on 2026-11-28 at fa88941c: passed.
 */
export const RECIPES = 'docs/recipes'

const NO_TEST = 'No test follows this page.'
const LINE =
  /^Followed by `([^`]+)`(?: \(([^)]+)\))?, last run on \d{4}-\d\d-\d\d at [0-9a-f]{8}\+?: (?:passed|failed|not run)\.$/gm

export interface Followed {
  readonly test: string
  /** Which part of the page the test follows, where it is not the whole. */
  readonly part: string | undefined
}

/** The names of all pages, without their folder. */
export const recipePages = (root: string): string[] => globSync('*.md', { cwd: join(root, RECIPES) }).toSorted()

/** The test that follows a page, by its head. */
export function readHead(page: string): Followed | undefined {
  const [found] = headOf(page).matchAll(LINE)
  return found && { test: found[1] ?? '', part: found[2] }
}

/** The same page with the outcome of the test's last run in its head. */
export function withLastRun(
  page: string,
  outcome: 'passed' | 'failed' | 'not run',
  date: string,
  commit: string,
): string {
  const head = headOf(page)
  const changed = head.replace(LINE, (line) =>
    line.replace(/ on \S+ at \S+: .*$/, ` on ${date} at ${commit}: ${outcome}.`),
  )
  return changed + page.slice(head.length)
}

/** Finds pages whose head does not say which test follows them, and tests that do not exist or do not name their page. */
export function faultsOfHeads(root: string): string[] {
  return recipePages(root).flatMap((name) => {
    const page = readFileSync(join(root, RECIPES, name), 'utf8')
    const lines =
      [...headOf(page).matchAll(LINE)].length +
      headOf(page)
        .split('\n')
        .filter((line) => line.startsWith(NO_TEST)).length
    if (lines !== 1) return [`${name} needs one line in its head: which test follows it, or "${NO_TEST}"`]
    const followed = readHead(page)
    if (followed === undefined) return []
    if (!existsSync(join(root, followed.test))) return [`${name} names ${followed.test}, which does not exist`]
    const isNamed = textWithImports(root, followed.test).includes(name.replace(/\.md$/, ''))
    return isNamed ? [] : [`${name} names ${followed.test}, which does not read the page`]
  })
}

/** Everything above the first section. */
const headOf = (page: string) => page.slice(0, page.indexOf('\n## ') + 1 || page.length)

/** The text of a test, and of the files beside it that it imports. */
function textWithImports(root: string, test: string): string {
  const text = readFileSync(join(root, test), 'utf8')
  const imported = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => posix.join(dirname(test), path))
  return [text, ...imported.map((path) => readFileSync(join(root, path), 'utf8'))].join('\n')
}
