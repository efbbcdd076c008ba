import type { ObservedFeel } from './observe-feel.ts'
import type { Motion, ObservedFrames } from './observe-frames.ts'
import type { LighthouseRun } from './run-lighthouse.ts'

/** The measurements of one page: its runs of Lighthouse and its observed loads, one of each per round. */
export interface PageFigures {
  readonly runs: readonly LighthouseRun[]
  readonly observed: readonly {
    readonly beforePaintBytes: number
    readonly allScriptBytes: number
    readonly blockingMs: number
  }[]
}

/** One limit, and home's figure beside it. */
export interface LimitResult {
  readonly what: string
  readonly limit: string
  readonly measured: string
  readonly isWithin: boolean
}

/** The middle value, or the mean of the two in the middle. Throws where there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.ceil(sorted.length / 2) - 1]
  if (upper === undefined || lower === undefined) throw new Error('there is no median of nothing')
  return (lower + upper) / 2
}

function atMost(what: string, value: number, limit: number, show: (value: number) => string): LimitResult {
  return { what, limit: `≤ ${show(limit)}`, measured: show(value), isWithin: value <= limit }
}

/** The limits of every screen's layout shift, and of the responses and movements of the swap screen, as far as they were measured. */
export function feelResults({ shifts, responses, frames }: ObservedFeel): LimitResult[] {
  const [worst] = shifts?.toSorted((a, b) => b.value - a.value) ?? []
  const ms = (value: number) => `${value.toFixed(0)} ms`
  return [
    ...(worst
      ? [
          atMost(`layout shift, worst on ${worst.screen} (${worst.visitor})`, worst.value, 0.02, (value) =>
            value.toFixed(3),
          ),
        ]
      : []),
    ...(responses
      ? [
          atMost('response to a typed digit', responses.typingMs, 100, ms),
          atMost('response to opening a sheet', responses.openingMs, 100, ms),
        ]
      : []),
    ...(frames ? frameResults(frames) : []),
  ]
}

/** A sheet and a tab move as smoothly as on a bare page, without a long task meanwhile. */
function frameResults({ app, bare }: ObservedFrames): LimitResult[] {
  const shareOf = ({ late, frames }: Motion) => (frames === 0 ? 1 : late / frames)
  const words = (motion: Motion) =>
    `${(shareOf(motion) * 100).toFixed(1)} % (${motion.late} of ${motion.frames} frames)`
  const task = app.longestTaskMs
  return [
    {
      what: 'late frames of sheet and tab, of a bare page’s',
      limit: `≤ ${words(bare)}`,
      measured: words(app),
      isWithin: shareOf(app) <= shareOf(bare),
    },
    {
      what: 'longest task while they move',
      limit: '≤ 50 ms',
      measured: task === 0 ? '< 50 ms' : `${task.toFixed(0)} ms`,
      isWithin: task <= 50,
    },
  ]
}

/** The limits of home, on the medians of all rounds; kB are 1000 bytes. */
export function limitResults(home: PageFigures, preact: PageFigures, rainbowKit: PageFigures): LimitResult[] {
  const largestPaint = ({ runs }: PageFigures) => median(runs.map((run) => run.largestPaintMs))
  const ofPreact = largestPaint(home) / largestPaint(preact)
  const ofRainbowKit = largestPaint(home) / largestPaint(rainbowKit)
  const score = median(home.runs.map((run) => run.score))
  const blockingMs = median(home.observed.map((load) => load.blockingMs))
  const beforePaint = median(home.observed.map((load) => load.beforePaintBytes))
  const allScript = median(home.observed.map((load) => load.allScriptBytes))
  const ratio = (value: number) => `${value.toFixed(2)} ×`
  return [
    atMost('largest paint, of bare Preact’s', ofPreact, 0.85, ratio),
    atMost('largest paint, of RainbowKit’s', ofRainbowKit, 0.25, ratio),
    { what: 'performance score', limit: '≥ 97', measured: score.toFixed(0), isWithin: score >= 97 },
    atMost('total blocking time, of processor time', blockingMs, 50, (ms) => `${ms.toFixed(0)} ms`),
    atMost('script before first paint', beforePaint, 3_000, kilobytes),
    atMost('all script of home', allScript, 140_000, kilobytes),
  ]
}

/** `1.2 kB`, of 1000 bytes. */
export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
