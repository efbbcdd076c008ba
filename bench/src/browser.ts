import { endLater } from './clean-up.ts'
import { peerModule } from './peers.ts'

/** The part of Puppeteer that the bench uses. */
export interface Browser {
  newPage(): Promise<Page>
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
}

interface Response {
  url(): string
  request(): { resourceType(): string }
}

interface Puppeteer {
  launch(options: { executablePath: string; args: readonly string[]; handleSIGINT: boolean }): Promise<Browser>
}

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

/** Runs `work` in a new headless browser with a profile of its own, which nothing has warmed. */
export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const { default: puppeteer } = (await import(peerModule('puppeteer-core/lib/puppeteer/puppeteer-core.js'))) as {
    default: Puppeteer
  }
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  // By itself Puppeteer ends this process on Ctrl-C, before the servers and their folders are cleaned up.
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
