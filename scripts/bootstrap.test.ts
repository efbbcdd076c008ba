import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/**
 * Starts of a house of one file, with an npm that installs nothing but this Node and writes down that it ran.
 */
let house: string

const INSTALL = `
  echo "$@" >> npm.log
  rm -rf node_modules
  mkdir -p node_modules/node/bin
  ln -s '${process.execPath}' node_modules/node/bin/node
  cp package-lock.json node_modules/.clearwell-lockfile
  echo noise of npm
`

beforeEach(() => {
  house = mkdtempSync(join(tmpdir(), 'clearwell-bootstrap-'))
  mkdirSync(join(house, 'scripts'))
  mkdirSync(join(house, 'bin'))
  copyFileSync(join(import.meta.dirname, 'bootstrap.mjs'), join(house, 'scripts/bootstrap.mjs'))
  writeLockfile('1.0.0')
  writeTask(`console.log('checked', ...process.argv.slice(2))`)
  writeNpm(INSTALL)
})

afterEach(() => rmSync(house, { recursive: true }))

describe('packages', () => {
  test('missing packages are installed, and the task runs with its arguments', async () => {
    const { exitCode, stdout, stderr } = await start('check', '--flag', 'x y')
    expect(stdout).toBe('checked --flag x y\n')
    expect(stderr).toMatch(/^Installing the packages .*\nInstalled in \d+ s\.\n$/)
    expect(exitCode).toBe(0)
    expect(installs()).toHaveLength(1)
    expect(installs()[0]).toMatch(/^ci /)
  })

  test('packages stay when the lockfile is the same', async () => {
    await start('check')
    const { stderr } = await start('check')
    expect(stderr).toBe('')
    expect(installs()).toHaveLength(1)
  })

  test('another version in the lockfile installs packages again', async () => {
    await start('check')
    writeLockfile('2.0.0')
    await start('check')
    expect(installs()).toHaveLength(2)
  })

  test('a new version of the product installs nothing again', async () => {
    await start('check')
    writeLockfile('1.0.0', '0.2.0')
    await start('check')
    expect(installs()).toHaveLength(1)
  })

  test('packages that npm installed by hand are used unchanged', async () => {
    await start('check')
    writeLockfile('2.0.0')
    copyFileSync(join(house, 'package-lock.json'), join(house, 'node_modules/.clearwell-lockfile'))
    expect((await start('check')).stdout).toBe('checked\n')
    expect(installs()).toHaveLength(1)
  })

  test('three starts at the same time install packages once', async () => {
    // The installation ends when both other starts wait for it.
    writeNpm(`while [ ! -e go ]; do sleep 0.05; done\n${INSTALL}`)
    let waiting = 0
    const hear = (text: string) => {
      if (text.includes('waiting for it') && ++waiting === 2) writeFileSync(join(house, 'go'), '')
    }
    const runs = await Promise.all(Array.from({ length: 3 }, () => startAndHear(hear, env(), 'check')))
    expect(runs.map(({ stdout }) => stdout)).toEqual(['checked\n', 'checked\n', 'checked\n'])
    expect(installs()).toHaveLength(1)
    expect(runs.filter(({ stderr }) => stderr.includes('waiting for it'))).toHaveLength(2)
  })

  test('a killed installation is repeated by the next start', async () => {
    writeNpm('sleep 30')
    const killed = spawn(process.execPath, [join(house, 'scripts/bootstrap.mjs'), 'check'], {
      env: env(),
      detached: true,
    })
    await new Promise((resolve) => killed.stderr.once('data', resolve))
    process.kill(-killed.pid!, 'SIGKILL')
    await new Promise((resolve) => killed.once('exit', resolve))

    writeNpm(
      `mkdir -p node_modules/node/bin; ln -s '${process.execPath}' node_modules/node/bin/node
       cp package-lock.json node_modules/.clearwell-lockfile; echo ran >> npm.log`,
    )
    expect((await start('check')).stdout).toBe('checked\n')
    expect(installs()).toHaveLength(1)
  })

  test('packages that npm cannot install stop the start with npm’s error', async () => {
    writeNpm('echo npm error network >&2; exit 7')
    const { exitCode, stdout, stderr } = await start('check')
    expect(exitCode).toBe(7)
    expect(stdout).toBe('')
    expect(stderr).toContain('npm error network')
    expect(stderr).toContain('npm ci failed with exit code 7.')
  })
})

describe('a task', () => {
  test("a task's exit code is forwarded", async () => {
    writeTask('process.exitCode = 42')
    expect((await start('check')).exitCode).toBe(42)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('a task receives %s and may end in another way', async (signal, otherwise) => {
    writeTask(`
      setInterval(() => {}, 1000)
      if (process.argv[2] === 'polite') process.on('${signal}', () => { console.log('tidied up'); process.exit(3) })
      console.log('ready')
    `)
    expect(await startAndSignal(signal, 'check', 'polite')).toEqual({ exitCode: 3, stdout: 'ready\ntidied up\n' })
    expect(await startAndSignal(signal, 'check')).toEqual({ exitCode: otherwise, stdout: 'ready\n' })
  })

  test('a task ends with its shell, which forwards no signal', async () => {
    await start('check')
    writeTask(`
      setInterval(() => {}, 1000)
      process.on('SIGTERM', () => { console.log('tidied up'); process.exit() })
      console.log('ready')
    `)
    const command = `'${process.execPath}' '${join(house, 'scripts/bootstrap.mjs')}' check; echo the shell goes on`
    const shell = spawn('/bin/sh', ['-c', command], { env: { ...env(), npm_lifecycle_event: 'check' } })
    let stdout = ''
    shell.stdout.once('data', () => shell.kill('SIGTERM'))
    shell.stdout.on('data', (chunk) => (stdout += chunk))
    await new Promise((resolve) => shell.once('close', resolve))
    expect(stdout).toBe('ready\ntidied up\n')
  })

  test('an unknown task lists the known tasks', async () => {
    for (const name of ['nonsense', '', 'toString']) {
      const { exitCode, stderr } = await start(name)
      expect(exitCode).toBe(1)
      expect(stderr).toMatch(/^Name one of these tasks: start, [a-z:, ]+, operator, vault\.\n$/)
    }
  })
})

describe('the web app', () => {
  beforeEach(() => {
    mkdirSync(join(house, 'apps/web/src'), { recursive: true })
    mkdirSync(join(house, 'apps/server/src'), { recursive: true })
    mkdirSync(join(house, 'demo/src'), { recursive: true })
    writeFileSync(join(house, 'tsconfig.base.json'), '{}')
    writeFileSync(join(house, 'apps/server/src/main.ts'), `console.log('serving alone')`)
    writeFileSync(join(house, 'demo/src/main.ts'), `console.log('serving')`)
    writeFileSync(join(house, 'apps/web/package.json'), JSON.stringify({ scripts: { build: 'sh build.sh' } }))
    writeFileSync(
      join(house, 'apps/web/build.sh'),
      'mkdir -p dist; touch dist/index.html; echo built >> ../../build.log',
    )
    writeFileSync(join(house, 'apps/web/src/main.ts'), 'one')
  })
  const builds = () => readLines('build.log')

  test('the web app is built before the first start only', async () => {
    expect((await start('start')).stdout).toBe('serving\n')
    expect((await start('start')).stdout).toBe('serving\n')
    expect(builds()).toHaveLength(1)
  })

  test('simulated people start in the local profile only', async () => {
    await start('start')
    const profiles = ['local', 'staging', 'production']
    const outputs = profiles.map(async (profile) => (await startWith(env(profile), 'start')).stdout)
    expect(await Promise.all(outputs)).toEqual(['serving\n', 'serving alone\n', 'serving alone\n'])
  })

  test('a local start makes headers, so that users can check', async () => {
    const { exitCode, stdout, stderr } = await startWith({ ...env('local'), PROOFS: 'off' }, 'start')
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining('PROOFS=off is for tests')])
  })

  test('a start outside the local profile neither installs nor builds', async () => {
    const serve = () => startWith(env('production'), 'start')
    const { exitCode, stderr } = await serve()
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/^The packages .* are not installed\..*npm run build/),
    ])
    await start('check')
    expect((await serve()).stderr).toMatch(/^The web app is not built from these sources\. /)
    expect([installs(), builds()].map(({ length }) => length)).toEqual([1, 0])
    await start('start')
    expect((await serve()).stdout).toBe('serving alone\n')
  })

  test('a source change builds the web app again, a test change not', async () => {
    await start('start')
    writeFileSync(join(house, 'apps/web/src/main.ts'), 'two')
    await start('start')
    expect(builds()).toHaveLength(2)
    writeFileSync(join(house, 'apps/web/src/more.ts'), '')
    await start('start')
    expect(builds()).toHaveLength(3)
    rmSync(join(house, 'apps/web/src/more.ts'))
    writeFileSync(join(house, 'apps/web/src/more.test.ts'), '')
    await start('start')
    expect(builds()).toHaveLength(4)
    writeFileSync(join(house, 'apps/web/src/more.test.ts'), 'changed')
    await start('start')
    expect(builds()).toHaveLength(4)
  })

  test('a failed build stops the start with the build’s error', async () => {
    writeFileSync(join(house, 'apps/web/build.sh'), 'echo no such colour; exit 1')
    const { exitCode, stdout, stderr } = await start('start')
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('no such colour')
  })
})

function writeLockfile(version: string, ownVersion = '0.1.0'): void {
  const packages = { '': { version: ownVersion }, 'node_modules/node': { version, integrity: `sha512-${version}` } }
  writeFileSync(join(house, 'package-lock.json'), JSON.stringify({ packages }))
}

function writeTask(source: string): void {
  writeFileSync(join(house, 'scripts/check.ts'), source)
}

function writeNpm(source: string): void {
  writeFileSync(join(house, 'bin/npm'), `#!/bin/sh\ncd '${house}'\n${source}\n`, { mode: 0o755 })
}

function installs(): string[] {
  return readLines('npm.log')
}

function readLines(file: string): string[] {
  const path = join(house, file)
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
}

function env(profile?: string): NodeJS.ProcessEnv {
  return {
    ...(profile ? { PROFILE: profile } : {}),
    PATH: [join(house, 'bin'), '/usr/bin', '/bin'].join(delimiter),
    TMPDIR: house,
  }
}

interface Ended {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

const start = (...args: string[]) => startWith(env(), ...args)
const startWith = (variables: NodeJS.ProcessEnv, ...args: string[]) => startAndHear(() => {}, variables, ...args)

/** @param hear gets what the start writes to stderr, as it comes. */
function startAndHear(hear: (text: string) => void, variables: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [join(house, 'scripts/bootstrap.mjs'), ...args], { env: variables })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => {
    stderr += chunk
    hear(String(chunk))
  })
  return new Promise((resolve) => child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr })))
}

/** Sends the signal to the start alone, as npm and process managers do, once the task has said something. */
function startAndSignal(
  signal: NodeJS.Signals,
  ...args: string[]
): Promise<{ exitCode: number | null; stdout: string }> {
  const child = spawn(process.execPath, [join(house, 'scripts/bootstrap.mjs'), ...args], { env: env() })
  let stdout = ''
  child.stdout.once('data', () => child.kill(signal))
  child.stdout.on('data', (chunk) => (stdout += chunk))
  return new Promise((resolve) => child.once('close', (exitCode) => resolve({ exitCode, stdout })))
}
