import { expect, test } from 'vitest'
import { motionOf } from './observe-frames.ts'
import type { LighthouseRun } from './run-lighthouse.ts'
import { feelResults, kilobytes, limitResults, median, type PageFigures } from './web-limits.ts'

test('the median is the middle value or the mean of two', () => {
  expect(median([7])).toBe(7)
  expect(median([300, 100, 200])).toBe(200)
  expect(median([4, 1, 3, 10])).toBe(3.5)
  expect(() => median([])).toThrow('median of nothing')
})

test('a kilobyte has 1000 bytes', () => {
  expect(kilobytes(120_000)).toBe('120.0 kB')
})

test('home exactly at each limit is within all of them', () => {
  const home = page({ largestPaintMs: 850, score: 97 }, 3_000, 140_000, 50)
  const results = limitResults(home, page({ largestPaintMs: 1000 }), page({ largestPaintMs: 3400 }))
  expect(results.map(({ isWithin }) => isWithin)).toEqual([true, true, true, true, true, true])
  expect(results.map(({ measured }) => measured)).toEqual(['0.85 ×', '0.25 ×', '97', '50 ms', '3.0 kB', '140.0 kB'])
})

test.each([
  ['largest paint, of bare Preact’s', page({ largestPaintMs: 851 }), 5000],
  ['largest paint, of RainbowKit’s', page({}), 3199],
  ['performance score', page({ score: 96 }), 5000],
  ['total blocking time, of processor time', page({}, 0, 0, 51), 5000],
  ['script before first paint', page({}, 3_001), 5000],
  ['all script of home', page({}, 0, 140_001), 5000],
])('a home slightly over the limit of %s exceeds only that', (what, home, rainbowKitMs) => {
  const results = limitResults(home, page({ largestPaintMs: 1000 }), page({ largestPaintMs: rainbowKitMs }))
  expect(results.filter(({ isWithin }) => !isWithin).map((result) => result.what)).toEqual([what])
})

test('the screen that shifts most decides, and each response has its limit', () => {
  const shift = (screen: string, value: number) => ({ screen, visitor: 'signed in, 390 px, slow', value, moved: [] })
  const measured = feelResults({
    shifts: [shift('/', 0.01), shift('/wallet', 0.021), shift('/node', 0)],
    responses: { typingMs: 100, openingMs: 104 },
  })
  expect(measured.map(({ isWithin }) => isWithin)).toEqual([false, true, false])
  expect(measured[0]?.what).toBe('layout shift, worst on /wallet (signed in, 390 px, slow)')
})

test.each([
  ['as smooth as a bare page', { late: 2, frames: 100, longestTaskMs: 0 }, [true, true]],
  ['with one more late frame', { late: 3, frames: 100, longestTaskMs: 50 }, [false, true]],
  ['with a long task', { late: 0, frames: 100, longestTaskMs: 51 }, [true, false]],
  ['that does not move', { late: 0, frames: 0, longestTaskMs: 0 }, [false, true]],
])('a page %s', (_how, app, within) => {
  const results = feelResults({ frames: { app, bare: { late: 4, frames: 200, longestTaskMs: 0 } } })
  expect(results.map(({ isWithin }) => isWithin)).toEqual(within)
  expect(results[0]?.limit).toBe('≤ 2.0 % (4 of 200 frames)')
})

test('frames are late after 25 ms, and tasks during movements count', () => {
  const noted = {
    gaps: [16, 25, 26],
    spans: [[100, 150]] as const,
    tasks: [
      [0, 100],
      [90, 145],
      [150, 300],
    ] as const,
  }
  expect(motionOf([noted, { gaps: [40], spans: [], tasks: [[0, 90]] }])).toEqual({
    frames: 4,
    late: 2,
    longestTaskMs: 55,
  })
})

test('a single slow round of several changes nothing', () => {
  const usual = page({})
  const home = { runs: [...usual.runs, run({ largestPaintMs: 9000, score: 20, blockingMs: 900 }), ...usual.runs] }
  const results = limitResults({ ...usual, ...home }, page({ largestPaintMs: 1000 }), page({ largestPaintMs: 5000 }))
  expect(results.every(({ isWithin }) => isWithin)).toBe(true)
})

function page(figures: Partial<LighthouseRun>, beforePaintBytes = 0, allScriptBytes = 0, blockingMs = 0): PageFigures {
  return { runs: [run(figures)], observed: [{ beforePaintBytes, allScriptBytes, blockingMs }] }
}

function run(figures: Partial<LighthouseRun>): LighthouseRun {
  return {
    score: 100,
    largestPaintMs: 800,
    firstPaintMs: 1000,
    blockingMs: 0,
    layoutShift: 0,
    scriptBytes: 0,
    allBytes: 0,
    ...figures,
  }
}
