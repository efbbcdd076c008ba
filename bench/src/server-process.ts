import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endLater } from './clean-up.ts'

const MAIN = join(import.meta.dirname, '../../demo/src/main.ts')
const { BENCH_PROFILES } = process.env
/** As `scripts/bootstrap.mjs` starts it. `BENCH_PROFILES` names a folder for profiles of its processor time, written when it ends. */
const FLAGS = [
  '--max-semi-space-size=64',
  ...(BENCH_PROFILES ? ['--cpu-prof', `--cpu-prof-dir=${BENCH_PROFILES}`] : []),
]

export interface ServerProcess {
  readonly url: string
  /** The one that was passed in, else a new one. */
  readonly dataDir: string
  readonly pid: number
  /** Drains and ends the server with its chain; the data stays until the bench ends. */
  stop(): Promise<void>
}

/**
 * Starts the server as `npm start` does, in a separate process with its own data folder and chain. With `page` it also
 * serves the last build of the web app; `words` are options of its command line, such as `--demo`.
 */
export async function startServerProcess(
  variables: NodeJS.ProcessEnv,
  { page = false, words = [] }: { page?: boolean; words?: readonly string[] } = {},
): Promise<ServerProcess> {
  const dataDir = variables.DATA_DIR ?? (await newDataDir())
  const child = spawn(process.execPath, [...FLAGS, MAIN, ...(page ? [] : ['--dev']), ...words], {
    env: {
      ...process.env,
      PROFILE: 'local',
      PORT: '0',
      CHAIN_PORT: '0',
      METRICS_PORT: 'off',
      ARBITRAGE: 'off',
      LOCAL_BOOKKEEPER: 'off',
      ...variables,
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  endLater(stop)

  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000)
      const ready = /^ready (\S+)$/m.exec(output)
      if (ready?.[1]) resolve(ready[1])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', (chunk: Buffer) => {
      read(chunk)
      process.stderr.write(chunk)
    })
    void ended.then(() => reject(new Error(`the server did not start:\n${output}`)))
  })
  return { url, dataDir, pid: child.pid ?? 0, stop }
}

async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-bench-'))
  endLater(() => rm(folder, { recursive: true, force: true }))
  return folder
}
