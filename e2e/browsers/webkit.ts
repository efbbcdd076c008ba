import { spawn } from 'node:child_process'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { type TestBrowser, VIEWPORT } from './browser.ts'

const START_MS = 20_000

/**
 * Starts WebKitGTK on a display that exists in memory only, through WebDriver.
 *
 * @param path the driver; it finds the browser that belongs to it.
 * @param browser the browser's binary.
 */
export async function startWebKit({ driver, browser }: { driver: string; browser: string }): Promise<TestBrowser> {
  const port = await freePort()
  const words = ['--auto-servernum', driver, `--port=${port}`]
  // In a separate group, because the display and the driver end together.
  const child = spawn('xvfb-run', words, { stdio: 'ignore', detached: true })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endAll = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
  const call = caller(`http://127.0.0.1:${port}`)
  try {
    await untilReady(call)
    const options = { binary: browser, args: ['--automation'] }
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
    const { sessionId } = await call<{ sessionId: string }>('POST', '/session', { capabilities })
    const own = `/session/${sessionId}`
    await call('POST', `${own}/window/rect`, { ...VIEWPORT, x: 0, y: 0 })
    return {
      name: 'WebKit',
      open: (url) => call('POST', `${own}/url`, { url }),
      run: async (body) =>
        JSON.parse(
          await call<string>('POST', `${own}/execute/sync`, {
            script: `return JSON.stringify((() => { ${body} })() ?? null)`,
            args: [],
          }),
        ),
      act: (actions) => call('POST', `${own}/actions`, { actions }),
      screenshot: () => call('GET', `${own}/screenshot`),
      async close() {
        await call('DELETE', own)
        await endAll()
      },
    }
  } catch (error) {
    await endAll()
    throw error
  }
}

type Call = <Result>(method: string, path: string, body?: object) => Promise<Result>

function caller(base: string): Call {
  return async (method, path, body) => {
    const response = await fetch(base + path, {
      method,
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(60_000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const { value } = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error} ${value.message}`)
    return value
  }
}

async function untilReady(call: Call): Promise<void> {
  for (const deadline = performance.now() + START_MS; ; ) {
    const status = await call<{ ready: boolean }>('GET', '/status').catch(() => undefined)
    if (status?.ready) return
    if (performance.now() > deadline) throw new Error('the driver of WebKit did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
