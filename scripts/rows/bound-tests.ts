import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createVitest, type TestCase, type TestModule, type Vitest } from 'vitest/node'
import { playwrightRuns, type TestRun } from '../conformance.ts'
import { runCommand } from '../run-command.ts'

/** Runs the tests that are bound to one row, in a copy of the working tree. */

export interface BoundTests {
  /**
   * @param broken the file that changed since the last run.
   * @returns the tests of the row that ran, by their tag or title.
   */
  readonly run: (row: string, broken: string) => Promise<TestRun[]>
  readonly close: () => Promise<void>
}

/** Projects whose tests of one file build on each other: their files run whole. */
const IN_SEQUENCE = new Set(['server', 'ledger', 'sim', 'demo'])

/** Sources of the web app's generated code. */
const GENERATED_FROM = /\.(screens|figures)\.ts$|first-paint-icons\.ts$|^packages\/api\/src\//

/**
 * Unit tests and tests of the server. One Vitest runs them all: it keeps what it has compiled, so that a row takes seconds.
 * The cheapest project comes first.
 */
export async function unitTests(copy: string): Promise<BoundTests> {
  const vitest = await createVitest({ root: copy, watch: false, reporters: [{ onTestCaseResult: endIfNoticed }] })
  await vitest.standalone()
  let asked = ''
  /** The file that the last run broke is whole again. */
  let restored: readonly string[] = []
  function endIfNoticed(test: TestCase): void {
    if (test.tags.includes(asked) && test.result().state === 'failed') void vitest.cancelCurrentRun('test-failure')
  }
  return {
    async run(row, broken) {
      asked = `§${row}`
      await refresh(vitest, copy, [broken, ...restored])
      restored = [broken]
      const byProject = Map.groupBy(filesWith(copy, asked), projectOf)
      const cheapestFirst = [...byProject].toSorted(([a], [b]) => costOf(a) - costOf(b))
      const ran: TestRun[] = []
      for (const [project, files] of cheapestFirst) {
        const options = IN_SEQUENCE.has(project) ? {} : { testTagsFilter: [asked] }
        const of = vitest.getProjectByName(project)
        const specifications = files.map((file) => of.createSpecification(join(copy, file), options))
        const { testModules } = await vitest.runTestSpecifications(specifications)
        const runs = testModules.flatMap((each) => runsOf(each, copy, row))
        ran.push(...ofRow(runs, row))
        if (ran.some(isFailed)) break
      }
      return ran
    },
    close: () => vitest.close(),
  }
}

/** Has Vitest read changed files again, and the code that the web app generates from them. */
async function refresh(vitest: Vitest, copy: string, changed: readonly string[]): Promise<void> {
  for (const file of changed) vitest.invalidateFile(join(copy, file))
  if (!changed.some((file) => GENERATED_FROM.test(file))) return
  await runCommand(process.execPath, ['generate.ts'], { cwd: join(copy, 'apps/web'), output: 'keep' })
  for (const file of globSync('{apps/web,packages/ui}/src/generated/**/*.*', { cwd: copy }))
    vitest.invalidateFile(join(copy, file))
}

/** A file that does not load any more has failed for each of its rows. */
function runsOf(module: TestModule, copy: string, row: string): TestRun[] {
  const file = relative(copy, module.moduleId).replaceAll('\\', '/')
  if (module.errors().length > 0) return [{ file, rows: [row], outcome: 'failed' }]
  return [...module.children.allTests()].map((test) => {
    const { state } = test.result()
    return {
      file,
      rows: test.tags.flatMap((tag) => (tag.startsWith('§') ? tag.slice(1) : [])),
      outcome: state === 'pending' ? 'skipped' : state,
    }
  })
}

/** The journeys of the row, against the product that the copy builds and starts. */
export function journeys(root: string, copy: string, browser: string): BoundTests {
  const report = join(copy, 'journeys.json')
  return {
    async run(row) {
      rmSync(report, { force: true })
      await runCommand(
        join(root, 'node_modules/.bin/playwright'),
        // A journey that fails once has noticed.
        [
          'test',
          '--reporter=json',
          '--retries=0',
          '--max-failures=1',
          '--workers=1',
          '-g',
          `\\[§${row.replace('.', '\\.')}\\]`,
        ],
        {
          cwd: join(copy, 'e2e'),
          env: { CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
          output: 'keep',
        },
      )
      return existsSync(report) ? ofRow(playwrightRuns(readFileSync(report, 'utf8'), copy), row) : []
    },
    close: async () => {},
  }
}

export function isFailed({ outcome }: TestRun): boolean {
  return outcome === 'failed'
}

function filesWith(copy: string, tag: string): string[] {
  return globSync('{apps/*/,packages/*/,sim/,demo/,scripts/}**/*.test.{ts,tsx}', {
    cwd: copy,
    exclude: (name) => name === 'node_modules',
  })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => {
      const text = readFileSync(join(copy, file), 'utf8')
      // Some tests count the rows of a section.
      return text.includes(`'${tag}'`) || text.includes(`\`${tag.split('.')[0]}.\${`)
    })
}

function projectOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'apps' || first === 'packages' ? second : first
}

/** Tests of the server open a database, those of the web app compile it. */
function costOf(project: string): number {
  return IN_SEQUENCE.has(project) ? 2 : project === 'web' ? 1 : 0
}

function ofRow(runs: readonly TestRun[], row: string): TestRun[] {
  return runs.filter(({ rows, outcome }) => rows.includes(row) && outcome !== 'skipped')
}
