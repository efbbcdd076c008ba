import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { blockingTimeMs } from './blocking-time.ts'
import { type Page, withBrowser } from './browser.ts'
import { scriptsOfHtml, scriptsRunBeforePaint, type TraceEvent } from './page-scripts.ts'

/** Wait after the load event for requests of an idle page. */
const SETTLE_MS = 6_000
/** The size and density that Lighthouse's mobile preset has. */
export const VIEWPORT = { width: 412, height: 823, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
const CATEGORIES = [
  '-*',
  'disabled-by-default-devtools.timeline',
  'devtools.timeline',
  'loading',
  'blink.user_timing',
  'v8',
  'disabled-by-default-v8.compile',
]

/** The scripts and the blocking time of one load without throttling. Sizes are gzip bytes, independent of the server's encoding. */
export interface ObservedPage {
  readonly beforePaintBytes: number
  readonly allScriptBytes: number
  /** Total blocking time by the processor time of the page's tasks, in ms. */
  readonly blockingMs: number
  /** Addresses without the origin; `inline` for scripts inside the HTML. */
  readonly beforePaint: readonly string[]
  readonly allScripts: readonly string[]
  /** How the server compressed its HTML and its largest script: `br`, `gzip` or `none`. */
  readonly encoding: string
}

/** Loads `url` in a new browser, leaves it alone for a few seconds, and weighs the scripts that it loaded and ran. */
export async function observePage(url: string): Promise<ObservedPage> {
  const loaded = new Set<string>()
  const trace = await withBrowser(async (browser) => {
    const page = await browser.newPage()
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') loaded.add(response.url())
    })
    return traceLoad(page, url)
  })

  const html = await (await fetch(url)).text()
  const { inline, blocking } = scriptsOfHtml(html, url)
  const before = new Set([...blocking, ...scriptsRunBeforePaint(trace, url)])
  const all = new Set([...before, ...loaded].filter((each) => /^https?:/.test(each)))
  const sizes = new Map<string, number>()
  for (const each of all) sizes.set(each, await gzipBytes(await (await fetch(each)).arrayBuffer()))
  let inlineBytes = 0
  for (const text of inline) inlineBytes += await gzipBytes(Buffer.from(text))

  const sum = (urls: Iterable<string>) => [...urls].reduce((total, each) => total + (sizes.get(each) ?? 0), inlineBytes)
  const names = (urls: Iterable<string>) => [
    ...(inline.length > 0 ? ['inline'] : []),
    ...[...urls].map((each) => each.replace(new URL(url).origin, '')).toSorted(),
  ]
  const [largest] = [...sizes].toSorted(([, a], [, b]) => b - a)
  return {
    beforePaintBytes: sum(before),
    allScriptBytes: sum(all),
    blockingMs: blockingTimeMs(trace),
    beforePaint: names(before),
    allScripts: names(all),
    encoding: await encodings([url, ...(largest ? [largest[0]] : [])]),
  }
}

async function traceLoad(page: Page, url: string): Promise<TraceEvent[]> {
  await page.setViewport(VIEWPORT)
  await page.tracing.start({ categories: CATEGORIES })
  await page.goto(url, { waitUntil: 'load' })
  await sleep(SETTLE_MS)
  const trace = await page.tracing.stop()
  if (!trace) throw new Error(`the browser gave no trace of ${url}`)
  return (JSON.parse(Buffer.from(trace).toString()) as { traceEvents: TraceEvent[] }).traceEvents
}

async function gzipBytes(content: ArrayBuffer | Buffer): Promise<number> {
  const bytes = content instanceof ArrayBuffer ? Buffer.from(content) : content
  return (await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })).length
}

async function encodings(urls: readonly string[]): Promise<string> {
  const found = new Set<string>()
  for (const url of urls) {
    const response = await fetch(url, { headers: { 'accept-encoding': 'br, gzip' } })
    await response.arrayBuffer()
    found.add(response.headers.get('content-encoding') ?? 'none')
  }
  return [...found].join('+')
}
