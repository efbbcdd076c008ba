import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCommit } from '../../../scripts/read-commit.ts'
import { endOnSignals, runCommand } from '../../../scripts/run-command.ts'
import { makeScratchFolder } from '../../../scripts/scratch-folder.ts'
import { type DrillResult, drillNames, loadDrill } from './drill.ts'
import { clusterPart, drillsPage, type LastRun, readLastRuns } from './drills-page.ts'

/**
 * `npm run drill` lists the drills, `npm run drill <name>` and `npm run drill all` run them one after another and write
 * docs/reference/drills.md. Exits with 1 where a command was lost or doubled, or a drill failed.
 */
const root = join(import.meta.dirname, '../../..')
/** It changes with each drill. */
const PAGE = 'docs/reference/drills.md'

const asked = process.argv.slice(2)
const abouts = new Map<string, string>()
for (const name of drillNames()) abouts.set(name, (await loadDrill(name)).about)
const unknown = asked.filter((name) => name !== 'all' && !abouts.has(name))
if (asked.length === 0 || unknown.length > 0) {
  const problem = unknown.length > 0 ? `There is no drill "${unknown.join('", "')}". ` : ''
  const list = [...abouts].map(([name, about]) => `  ${name}  ${about}`)
  console.log(`${problem}npm run drill <name>, or all:\n${list.join('\n')}`)
  process.exit(asked.length === 0 ? 0 : 1)
}

const scratch = await makeScratchFolder()
endOnSignals(scratch.remove)
try {
  const commit = await readCommit(root, PAGE)
  const date = new Date().toISOString().slice(0, 10)
  for (const name of asked.includes('all') ? abouts.keys() : asked) {
    const { exitCode, result } = await runDrill(name)
    if (exitCode !== 0) process.exitCode = 1
    const last: LastRun =
      result === undefined
        ? { name, notRun: `failed on ${date} at ${commit}` }
        : 'notRun' in result
          ? { name, notRun: result.notRun }
          : { name, date, commit, ...result }
    console.log(JSON.stringify(last))
    const page = await readFile(join(root, PAGE), 'utf8').catch(() => '')
    const others = readLastRuns(page).filter((run) => run.name !== name)
    await writeFile(join(root, PAGE), drillsPage(abouts, [...others, last]) + clusterPart(page))
  }
} finally {
  await scratch.remove()
}

/** Runs one drill as its test, with temporary files in a folder that is removed. */
async function runDrill(name: string) {
  const results = join(scratch.path, `${name}.json`)
  const { exitCode } = await runCommand(
    join(root, 'node_modules/.bin/vitest'),
    ['run', '--project', 'sim', 'sim/src/drills/drills.test.ts'],
    {
      cwd: root,
      env: { NIGHTLY: '1', TEST_DATABASE: 'postgres', TMPDIR: scratch.path, DRILLS: name, DRILL_RESULTS: results },
      output: 'show',
    },
  )
  const text = await readFile(results, 'utf8').catch(() => undefined)
  const result = text === undefined ? undefined : (JSON.parse(text) as DrillResult | { readonly notRun: string })
  return { exitCode, result }
}
