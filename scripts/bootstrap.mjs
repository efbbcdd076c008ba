#!/usr/bin/env node
// Every command of the product starts here: `node scripts/bootstrap.mjs <task> [arguments]`. It sees to it that what the
// lockfile names is installed, then hands over to the Node that is installed with it. Plain JavaScript without
// dependencies, because it runs before anything is installed and under whatever Node the system has.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lockfile = join(root, 'package-lock.json')
const stampFile = join(root, 'node_modules', '.clearwell-lockfile-sha256')
const installedNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const TASKS = {
  // Most of what a request allocates dies with it: with room for it the garbage collector runs a quarter as often.
  start: { script: 'apps/server/src/main.ts', flags: ['--max-semi-space-size=64'], prepare: buildWeb },
  dev: { script: 'scripts/dev.ts' },
  test: { script: 'scripts/test.ts' },
  'test:one': { script: 'scripts/test-one.ts' },
  check: { script: 'scripts/check.ts' },
  bench: { script: 'bench/src/main.ts' },
  operator: { script: 'apps/server/src/operator.ts' },
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const HEARTBEAT_MS = 10_000
const PARENT_CHECK_MS = 250
/** A lock whose holder has not touched it for so long is taken over, even if its process id is in use again. */
const LOCK_STALE_MS = 60_000

/** An end that needs no stack trace: the message says what to do. */
class Stop extends Error {
  constructor(message, code = 1) {
    super(message)
    this.code = code
  }
}

const heldLocks = new Set()
const running = new Set()

process.on('exit', () => heldLocks.forEach(removeLock))
main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof Stop)) say(error.stack)
  else if (error.message) say(error.message)
  process.exit(error instanceof Stop ? error.code : 1)
})

async function main([name, ...args]) {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Stop(
      `Clearwell needs Node 20.19 or later to start, and this is ${process.version}. There is one at https://nodejs.org.`,
    )
  }
  const task = Object.hasOwn(TASKS, name ?? '') ? TASKS[name] : undefined
  if (!task) throw new Stop(`Name one of these tasks: ${Object.keys(TASKS).join(', ')}.`)

  for (const signal of SIGNALS) process.on(signal, () => interrupt(signal))
  if (process.env.npm_lifecycle_event) endWithParent()
  if (!isInstalled()) await withLock('install', 'Another start is installing the packages; waiting for it.', install)
  if (task.prepare) await task.prepare()
  process.exit(await runTask(join(root, task.script), args, task.flags))
}

/** Runs the task to its end and answers its exit code; 128 + n where signal n ended it, as a shell does. */
function runTask(script, args, flags = []) {
  if (!existsSync(script)) throw new Stop(`There is no ${relative(root, script)} to run.`)
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PATH: join(root, 'node_modules', '.bin') + delimiter + process.env.PATH }
    const child = spawn(installedNode, [...flags, script, ...args], { cwd: root, env, stdio: 'inherit' })
    running.add(child)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      running.delete(child)
      resolve(signal ? 128 + constants.signals[signal] : code)
    })
  })
}

function interrupt(signal) {
  // Ctrl-C reaches everything in the terminal's foreground by itself; a second one would be read as "at once".
  const alreadyDelivered = signal === 'SIGINT' && process.stdin.isTTY
  if (!alreadyDelivered) for (const child of running) child.kill(signal)
  if (running.size === 0) process.exit(128 + constants.signals[signal])
}

/**
 * npm runs a script through a shell, and passes a signal on to that shell, which dies of it without telling anyone. So the
 * shell's end is the signal.
 */
function endWithParent() {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    interrupt('SIGTERM')
  }, PARENT_CHECK_MS)
  watch.unref()
}

// ---- packages

function isInstalled() {
  if (!existsSync(installedNode)) return false
  const wanted = sha256(readFileSync(lockfile))
  if (readText(stampFile) === wanted) return true
  if (!installedMatchesLockfile()) return false
  // Installed by hand: `npm install` has just written both the lockfile and what is installed.
  writeFileSync(stampFile, wanted)
  return true
}

/** Compares names, versions and checksums only. npm writes its own record last, so a torn install has none. */
function installedMatchesLockfile() {
  const record = readText(join(root, 'node_modules', '.package-lock.json'))
  if (record === undefined) return false
  const installed = JSON.parse(record).packages
  const wanted = JSON.parse(readFileSync(lockfile, 'utf8')).packages
  const isPackage = (path) => path.split('/').includes('node_modules')
  const same = (path) => {
    const [a, b] = [installed[path], wanted[path]]
    if (!a) return b.optional === true
    return a.version === b.version && a.integrity === b.integrity && a.resolved === b.resolved
  }
  return (
    Object.keys(wanted).filter(isPackage).every(same) &&
    Object.keys(installed)
      .filter(isPackage)
      .every((path) => wanted[path])
  )
}

async function install() {
  if (isInstalled()) return
  say('Installing the packages that package-lock.json names. This takes a minute the first time.')
  const startedMs = Date.now()
  // Not the Node inside node_modules, which is about to be removed.
  const ownBin = join(root, 'node_modules')
  const path = process.env.PATH.split(delimiter).filter((folder) => !folder.startsWith(ownBin))
  const env = { ...process.env, PATH: path.join(delimiter) }
  const args = ['ci', '--loglevel=error', '--no-audit', '--no-fund', '--no-progress']
  await runQuietly('npm', args, { cwd: root, env, doing: 'installing' })
  if (!existsSync(installedNode)) {
    throw new Stop('npm has finished, but Node 24 is missing: are install scripts or optional packages turned off?')
  }
  writeFileSync(stampFile, sha256(readFileSync(lockfile)))
  say(`Installed in ${seconds(startedMs)}.`)
}

// ---- the web app

/** Builds apps/web/dist, unless it was made from exactly these sources. */
async function buildWeb() {
  const web = join(root, 'apps', 'web')
  const stamp = join(web, 'dist', '.sources-sha256')
  const isBuilt = () => existsSync(join(web, 'dist', 'index.html')) && readText(stamp) === hashOfWebSources()
  if (isBuilt()) return
  await withLock('build', 'Another start is building the web app; waiting for it.', async () => {
    if (isBuilt()) return
    say('Building the web app.')
    const startedMs = Date.now()
    const sources = hashOfWebSources()
    await runQuietly(installedNode, ['--run', 'build'], { cwd: web, env: process.env, doing: 'building' })
    writeFileSync(stamp, sources)
    say(`Built in ${seconds(startedMs)}.`)
  })
}

/** By content, not by time: a checkout touches files that did not change, and keeps the time of some that did. */
function hashOfWebSources() {
  const hash = createHash('sha256')
  const folders = ['apps/web', 'packages/money', 'packages/rules', 'packages/api', 'vault/abi']
  const files = ['package-lock.json', 'tsconfig.base.json', ...folders.flatMap(filesUnder)]
  for (const file of files.sort()) {
    hash.update(`${file}\0`)
    hash.update(readFileSync(join(root, file)))
    hash.update('\0')
  }
  return hash.digest('hex')
}

function filesUnder(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.name.startsWith('.') || ['node_modules', 'dist'].includes(entry.name)) return []
    if (path === 'apps/web/src/generated' || /\.test\.tsx?$/.test(entry.name)) return []
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}

// ---- helpers

/** Runs a command whose output is only of interest when it fails, and says every ten seconds that it is still at it. */
function runQuietly(command, args, { cwd, env, doing }) {
  return new Promise((resolve, reject) => {
    const startedMs = Date.now()
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = []
    const heartbeat = setInterval(() => say(`  still ${doing} (${seconds(startedMs)})`), HEARTBEAT_MS)
    running.add(child)
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => {
      clearInterval(heartbeat)
      reject(new Stop(error.code === 'ENOENT' ? `There is no ${command} on the PATH.` : error.message))
    })
    child.on('close', (code, signal) => {
      clearInterval(heartbeat)
      running.delete(child)
      if (code === 0) return resolve()
      process.stderr.write(Buffer.concat(output))
      if (signal) return reject(new Stop('', 128 + constants.signals[signal]))
      reject(new Stop(`${command} ${args[0]} failed with exit code ${code}.`, code))
    })
  })
}

/** Does `work` while no other start in this folder does work of the same name. */
async function withLock(name, waiting, work) {
  const lock = join(tmpdir(), `clearwell-${sha256(root).slice(0, 16)}-${name}.lock`)
  for (let attempt = 0; !takeLock(lock); attempt++) {
    if (attempt === 0) say(waiting)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  const touch = setInterval(() => existsSync(lock) && utimesSync(lock, new Date(), new Date()), LOCK_STALE_MS / 6)
  try {
    await work()
  } finally {
    clearInterval(touch)
    removeLock(lock)
  }
}

function takeLock(lock) {
  if (createWith(lock, String(process.pid))) {
    heldLocks.add(lock)
    return true
  }
  // Clearing a dead start's lock has a lock of its own, or two that wait could clear it and then each other's.
  const clearing = `${lock}.clearing`
  if (isAbandoned(lock) && createWith(clearing, String(process.pid))) {
    if (isAbandoned(lock)) remove(lock)
    remove(clearing)
  } else if (isAbandoned(clearing)) remove(clearing)
  return false
}

function removeLock(lock) {
  heldLocks.delete(lock)
  remove(lock)
}

function isAbandoned(lock) {
  const holder = readText(lock)
  if (holder === undefined) return false
  try {
    if (Date.now() - statSync(lock).mtimeMs > LOCK_STALE_MS) return true
    if (holder !== '') process.kill(Number(holder), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function createWith(file, text) {
  try {
    const handle = openSync(file, 'wx')
    writeSync(handle, text)
    closeSync(handle)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function remove(file) {
  try {
    unlinkSync(file)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function sha256(data) {
  return createHash('sha256').update(data).digest('hex')
}

function seconds(sinceMs) {
  return `${Math.round((Date.now() - sinceMs) / 1000)} s`
}

/** On stderr, so that a task's output can be piped. */
function say(text) {
  process.stderr.write(`${text}\n`)
}
