import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type Page, withBrowser } from './browser.ts'
import { type ObservedFrames, observeFrames } from './observe-frames.ts'
import { VIEWPORT } from './observe-page.ts'
import { observeShifts, type ScreenShift, type Storage } from './observe-shifts.ts'

/** Time for a screen to load its code and its figures. */
const SETTLE_MS = 2_500
const SIGN_IN_MS = 20_000
const SLOWDOWN = 4
const SWAP = '/swap/exchange'
const AMOUNT = '#content input[inputmode="decimal"]'
const CHOOSE_TOKEN = '#content button.rounded-full[aria-haspopup="dialog"]'
/** A sheet in and out, and another tab and back. */
const MOVES = [
  CHOOSE_TOKEN,
  '[role="dialog"] button[aria-label="Close"]',
  'nav[aria-label="Main"] > :nth-child(3)',
  'nav[aria-label="Main"] > :nth-child(2)',
]

/** The parts of the measurement, each with its name on the command line. */
export type FeelPart = 'shifts' | 'responses' | 'frames'

/** How steady every screen is, how soon the swap screen responds, and how smoothly it moves. */
export interface ObservedFeel {
  readonly shifts?: readonly ScreenShift[]
  readonly responses?: ObservedResponses
  readonly frames?: ObservedFrames
}

export interface ObservedResponses {
  /** The slowest response to a key while an amount is typed, with the processor slowed down four times. */
  readonly typingMs: number
  /** The response to the tap that opens the sheet of tokens, likewise. */
  readonly openingMs: number
}

const OBSERVE = `
  window.responses = []
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (each.interactionId) window.responses.push(each.duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })`

/**
 * Loads every screen in a new page, as a visitor and as the demo account, and types an amount and opens a sheet.
 *
 * @param origin the address of a server with demo data, which ends with a slash.
 * @param screens the only screens whose layout shift matters; all of them without.
 */
export async function observeFeel(
  origin: string,
  parts: readonly FeelPart[],
  screens?: readonly string[],
): Promise<ObservedFeel> {
  const swap = `${origin}#/en${SWAP}`
  const { session, responses, frames } = await withBrowser(async (browser) => ({
    session: await signIn(browser, origin),
    responses: parts.includes('responses') ? await observeResponses(await open(browser, swap)) : undefined,
    frames: parts.includes('frames')
      ? await observeFrames({ url: swap, taps: MOVES }, (url) => open(browser, url))
      : undefined,
  }))
  return {
    ...(responses && { responses }),
    ...(frames && { frames }),
    ...(parts.includes('shifts') && { shifts: await observeShifts(origin, session, screens) }),
  }
}

async function observeResponses(page: Page): Promise<ObservedResponses> {
  await page.waitForSelector(AMOUNT)
  await page.emulateCPUThrottling(SLOWDOWN)
  await page.tap(AMOUNT)
  await slowestResponse(page)
  await page.type(AMOUNT, '123.45', { delay: 150 })
  const typingMs = await slowestResponse(page)
  await page.tap(CHOOSE_TOKEN)
  await page.waitForSelector('[role="dialog"]')
  const openingMs = await slowestResponse(page)
  await page.close()
  return { typingMs, openingMs }
}

async function open(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage()
  await page.setViewport(VIEWPORT)
  await page.evaluateOnNewDocument(OBSERVE)
  await page.goto(url, { waitUntil: 'load' })
  await sleep(SETTLE_MS)
  return page
}

/** Signs in with the demo wallet. Every page of the browser then shows the demo account. @returns what the browser stores. */
async function signIn(browser: Browser, origin: string): Promise<Storage> {
  const page = await open(browser, `${origin}#/en`)
  for (const name of ['Connect', 'Demo: in use', 'Approve', 'Sign with wallet', 'Approve']) await press(page, name)
  const isStored = () => page.evaluate(`localStorage.getItem('clearwell.token') !== null`)
  await until(isStored, async () => 'the demo wallet did not sign in')
  const storage = (await page.evaluate('({ ...localStorage })')) as Storage
  await page.close()
  return storage
}

/** Presses the last button with this text, which is the one on top. */
async function press(page: Page, name: string): Promise<void> {
  const find = `[...document.querySelectorAll('button')].findLast((each) => each.innerText.startsWith('${name}'))`
  const texts = `[...document.querySelectorAll('button')].map((each) => each.innerText).join(' | ')`
  await until(
    () => page.evaluate(`${find} !== undefined`),
    async () => `there is no button ${name}, only: ${await page.evaluate(texts)}`,
  )
  await page.evaluate(`${find}.click()`)
  // The next sheet may have a button of the same name.
  await sleep(500)
}

async function until(isTrue: () => Promise<unknown>, what: () => Promise<string>): Promise<void> {
  const endMs = performance.now() + SIGN_IN_MS
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(await what())
    await sleep(100)
  }
}

/** The slowest response since the last call; 16 ms where each was faster than a frame, which Chromium does not report. */
async function slowestResponse(page: Page): Promise<number> {
  await sleep(1_000)
  const responses = (await page.evaluate('window.responses.splice(0)')) as number[]
  return Math.max(16, ...responses)
}
