import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Fault, readSources } from './boundaries/sources.ts'
import { checkBoundaries } from './check-boundaries.ts'
import { checkLanguage } from './check-language.ts'
import { checkTokens } from './check-tokens.ts'
import {
  findLocked,
  type LockedPackages,
  missingOptionalPackages,
  packagesWithoutChecksum,
  WITHOUT_CHECKSUM,
} from './complete-lockfile.ts'
import { endOnSignals, runCommand, secondsSince } from './run-command.ts'

/**
 * `npm run check`: everything that can be said about the code without running it. One line for each step; what a failed
 * step wrote comes after them.
 */
const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)
const MAX_PARALLEL = 2
/**
 * How much memory the type checker, a program in Go, may collect before it frees any, in percent of the memory in use. This takes
 * a fifth off its processor time and adds an eighth to its memory.
 */
export const GOGC = '400'

interface Step {
  readonly name: string
  /** Returns the faults as text, or `undefined` when there are none. */
  readonly run: () => Promise<string | undefined>
}

/** Runs every step, prints the reports, and returns the names of the failed steps. */
export async function check(): Promise<string[]> {
  // First, because the checks of types and unused code need the web app's generated code.
  const failed = await runSteps([{ name: 'generate the web app’s code', run: generateWebCode }], 1)
  return [...failed, ...(await runSteps(steps(), MAX_PARALLEL))]
}

function steps(): Step[] {
  const generated = globSync('{vault/,apps/*/,e2e/,cluster/,}scripts/generate-*.ts', { cwd: root }).toSorted()
  return [
    // First, because the compiler of the contracts takes longest, on one processor.
    ...generated.filter(isOfVault).map(upToDate),
    { name: 'types', run: () => checkTypes('.') },
    { name: 'types of the web app', run: () => checkTypes('apps/web') },
    { name: 'types of the journeys', run: () => checkTypes('e2e') },
    { name: 'types of the exit kit', run: () => checkTypes('exit-kit') },
    { name: 'unused code and packages', run: () => command(bin('knip'), ['--no-progress', '--no-config-hints']) },
    { name: 'format and lint', run: () => command(bin('biome'), ['check', '--error-on-warnings', '--colors=off']) },
    { name: 'boundaries', run: async () => listFaults(checkBoundaries(readSources(root)).faults) },
    { name: 'plain language', run: async () => listFaults(checkLanguage(root)) },
    { name: 'tokens of the look', run: async () => listFaults(checkTokens(root).faults) },
    {
      name: 'package-lock.json',
      run: async () =>
        faultsOfLockfile(readFileSync(join(root, 'package-lock.json'), 'utf8'), readFileSync(WITHOUT_CHECKSUM, 'utf8')),
    },
    {
      name: 'actions pinned by commit',
      run: async () => faultsOfWorkflow(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')),
    },
    ...generated.filter((script) => !isOfVault(script)).map(upToDate),
  ]
}

/** The contracts with a committed interface. The others and the tests compile for minutes, in the stage that runs them. */
const WITH_ABI = ['src/ClearwellVault.sol', 'src/local/TestToken.sol', 'src/local/ContractWallet.sol']

const isOfVault = (script: string) => script.startsWith('vault/')

/** Generated files that are committed have a script with --check, which fails if the file is out of date. */
function upToDate(script: string): Step {
  return {
    name: `up to date: ${script}`,
    run: async () =>
      (isOfVault(script) ? await command(bin('forge'), ['build', ...WITH_ABI], join(root, 'vault')) : undefined) ??
      (await command(process.execPath, [script, '--check'])),
  }
}

async function runSteps(steps: readonly Step[], maxParallel: number): Promise<string[]> {
  const failures: { name: string; report: string }[] = []
  const waiting = [...steps]
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const startedMs = performance.now()
      const report = await step.run().catch((error: Error) => error.stack ?? error.message)
      console.log(`${report === undefined ? 'ok  ' : 'FAIL'}  ${step.name} (${secondsSince(startedMs)})`)
      if (report !== undefined) failures.push({ name: step.name, report })
    }
  }
  await Promise.all(Array.from({ length: maxParallel }, worker))
  for (const { name, report } of failures) console.log(`\n--- ${name}\n${report.trimEnd()}`)
  return failures.map(({ name }) => name)
}

async function command(
  program: string,
  args: readonly string[],
  cwd = root,
  env: NodeJS.ProcessEnv = {},
): Promise<string | undefined> {
  const { exitCode, all } = await runCommand(program, args, { cwd, env, output: 'keep' })
  return exitCode === 0 ? undefined : `${all}\nexit code ${exitCode}`
}

/** Checks the types of a folder with a tsconfig.json. The next check reads again only the files that have changed since. */
function checkTypes(folder: string): Promise<string | undefined> {
  const kept = join(root, 'node_modules/.cache/clearwell-types', `${folder.replaceAll(/\W/g, '-')}.json`)
  return command(bin('tsc'), ['-p', folder, '--incremental', '--tsBuildInfoFile', kept], root, { GOGC })
}

async function generateWebCode(): Promise<string | undefined> {
  const web = join(root, 'apps/web')
  const { scripts = {} } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8')) as { scripts?: object }
  return 'generate' in scripts ? command(process.execPath, ['--run', 'generate'], web) : undefined
}

function listFaults(faults: readonly Fault[]): string | undefined {
  return faults.length === 0
    ? undefined
    : faults.map(({ path, line, message }) => `${path}:${line} ${message}`).join('\n')
}

/**
 * Finds faults that keep `npm ci` from installing this lockfile elsewhere: a download address binds everyone to its
 * author's registry, and npm refuses a lockfile that lacks a package.
 */
export function faultsOfLockfile(text: string, listedWithoutChecksum = ''): string | undefined {
  const { packages } = JSON.parse(text) as { packages: LockedPackages }
  const entries = Object.entries(packages)
  const installed = entries.filter(([path, entry]) => path.split('/').includes('node_modules') && !entry.link)
  const listed = listedWithoutChecksum.split('\n').filter((line) => line !== '')
  const faults = [
    ...entries
      .filter(([, { resolved = '' }]) => /^[a-z+]+:/i.test(resolved))
      .map(([path, { resolved }]) => `${path} has a download address: ${resolved}`),
    // Each is for another platform, and no registry at hand had it: see complete-lockfile.ts.
    ...packagesWithoutChecksum(packages)
      .filter((line) => !listed.includes(line))
      .map((line) => `${line} has no checksum`),
    ...listed
      .filter((line) => !packagesWithoutChecksum(packages).includes(line))
      .map((line) => `${line} has a checksum or is gone: run npx node scripts/complete-lockfile.ts`),
    ...entries.flatMap(([path, { dependencies, devDependencies }]) =>
      Object.keys({ ...dependencies, ...devDependencies })
        .filter((name) => !findLocked(packages, path, name))
        .map((name) => `${name}, which ${path || 'the root'} needs, is missing`),
    ),
    ...Object.keys(missingOptionalPackages(packages)).map(
      (path) => `${path} is missing: run node scripts/complete-lockfile.ts`,
    ),
  ]
  if (installed.length === 0) faults.push('package-lock.json names no package')
  return faults.length === 0 ? undefined : faults.join('\n')
}

/** Finds actions that are named by a tag, which their authors can move, instead of a commit. */
export function faultsOfWorkflow(text: string): string | undefined {
  const faults = [...text.matchAll(/uses:\s*(\S+)/g)]
    .map(([, action = '']) => action)
    .filter((action) => !action.startsWith('./') && !/^[\w./-]+@[0-9a-f]{40}$/.test(action))
    .map((action) => `.github/workflows/ci.yml uses ${action}; name the commit instead of the tag`)
  return faults.length === 0 ? undefined : faults.join('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  endOnSignals()
  const failed = await check()
  console.log(failed.length === 0 ? '\nAll is well.' : `\nNot well: ${failed.join(', ')}.`)
  process.exitCode = failed.length === 0 ? 0 : 1
}
