import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatTable } from '../../scripts/format-table.ts'
import { runCommand } from '../../scripts/run-command.ts'
import type { Bench } from './bench.ts'
import { findBrowser } from './browser.ts'
import { machine } from './machine.ts'
import { type FeelPart, type ObservedFeel, observeFeel } from './observe-feel.ts'
import { type ObservedPage, observePage } from './observe-page.ts'
import { peerFolder, preparePeers } from './peers.ts'
import { type LighthouseRun, runLighthouse, type Throttling } from './run-lighthouse.ts'
import { startServerProcess } from './server-process.ts'
import { startStaticServer } from './static-server.ts'
import { feelResults, kilobytes, type LimitResult, limitResults, median } from './web-limits.ts'
import { wholeNumber } from './whole-number.ts'

const WEB = join(import.meta.dirname, '../../apps/web')
/** Enough for every list and chart of the demo account. */
const DEMO = ['--demo', '--demo-users', '40', '--demo-days', '35']

/** Smaller layout shifts are not listed. */
const SHOWN_SHIFT = 0.005

interface Page {
  readonly name: string
  readonly url: string
  readonly runs: LighthouseRun[]
  readonly observed: ObservedPage[]
}

export default {
  about:
    'home in Lighthouse mobile, beside a page of bare Preact and one of wagmi and RainbowKit; the layout shift of every screen, and the responses and movements of the swap screen (--rounds 5, --throttling simulate|devtools, --only paint|feel, --json <file>)',
  run: benchWeb,
} satisfies Bench

/**
 * Home in Lighthouse mobile, beside a page of bare Preact and a plain one of wagmi and RainbowKit. The pages take turns,
 * and another begins in each round, so that what else the machine does falls on all of them.
 */
async function benchWeb(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      throttling: { type: 'string', default: 'simulate' },
      only: { type: 'string' },
      screens: { type: 'string' },
      json: { type: 'string' },
    },
  })
  const rounds = wholeNumber('--rounds', values.rounds)
  const { throttling, json } = values
  const parts = readParts(values.only)
  const screens = values.screens?.split(',')
  if (throttling !== 'simulate' && throttling !== 'devtools') throw new Error('--throttling is simulate or devtools')
  const about = `${machine()} ${basename(await findBrowser())}, Lighthouse and all three servers share the machine, Clearwell’s with its API, database and chain.`
  console.log(about)

  await preparePeers()
  await buildHome()
  const built = hashOfHome()
  const pages = parts.includes('paint') ? await measurePaint(rounds, throttling) : undefined
  const feelParts = parts.filter((part) => part !== 'paint')
  const feel = feelParts.length > 0 ? await measureFeel(feelParts, screens) : undefined
  if (hashOfHome() !== built) throw new Error('apps/web/dist was built again meanwhile: the figures are of two builds')

  const limits = [...(pages ? limitResults(...pages) : []), ...(feel ? feelResults(feel) : [])]
  if (pages) printPages(pages)
  if (feel) printShifts(feel)
  printLimits(limits)
  if (json !== undefined) {
    await writeFile(json, `${JSON.stringify({ about, throttling, rounds, limits, pages, feel }, null, 2)}\n`)
    console.log(`\nAll figures are in ${json}.`)
  }
}

type Part = 'paint' | FeelPart
const PARTS: readonly Part[] = ['paint', 'responses', 'frames', 'shifts']

/** `feel` is all that is measured on a server with demo data. */
function readParts(only: string | undefined): readonly Part[] {
  if (only === undefined) return PARTS
  if (only === 'feel') return PARTS.filter((part) => part !== 'paint')
  const part = PARTS.find((each) => each === only)
  if (!part) throw new Error(`--only is feel or one of ${PARTS.join(', ')}`)
  return [part]
}

/** Loads home and its two peers in turn, `rounds` times. */
async function measurePaint(rounds: number, throttling: Throttling): Promise<[Page, Page, Page]> {
  const page = (name: string, url: string): Page => ({ name, url, runs: [], observed: [] })
  const home = page('Clearwell', `${(await startServerProcess({}, { page: true })).url}/`)
  const preact = page('bare Preact', await startStaticServer(peerFolder('preact')))
  const rainbowKit = page('wagmi + RainbowKit', await startStaticServer(peerFolder('rainbowkit')))
  const pages: [Page, Page, Page] = [home, preact, rainbowKit]
  for (let round = 0; round < rounds; round++) await measureRound(pages, round, throttling)
  return pages
}

/** Loads every screen of a server with demo data, and uses the swap screen. */
async function measureFeel(parts: readonly FeelPart[], screens: readonly string[] | undefined): Promise<ObservedFeel> {
  console.log('… filling in demo data, for the layout shift of every screen and the responses of the swap screen')
  const { url, stop } = await startServerProcess({}, { page: true, words: DEMO })
  const feel = await observeFeel(`${url}/`, parts, screens)
  await stop()
  return feel
}

async function measureRound(pages: readonly Page[], round: number, throttling: Throttling): Promise<void> {
  for (let turn = 0; turn < pages.length; turn++) {
    const page = pages[(round + turn) % pages.length]
    if (!page) continue
    const run = await runLighthouse(page.url, throttling)
    const observed = await observePage(page.url)
    page.runs.push(run)
    page.observed.push(observed)
    const figures = `score ${run.score}, largest paint ${run.largestPaintMs.toFixed(0)} ms, blocking ${run.blockingMs.toFixed(0)} ms`
    console.log(`… round ${round + 1}, ${page.name}: ${figures}`)
  }
}

/** Always, and as `npm start` does: a figure must be of the sources at hand. */
async function buildHome(): Promise<void> {
  console.log('… building the web app')
  const { exitCode, all } = await runCommand(process.execPath, ['--run', 'build'], { cwd: WEB, output: 'keep' })
  if (exitCode !== 0) throw new Error(`the web app could not be built:\n${all}`)
}

function hashOfHome(): string {
  const hash = createHash('sha256')
  for (const file of globSync(join(WEB, 'dist/**/*.{html,js,css}')).toSorted())
    hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

function printPages(pages: readonly Page[]): void {
  const head = ['', 'score', 'LCP ms', 'FCP ms', 'TBT ms', 'of CPU', 'CLS', 'script', 'all', 'encoding']
  const rows = pages.map(({ name, runs, observed }) => {
    const of = (read: (run: LighthouseRun) => number, show: (value: number) => string = (value) => value.toFixed(0)) =>
      spread(runs.map(read), show)
    return [
      name,
      of((run) => run.score),
      of((run) => run.largestPaintMs),
      of((run) => run.firstPaintMs),
      of((run) => run.blockingMs),
      spread(
        observed.map(({ blockingMs }) => blockingMs),
        (value) => value.toFixed(0),
      ),
      of(
        (run) => run.layoutShift,
        (value) => value.toFixed(3),
      ),
      of((run) => run.scriptBytes, kilobytes),
      of((run) => run.allBytes, kilobytes),
      [...new Set(observed.map(({ encoding }) => encoding))].join(', '),
    ]
  })
  console.log(`\n${formatTable([head, ...rows])}`)
  console.log(
    'Median (least–most) of all rounds; script and all: as they came over the wire; of CPU: blocking time of the processor time alone.',
  )
  const [home, ...peers] = rows.map((row) => row.at(-1))
  if (peers.some((encoding) => encoding !== home)) {
    console.log('The servers compress differently, so the pages are not on equal terms.')
  }
}

/** Every load in which something moved visibly, with the elements. */
function printShifts({ shifts = [] }: ObservedFeel): void {
  const worst = shifts.filter(({ value }) => value >= SHOWN_SHIFT).toSorted((a, b) => b.value - a.value)
  for (const { screen, visitor, value, moved } of worst)
    console.log(`\n${screen} (${visitor}) ${value.toFixed(3)}\n${moved.map((each) => `  ${each}`).join('\n')}`)
}

function printLimits(limits: readonly LimitResult[]): void {
  const rows = limits.map(({ what, limit, measured, isWithin }) => [
    what,
    limit,
    measured,
    isWithin ? 'within' : 'beyond',
  ])
  console.log(`\n${formatTable([['Clearwell', 'limit', 'measured', ''], ...rows])}`)
}

function spread(values: readonly number[], show: (value: number) => string): string {
  const [least, most] = [show(Math.min(...values)), show(Math.max(...values))]
  return least === most ? least : `${show(median(values))} (${least}–${most})`
}
