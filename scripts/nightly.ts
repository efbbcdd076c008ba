import { join } from 'node:path'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres } from './postgres.ts'
import { endOnSignals, runCommand, secondsSince } from './run-command.ts'
import { makeScratchFolder } from './scratch-folder.ts'

/**
 * `npm run nightly`: the tests that are too slow for `npm test`. `npm run nightly -- pglite kills` runs some parts.
 * Exits with 1 where a part fails.
 */
const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

interface Part {
  readonly about: string
  /** Returns the exit code. */
  readonly run: () => Promise<number>
}

const PARTS: Readonly<Record<string, Part>> = {
  pglite: {
    about: 'every test of ledger, server, simulation and simulated people on PGlite, also those that start servers',
    run: () =>
      vitest(
        ['ledger', 'server', 'sim', 'demo'].flatMap((name) => ['--project', name]),
        { TEST_DATABASE: 'pglite' },
      ),
  },
  kills: {
    about: 'the server killed at every position, on PostgreSQL',
    run: () =>
      onPostgres((env) => vitest(['--project', 'sim', 'sim/src/kill.test.ts', 'sim/src/withdrawal-kill.test.ts'], env)),
  },
  restarts: {
    about: 'two servers behind nginx, each restarted three times at 200 requests a second',
    run: () => onPostgres((env) => vitest(['--project', 'sim', 'sim/src/proxy'], env)),
  },
  release: {
    about: 'a release in an empty folder: on PostgreSQL and a chain with the id 97, from the vault to a swap',
    run: () => vitest(['--project', 'sim', 'sim/src/release']),
  },
  drills: {
    about: 'each fault of a server, its database, its node and its clock; writes docs/reference/drills.md',
    run: () => run(process.execPath, ['sim/src/drills/main.ts', 'all']),
  },
  journeys: {
    about: 'every journey in both languages',
    run: () => run(process.execPath, ['scripts/test.ts', '--only', 'e2e']),
  },
  recipes: {
    about: 'each test that follows a page of docs/recipes; writes its outcome into the page',
    run: () => run(process.execPath, ['scripts/follow-recipes.ts']),
  },
  vault: {
    about: 'the contract: 5,000 runs of each fuzz test, 51,200 calls of each invariant',
    run: () => run(bin('forge'), ['test'], { FOUNDRY_PROFILE: 'nightly' }, 'vault'),
  },
  rows: {
    about: 'the behaviour of each row of the specification broken, which a test of the row must notice',
    run: () => run(process.execPath, ['e2e/conformance/break-rows.ts']),
  },
  economy: {
    about: 'each strategy of an attacker, 1,000 runs',
    run: () => run(process.execPath, ['sim/src/main.ts', 'economy']),
  },
  lending: {
    about: 'a million sequences of lending commands',
    run: () => run(process.execPath, ['sim/src/main.ts', 'lending']),
  },
}

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
try {
  for (const [name, { about, run: runPart }] of Object.entries(PARTS)) {
    if (asked.length > 0 && !asked.includes(name)) continue
    console.log(`\n=== ${name}: ${about}\n`)
    const startedMs = performance.now()
    const code = await runPart()
    if (code !== 0) process.exitCode = 1
    summary.push(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${secondsSince(startedMs)})`)
  }
} finally {
  await scratch.remove()
}
console.log(`\n${summary.join('\n')}`)

function vitest(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return run(bin('vitest'), ['run', ...args], env)
}

async function onPostgres(work: (env: NodeJS.ProcessEnv) => Promise<number>): Promise<number> {
  if (!findPostgres()) {
    console.error(`PostgreSQL is not installed. ${HOW_TO_GET_POSTGRES}`)
    return 1
  }
  const server = await startPostgres({ fsync: false })
  try {
    return await work({ TEST_DATABASE: 'postgres', TEST_DATABASE_URL: server.url })
  } finally {
    await server.stop()
  }
}

async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = '.',
): Promise<number> {
  return (await runCommand(command, args, { cwd: join(root, folder), env, output: 'show' })).exitCode
}
