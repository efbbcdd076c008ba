import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findOrFetchBrowser, HOW_TO_GET_CHROMIUM } from './browser.ts'
import { check } from './check.ts'
import { describeFailures, playwrightFailures, vitestFailures } from './failed-tests.ts'
import { describeLongest, playwrightTimes, vitestTimes } from './longest-tests.ts'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres, TEST_POSTGRES, type ThrowawayPostgres } from './postgres.ts'
import { endOnSignals, runCommand, secondsSince } from './run-command.ts'
import { makeScratchFolder } from './scratch-folder.ts'
import {
  addCounts,
  forgeCounts,
  lastLine,
  NO_TESTS,
  ONE_FAILURE,
  playwrightCounts,
  stageCounts,
  type TestCounts,
  vitestCounts,
} from './test-counts.ts'

/**
 * `npm test`: every check, and every test but those of the night (`at-night.ts`); `npm test -- --only unit,vault` runs some stages.
 * The last line is `N passed, N failed`, with `, N skipped` where some were. Only tests count as passed; a step of the
 * check that fails, a runner that breaks and a stage that runs nothing count as failed.
 */
const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)
const isCi = process.env.CI === 'true' || process.env.CI === '1'
/** The least and the most that broken rows take, and what CI should take without its installation, in seconds. */
const [LEAST_ROWS_S, MOST_ROWS_S, WHOLE_RUN_S] = [60, 120, 840]

/** Tests start many short processes of the same code: servers to kill, commands. Each after the first finds it compiled. */
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/clearwell-compiled')

/** `note` says why a stage has not run, where that is no failure. `output` is printed when the stage's turn comes. */
type Outcome = TestCounts & { readonly note?: string; readonly output?: string }

const STAGES = {
  check: { title: 'Check', run: runCheck },
  unit: { title: 'Tests, on PGlite', run: runOnPglite },
  e2e: { title: 'Journeys in a browser', run: runJourneys },
  postgres: { title: 'Tests of ledger, server and simulation, on PostgreSQL', run: runOnPostgres },
  vault: { title: 'Tests of the vault contract', run: runForge },
  conformance: { title: 'Rows of the specification', run: runConformance },
  rows: { title: 'Rows of the specification, broken', run: runBrokenRows },
} satisfies Record<string, { title: string; run: () => Promise<Outcome> }>

type StageName = keyof typeof STAGES

/**
 * Stages that start together with another one, and stages that start when another one ends. The tests on PostgreSQL mostly
 * wait for faults and kills, so the last of them leave a processor to the first journeys. The contract's fuzzing follows them
 * at the lowest priority: it would slow the browser down. What these stages print appears when their turn comes.
 */
const BESIDE: Partial<Record<StageName, readonly StageName[]>> = { unit: ['postgres'] }
const AFTER: Partial<Record<StageName, StageName>> = { postgres: 'vault' }

/** Optimizing everything takes six times as long as all these tests: only sizes and gas need it here. */
const FORGE_RUNS = [
  { profile: 'plain', args: ['--no-match-path', 'test/exit/Costs.t.sol'] },
  { profile: 'default', args: ['--match-path', 'test/exit/Costs.t.sol'] },
]

const asked = askedStages()
const names = asked.length > 0 ? asked : stageNames()

/** The folder of the runners' reports, kept until the next run: the stage `conformance` also reads them when it runs alone. */
const reports = join(root, 'node_modules/.cache/clearwell-reports')
await mkdir(reports, { recursive: true })
for (const name of names) await rm(reportOf(name), { force: true })
const scratch = await makeScratchFolder()
process.env.TMPDIR = scratch.path
/** One line for each server that a test has started or restarted, with the test's file. */
const serverLog = join(scratch.path, 'servers')
process.env.TEST_SERVER_LOG = serverLog
let postgres: ThrowawayPostgres | undefined
const started = new Map<StageName, Promise<Outcome & { readonly time: string }>>()
endOnSignals(cleanUp)

let total = NO_TESTS
const summary: string[] = []
try {
  for (const name of names) {
    const { title } = STAGES[name]
    console.log(`\n=== ${title}\n`)
    for (const beside of BESIDE[name] ?? []) if (names.includes(beside)) start(beside)
    const outcome = await start(name)
    if (outcome.output) console.log(outcome.output)
    total = addCounts(total, outcome)
    summary.push(`${title}: ${outcome.note ?? `${lastLine(outcome)} (${outcome.time})`}`)
  }
  summary.push(`Servers started by tests on PGlite and PostgreSQL: ${await countServers()}`)
} finally {
  await cleanUp()
}
console.log(`\nLongest tests\n${(await longestTests()).join('\n')}`)
await printFailures()
console.log(`\n${summary.join('\n')}\n\n${lastLine(total)}`)
process.exitCode = total.failed > 0 ? 1 : 0

/** Starts a stage, unless it is started. A runner that breaks counts as a failure. */
function start(name: StageName): Promise<Outcome & { readonly time: string }> {
  const startedMs = performance.now()
  const outcome =
    started.get(name) ??
    STAGES[name]
      .run()
      .catch((error: Error): Outcome => ({ ...ONE_FAILURE, output: String(error.stack) }))
      .then((outcome) => ({ ...outcome, time: secondsSince(startedMs) }))
  started.set(name, outcome)
  const next = AFTER[name]
  if (next && names.includes(next)) void outcome.then(() => start(next))
  return outcome
}

function askedStages(): StageName[] {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [] } } })
  const words = values.only.flatMap((value) => value.split(','))
  const unknown = words.filter((word) => !Object.hasOwn(STAGES, word))
  if (unknown.length > 0) {
    console.error(`There is no stage "${unknown.join('", "')}". There are: ${stageNames().join(', ')}.`)
    process.exit(1)
  }
  return stageNames().filter((name) => words.includes(name))
}

function stageNames(): StageName[] {
  return Object.keys(STAGES) as StageName[]
}

async function countServers(): Promise<number> {
  return ((await readIfThere(serverLog)) ?? '').split('\n').length - 1
}

async function cleanUp(): Promise<void> {
  await postgres?.stop()
  await scratch.remove()
}

async function longestTests(): Promise<string[]> {
  return describeLongest(await fromReports(vitestTimes, playwrightTimes), 6)
}

/** Of a long log, a CI machine may keep only the end. Tests of the contract are listed by their own stage. */
async function printFailures(): Promise<void> {
  const lines = describeFailures(await fromReports(vitestFailures, playwrightFailures), 20)
  if (lines.length > 0) console.log(`\nFailed tests\n${lines.join('\n')}`)
}

type Reader<T> = (json: string, root: string) => T[]

async function fromReports<T>(ofVitest: Reader<T>, ofPlaywright: Reader<T>): Promise<T[]> {
  const found = names.map(async (name) => {
    const json = await readIfThere(reportOf(name))
    if (json === undefined) return []
    return name === 'e2e' ? ofPlaywright(json, root) : ofVitest(json, root)
  })
  return (await Promise.all(found)).flat()
}

async function runCheck(): Promise<TestCounts> {
  const failed = await check()
  return { ...NO_TESTS, failed: failed.length }
}

async function runVitest(
  stage: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: 'show' | 'keep' = 'show',
): Promise<Outcome> {
  const report = reportOf(stage)
  const { exitCode, all } = await runCommand(
    bin('vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
    { cwd: root, env, output },
  )
  return { ...stageCounts(exitCode, vitestCountsOrNone(await readIfThere(report))), output: all }
}

function vitestCountsOrNone(json: string | undefined): TestCounts | undefined {
  return json === undefined ? undefined : vitestCounts(json)
}

/** Tests that start servers run once: on PostgreSQL, if that stage runs too. */
function runOnPglite(): Promise<Outcome> {
  const serversOn = names.includes('postgres') && findPostgres() ? 'postgres' : 'pglite'
  return runVitest('unit', [], { TEST_DATABASE: 'pglite', TEST_SERVERS_ON: serversOn })
}

async function runOnPostgres(): Promise<Outcome> {
  if (!findPostgres())
    return notPossible(`PostgreSQL is not installed, so these tests have run on PGlite only. ${HOW_TO_GET_POSTGRES}`)
  postgres = await startPostgres(TEST_POSTGRES)
  const env = { TEST_DATABASE: 'postgres', TEST_DATABASE_URL: postgres.url }
  const outcome = await runVitest(
    'postgres',
    ['ledger', 'server', 'sim', 'demo', 'bookkeeper'].flatMap((name) => ['--project', name]),
    env,
    names.includes('unit') ? 'keep' : 'show',
  )
  await postgres.stop()
  return outcome
}

async function runForge(): Promise<Outcome> {
  let total: Outcome = { ...NO_TESTS }
  const lines: string[] = []
  for (const { profile, args } of FORGE_RUNS) {
    const { exitCode, stdout, all } = await runCommand('nice', ['-n', '19', bin('forge'), 'test', '--json', ...args], {
      cwd: join(root, 'vault'),
      env: { FOUNDRY_PROFILE: profile },
      output: 'keep',
    })
    // A compiler's complaint comes instead of the report.
    const json = stdout.split('\n').find((line) => line.startsWith('{'))
    if (json === undefined) return { ...ONE_FAILURE, output: all }
    const { failures, ...counts } = forgeCounts(json)
    lines.push(...failures.map((failure) => `FAIL  ${failure}`))
    total = addCounts(total, stageCounts(exitCode, counts))
  }
  // The last of the runs compiled the optimized bytes.
  const upToDate = await runCommand(process.execPath, ['vault/scripts/generate-abi.ts', '--exits', '--check'], {
    cwd: root,
    output: 'keep',
  })
  if (upToDate.exitCode !== 0) {
    total = addCounts(total, ONE_FAILURE)
    lines.push(`FAIL  ${upToDate.all}`)
  }
  lines.push(`${total.passed} of ${total.passed + total.failed} tests passed`)
  return { ...total, output: lines.join('\n') }
}

async function runJourneys(): Promise<Outcome> {
  const report = reportOf('e2e')
  const browser = await findOrFetchBrowser()
  if (browser === undefined)
    return notPossible(`There is no Chromium, so the journeys have not run. ${HOW_TO_GET_CHROMIUM}`)
  const { exitCode } = await runCommand(bin('playwright'), ['test', '--reporter=list,json,./failed-page.ts'], {
    cwd: join(root, 'e2e'),
    env: {
      CHROMIUM_PATH: browser,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      PLAYWRIGHT_FORCE_TTY: '0',
      // Node reads TypeScript itself. Playwright's compiler would take seven seconds of a processor in a new checkout.
      PW_DISABLE_TS_ESM: '1',
      // As in vitest.config.ts, for the processes of the tests and their servers.
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`,
    },
    output: 'show',
  })
  const json = await readIfThere(report)
  return stageCounts(exitCode, json === undefined ? undefined : playwrightCounts(json))
}

/** Every row of the specification has a test that passed, and the page that says so is up to date. */
async function runConformance(): Promise<Outcome> {
  if ((await readIfThere(reportOf('e2e'))) === undefined)
    return notPossible('The journeys have not run, so the rows of the specification are not shown.')
  const { exitCode } = await runCommand(process.execPath, ['e2e/conformance/main.ts'], { cwd: root, output: 'show' })
  return exitCode === 0 ? NO_TESTS : ONE_FAILURE
}

/**
 * In CI, or where asked for: breaks what the last commit touched, then other rows, for one minute, or for two where CI has the
 * time. A breakage that no test notices is named here, and fails `npm run rows`.
 */
async function runBrokenRows(): Promise<Outcome> {
  if (!isCi && asked.length === 0) return { ...NO_TESTS, note: 'in CI, or with npm run test:ci' }
  const left = Math.floor(WHOLE_RUN_S - performance.now() / 1_000)
  const seconds = Math.max(LEAST_ROWS_S, Math.min(MOST_ROWS_S, left))
  const args = ['e2e/conformance/break-rows.ts', '--commit', '--seconds', String(seconds)]
  const { stdout, all } = await runCommand(process.execPath, args, { cwd: root, output: 'keep' })
  const notes = stdout.split('\n').filter((line) => /breakages made|^Not noticed/.test(line))
  return { ...(notes.length > 0 ? NO_TESTS : ONE_FAILURE), output: all, note: notes.join(' ') }
}

/** Reports a stage that cannot run here: a note on a developer's machine, a failure in CI or when requested by name. */
function notPossible(sentence: string): Outcome {
  console.log(sentence)
  return isCi || asked.length > 0 ? ONE_FAILURE : { ...NO_TESTS, note: sentence }
}

/** Where a stage's runner writes its report. */
function reportOf(stage: string): string {
  return join(reports, `${stage}.json`)
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
