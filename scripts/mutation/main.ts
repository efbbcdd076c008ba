import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endOnSignals } from '../run-command.ts'
import { copyWorkingTree } from '../working-copy.ts'
import { type FileScore, percentOf, readReport, type Survivor } from './read-report.ts'
import { installStryker, runStryker } from './run-stryker.ts'
import { readServices, readTargets, type Target } from './targets.ts'

/**
 * `npm run nightly -- mutation` and `services`: plants bugs with Stryker in the functions that decide about money, or in services
 * that need a database, in a copy of the working tree, and prints the part that tests notice. Exits with 1 where that is below
 * a target's limit. Without names it takes the functions that decide.
 *
 *     node scripts/mutation/main.ts money                        one target
 *     node scripts/mutation/main.ts packages/rules/src/swap.ts   one file
 */
const root = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' } },
})

interface Listed extends Omit<Survivor, 'line'> {
  /** A part of its line, where the file has the same code elsewhere. */
  readonly in?: string
  readonly reason: string
}
const listed = JSON.parse(readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8')) as Listed[]

const decisions = readTargets(root)
const all = [...decisions, ...readServices(root)]
const targets = (positionals.length === 0 ? decisions : all).map(chosenOf).filter(({ files }) => files.length > 0)
if (targets.length === 0) {
  console.error(`No target has ${positionals.join(', ')}. Targets: ${all.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}
await installStryker()
const copy = copyWorkingTree('mutation')
endOnSignals(async () => copy.remove())
try {
  for (const target of targets) {
    const scores = readReport(await runStryker(target, copy.folder, Number(values.concurrency)))
    // Now, so that a later target that cannot run loses nothing.
    print(target, scores)
    if (percentOf(scores) < target.leastPercent) process.exitCode = 1
  }
} finally {
  copy.remove()
}

/** The files of a target that the command line names; all where it names the target or nothing. */
function chosenOf(target: Target): Target {
  if (positionals.length === 0 || positionals.includes(target.name)) return target
  return { ...target, files: target.files.filter((file) => positionals.includes(file)) }
}

function print({ name, about, leastPercent }: Target, scores: readonly FileScore[]): void {
  console.log(`\n${name}: ${about}\n| File | Noticed | In time | Survived | Percent |\n| --- | --- | --- | --- | --- |`)
  for (const score of scores)
    console.log(
      `| ${score.file} | ${score.noticed} | ${score.noticed - score.timedOut.length} | ${score.survivors.length} | ${percentOf([score])} |`,
    )
  for (const { file, line, from, to } of scores.flatMap(({ timedOut }) => timedOut))
    console.log(`ran too long: ${file}:${line}: ${from} → ${to}`)
  const unlisted = scores.flatMap(({ survivors }) => survivors).filter((survivor) => !isListed(survivor))
  for (const { file, line, from, to } of unlisted) console.log(`not listed: ${file}:${line}: ${from} → ${to}`)
  console.log(
    `${name}: ${percentOf(scores)} % noticed, at least ${leastPercent}; ${unlisted.length} survivors not listed`,
  )
}

function isListed({ file, line, from, to }: Survivor): boolean {
  const text = readFileSync(join(root, file), 'utf8').split('\n')[line - 1] ?? ''
  return listed.some(
    (each) => each.file === file && each.from === from && each.to === to && text.includes(each.in ?? ''),
  )
}
