import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestBrowser, VIEWPORT } from './browser.ts'

/** Firefox needs no window, asks nothing at its start, and contacts no service. */
const PREFERENCES = {
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': '',
  'extensions.update.enabled': false,
}

/** Starts Firefox without a window, through WebDriver BiDi, which it speaks itself. */
export async function startFirefox(path: string): Promise<TestBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'clearwell-firefox-'))
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`)
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank']
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk
      const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(output)
      if (found?.[1]) resolve(found[1])
    })
    void ended.then(() => reject(new Error(`Firefox did not start: ${output}`)))
  })
  const bidi = await connect(`${address}/session`)
  await bidi.send('session.new', { capabilities: {} })
  const { contexts } = (await bidi.send('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const context = contexts[0]?.context
  await bidi.send('browsingContext.setViewport', { context, viewport: VIEWPORT })
  return {
    name: 'Firefox',
    async open(url) {
      const navigate = () => bidi.send('browsingContext.navigate', { context, url, wait: 'complete' })
      // The page may be loading something else in this moment, which ends both.
      await navigate().catch((error: Error) => {
        if (!error.message.includes('NS_BINDING_ABORTED')) throw error
        return navigate()
      })
    },
    async run(body) {
      const functionDeclaration = `() => JSON.stringify((() => { ${body} })() ?? null)`
      const call = { functionDeclaration, awaitPromise: false, target: { context } }
      const { result, exceptionDetails } = (await bidi.send('script.callFunction', call)) as {
        result?: { value: string }
        exceptionDetails?: { text: string }
      }
      if (!result) throw new Error(exceptionDetails?.text)
      return JSON.parse(result.value)
    },
    act: async (actions) => void (await bidi.send('input.performActions', { context, actions })),
    screenshot: async () =>
      ((await bidi.send('browsingContext.captureScreenshot', { context })) as { data: string }).data,
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** Sends commands over a socket, each with a number that its response repeats. */
async function connect(address: string): Promise<{ send(method: string, params: object): Promise<unknown> }> {
  const socket = new WebSocket(address)
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  socket.onmessage = ({ data }) => {
    const { id, result, error, message } = JSON.parse(String(data))
    if (error) waiting.get(id)?.reject(new Error(`${error}: ${message}`))
    else waiting.get(id)?.resolve(result)
    waiting.delete(id)
  }
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  let last = 0
  return {
    send(method, params) {
      last += 1
      const response = Promise.withResolvers<unknown>()
      waiting.set(last, response)
      socket.send(JSON.stringify({ id: last, method, params }))
      return response.promise
    },
  }
}
