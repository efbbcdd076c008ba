import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findOrFetchBrowser } from '../../scripts/browser.ts'
import { type BoundTests, isFailed, journeys, unitTests } from '../../scripts/rows/bound-tests.ts'
import { breakSource } from '../../scripts/rows/break-source.ts'
import type { Breakage } from '../../scripts/rows/breakage.ts'
import { orderForCommit } from '../../scripts/rows/order.ts'
import { readBreakages } from '../../scripts/rows/read-breakages.ts'
import { endOnSignals, secondsSince } from '../../scripts/run-command.ts'
import { copyWorkingTree } from '../../scripts/working-copy.ts'
import { ROWS } from './rows.ts'
import { WITHOUT_BREAKAGE } from './without-breakage.ts'

/**
 * `npm run rows -- [§]`: breaks the behaviour of each row of the specification in a copy of the working tree, runs the tests
 * bound to the row, and prints which test noticed. The tests must pass without the breakages: run `npm test` first.
 *
 *     npm run rows -- 4.09 2         row 4.09, and all rows of section 2
 *     npm run rows -- --commit       those that the last commit touched, then others, for two minutes; no journeys
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { commit: { type: 'boolean', default: false }, seconds: { type: 'string', default: '120' } },
})

const root = join(import.meta.dirname, '../..')
const startedMs = performance.now()
const all = await readBreakages(root)
const chosen = values.commit ? ofLastCommit(all) : all.filter(({ row }) => isAsked(row))
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
    if (values.commit && performance.now() - startedMs > Number(values.seconds) * 1_000) break
    const fromMs = performance.now()
    const outcome = await outcomeOf(breakage, runners)
    outcomes.push(outcome)
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
  readonly why: 'noticed' | 'not noticed' | 'no test ran' | 'only a journey is bound'
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
    if (count > 0) return { row, why: 'not noticed' }
    return { row, why: values.commit ? 'only a journey is bound' : 'no test ran' }
  } finally {
    writeFileSync(path, whole)
  }
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
  const left = outcomes.filter(({ why }) => why === 'only a journey is bound')
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
