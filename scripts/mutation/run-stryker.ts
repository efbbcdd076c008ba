import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../run-command.ts'
import type { StrykerReport } from './read-report.ts'
import type { Target } from './targets.ts'

const root = join(import.meta.dirname, '../..')
const TOOL = join(import.meta.dirname, 'tool')
/** Within node_modules, so that Stryker finds our Vitest and no other. */
const INSTALLED = join(root, 'node_modules/.cache/stryker')

/**
 * Installs Stryker by its own lockfile. Only this command needs it, and it would make every installation 60 MB larger.
 *
 * @throws Error if npm fails.
 */
export async function installStryker(): Promise<void> {
  const lock = readFileSync(join(TOOL, 'package-lock.json'), 'utf8')
  const stamp = join(INSTALLED, 'installed-lock.json')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  rmSync(INSTALLED, { recursive: true, force: true })
  mkdirSync(INSTALLED, { recursive: true })
  cpSync(TOOL, INSTALLED, { recursive: true })
  // Without this, npm would install another Vitest beside ours.
  const args = ['ci', '--legacy-peer-deps', '--no-audit', '--no-fund', '--ignore-scripts']
  const { exitCode } = await runCommand('npm', args, { cwd: INSTALLED, env: {}, output: 'show' })
  if (exitCode !== 0) throw new Error('npm could not install Stryker')
  writeFileSync(stamp, lock)
}

/** Mutates the files of a target in a copy of the working tree, and runs the tests that cover each mutant. */
export async function runStryker(target: Target, folder: string, concurrency: number): Promise<StrykerReport> {
  const options = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/mutation/vitest.config.ts' },
    mutate: target.files,
    // Nearly all texts are members of unions, which the compiler checks, or messages of asserts.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignoreStatic: true,
    inPlace: true,
    coverageAnalysis: 'perTest',
    concurrency,
    checkers: [],
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: 'mutation.json' },
    // Besides the time of the tests: a machine that is busy must not pass for a mutant that was noticed.
    timeoutMS: 30_000,
    disableTypeChecks: false,
  }
  writeFileSync(join(folder, 'stryker.conf.json'), JSON.stringify(options))
  rmSync(join(folder, 'mutation.json'), { force: true })
  const bin = join(INSTALLED, 'node_modules/@stryker-mutator/core/bin/stryker.js')
  const env = { MUTATION_TESTS: target.tests.join(',') }
  const { exitCode } = await runCommand(process.execPath, [bin, 'run', 'stryker.conf.json'], {
    cwd: folder,
    env,
    output: 'show',
  })
  if (exitCode !== 0) throw new Error(`Stryker ended with exit code ${exitCode}`)
  return JSON.parse(readFileSync(join(folder, 'mutation.json'), 'utf8')) as StrykerReport
}
