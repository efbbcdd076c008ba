import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clusterPart, serverPart } from '@clearwell/sim/src/drills/drills-page.ts'
import { readCommit } from '../../../scripts/read-commit.ts'
import { endOnSignals, runCommand } from '../../../scripts/run-command.ts'
import { makeScratchFolder } from '../../../scripts/scratch-folder.ts'
import { type ClusterDrillResult, clusterDrillNames, loadClusterDrill } from './cluster-drill.ts'
import { clusterPage, type LastClusterRun, readLastClusterRuns } from './cluster-page.ts'

const root = join(import.meta.dirname, '../../..')
/** It changes with each drill. */
const PAGE = 'docs/reference/drills.md'

/**
 * Runs drills one after another, and writes docs/reference/drills.md.
 *
 * @param asked names of drills, or `all`; the names are listed without one.
 * @returns false where a name is unknown, a command was lost or doubled, or a drill failed.
 */
export async function runDrills(asked: readonly string[]): Promise<boolean> {
  const abouts = new Map<string, string>()
  for (const name of clusterDrillNames()) abouts.set(name, (await loadClusterDrill(name)).about)
  const unknown = asked.filter((name) => name !== 'all' && !abouts.has(name))
  if (asked.length === 0 || unknown.length > 0) {
    const problem = unknown.length > 0 ? `There is no drill "${unknown.join('", "')}". ` : ''
    const list = [...abouts].map(([name, about]) => `  ${name}  ${about}`)
    console.log(`${problem}npm run cluster -- drill <name>, or all:\n${list.join('\n')}`)
    return asked.length === 0
  }
  const scratch = await makeScratchFolder()
  endOnSignals(scratch.remove)
  try {
    const commit = await readCommit(root, PAGE)
    const date = new Date().toISOString().slice(0, 10)
    let areAllWell = true
    for (const name of asked.includes('all') ? abouts.keys() : asked) {
      const { exitCode, result } = await runDrill(name, scratch.path)
      if (exitCode !== 0) areAllWell = false
      const last = lastRun(name, result, { date, commit })
      console.log(JSON.stringify(last))
      const page = await readFile(join(root, PAGE), 'utf8')
      const others = readLastClusterRuns(clusterPart(page)).filter((run) => run.name !== name)
      await writeFile(join(root, PAGE), serverPart(page) + clusterPage(abouts, [...others, last]))
    }
    return areAllWell
  } finally {
    await scratch.remove()
  }
}

type Result = ClusterDrillResult | { readonly notRun: string } | undefined

function lastRun(name: string, result: Result, at: { readonly date: string; readonly commit: string }): LastClusterRun {
  if (result === undefined) return { name, notRun: `failed on ${at.date} at ${at.commit}` }
  return 'notRun' in result ? { name, notRun: result.notRun } : { name, ...at, ...result }
}

/** Runs one drill as its test, with temporary files in a folder that is removed. */
async function runDrill(name: string, folder: string): Promise<{ readonly exitCode: number; readonly result: Result }> {
  const file = join(folder, `${name}.json`)
  const { exitCode } = await runCommand(
    join(root, 'node_modules/.bin/vitest'),
    ['run', '--project', 'cluster', 'cluster/src/drills/cluster-drills.test.ts'],
    {
      cwd: root,
      env: { TEST_DATABASE: 'postgres', TMPDIR: folder, CLUSTER_DRILL: name, DRILL_RESULT: file },
      output: 'show',
    },
  )
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return { exitCode, result: text === undefined ? undefined : (JSON.parse(text) as Result) }
}
