import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { playwrightRuns, type TestRun, vitestRuns } from '../conformance.ts'
import { runCommand } from '../run-command.ts'

/** Runs the tests that are bound to one row, in a copy of the working tree. */

export interface BoundTests {
  /** @returns the tests of the row that ran, by their tag or title. */
  readonly run: (row: string) => Promise<TestRun[]>
}

/** Characters of the output that are printed where no journey ran. */
const END_OF_OUTPUT = 2_000

/** Projects whose tests of one file build on each other: their files run whole. */
const IN_SEQUENCE = new Set(['server', 'ledger', 'sim', 'demo'])

/** Unit tests and tests of the server: those of each project by one run of Vitest, the cheapest project first. */
export function unitTests(root: string, copy: string): BoundTests {
  const report = join(copy, 'report.json')
  return {
    async run(row) {
      const tag = `§${row}`
      const byProject = Map.groupBy(filesWith(copy, tag), projectOf)
      const cheapestFirst = [...byProject].toSorted(([a], [b]) => costOf(a) - costOf(b))
      const ran: TestRun[] = []
      for (const [project, files] of cheapestFirst) {
        rmSync(report, { force: true })
        const tags = IN_SEQUENCE.has(project) ? [] : [`--tags-filter=${tag}`]
        await runCommand(
          process.execPath,
          [
            join(root, 'node_modules/vitest/vitest.mjs'),
            'run',
            '--reporter=json',
            `--outputFile=${report}`,
            `--project=${project}`,
            ...tags,
            ...files,
          ],
          { cwd: copy, output: 'keep' },
        )
        if (existsSync(report)) ran.push(...ofRow(vitestRuns(readFileSync(report, 'utf8'), copy), row))
        if (ran.some(isFailed)) break
      }
      return ran
    },
  }
}

/** The journeys of the row, against the product that the copy builds and starts. */
export function journeys(root: string, copy: string, browser: string): BoundTests {
  const report = join(copy, 'journeys.json')
  return {
    async run(row) {
      rmSync(report, { force: true })
      const { all } = await runCommand(
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
      const runs = existsSync(report) ? ofRow(playwrightRuns(readFileSync(report, 'utf8'), copy), row) : []
      // Says why the broken product does not build or start.
      if (runs.length === 0) console.error(all.slice(-END_OF_OUTPUT))
      return runs
    },
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
