import { existsSync } from 'node:fs'
import { runCommand } from '../../scripts/run-command.ts'
import { endLater } from './clean-up.ts'
import { peerModule } from './peers.ts'

/** The part of Puppeteer that the bench uses. */
export interface Browser {
  newPage(): Promise<Page>
  /** A separate profile, without a cache and storage. */
  createBrowserContext(): Promise<Pick<Browser, 'newPage' | 'close'>>
  close(): Promise<void>
}

export interface Page {
  readonly tracing: {
    start(options: { categories: readonly string[] }): Promise<void>
    stop(): Promise<Uint8Array | undefined>
  }
  on(event: 'response', listener: (response: Response) => void): void
  setViewport(size: object): Promise<void>
  goto(url: string, options: { waitUntil: 'load' }): Promise<unknown>
  evaluateOnNewDocument(script: string): Promise<unknown>
  evaluate(script: string): Promise<unknown>
  emulateCPUThrottling(factor: number): Promise<void>
  /** Latency in ms of each request, rates in bytes per second. */
  emulateNetworkConditions(conditions: { latency: number; download: number; upload: number }): Promise<void>
  waitForSelector(selector: string): Promise<unknown>
  tap(selector: string): Promise<void>
  type(selector: string, text: string, options: { delay: number }): Promise<void>
  close(): Promise<void>
}

interface Response {
  url(): string
  request(): { resourceType(): string }
}

interface Puppeteer {
  launch(options: { executablePath: string; args: readonly string[]; handleSIGINT: boolean }): Promise<Browser>
}

/**
 * Chromium without a window. The whole one draws its own toolbar on the processors that the page needs: the button that
 * offers to install a page is animated for longer than the page takes.
 */
const SHELL = '/usr/bin/chromium-headless-shell'
const WHOLE = '/usr/bin/chromium'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Home is measured at `/`, where the default language lives.
  '--accept-lang=zh-HK,zh',
  // RainbowKit calls home to the internet. No page of the bench reaches it, with a network or without.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

/** Runs `work` in a new headless browser with an empty, cold profile. */
export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const { default: puppeteer } = (await import(peerModule('puppeteer-core/lib/puppeteer/puppeteer-core.js'))) as {
    default: Puppeteer
  }
  const executablePath = await findBrowser()
  // Puppeteer's own handlers end this process on Ctrl-C before the servers and their folders are cleaned up.
  const noSignals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  const browser = await puppeteer.launch({ executablePath, args: FLAGS, ...noSignals })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= browser.close()
    return closed
  }
  endLater(close)
  try {
    return await work(browser)
  } finally {
    await close()
  }
}

let found: Promise<string> | undefined

/** `CHROMIUM_PATH`, else Debian's headless shell, which is installed where this is root there, else the whole Chromium. */
export function findBrowser(): Promise<string> {
  found ??= (async () => {
    if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
    if (!existsSync(SHELL) && process.getuid?.() === 0) {
      console.log('… installing chromium-headless-shell')
      const options = { cwd: import.meta.dirname, env: { DEBIAN_FRONTEND: 'noninteractive' }, output: 'keep' } as const
      const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell']
      const { exitCode } = await runCommand('apt-get', install, options)
      if (exitCode !== 0) {
        await runCommand('apt-get', ['update', '-qq'], options)
        await runCommand('apt-get', install, options)
      }
    }
    return existsSync(SHELL) ? SHELL : WHOLE
  })()
  return found
}
