import { type Page, withBrowser } from './browser.ts'
import { peerModule } from './peers.ts'

export type Throttling = 'simulate' | 'devtools'

/** One run of Lighthouse. Times in ms, the score from 0 to 100, bytes as they came over the wire. */
export interface LighthouseRun {
  readonly score: number
  readonly largestPaintMs: number
  readonly firstPaintMs: number
  readonly blockingMs: number
  readonly layoutShift: number
  readonly scriptBytes: number
  readonly allBytes: number
}

interface Report {
  readonly runtimeError?: { readonly code: string; readonly message: string }
  readonly categories: { readonly performance?: { readonly score: number | null } }
  readonly audits: Readonly<
    Record<string, { readonly numericValue?: number; readonly details?: { readonly items?: readonly Request[] } }>
  >
}

interface Request {
  readonly resourceType?: string
  readonly transferSize?: number
}

type Lighthouse = (
  url: string,
  flags: object,
  config: undefined,
  page: Page,
) => Promise<{ readonly lhr: Report } | undefined>

/** Loads `url` once as Lighthouse's mobile preset does, in a new browser. Throws where the page could not be measured. */
export async function runLighthouse(url: string, throttlingMethod: Throttling): Promise<LighthouseRun> {
  const { default: lighthouse } = (await import(peerModule('lighthouse/core/index.js'))) as { default: Lighthouse }
  const flags = { onlyCategories: ['performance'], formFactor: 'mobile', throttlingMethod, logLevel: 'error' }
  const result = await withBrowser(async (browser) => lighthouse(url, flags, undefined, await browser.newPage()))
  if (!result) throw new Error(`Lighthouse says nothing about ${url}`)
  return readReport(result.lhr)
}

/** Reads the bench's figures from a report. */
export function readReport({ runtimeError, categories, audits }: Report): LighthouseRun {
  if (runtimeError) throw new Error(`Lighthouse could not measure: ${runtimeError.code} ${runtimeError.message}`)
  const value = (id: string) => {
    const number = audits[id]?.numericValue
    if (number === undefined) throw new Error(`Lighthouse has no ${id}`)
    return number
  }
  const score = categories.performance?.score
  if (typeof score !== 'number') throw new Error('Lighthouse has no performance score')
  const requests = audits['network-requests']?.details?.items ?? []
  const bytes = (list: readonly Request[]) => list.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)
  return {
    score: Math.round(score * 100),
    largestPaintMs: value('largest-contentful-paint'),
    firstPaintMs: value('first-contentful-paint'),
    blockingMs: value('total-blocking-time'),
    layoutShift: value('cumulative-layout-shift'),
    scriptBytes: bytes(requests.filter(({ resourceType }) => resourceType === 'Script')),
    allBytes: bytes(requests),
  }
}
