import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Page } from './browser.ts'

/** How often each page is loaded and moved, in turn. */
const TURNS = 5
/** Time for a movement of at most 220 ms to end, and for the figures of a screen to come. */
const MOVE_MS = 900
/** A frame later than this after the one before has missed a refresh of 60 a second. */
const LATE_MS = 25

/** Frames while a sheet slides in and out and a tab fades into another and back. */
export interface Motion {
  readonly frames: number
  readonly late: number
  /** The longest task meanwhile; 0 where none took the 50 ms from which Chromium reports it. */
  readonly longestTaskMs: number
}

/** The app's movements, and the same ones of a page that does nothing else. */
export interface ObservedFrames {
  readonly app: Motion
  readonly bare: Motion
}

/** Selectors of the elements that are tapped, one after another. */
type Taps = readonly string[]
const BARE = pathToFileURL(join(import.meta.dirname, 'bare-motion.html')).href
const BARE_TAPS: Taps = ['#open', '#close', '#there', '#back']

/** Notes the time between frames while something moves that ends, and long tasks meanwhile. In its delay nothing moves yet. */
const WATCH = `
  window.motion = { gaps: [], spans: [], tasks: [] }
  let last
  const isMoving = () => document.getAnimations().some(({ playState, effect }) => {
    const { delay, endTime, localTime } = effect.getComputedTiming()
    return playState === 'running' && Number.isFinite(endTime) && localTime >= delay
  })
  requestAnimationFrame(function look(now) {
    const moves = isMoving()
    if (moves && last !== undefined) {
      motion.gaps.push(now - last)
      motion.spans.push([last, now])
    }
    last = moves ? now : undefined
    requestAnimationFrame(look)
  })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) motion.tasks.push([startTime, startTime + duration])
  }).observe({ type: 'longtask' })`

interface Noted {
  readonly gaps: readonly number[]
  readonly spans: readonly (readonly [number, number])[]
  readonly tasks: readonly (readonly [number, number])[]
}

/**
 * Moves the app and the bare page in turn, each in a new page.
 *
 * @param app its address, and what is tapped there: opens a sheet, closes it, goes to another tab and back.
 * @param open loads an address in a new page, and waits until it is quiet.
 */
export async function observeFrames(
  app: { readonly url: string; readonly taps: Taps },
  open: (url: string) => Promise<Page>,
): Promise<ObservedFrames> {
  const noted: { app: Noted[]; bare: Noted[] } = { app: [], bare: [] }
  for (let turn = 0; turn < TURNS; turn++) {
    noted.app.push(await move(await open(app.url), app.taps))
    noted.bare.push(await move(await open(BARE), BARE_TAPS))
  }
  return { app: motionOf(noted.app), bare: motionOf(noted.bare) }
}

async function move(page: Page, taps: Taps): Promise<Noted> {
  await page.evaluate(WATCH)
  for (const selector of taps) {
    await page.waitForSelector(selector)
    await page.tap(selector)
    await sleep(MOVE_MS)
  }
  const noted = (await page.evaluate('window.motion')) as Noted
  await page.close()
  return noted
}

/** Sums up what pages noted. A task counts where it overlaps a movement. */
export function motionOf(pages: readonly Noted[]): Motion {
  const gaps = pages.flatMap((each) => each.gaps)
  const longest = pages.flatMap(({ spans, tasks }) =>
    tasks.filter(([from, to]) => spans.some(([start, end]) => from < end && to > start)).map(([from, to]) => to - from),
  )
  return {
    frames: gaps.length,
    late: gaps.filter((ms) => ms > LATE_MS).length,
    longestTaskMs: Math.max(0, ...longest),
  }
}
