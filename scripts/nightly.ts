import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inOrder, type LastRun, nightlyPage, type Outcome, readNightly } from './nightly-page.ts'
import { PARTS } from './nightly-parts.ts'
import { readCommit } from './read-commit.ts'
import { endCommands, endOnSignals } from './run-command.ts'
import { makeScratchFolder } from './scratch-folder.ts'

/**
 * `npm run nightly`: the tests that are too slow for `npm test`, in at most four hours. It starts with the part that has waited
 * longest, and writes docs/reference/nightly.md after each. `npm run nightly -- pglite kills` runs some parts. Exits with 1 where a
 * part fails.
 */
const root = join(import.meta.dirname, '..')
const PAGE = 'docs/reference/nightly.md'
const BUDGET_MS = 4 * 3_600_000

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  const list = Object.entries(PARTS).map(([name, { about }]) => `  ${name}  ${about}`)
  console.error(`There is no part "${unknown.join('", "')}". There are:\n${list.join('\n')}`)
  process.exit(1)
}

const scratch = await makeScratchFolder()
process.env.TMPDIR = scratch.path
process.env.NIGHTLY = '1'
endOnSignals(scratch.remove)
const summary: string[] = []
let isOver = false
const end = setTimeout(() => {
  isOver = true
  endCommands()
}, BUDGET_MS)
try {
  // Parts write pages of the reference and heads of recipes, which do not count as changes.
  const commit = await readCommit(root, 'docs')
  const names = asked.length > 0 ? asked : inOrder(Object.keys(PARTS), readNightly(await readPage()))
  for (const name of names) {
    if (isOver) break
    const run = await runPart(name, commit)
    await note(run)
    summary.push(`${run.result}: ${name} (${run.minutes} min) ${run.note}`)
    if (run.result === 'failed') process.exitCode = 1
  }
  const left = names.slice(summary.length)
  if (left.length > 0) summary.push(`Four hours are used. The next run continues with: ${left.join(', ')}`)
} finally {
  clearTimeout(end)
  await scratch.remove()
}
console.log(`\n${summary.join('\n')}`)

async function runPart(name: string, commit: string): Promise<LastRun> {
  const { about, run } = PARTS[name] ?? {}
  console.log(`\n=== ${name}: ${about}\n`)
  const startedMs = performance.now()
  const outcome = await run?.().catch((error: Error): Outcome => ({ result: 'failed', note: error.message }))
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
  const stopped: Outcome = { result: 'not run', note: 'stopped at the end of the four hours' }
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ')
  return { name, at, commit, minutes, ...(isOver ? stopped : (outcome ?? stopped)) }
}

/** Writes the row of a part, and keeps those of the others. */
async function note(run: LastRun): Promise<void> {
  const others = readNightly(await readPage()).filter(({ name }) => name !== run.name)
  const abouts = new Map(Object.entries(PARTS).map(([name, { about }]) => [name, about]))
  await writeFile(join(root, PAGE), nightlyPage(abouts, [...others, { ...run, note: oneLine(run.note) }]))
}

/** A row of a table has no line break and no other column. */
function oneLine(text: string): string {
  return (text.split('\n')[0] ?? '').replaceAll('|', '/')
}

async function readPage(): Promise<string> {
  return readFile(join(root, PAGE), 'utf8').catch(() => '')
}
