import { fork } from 'node:child_process'
import { once } from 'node:events'
import { endLater } from './clean-up.ts'

/**
 * Starts the least that Node can do for a request: a process with `node:http` that reads the body and returns
 * a constant as long as a swap's response. No response of Clearwell over HTTP can be faster on the same machine.
 */
export async function startBareHttp(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = fork(new URL('./bare-http.process.ts', import.meta.url), { stdio: 'inherit' })
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  endLater(stop)
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}/`, stop }
}
