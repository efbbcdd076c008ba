import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { bundledProgram } from '../../scripts/bundle-programs.ts'

/** A server in a separate process, which can be killed. */
export interface ServerProcess {
  readonly url: string
  /** Sends a signal, such as SIGSTOP. */
  signal(name: NodeJS.Signals): void
  kill(): Promise<void>
}

/**
 * Starts a server of the local profile, and waits until it is ready.
 *
 * @param ends receives what kills it at the end of a test, also where it does not start.
 * @throws Error with the output of a server that ends before it is ready.
 */
export async function startServerProcess(
  variables: NodeJS.ProcessEnv,
  ends: (() => Promise<unknown>)[],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [await bundledProgram('server'), '--dev'], {
    env: { ...process.env, PROFILE: 'local', PORT: '0', METRICS_PORT: 'off', ARBITRAGE: 'off', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }
  ends.push(kill)
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    const ready = /^ready (\S+)$/m.exec(output)
    if (ready?.[1]) return { url: ready[1], signal: (name) => child.kill(name), kill }
  }
  throw new Error(`the server did not start:\n${output}`)
}
