import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BREAKAGES, type Breakage } from './breakages.ts'
import { endOnSignals, runCommand, secondsSince } from './run-command.ts'
import { copyWorkingTree } from './working-copy.ts'

/**
 * Shows that the tests of rows of the specification fail without the behaviour: chooses breakages by a seed, makes each
 * in a copy of the working tree, and runs the unit tests with the row's tag there. Reports the rows whose tests pass.
 *
 *     node scripts/break-rows.ts --seed 7 --count 40
 *     node scripts/break-rows.ts --row 4.09
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    row: { type: 'string' },
  },
})

const root = join(import.meta.dirname, '..')
const chosen =
  values.row === undefined
    ? chooseBySeed(BREAKAGES, Number(values.seed), Number(values.count))
    : BREAKAGES.filter(({ row }) => row === values.row)
const copy = copyWorkingTree('broken')
endOnSignals(async () => copy.remove())
// The web app's generated code is ignored by Git.
for (const part of ['apps/web', 'packages/ui'])
  cpSync(join(root, part, 'src/generated'), join(copy.folder, part, 'src/generated'), { recursive: true })

const missed: string[] = []
try {
  for (const [i, breakage] of chosen.entries()) {
    const startedMs = performance.now()
    const outcome = await outcomeWithout(breakage)
    if (outcome !== 'caught') missed.push(breakage.row)
    console.log(`${i + 1}/${chosen.length} §${breakage.row} ${outcome} (${secondsSince(startedMs)})`)
  }
} finally {
  copy.remove()
}
console.log(`Seed ${values.seed}: ${chosen.length - missed.length} of ${chosen.length} caught.`)
if (missed.length > 0) console.log(`Not caught: ${missed.map((row) => `§${row}`).join(', ')}`)
process.exitCode = missed.length === 0 && chosen.length > 0 ? 0 : 1

/** `caught` if a test of the row fails; a run that cannot start proves nothing. */
async function outcomeWithout({
  row,
  file,
  find,
  replace,
}: Breakage): Promise<'caught' | 'not caught' | 'no test ran'> {
  const path = join(copy.folder, file)
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, whole.split(find).join(replace))
  try {
    return await runTestsOf(row)
  } finally {
    writeFileSync(path, whole)
  }
}

async function runTestsOf(row: string): Promise<'caught' | 'not caught' | 'no test ran'> {
  const tag = `§${row}`
  const files = globSync('{apps,packages}/*/src/**/*.test.{ts,tsx}', { cwd: copy.folder }).filter((file) =>
    readFileSync(join(copy.folder, file), 'utf8').includes(`'${tag}'`),
  )
  if (files.length === 0) return 'no test ran'
  const projects = new Set(files.map((file) => file.split('/')[1] ?? ''))
  const reportFile = join(copy.folder, 'report.json')
  rmSync(reportFile, { force: true })
  await runCommand(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=json',
      `--outputFile=${reportFile}`,
      `--tags-filter=${tag}`,
      ...[...projects].map((project) => `--project=${project}`),
      ...files,
    ],
    { cwd: copy.folder, output: 'keep' },
  )
  if (!existsSync(reportFile)) return 'no test ran'
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as { numFailedTests: number; numPassedTests: number }
  if (report.numFailedTests > 0) return 'caught'
  return report.numPassedTests > 0 ? 'not caught' : 'no test ran'
}

/** Shuffles with a small generator (mulberry32), so that a seed always chooses the same. */
function chooseBySeed<Item>(items: readonly Item[], seed: number, count: number): Item[] {
  let state = seed
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ item }) => item)
}
