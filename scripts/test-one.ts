import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findOrFetchBrowser, HOW_TO_GET_CHROMIUM } from './browser.ts'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres, TEST_POSTGRES } from './postgres.ts'
import { endOnSignals, runCommand } from './run-command.ts'

/**
 * `npm run test:one -- <file> [--postgres] [--repeat N] [arguments of the runner]`: runs one test file with everything it needs.
 * With `--repeat 200` it runs 200 times, one after another, and fails if one run does: for a test that fails now and then.
 *
 * @example npm run test:one -- packages/ledger/src/writer.test.ts --postgres -t 'names of tests'
 */
const root = join(import.meta.dirname, '..')
const USAGE = 'npm run test:one -- <file> [--postgres] [--repeat N] [arguments of the runner]'

export interface TestPlan {
  readonly runner: 'vitest' | 'playwright' | 'forge'
  readonly args: readonly string[]
  /** From the root of the repository. */
  readonly folder: string
}

/**
 * Which runner runs a file, and how.
 *
 * @param file From the root of the repository, with forward slashes.
 * @throws Error for a file that is no test, with the remedy in its message.
 */
export function planTest(file: string, { postgres }: { readonly postgres: boolean }): TestPlan {
  const part = partOf(file)
  if (!isTest(file)) {
    throw new Error(`${file} is no test: the names of tests end with .test.ts, .test.tsx or .t.sol.`)
  }
  if (postgres && !['ledger', 'server', 'sim', 'demo', 'bookkeeper'].includes(part)) {
    throw new Error(
      `--postgres is for tests of packages/ledger, apps/server, sim, demo and bookkeeper; ${file} has no database.`,
    )
  }
  if (part === 'vault' && file.endsWith('.sol')) {
    return { runner: 'forge', args: ['test', '--match-path', file.slice('vault/'.length)], folder: 'vault' }
  }
  if (part === 'e2e') return { runner: 'playwright', args: ['test', file.slice('e2e/'.length)], folder: 'e2e' }
  return { runner: 'vitest', args: ['run', '--project', part, file], folder: '.' }
}

/**
 * Refuses a further file whose tests run elsewhere: the runner would leave it out and say nothing.
 *
 * @param words the arguments of the runner.
 * @throws Error that names the file.
 */
export function refuseOtherParts(file: string, words: readonly string[]): void {
  const other = words.find((word) => isTest(word) && partOf(word) !== partOf(file))
  if (other !== undefined) throw new Error(`${other} is of another part than ${file}: run it by a second command.`)
}

function isTest(file: string): boolean {
  return /\.(test\.tsx?|t\.sol)$/.test(file)
}

/** The package, the app or the folder that a file belongs to. */
function partOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  return first === 'packages' || first === 'apps' ? second : first
}

async function main(words: readonly string[]): Promise<number> {
  const [name] = words
  if (name === undefined || name.startsWith('-')) throw new Error(`Name a test file: ${USAGE}`)
  // npm starts us at the root and says where the user was.
  const path = [resolve(process.env.INIT_CWD ?? root, name), resolve(root, name)].find((each) => existsSync(each))
  if (path === undefined) throw new Error(`There is no file ${name}. Name it from the root of the repository.`)
  const postgres = words.includes('--postgres')
  const file = relative(root, path).replaceAll('\\', '/')
  const plan = planTest(file, { postgres })
  const { times, rest } = takeRepeat(words.slice(1).filter((word) => word !== '--postgres'))
  refuseOtherParts(file, rest)

  const run = async (env: NodeJS.ProcessEnv, more: readonly string[] = [], output: 'show' | 'keep' = 'show') => {
    const command = join(root, 'node_modules/.bin', plan.runner)
    // Slow files that `npm test` leaves to the night run here.
    const options = { cwd: join(root, plan.folder), env: { TEST_ONE: '1', ...env }, output }
    const { exitCode, all } = await runCommand(command, [...plan.args, ...rest, ...more], options)
    if (output === 'keep' && exitCode !== 0) console.log(all)
    return exitCode
  }
  if (plan.runner === 'playwright') {
    // One server for all runs. Two of them at a time could disturb each other.
    const repeated = times > 1 ? [`--repeat-each=${times}`, '--workers=1', '--retries=0'] : []
    return run({ CHROMIUM_PATH: await browserOrStop() }, repeated)
  }
  const runAll = (env: NodeJS.ProcessEnv) => (times > 1 ? repeat(times, () => run(env, [], 'keep')) : run(env))
  return postgres ? runOnPostgres(runAll) : runAll({})
}

/** Takes `--repeat N` out of the words. @throws Error where N is no number from 1 to 9,999. */
export function takeRepeat(words: readonly string[]): { readonly times: number; readonly rest: readonly string[] } {
  const at = words.indexOf('--repeat')
  if (at === -1) return { times: 1, rest: words }
  const text = words[at + 1] ?? ''
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`--repeat needs a number of runs from 1 to 9999: ${USAGE}`)
  return { times: Number(text), rest: words.toSpliced(at, 2) }
}

/** Runs the file again and again, and prints how many runs passed. @returns the exit code. */
export async function repeat(times: number, run: () => Promise<number>): Promise<number> {
  let failed = 0
  for (let done = 1; done <= times; done += 1) if ((await run()) !== 0) failed += 1
  console.log(`${times - failed} of ${times} runs passed`)
  return failed === 0 ? 0 : 1
}

async function browserOrStop(): Promise<string> {
  const browser = await findOrFetchBrowser()
  if (browser === undefined) throw new Error(`There is no Chromium. ${HOW_TO_GET_CHROMIUM}`)
  return browser
}

async function runOnPostgres(run: (env: NodeJS.ProcessEnv) => Promise<number>): Promise<number> {
  if (!findPostgres()) throw new Error(`PostgreSQL is not installed. ${HOW_TO_GET_POSTGRES}`)
  const server = await startPostgres(TEST_POSTGRES)
  endOnSignals(() => server.stop())
  try {
    return await run({ TEST_DATABASE: 'postgres', TEST_DATABASE_URL: server.url })
  } finally {
    await server.stop()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  endOnSignals()
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
