import { globSync } from 'node:fs'
import { join } from 'node:path'
import { testsThatReach } from '../boundaries/tests-that-reach.ts'

/** Code that is mutated together, and the tests that must notice. */
export interface Target {
  readonly name: string
  readonly about: string
  /** The least part of the mutants that the tests must notice, in percent. */
  readonly leastPercent: number
  /** Both from the root of the repository. */
  readonly files: readonly string[]
  readonly tests: readonly string[]
}

const TEST_DATABASE = 'packages/ledger/src/testing/database.ts'

/** Parts of decisions that have no test of their name without a database: those of other files notice. */
const FURTHER_DECISIONS = [
  ...['liquidation/liquidation-plan', 'swap/quote-swap', 'swap/swap.postings'],
  ...['wallet/order-deposit', 'wallet/order-withdrawal', 'wallet/withdrawal-orders'],
].map((name) => `apps/server/src/features/${name}.ts`)

/**
 * Services that need a database: files of a folder of the server, noticed by its tests that reach them. Without the test of 2,000
 * payments, which would take most of the time.
 */
const SERVICES = [
  {
    name: 'custody',
    about: 'payments in and out, the watcher and the check that all is covered',
    folder: 'src/platform/custody',
    files: [
      ...['book-movements', 'booking-log', 'credit-deposit', 'payout-guard', 'pending-transactions', 'reconcile'],
      ...['reorg-check', 'solvency', 'solvency-breaker', 'vault-counters', 'watched-vault', 'watcher'],
    ],
  },
  {
    name: 'signer',
    about: 'what the signer refuses, and its caps',
    folder: 'src/platform/signer',
    files: ['cap-rules', 'daily-caps', 'signer', 'vault-signer'],
  },
  {
    name: 'jobs',
    about: 'the jobs and their steps',
    folder: 'src/platform/jobs',
    files: ['drain', 'job', 'jobs', 'late-jobs', 'run-step'],
  },
  {
    name: 'days',
    about: 'clicks and the close of a day',
    folder: 'src/features/blind-box',
    files: ['box-money', 'click-box', 'close-day'],
  },
  { name: 'claims', about: 'claims of an exit', folder: 'src/features/exit', files: ['find-claims'] },
] as const

const SLOW = 'watcher-load.test.ts'

/** The targets of `npm run nightly -- services`: code that needs a database. */
export function readServices(root: string): Target[] {
  return SERVICES.map(({ name, about, folder, files }) => {
    const at = `apps/server/${folder}`
    const paths = files.map((file) => `${at}/${file}.ts`)
    const tests = new Set(paths.flatMap((path) => testsThatReach(root, at, path)))
    const kept = [...tests].filter((test) => test !== SLOW).toSorted()
    return { name, about, leastPercent: 80, files: paths, tests: kept.map((test) => `${at}/${test}`) }
  })
}

/** The targets of `npm run nightly -- mutation`: functions without a database. */
export function readTargets(root: string): Target[] {
  const decisions = besideTests(root, 'apps/server', 'src/{features,domain}/*/*')
  return [
    { ...packageTarget(root, 'money'), about: 'amounts, parsing and rounding' },
    { ...packageTarget(root, 'rules'), about: 'the maths of every money rule' },
    { ...besideTests(root, 'packages/ledger', 'src/*'), name: 'ledger', about: 'the ledger without a database' },
    {
      ...decisions,
      files: [...new Set([...decisions.files, ...FURTHER_DECISIONS])].toSorted(),
      name: 'decisions',
      about: 'the decisions of commands, on a ledger in memory',
    },
  ]
}

function packageTarget(root: string, name: string): Omit<Target, 'about'> {
  const all = globSync(`packages/${name}/src/*.ts`, { cwd: root }).toSorted()
  const isTest = (path: string) => path.endsWith('.test.ts')
  return { name, leastPercent: 90, files: all.filter((path) => !isTest(path)), tests: all.filter(isTest) }
}

/** Each file with tests of the same name that need no database, and all tests that need none. */
function besideTests(root: string, folder: string, pattern: string): Pick<Target, 'leastPercent' | 'files' | 'tests'> {
  const needsDatabase = new Set(testsThatReach(root, folder, TEST_DATABASE))
  const tests = globSync(`${pattern}.test.ts`, { cwd: join(root, folder) }).filter((path) => !needsDatabase.has(path))
  const sources = new Set(globSync(`${pattern}.ts`, { cwd: join(root, folder) }))
  const files = tests.map((path) => path.replace('.test.ts', '.ts')).filter((path) => sources.has(path))
  const fromRoot = (paths: readonly string[]) => paths.toSorted().map((path) => `${folder}/${path}`)
  return { leastPercent: 90, files: fromRoot(files), tests: fromRoot(tests) }
}
