import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fault, plant } from './find-faults.ts'
import type { SourceFile } from './syntax-tree.ts'

const LIBRARIES = ['@openzeppelin/contracts', '@layerzerolabs/toolbox-foundry/lib/forge-std']

/** A faulty loop may never end. On a busy machine sound tests may not either, so this proves nothing. */
const LIMIT_MS = 600_000

const FORGE = ['test', '--json', '--fail-fast', '--dynamic-test-linking']
const DIRECTED = ['--match-path', 'test/exit/*.t.sol', '--no-match-path', 'test/exit/{model/*,Costs.t.sol}']
const MODEL = ['--match-path', 'test/exit/model/*.t.sol']

type Run =
  | { readonly kind: 'passed' }
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'failed'; readonly test: string }
  | { readonly kind: 'not compiled'; readonly output: string }

/**
 * A copy of the contracts and their tests with its own builds. Tests reach contracts by their artifacts, so a fault compiles
 * its contracts again but no test.
 */
export class Workshop {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vault-faults-'))
  readonly #vault: string

  /** @param vault the folder `vault` of the repository */
  constructor(vault: string) {
    this.#vault = vault
    const copy = join(this.#folder, 'vault')
    mkdirSync(copy)
    for (const name of ['src', 'test']) cpSync(join(vault, name), join(copy, name), { recursive: true })
    for (const name of LIBRARIES) {
      cpSync(join(vault, '../node_modules', name), join(this.#folder, 'node_modules', name), { recursive: true })
    }
    const settings = readFileSync(join(vault, 'foundry.toml'), 'utf8')
    writeFileSync(join(copy, 'foundry.toml'), settings.replace('"./bin/solc"', JSON.stringify(join(vault, 'bin/solc'))))
  }

  /** Runs the tests without a fault. @throws Error unless they pass. */
  prepare(): void {
    const run = this.#forge(DIRECTED)
    if (run.kind !== 'passed') throw new Error(`The tests do not pass without a fault: ${JSON.stringify(run)}`)
  }

  /** The test that notices the fault: a directed one, or else the model. */
  try(fault: Fault, source: SourceFile, { withModel }: { withModel: boolean }): Run {
    const path = join(this.#folder, 'vault/src/exit', fault.file)
    writeFileSync(path, Buffer.from(plant(source.bytes, fault), 'latin1'))
    try {
      const directed = this.#forge(DIRECTED)
      return directed.kind === 'passed' && withModel ? this.#forge(MODEL) : directed
    } finally {
      writeFileSync(path, Buffer.from(source.bytes, 'latin1'))
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #forge(args: readonly string[]): Run {
    const { stdout, stderr, error } = spawnSync(
      'nice',
      ['-n', '19', process.execPath, join(this.#vault, 'bin/forge.cjs'), ...FORGE, ...args],
      {
        cwd: join(this.#folder, 'vault'),
        env: { ...process.env, FOUNDRY_PROFILE: 'plain' },
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        timeout: LIMIT_MS,
      },
    )
    if (error && 'code' in error && error.code === 'ETIMEDOUT') return { kind: 'unfinished' }
    const report = stdout.split('\n').find((line) => line.startsWith('{'))
    if (report === undefined) return { kind: 'not compiled', output: `${stdout}${stderr}` }
    const failure = Object.entries(JSON.parse(report) as Report).flatMap(([suite, { test_results: results }]) =>
      Object.entries(results).flatMap(([test, { status }]) =>
        status === 'Failure' ? [`${nameOf(suite)} ${test}`] : [],
      ),
    )[0]
    return failure === undefined ? { kind: 'passed' } : { kind: 'failed', test: failure }
  }
}

type Report = Record<string, { test_results: Record<string, { status: string }> }>

/** `test/exit/Roots.t.sol:RootsTest` is `RootsTest`. */
function nameOf(suite: string): string {
  return suite.split(':').at(-1) ?? suite
}
