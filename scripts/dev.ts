import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'

/**
 * `npm run dev`: the server, started again whenever one of its files changes, and Vite with hot reload in front of it.
 * When one of them ends, or somebody ends this, both end.
 */
const root = join(import.meta.dirname, '..')
const PATIENCE_MS = 10_000

const apiPort = process.env.PORT ?? '3000'
// The page is opened at Vite's address, so that is what a sign-in message must name.
const publicUrl = process.env.PUBLIC_URL ?? 'http://localhost:5173'
const env = { ...process.env, PORT: apiPort, API_PORT: apiPort, PUBLIC_URL: publicUrl }
// As scripts/bootstrap.mjs chooses it for `npm start`.
const script = (process.env.PROFILE ?? 'local') === 'local' ? 'demo/src/main.ts' : 'apps/server/src/main.ts'
const server = start(['--watch', '--watch-preserve-output', script, '--dev', ...process.argv.slice(2)], root)
const web = start([join(root, 'node_modules/vite/bin/vite.js'), '--clearScreen', 'false'], join(root, 'apps/web'))

let ending = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void end(128 + constants.signals[signal]))
}
process.on('exit', () => {
  endGroup(server, 'SIGKILL')
  endGroup(web, 'SIGKILL')
})
server.on('exit', (code) => void end(code ?? 1))
web.on('exit', (code) => void end(code ?? 1))

function start(args: string[], cwd: string): ChildProcess {
  // A separate process group, so that Ctrl-C reaches only this process, which then ends the child.
  return spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true })
}

async function end(exitCode: number): Promise<void> {
  if (ending) return
  ending = true
  const impatience = setTimeout(() => {
    endGroup(server, 'SIGKILL')
    endGroup(web, 'SIGKILL')
  }, PATIENCE_MS)
  await Promise.all([server, web].map((child) => endAndWait(child)))
  clearTimeout(impatience)
  process.exit(exitCode)
}

function endAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  return gone
}

/** Ends the child and all processes that it started. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
