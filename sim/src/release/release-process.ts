import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

export const ROOT = join(import.meta.dirname, '../../..')
/** A release takes the web app's build, which would write into the sources that other tests of `npm test` read. */
export const isAsked = process.env.NIGHTLY === '1' || process.env.TEST_ONE === '1'
/** Time for the web app's build, on a busy machine. */
export const BUILD_MS = 300_000
const READY_MS = 60_000

type Variables = Readonly<Record<string, string>>

/** Makes a release with `npm run build`'s own script, from these sources or others. @returns its last line. */
export async function build(folder: string, root = ROOT): Promise<string> {
  const args = [join(root, 'scripts/bootstrap.mjs'), 'build', folder]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return stdout.trim().split('\n').at(-1) ?? ''
}

/** Runs a program of the release in `cwd`, with these variables and no others. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, variables }: { cwd: string; variables: Variables },
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd, env: only(variables) }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

interface ReleaseOptions {
  readonly cwd: string
  readonly variables: Variables
  /** Receives an end that kills the server at the end of a test. */
  readonly ends: (() => Promise<unknown>)[]
}

/**
 * Starts the server of a release in `cwd`, with these variables and no others, and waits until it is ready.
 *
 * @returns its address.
 */
export async function startRelease(release: string, options: ReleaseOptions): Promise<string> {
  return (await startStoppable(release, options)).url
}

/** The same, with the signal that systemd sends. `stop` returns the exit code. */
export async function startStoppable(
  release: string,
  { cwd, variables, ends }: ReleaseOptions,
): Promise<{ readonly url: string; stop(): Promise<number | null> }> {
  const child = spawn(process.execPath, [join(release, 'main.js')], { cwd, env: only(variables), stdio: 'pipe' })
  const gone = once(child, 'exit')
  ends.push(async () => {
    child.kill('SIGKILL')
    await gone
  })
  let output = ''
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        output += piece
        const [, url] = /^ready (\S+)$/m.exec(output) ?? []
        if (url) resolve(url)
      })
  })
  const late = wait(READY_MS, undefined, { ref: false })
  const url = await Promise.race([ready, gone.then(() => undefined), late])
  if (!url) throw new Error(`the release was not ready:\n${output}`)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await gone
      return child.exitCode
    },
  }
}

/** Nothing of the tests' environment reaches a release. An empty NODE_PATH adds no folder of modules. */
function only(variables: Variables): NodeJS.ProcessEnv {
  return { PATH: '/usr/bin:/bin', NODE_PATH: '', ...variables }
}
