import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { testsThatReach } from '../boundaries/tests-that-reach.ts'
import { shuffle } from '../rows/order.ts'
import { endOnSignals, runCommand, secondsSince } from '../run-command.ts'
import { copyWorkingTree } from '../working-copy.ts'
import { applyMutant, type Mutant, mutantsOf } from './mutants.ts'

/**
 * `npm run nightly -- sampled`: draws mutants by a seed in code that needs a database, makes them one by one in a copy of the
 * working tree, and runs the tests of the same folder that reach the file, and others that import it. Exits with 1 where less than 80% are noticed.
 *
 *     node scripts/mutation/sample.ts --count 40 --seed 7 --seconds 600
 */
const LEAST_PERCENT = 80
const SERVER = 'apps/server'
const FILES = [
  ...[
    'book-movements',
    'booking-log',
    'credit-deposit',
    'pending-transactions',
    'reorg-check',
    'solvency',
    'watched-vault',
  ],
  ...['vault-counters', 'payout-guard', 'solvency-breaker', 'reconcile', 'watcher'],
].map((name) => `src/platform/custody/${name}.ts`)
const FURTHER = [
  ...['cap-rules', 'daily-caps', 'signer', 'vault-signer'].map((name) => `src/platform/signer/${name}.ts`),
  ...['drain', 'job', 'jobs', 'late-jobs', 'run-step'].map((name) => `src/platform/jobs/${name}.ts`),
  ...['close-day', 'click-box', 'box-money'].map((name) => `src/features/blind-box/${name}.ts`),
  'src/features/exit/find-claims.ts',
]

const root = join(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '7200' },
  },
})
const drawn = draw(Number(values.count), Number(values.seed))
const copy = copyWorkingTree('sample')
endOnSignals(async () => copy.remove())
const startedMs = performance.now()
const outcomes: { mutant: Mutant; isNoticed: boolean }[] = []
try {
  for (const mutant of drawn) {
    if (performance.now() - startedMs > Number(values.seconds) * 1_000) break
    const fromMs = performance.now()
    const isNoticed = await notices(mutant)
    outcomes.push({ mutant, isNoticed })
    const { file, line, from, to } = mutant
    console.log(`${isNoticed ? 'noticed ' : 'SURVIVED'} ${file}:${line}: ${from} → ${to} (${secondsSince(fromMs)})`)
  }
} finally {
  copy.remove()
}
const noticed = outcomes.filter(({ isNoticed }) => isNoticed).length
const percent = outcomes.length === 0 ? 0 : Math.floor((noticed * 1_000) / outcomes.length) / 10
console.log(
  `\nseed ${values.seed}: ${noticed} of ${outcomes.length} mutants noticed, ${percent}%; ${drawn.length} were drawn`,
)
process.exitCode = percent < LEAST_PERCENT ? 1 : 0

function draw(count: number, seed: number): Mutant[] {
  const all = [...FILES, ...FURTHER]
    .filter((file) => testsOf(file).length > 0)
    .flatMap((file) => mutantsOf(`${SERVER}/${file}`, readFileSync(join(root, SERVER, file), 'utf8')))
  return shuffle(all, seed).slice(0, count)
}

/** Tests of the same folder that import the file, directly or through others, the file's own one first; then others that import it directly. */
function testsOf(file: string): string[] {
  const folder = file.slice(0, file.lastIndexOf('/'))
  const own = file.replace('.ts', '.test.ts')
  const reaching = testsThatReach(root, `${SERVER}/${folder}`, `${SERVER}/${file}`).map((path) => `${folder}/${path}`)
  const name = file.slice(folder.length)
  const direct = allTests().filter(({ path, text }) => !path.startsWith(`${folder}/`) && text.includes(`${name}'`))
  return [...reaching.toSorted((a, b) => Number(b === own) - Number(a === own)), ...direct.map(({ path }) => path)]
}

let read: readonly { readonly path: string; readonly text: string }[] | undefined

/** All test files of the server. */
function allTests() {
  read ??= globSync('src/**/*.test.ts', { cwd: join(root, SERVER) }).map((path) => ({
    path: path.replaceAll('\\', '/'),
    text: readFileSync(join(root, SERVER, path), 'utf8'),
  }))
  return read
}

async function notices(mutant: Mutant): Promise<boolean> {
  const path = join(copy.folder, mutant.file)
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, applyMutant(mutant, whole))
  try {
    const tests = testsOf(mutant.file.slice(SERVER.length + 1)).map((test) => `${SERVER}/${test}`)
    const { exitCode } = await runCommand(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--bail=1', '--project=server', ...tests],
      { cwd: copy.folder, output: 'keep' },
    )
    return exitCode !== 0
  } finally {
    writeFileSync(path, whole)
  }
}
