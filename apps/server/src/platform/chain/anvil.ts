import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { ConfigError } from '../../config/config-error.ts'
import { freePort, isPortFree } from '../http/ports.ts'

const START_TIMEOUT_MS = 30_000

/** The local chain's process. */
export interface Anvil {
  readonly rpcUrl: string
  /** It continues with the state of an earlier run. */
  readonly isResumed: boolean
  /** False once the process has exited. */
  readonly isRunning: boolean
  stop(): Promise<void>
}

/**
 * Starts a local chain that keeps its state in `folder`. If a killed server left a chain running on the same folder, that
 * chain is stopped first, so that it saves its state.
 *
 * @param port 0 chooses a free one.
 * @param startsAt the time of a new chain's first block; now if omitted.
 * @param onEnd called when the chain exits without `stop`.
 */
export async function startAnvil({
  folder,
  port,
  chainId,
  startsAt,
  onEnd,
}: {
  folder: string
  port: number
  chainId: number
  startsAt?: Date | undefined
  onEnd?: (error: Error) => void
}): Promise<Anvil> {
  await mkdir(folder, { recursive: true })
  const pidFile = join(folder, 'anvil.pid')
  await endLeftOver(pidFile)
  const usePort = port === 0 ? await freePort() : port
  if (port !== 0 && !(await isPortFree(port))) {
    throw new ConfigError(
      `Port ${port} for the local chain is taken. Set CHAIN_PORT to another port, or CHAIN_RPC_URL to a running chain.`,
    )
  }
  const args = ['--port', String(usePort), '--host', '127.0.0.1', '--chain-id', String(chainId)]
  const stateFile = join(folder, 'state.json')
  const isResumed = existsSync(stateFile)
  const genesis = startsAt && !isResumed ? ['--timestamp', String(Math.floor(startsAt.getTime() / 1000))] : []
  const state = ['--state', stateFile, '--state-interval', '1']
  // In a separate group: Ctrl-C must reach only the server, which stops the chain after its last use.
  const child = spawn(binary(), [...args, ...genesis, ...state, '--balance', '1000000', '--order', 'fifo', '--quiet'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-2_000)
  })
  if (child.pid !== undefined) {
    const guard = guardProcess(child.pid)
    child.once('exit', () => guard?.kill('SIGKILL'))
    await writeFile(pidFile, String(child.pid))
  }
  const rpcUrl = `http://127.0.0.1:${usePort}`
  await untilResponding(rpcUrl, child, () => output)
  let isWanted = true
  child.once('exit', (code, signal) => {
    const why = `${signal ?? `exit code ${code}`} ${output.trim()}`.trim()
    if (isWanted) onEnd?.(new Error(`the local chain exited unexpectedly: ${why}`))
  })
  return {
    rpcUrl,
    isResumed,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null
    },
    async stop() {
      isWanted = false
      await end(child)
      await rm(pidFile, { force: true })
    },
  }
}

/**
 * Ends a process when this one ends, even by SIGKILL. The guard reads from a pipe whose other end only this process holds,
 * so the system closes the pipe with this process. SIGTERM lets the chain save its state; SIGKILL follows two seconds later.
 */
function guardProcess(pid: number): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const script =
    'read -r _; kill "$0" || exit; for _ in 1 2 3 4; do sleep 0.5; kill -0 "$0" || exit; done; kill -9 "$0"'
  // In a separate group, because a signal to this process's group must not end the guard first.
  const guard = spawn('/bin/sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  guard.on('error', () => {})
  guard.unref()
  ;(guard.stdin as Socket | null)?.unref()
  return guard
}

/**
 * The platform's binary inside the npm package, so that signals reach the chain itself.
 *
 * @throws ConfigError where it is not installed: a release does not have it.
 */
function binary(): string {
  const require = createRequire(import.meta.url)
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  try {
    const anvil = createRequire(require.resolve('@foundry-rs/anvil/package.json'))
    return anvil.resolve(`@foundry-rs/anvil-${platform}/bin/anvil`)
  } catch {
    throw new ConfigError(
      'This installation has no local chain. Set PROFILE to staging or production, or run `npm start` in a copy of the sources.',
    )
  }
}

async function untilResponding(rpcUrl: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the local chain exited during startup: ${output().trim()}`)
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    }).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await end(child)
  throw new Error('the local chain did not respond in time')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  // SIGTERM lets the chain save its state; SIGKILL keeps a hanging chain from blocking the server's shutdown.
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(timer)
}

async function endLeftOver(pidFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''))
  if (!pid) return
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  if (name.trim() === 'anvil') {
    process.kill(pid, 'SIGTERM')
    for (let tries = 0; tries < 100 && isAlive(pid); tries++) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await rm(pidFile, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
