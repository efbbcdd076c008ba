import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type Page, withBrowser } from './browser.ts'

/** The delay of each answer and each file on a slow network. */
const SLOW_NETWORK = { latency: 400, download: -1, upload: -1 }
/** Time for a screen to load its code and its figures, over the slow network and over the fast one. */
const SETTLE_MS = { slow: 5_500, fast: 3_000 } as const
/** Pages at a time: most of a load is waiting. */
const PAGES = 6

const phone = (width: number, height: number) => ({
  width,
  height,
  deviceScaleFactor: 1,
  isMobile: true,
  hasTouch: true,
})
const VIEWPORTS = { 390: phone(390, 844), 360: phone(360, 640), 1440: { width: 1440, height: 900 } } as const

/** The local storage of a page, by key. */
export type Storage = Readonly<Record<string, string>>

type Network = keyof typeof SETTLE_MS
type Width = keyof typeof VIEWPORTS

/** The layout shifts of one load of one screen. */
export interface ScreenShift {
  readonly screen: string
  /** The visitor, the width and the network: `signed in, 390 px, slow`. */
  readonly visitor: string
  /** The sum of all shifts: at least what Chromium reports as CLS. */
  readonly value: number
  /** Each shift with the elements that moved: `0.012 ul.flex “Balance” y 300→412`. */
  readonly moved: readonly string[]
}

/** Describes in the page what moved, since its elements do not leave it. */
const OBSERVE_SHIFTS = `
  window.shifts = []
  const describe = (node) => {
    const element = node?.nodeType === 1 ? node : node?.parentElement
    if (!element) return 'removed element'
    const classes = [...element.classList].slice(0, 3).map((each) => '.' + each).join('')
    return element.tagName.toLowerCase() + classes + ' “' + node.textContent.trim().slice(0, 32) + '”'
  }
  const area = (rect) => [rect.x, rect.y, rect.width, rect.height].map(Math.round)
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources, startTime } of list.getEntries()) {
      if (hadRecentInput) continue
      const moved = sources.map(({ node, previousRect, currentRect }) =>
        describe(node) + ' ' + area(previousRect) + ' → ' + area(currentRect))
      window.shifts.push({ value, moved: value.toFixed(4) + ' at ' + Math.round(startTime) + ' ms: ' + moved.join('; ') })
    }
  }).observe({ type: 'layout-shift', buffered: true })`

/**
 * Loads every screen with an empty cache, as each visitor and at each width, over a slow network, and on a desktop and a phone over a
 * fast one.
 *
 * @param origin the address of a server with demo data, which ends with a slash.
 * @param session the storage of a signed-in browser.
 * @param only paths of screens; all of them without.
 */
export async function observeShifts(
  origin: string,
  session: Storage,
  only?: readonly string[],
): Promise<ScreenShift[]> {
  const screens = screenPaths().filter((path) => only?.includes(path) ?? true)
  const loads = (['slow', 'fast'] as const).flatMap((network) =>
    ([390, 360, 1440] as const)
      .filter((width) => network === 'slow' || width !== 360)
      .flatMap((width) =>
        [undefined, withoutFont(session)].flatMap((storage) =>
          screens.map((screen) => ({ screen, width, network, storage })),
        ),
      ),
  )
  return withBrowser(async (browser) => {
    const shifts: ScreenShift[] = []
    const queue = loads.values()
    await Promise.all(
      Array.from({ length: PAGES }, async () => {
        for (const load of queue) shifts.push(await observeLoad(browser, origin, load))
      }),
    )
    return shifts
  })
}

async function observeLoad(
  browser: Browser,
  origin: string,
  load: { screen: string; width: Width; network: Network; storage: Storage | undefined },
): Promise<ScreenShift> {
  const { screen, width, network, storage } = load
  // Each has its own cache and storage.
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.setViewport(VIEWPORTS[width])
  await page.evaluateOnNewDocument(OBSERVE_SHIFTS)
  if (storage) await page.evaluateOnNewDocument(`Object.assign(localStorage, ${JSON.stringify(storage)})`)
  if (network === 'slow') await page.emulateNetworkConditions(SLOW_NETWORK)
  await page.goto(`${origin}#/en${screen === '/' ? '' : screen}`, { waitUntil: 'load' })
  await sleep(SETTLE_MS[network])
  const shifts = await readShifts(page)
  await context.close()
  return {
    screen,
    visitor: `${storage ? 'signed in' : 'signed out'}, ${width} px, ${network}`,
    value: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.map(({ moved }) => moved),
  }
}

async function readShifts(page: Page) {
  return (await page.evaluate('window.shifts')) as { value: number; moved: string }[]
}

/** All screens, each market's as that of one market. */
function screenPaths(): string[] {
  // Not imported: the build writes it, and the bench builds the app first.
  const file = fileURLToPath(import.meta.resolve('@clearwell/web/src/generated/screens.json'))
  return Object.keys(JSON.parse(readFileSync(file, 'utf8'))).map((path) => path.replace('{name}', 'BNBUSDT'))
}

/** The browser's cache is empty, so it has not fetched the font either. */
function withoutFont({ 'clearwell.font': _font, ...storage }: Storage): Storage {
  return storage
}
