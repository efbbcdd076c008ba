#!/usr/bin/env node
// Every command of the product starts here: `node scripts/bootstrap.mjs <task> [arguments]`. It installs the packages of
// the lockfile, then continues in the Node that is one of them. Plain JavaScript without dependencies: it runs before
// anything is installed, with the system's Node of any version. Why it is our own: docs/decisions/0017-scripts-kept.md
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const installed = join(root, 'node_modules')
const node24 = join(installed, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const isLocal = (process.env.PROFILE ?? 'local') === 'local'
/** A machine that serves people installs nothing and compiles nothing at its start. */
const HOW_TO_SERVE =
  'Outside the local profile the start installs and builds nothing. Run `npm run build` where you build, and `node main.js` in the folder that it makes.'

const TASKS = {
  // Most memory of a request dies with it. With more room the garbage collector runs a quarter as often.
  start: { script: serverScript(), flags: ['--max-semi-space-size=64'], prepare: buildWeb },
  dev: { script: 'scripts/dev.ts' },
  build: { script: 'scripts/release/build.ts', prepare: buildWeb },
  test: { script: 'scripts/test.ts' },
  'test:one': { script: 'scripts/test-one.ts' },
  'test:browsers': { script: 'e2e/browsers/main.ts', prepare: buildWeb },
  nightly: { script: 'scripts/nightly.ts' },
  rows: { script: 'e2e/conformance/break-rows.ts' },
  check: { script: 'scripts/check.ts' },
  shots: { script: 'e2e/shots/main.ts', prepare: buildWeb },
  bench: { script: 'bench/src/main.ts' },
  sim: { script: 'sim/src/main.ts' },
  bookkeeper: { script: 'bookkeeper/src/main.ts' },
  // Its other tasks serve no page.
  cluster: { script: 'cluster/src/main.ts', prepare: (args) => (args.length === 0 ? buildWeb() : undefined) },
  drill: { script: 'sim/src/drills/main.ts' },
  operator: { script: 'apps/server/src/operator.ts' },
  vault: { script: 'apps/server/src/vault.ts' },
}

/** In the local profile the server has simulated people. Elsewhere none of their files is loaded. */
function serverScript() {
  return isLocal ? 'demo/src/main.ts' : 'apps/server/src/main.ts'
}

/** An end that needs no stack trace: the message says what to do. */
class Stop extends Error {
  constructor(message, code = 1) {
    super(message)
    this.code = code
  }
}

const running = new Set()
/** A second signal ends the server immediately, so the end of npm's shell must not look like one. */
let isInterrupted = false

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof Stop)) say(error.stack)
  else if (error.message) say(error.message)
  process.exit(error instanceof Stop ? error.code : 1)
})

async function main([name, ...args]) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Stop(
      `Clearwell needs Node 20.19 or later to start, and this is ${process.version}. Get it at https://nodejs.org.`,
    )
  }
  const task = Object.hasOwn(TASKS, name ?? '') ? TASKS[name] : undefined
  if (!task) throw new Stop(`Name one of these tasks: ${Object.keys(TASKS).join(', ')}.`)

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupt(signal))
  if (process.env.npm_lifecycle_event) endWithParent()
  const isServing = name === 'start' && !isLocal
  if (name === 'start' && isLocal && process.env.PROOFS === 'off')
    throw new Stop('PROOFS=off is for tests: without headers users cannot check their balances.')
  if (!isInstalled()) {
    if (isServing) throw new Stop(`The packages of package-lock.json are not installed. ${HOW_TO_SERVE}`)
    await withLock('install', 'Another start is installing the packages; waiting for it.', install)
  }
  if (isServing && !isWebBuilt()) throw new Stop(`The web app is not built from these sources. ${HOW_TO_SERVE}`)
  await task.prepare?.(args)
  const env = { ...process.env, PATH: join(installed, '.bin') + delimiter + process.env.PATH }
  const command = [...(task.flags ?? []), join(root, task.script), ...args]
  process.exit((await run(node24, command, { cwd: root, env, stdio: 'inherit' })).code)
}

/** Runs a command to its end. Its code is 128 + n where signal n ended it, as in a shell. */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const output = []
    const child = spawn(command, args, options)
    running.add(child)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) =>
      reject(new Stop(error.code === 'ENOENT' ? `There is no ${command} on the PATH.` : error.message)),
    )
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve({ code: signal ? 128 + constants.signals[signal] : code, signal, output: Buffer.concat(output) })
    })
  })
}

/** Runs a command whose output only matters when it fails, and says every ten seconds that it goes on. */
async function runQuietly(command, args, { cwd, env, doing, done }) {
  const startedMs = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedMs) / 1000)} s`
  const heartbeat = setInterval(() => say(`  still ${doing} (${seconds()})`), 10_000)
  const ended = run(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const { code, signal, output } = await ended.finally(() => clearInterval(heartbeat))
  if (code !== 0) {
    process.stderr.write(output)
    throw new Stop(signal ? '' : `${command} ${args[0]} failed with exit code ${code}.`, code)
  }
  say(`${done} in ${seconds()}.`)
}

function interrupt(signal) {
  isInterrupted = true
  // Ctrl-C reaches everything in the terminal's foreground; a second one would end the task without its own clean-up.
  const alreadyDelivered = signal === 'SIGINT' && process.stdin.isTTY
  if (!alreadyDelivered) for (const child of running) child.kill(signal)
  if (running.size === 0) process.exit(128 + constants.signals[signal])
}

/** npm runs a script through a shell, and that shell dies of a signal without passing it on. So its end is the signal. */
function endWithParent() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    if (!isInterrupted) interrupt('SIGTERM')
  }, 250)
  watch.unref()
}

// ---- packages

/** npm removes node_modules first, and writes this copy of the lockfile last: see scripts/after-install.mjs. */
function isInstalled() {
  const locked = packagesIn(join(root, 'package-lock.json'))
  return existsSync(node24) && packagesIn(join(installed, '.clearwell-lockfile')) === locked
}

/** The packages of a lockfile that have files in node_modules. A new version of our own packages installs nothing again. */
function packagesIn(lockfile) {
  try {
    const { packages } = JSON.parse(readText(lockfile) ?? '')
    return JSON.stringify(Object.entries(packages).filter(([path]) => path.includes('node_modules/')))
  } catch {
    return undefined
  }
}

async function install() {
  if (isInstalled()) return
  say('Installing the packages that package-lock.json names. This takes a minute the first time.')
  // Without the Node inside node_modules, which npm is about to remove.
  const path = process.env.PATH.split(delimiter).filter((folder) => !folder.startsWith(installed))
  const env = { ...process.env, PATH: path.join(delimiter) }
  const args = ['ci', '--loglevel=error', '--no-audit', '--no-fund', '--no-progress']
  await runQuietly('npm', args, { cwd: root, env, doing: 'installing', done: 'Installed' })
  if (!existsSync(node24)) {
    throw new Stop('npm has finished, but Node 24 is missing: are install scripts or optional packages turned off?')
  }
}

// ---- the web app

/** Builds apps/web/dist, unless it was made from exactly these sources. */
async function buildWeb() {
  if (isWebBuilt()) return
  await withLock('build', 'Another start is building the web app; waiting for it.', async () => {
    if (isWebBuilt()) return
    say('Building the web app.')
    const built = hashOfWeb()
    // Another NODE_ENV would bring React's build for developers.
    const env = { ...process.env, NODE_ENV: 'production' }
    await runQuietly(node24, ['--run', 'build'], { cwd: web(), env, doing: 'building', done: 'Built' })
    writeFileSync(stamp(), built)
  })
}

function web() {
  return join(root, 'apps', 'web')
}

function stamp() {
  return join(web(), 'dist', '.sources-sha256')
}

function isWebBuilt() {
  return existsSync(join(web(), 'dist', 'index.html')) && readText(stamp()) === hashOfWeb()
}

/** By content, not by time: a checkout touches files that did not change, and keeps the time of some that did. */
function hashOfWeb() {
  const folders = ['apps/web', 'packages/money', 'packages/rules', 'packages/api', 'packages/ui', 'vault/abi']
  return hashOf(['package-lock.json', 'tsconfig.base.json', ...folders.flatMap(filesUnder)])
}

function filesUnder(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.name.startsWith('.') || ['node_modules', 'dist'].includes(entry.name)) return []
    if (/^(apps\/web|packages\/ui)\/src\/generated$/.test(path) || /\.test\.tsx?$/.test(entry.name)) return []
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}

// ---- helpers

/**
 * Does `work` while no other start in this folder does work of the same name. The lock is a local socket, which the system
 * releases when its holder dies. Only macOS leaves a file behind, to which nothing can connect any more.
 */
async function withLock(name, waiting, work) {
  const id = `clearwell-${createHash('sha256').update(root).digest('hex').slice(0, 16)}-${name}`
  const paths = { linux: `\0${id}`, win32: `\\\\.\\pipe\\${id}` }
  const path = paths[process.platform] ?? join(tmpdir(), id)
  const server = createServer()
  for (let attempt = 0; !(await takes(server, path)); attempt++) {
    if (attempt === 0) say(waiting)
    if (!paths[process.platform] && !(await isHeld(path))) rmSync(path, { force: true })
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  try {
    await work()
  } finally {
    server.close()
  }
}

function takes(server, path) {
  return new Promise((resolve, reject) => {
    server.removeAllListeners()
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
    server.listen(path, () => resolve(true))
  })
}

function isHeld(path) {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** On stderr, so that a task's output can be piped. */
function say(text) {
  process.stderr.write(`${text}\n`)
}
