import { setTimeout as sleep } from 'node:timers/promises'
import { OWN_SCREENS, SPEC_SCREENS } from '@clearwell/web/src/app/screens.ts'
import { type Browser, type Page, withBrowser } from './browser.ts'
import { VIEWPORT } from './observe-page.ts'

/** Time for a screen to load its code and its figures. */
const SETTLE_MS = 2_500
const SIGN_IN_MS = 20_000
const SLOWDOWN = 4
const DESKTOP = { width: 1440, height: 900 }
const SWAP = '/swap/exchange'
const AMOUNT = '#content input[inputmode="decimal"]'
const CHOOSE_TOKEN = '#content button.rounded-full[aria-haspopup="dialog"]'

/** How steady every screen is, and how soon the swap screen responds. */
export interface ObservedFeel {
  /** The sum of all layout shifts of each screen, by visitor and path: at least what Chromium reports as CLS. */
  readonly layoutShifts: Readonly<Record<string, number>>
  /** The slowest response to a key while an amount is typed, with the processor slowed down four times. */
  readonly typingMs: number
  /** The response to the tap that opens the sheet of tokens, likewise. */
  readonly openingMs: number
}

const OBSERVE = `
  window.feel = { shift: 0, responses: [] }
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.feel.shift += each.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (each.interactionId) window.feel.responses.push(each.duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })`

/**
 * Loads every screen in a new page: for a visitor, for the demo account on a phone, and for the same on a desktop. Then types an
 * amount and opens a sheet.
 *
 * @param origin the address of a server with demo data, which ends with a slash.
 */
export async function observeFeel(origin: string): Promise<ObservedFeel> {
  return withBrowser(async (browser) => {
    const layoutShifts: Record<string, number> = {}
    const observeAll = async (visitor: string, viewport: object) => {
      for (const path of screenPaths()) {
        const page = await open(browser, `${origin}#/en${path === '/' ? '' : path}`, viewport)
        layoutShifts[`${path} ${visitor}`] = (await page.evaluate('window.feel.shift')) as number
        await page.close()
      }
    }
    await observeAll('signed out', VIEWPORT)
    await signIn(browser, origin)
    await observeAll('signed in', VIEWPORT)
    await observeAll('signed in on a desktop', DESKTOP)
    return { layoutShifts, ...(await observeResponses(await open(browser, `${origin}#/en${SWAP}`, VIEWPORT))) }
  })
}

async function observeResponses(page: Page): Promise<Pick<ObservedFeel, 'typingMs' | 'openingMs'>> {
  await page.waitForSelector(AMOUNT)
  await page.emulateCPUThrottling(SLOWDOWN)
  await page.tap(AMOUNT)
  await slowestResponse(page)
  await page.type(AMOUNT, '123.45', { delay: 150 })
  const typingMs = await slowestResponse(page)
  await page.tap(CHOOSE_TOKEN)
  await page.waitForSelector('[role="dialog"]')
  return { typingMs, openingMs: await slowestResponse(page) }
}

/** All screens, each market's as that of one market. */
function screenPaths(): string[] {
  const paths = Object.keys({ ...SPEC_SCREENS, ...OWN_SCREENS })
  return paths.map((path) => path.replace('{name}', 'BNBUSDT'))
}

async function open(browser: Browser, url: string, viewport: object): Promise<Page> {
  const page = await browser.newPage()
  await page.setViewport(viewport)
  await page.evaluateOnNewDocument(OBSERVE)
  await page.goto(url, { waitUntil: 'load' })
  await sleep(SETTLE_MS)
  return page
}

/** Signs in with the demo wallet. Every page of the browser then shows the demo account. */
async function signIn(browser: Browser, origin: string): Promise<void> {
  const page = await open(browser, `${origin}#/en`, VIEWPORT)
  for (const name of ['Connect', 'Local demo wallet', 'Approve', 'Sign with wallet', 'Approve']) await press(page, name)
  const isStored = () => page.evaluate(`localStorage.getItem('clearwell.token') !== null`)
  await until(isStored, 'the demo wallet did not sign in')
  await page.close()
}

/** Presses the last button with this text, which is the one on top. */
async function press(page: Page, name: string): Promise<void> {
  const find = `[...document.querySelectorAll('button')].findLast((each) => each.innerText.startsWith('${name}'))`
  await until(() => page.evaluate(`${find} !== undefined`), `there is no button ${name}`)
  await page.evaluate(`${find}.click()`)
  // The next sheet may have a button of the same name.
  await sleep(500)
}

async function until(isTrue: () => Promise<unknown>, what: string): Promise<void> {
  const endMs = performance.now() + SIGN_IN_MS
  while (!(await isTrue())) {
    if (performance.now() > endMs) throw new Error(what)
    await sleep(100)
  }
}

/** The slowest response since the last call; 16 ms where each was faster than a frame, which Chromium does not report. */
async function slowestResponse(page: Page): Promise<number> {
  await sleep(1_000)
  const responses = (await page.evaluate('window.feel.responses.splice(0)')) as number[]
  return Math.max(16, ...responses)
}
