import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findOrFetchBrowser } from '../../scripts/browser.ts'
import { readCommit } from '../../scripts/read-commit.ts'
import { type BoundTests, isFailed, journeys, unitTests } from '../../scripts/rows/bound-tests.ts'
import { breakSource } from '../../scripts/rows/break-source.ts'
import type { Breakage } from '../../scripts/rows/breakage.ts'
import { orderForCommit } from '../../scripts/rows/order.ts'
import { readBreakages } from '../../scripts/rows/read-breakages.ts'
import { aboutOf, type LastTry, oldestFirst, readTries, rowsPage } from '../../scripts/rows/rows-page.ts'
import { endOnSignals, secondsSince } from '../../scripts/run-command.ts'
import { copyWorkingTree } from '../../scripts/working-copy.ts'
import { ROWS } from './rows.ts'
import { WITHOUT_BREAKAGE } from './without-breakage.ts'

/**
 * `npm run rows -- [§]`: breaks the behaviour of each row of the specification in a copy of the working tree, runs the tests
 * bound to the row, and prints which test noticed. The tests must pass without the breakages: run `npm test` first.
 *
 *     npm run rows -- 4.09 2                     row 4.09, and all rows of section 2
 *     npm run rows -- --oldest --seconds 3600    those that have waited longest, for an hour
 *     npm run rows -- --commit --seconds 120     those that the last commit touched, then others; no journeys
 *
 * Writes docs/reference/broken-rows.md after each row, but not with `--commit`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commit: { type: 'boolean', default: false },
    oldest: { type: 'boolean', default: false },
    seconds: { type: 'string', default: 'Infinity' },
  },
})

const root = join(import.meta.dirname, '../..')
const PAGE = join(root, 'docs/reference/broken-rows.md')
const startedMs = performance.now()
const commit = await readCommit(root, 'docs')
const all = await readBreakages(root)
const asked = all.filter(({ row }) => isAsked(row))
const chosen = values.commit ? ofLastCommit(all) : values.oldest ? oldestFirst(asked, readPage()) : asked
if (chosen.length === 0) {
  console.error(`No breakage for ${positionals.join(', ')}. There are breakages of ${all.length} rows.`)
  process.exit(1)
}

const copy = copyWorkingTree('rows')
endOnSignals(async () => copy.remove())
const outcomes: Outcome[] = []
try {
  // The web app's generated code is ignored by Git, and a clone that was not built has none.
  execFileSync(process.execPath, ['generate.ts'], { cwd: join(root, 'apps/web'), stdio: 'inherit' })
  for (const part of ['apps/web', 'packages/ui'])
    cpSync(join(root, part, 'src/generated'), join(copy.folder, part, 'src/generated'), { recursive: true })
  const runners = [unitTests(root, copy.folder)]
  const browser = values.commit ? undefined : await findOrFetchBrowser()
  if (browser !== undefined) runners.push(journeys(root, copy.folder, browser))
  console.log('| Row | Edit | File | Noticed by | Time |\n| --- | --- | --- | --- | --- |')
  for (const breakage of chosen) {
    if (performance.now() - startedMs > Number(values.seconds) * 1_000) break
    const fromMs = performance.now()
    const outcome = await outcomeOf(breakage, runners)
    outcomes.push(outcome)
    if (!values.commit) note(breakage, outcome)
    const { row, file, edit } = breakage
    console.log(`| §${row} | ${edit.about} | ${file} | ${outcome.noticedBy ?? outcome.why} | ${secondsSince(fromMs)} |`)
  }
} finally {
  copy.remove()
}
summarize()

interface Outcome {
  readonly row: string
  /** The file of the test that failed. */
  readonly noticedBy?: string
  /** Where no test ran, the broken product does not build or start: the breakage shows nothing. */
  readonly why: 'noticed' | 'not noticed' | 'no test ran' | 'left to a journey'
}

async function outcomeOf({ row, ...breakage }: Breakage, runners: readonly BoundTests[]): Promise<Outcome> {
  const path = join(copy.folder, breakage.file)
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, breakSource({ row, ...breakage }, whole))
  try {
    let count = 0
    for (const { run } of runners) {
      const ran = await run(row)
      count += ran.length
      const failed = ran.find(isFailed)
      if (failed) return { row, noticedBy: failed.file, why: 'noticed' }
    }
    // Without journeys, those bound to the row may still notice.
    if (values.commit && (count === 0 || hasJourney(row))) return { row, why: 'left to a journey' }
    return { row, why: count > 0 ? 'not noticed' : 'no test ran' }
  } finally {
    writeFileSync(path, whole)
  }
}

function hasJourney(row: string): boolean {
  const files = globSync('{journeys,conformance}/*.test.ts', { cwd: join(root, 'e2e') })
  const texts = files.map((file) => readFileSync(join(root, 'e2e', file), 'utf8'))
  return texts.some((text) => text.includes(`'${row}'`) || text.includes(`[§${row}]`))
}

/** Writes the line of a breakage, and keeps those of the others. */
function note(breakage: Breakage, { noticedBy, why }: Outcome): void {
  const { row, file } = breakage
  const about = aboutOf(breakage)
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const last: LastTry = { row, about, file, noticedBy: noticedBy ?? why, at, commit }
  writeFileSync(PAGE, rowsPage(all, [last, ...readPage()]))
}

function readPage(): LastTry[] {
  return existsSync(PAGE) ? readTries(readFileSync(PAGE, 'utf8')) : []
}

function isAsked(row: string): boolean {
  const asked = positionals.map((word) => word.replace('§', ''))
  return asked.length === 0 || asked.some((word) => row === word || row.startsWith(`${word}.`))
}

function ofLastCommit(breakages: readonly Breakage[]): Breakage[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const files = git('diff-tree', '--no-commit-id', '--name-only', '-r', 'HEAD').split('\n')
  return orderForCommit(breakages, { files, hash: git('rev-parse', 'HEAD') })
}

function summarize(): void {
  const missed = outcomes.filter(({ why }) => why === 'not noticed' || why === 'no test ran')
  const left = outcomes.filter(({ why }) => why === 'left to a journey')
  const rows = new Set(all.map(({ row }) => row))
  console.log(`\n${outcomes.length} breakages made: ${outcomes.length - missed.length - left.length} noticed.`)
  console.log(`${rows.size} of ${ROWS.length} rows have a breakage.`)
  for (const [row, reason] of Object.entries(WITHOUT_BREAKAGE)) console.log(`§${row} has none: ${reason}.`)
  if (left.length > 0) console.log(`Left for npm run rows: ${left.map(({ row }) => `§${row}`).join(', ')}`)
  if (missed.length > 0)
    console.log(
      `Not noticed: ${missed.map(({ row, why }) => `§${row}${why === 'no test ran' ? ' (no test ran)' : ''}`).join(', ')}`,
    )
  process.exitCode = missed.length > 0 ? 1 : 0
}
