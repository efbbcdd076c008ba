import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ROWS } from './e2e/conformance/rows.ts'
import { leftToNight } from './scripts/at-night.ts'
import { testsThatReach } from './scripts/boundaries/tests-that-reach.ts'

if (Number(process.versions.node.split('.')[0]) < 24) {
  throw new Error(
    `The tests need Node 24, and this is ${process.version}. Use npm run test:one -- <file>, or npx vitest: both take the Node in node_modules.`,
  )
}

/** Which database the tests of the ledger, the server and the simulation run on: `pglite` (default) or `postgres`. */
const database = process.env.TEST_DATABASE ?? 'pglite'
if (database !== 'pglite' && database !== 'postgres') {
  throw new Error(`TEST_DATABASE must be pglite or postgres, not ${JSON.stringify(database)}`)
}

/**
 * Options of Node for the processes that run tests. Most memory of a test dies with it: with more room for new objects the
 * garbage collector runs a quarter as often, which saves a fifth of the processor time of the server's tests.
 */
const execArgv = ['--max-semi-space-size=64']

const RANDOM_TESTS = [join(import.meta.dirname, 'scripts/random-tests.ts')]

/** Tests of functions: no database, no network. Their files share processes, which saves three quarters of their time. */
const pure = (name: string, root: string) => ({
  root,
  test: {
    name,
    environment: 'node' as const,
    include: ['**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftToNight(root)],
    setupFiles: RANDOM_TESTS,
    isolate: false,
    execArgv,
    // They run at a low priority, beside the journeys.
    testTimeout: 30_000,
  },
})

const TEST_DATABASE = 'packages/ledger/src/testing/database.ts'
const TEST_SERVER = 'apps/server/src/testing/server.ts'

/**
 * The database of tests that start servers. In `npm test` one of two stages runs them: SQL is tested on both databases and the
 * journeys use PGlite, so a server on each would only repeat them. `npm run nightly` runs them on PGlite too.
 */
const serversOn = process.env.TEST_SERVERS_ON ?? database

/**
 * Long tests: of chain reorganizations, of many rows, of headers and of processes. Shorter tests and the journeys use the same tables on
 * PGlite, so these run once too: in `npm test` on PostgreSQL, in `npm run nightly` also on PGlite.
 */
const LONG_ON_ONE_DATABASE = [
  'apps/server/src/domain/lending/lending-load.test.ts',
  'apps/server/src/domain/proofs/export-batch.test.ts',
  'apps/server/src/domain/proofs/export-ledger.test.ts',
  'apps/server/src/domain/proofs/make-headers.test.ts',
  'apps/server/src/domain/proofs/path-trees.test.ts',
  'apps/server/src/domain/proofs/proof-books.test.ts',
  'apps/server/src/features/alert/deliver.test.ts',
  'apps/server/src/features/blind-box/close-day.test.ts',
  'apps/server/src/features/blind-box/divided-day.test.ts',
  'apps/server/src/features/exit/follow-on-chain.test.ts',
  'apps/server/src/features/exit/post-to-vault.test.ts',
  'apps/server/src/features/history/history-load.test.ts',
  'apps/server/src/features/stake/due-loans.test.ts',
  'apps/server/src/features/wallet/lost-vouchers.test.ts',
  'apps/server/src/features/wallet/settle-withdrawal.test.ts',
  'apps/server/src/features/wallet/watcher-withdrawals.test.ts',
  'apps/server/src/operator/reading.test.ts',
  'apps/server/src/platform/chain/open-chain.test.ts',
  'apps/server/src/platform/custody/counted-exits.test.ts',
  'apps/server/src/platform/custody/solvency-check.test.ts',
  'apps/server/src/platform/custody/watched-vault.test.ts',
  'apps/server/src/platform/custody/watcher.test.ts',
  'apps/server/src/platform/custody/watcher-hostile.test.ts',
  'apps/server/src/platform/custody/watcher-load.test.ts',
  'apps/server/src/platform/custody/watcher-reorg.test.ts',
  'apps/server/src/platform/notices/notices.test.ts',
  'apps/server/src/platform/signer/daily-caps.test.ts',
  'bookkeeper/src/bookkeeper.test.ts',
]

/** The tests of a folder that run on this database. */
function testsOf(root: string): string[] {
  const all = globSync('**/*.test.ts', { cwd: join(import.meta.dirname, root), exclude: ['**/node_modules/**'] })
  const reaching = (target: string) => new Set(testsThatReach(import.meta.dirname, root, target))
  const needsDatabase = reaching(TEST_DATABASE)
  const notNow = new Set(leftToNight(root))
  const runsOnce = root === 'sim' ? needsDatabase : reaching(TEST_SERVER)
  for (const path of LONG_ON_ONE_DATABASE) if (path.startsWith(`${root}/`)) runsOnce.add(path.slice(root.length + 1))
  return all
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => {
      if (notNow.has(path)) return false
      if (path.endsWith('.pglite.test.ts')) return database === 'pglite'
      if (runsOnce.has(path)) return database === serversOn
      // On PostgreSQL, tests without a database would only repeat what they did on PGlite.
      return database === 'pglite' || needsDatabase.has(path)
    })
}

/**
 * Tests that open a database: starting one takes a second or two on a slow machine. Files share processes, which saves
 * a quarter of the server's time: every test opens a database and a server for itself and leaves no global changed.
 */
const withDatabase = (name: string, root: string) => ({
  root,
  test: {
    name,
    environment: 'node' as const,
    include: testsOf(root),
    setupFiles: RANDOM_TESTS,
    isolate: false,
    execArgv,
    env: { TEST_DATABASE: database },
    // A job in another process or timer may be a second late on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})

/** The projects named by `--project` on the command line; all where none is named. */
const asked = process.argv.flatMap((word, i, words) => {
  if (word === '--project') return [words[i + 1] ?? '']
  return word.startsWith('--project=') ? [word.slice('--project='.length)] : []
})
// The web app's configuration generates its code when it is loaded, so it is only loaded where its tests are wanted.
const wantsWeb = asked.length === 0 || asked.includes('web') || asked.includes('ui')

/**
 * Short files that take longest: they start processes and wait for them. Vitest starts large files first, and at the end
 * these would leave a processor idle.
 */
const LONGEST = [
  '/apps/server/src/start-without-node.test.ts',
  '/apps/server/src/operator/operator.test.ts',
  '/scripts/bootstrap.test.ts',
  '/sim/src/kill.test.ts',
  '/sim/src/two-servers.test.ts',
  '/sim/src/plan-kill.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(path))
      return place === -1 ? LONGEST.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

/** By default Vitest leaves one processor free, which on a machine of two is half of it. */
const maxWorkers = availableParallelism()

const web = {
  extends: './apps/web/vite.config.ts',
  test: {
    name: 'web',
    root: 'apps/web',
    // All projects need the same number of workers to run side by side, and this one inherits nothing from below.
    maxWorkers,
    execArgv,
    // The first test of a screen waits for its code.
    testTimeout: 30_000,
    // The first import of wagmi and viem may take a minute on a busy machine.
    hookTimeout: 180_000,
  },
}

/** The components, beside the web app, whose configuration also generates their code. */
const ui = {
  root: 'packages/ui',
  test: {
    name: 'ui',
    environment: 'node' as const,
    include: ['{src,build}/**/*.test.{ts,tsx}'],
    isolate: false,
    setupFiles: [join(import.meta.dirname, 'packages/ui/src/testing/start-file.ts')],
    execArgv,
    testTimeout: 30_000,
  },
}

export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    // A test that shows a row of the specification names it: `{ tags: ['§4.09'] }`. Any other tag is an error.
    tags: ROWS.map(({ id, text }) => ({ name: `§${id}`, description: text })),
    projects: [
      pure('money', 'packages/money'),
      pure('rules', 'packages/rules'),
      pure('api', 'packages/api'),
      pure('verify', 'packages/verify'),
      pure('proofs', 'packages/proofs'),
      pure('watch', 'watch'),
      withDatabase('ledger', 'packages/ledger'),
      withDatabase('server', 'apps/server'),
      withDatabase('sim', 'sim'),
      withDatabase('demo', 'demo'),
      withDatabase('bookkeeper', 'bookkeeper'),
      withDatabase('scripts', 'scripts'),
      pure('bench', 'bench'),
      pure('cluster', 'cluster'),
      pure('exit-kit', 'exit-kit'),
      ...(wantsWeb ? [web, ui] : []),
    ],
  },
})
