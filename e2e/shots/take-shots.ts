import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { screensWithData } from '../account-in-use.ts'
import { newPhone } from '../people.ts'
import { waitForSheetToLeave } from '../steps.ts'
import { type Locale, textsOf } from '../texts.ts'
import { arrange } from './arrange.ts'
import { type Choice, HEIGHTS, type Mode, routesIn, type Subject, type Width } from './choice.ts'
import { screensWithEarnings } from './fill-earnings.ts'
import type { ShotPeople } from './people.ts'
import { isScene, openScene, pathOf, personOf } from './scenes.ts'
import type { State } from './states.ts'

/** A picture of a screen. */
export interface Shot {
  readonly route: Subject
  readonly locale: Locale
  readonly mode: Mode
  readonly width: Width
  readonly state: State
  /** Its file in the folder of the pictures. */
  readonly file: string
  /** True if the screen still showed a placeholder when it was photographed. */
  readonly isLoading: boolean
}

interface Session extends Omit<Choice, 'states'> {
  readonly state: State
  readonly people: ShotPeople
  readonly folder: string
  /** True for pictures of whole pages, false for those of the visible part. */
  readonly isWhole: boolean
}

/** A screen may load this long before it is photographed as it is. */
const LOAD_MS = 8_000

/** Once their code is loaded, the parts beside the column of a desktop appear within this time. */
const ASIDES_MS = 500
/** The narrowest desktop, in pixels. */
const DESKTOP = 1_000
/** The tallest picture of a whole page, in pixels. */
const WHOLE_MAX = 4_000

/** Photographs all chosen screens in one state, with one page for each account. */
export async function takeShots(browser: Browser, session: Session): Promise<Shot[]> {
  const { people } = session
  const all = routesIn(session.state, session)
  const ofNewcomer = all.filter((route) => isScene(route) && personOf(route) === 'newcomer')
  const shots = await takeShotsOf(browser, { ...session, routes: all.filter((route) => !ofNewcomer.includes(route)) })
  if (ofNewcomer.length === 0) return shots
  const newcomer = { ...people, activated: { ...people.activated, ...people.newcomer } }
  return [...shots, ...(await takeShotsOf(browser, { ...session, routes: ofNewcomer, people: newcomer }))]
}

async function takeShotsOf(browser: Browser, session: Session): Promise<Shot[]> {
  const { state, locales, folder, people, routes } = session
  if (routes.length === 0) return []
  const context = await newPhone(browser, 'en', { colorScheme: 'dark', reducedMotion: 'reduce' })
  // The mode follows the emulated system, so that one page shows both.
  await context.addInitScript(() => localStorage.setItem('clearwell.mode', 'system'))
  const page = await context.newPage()
  const arranged = await arrange(page, state, people)
  if (session.widths.includes(1440)) await loadAsides(page)
  const shots: Shot[] = []
  for (const locale of locales) {
    for (const route of routes) {
      await arranged.beforeScreen()
      // As on a phone: a desktop shows some parts beside the column instead.
      await page.setViewportSize({ width: 390, height: HEIGHTS[390] })
      await openScreen(page, hashOf(route, locale, state, people))
      await arranged.afterScreen()
      let isLoading = state !== 'loading' && !(await hasLoaded(page, locale))
      if (isScene(route) && !(await openScene(page, route, locale))) isLoading = true
      if (isScene(route)) await arranged.afterScreen()
      for (const view of viewsOf(session)) {
        const file = `${[state, route.replace('/', '').replaceAll('/', '-') || 'home', locale, view.mode, view.width].join('_')}.jpg`
        await photographView(page, view, { path: join(folder, file), isWhole: session.isWhole })
        shots.push({ route, locale, ...view, state, file, isLoading })
      }
    }
  }
  await context.close()
  return shots
}

interface View {
  readonly mode: Mode
  readonly width: Width
}

function viewsOf({ modes, widths }: Pick<Choice, 'modes' | 'widths'>): View[] {
  return widths.flatMap((width) => modes.map((mode) => ({ width, mode })))
}

async function photographView(
  page: Page,
  { mode, width }: View,
  { path, isWhole }: { path: string; isWhole: boolean },
): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
  if (width >= DESKTOP) await seeAsides(page, ASIDES_MS)
  // A sheet stays at the foot of the window, far below the part of the page that it belongs to.
  if (isWhole && (await page.getByRole('dialog').count()) === 0) {
    // A window as tall as the page, so that the tabs and the action of a screen stay at its foot.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height: Math.min(height, WHOLE_MAX) })
  }
  // A chart draws itself again in the frame after its size or its colours changed.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await page.screenshot({ path, type: 'jpeg', quality: 82, animations: 'disabled', caret: 'hide' })
}

/** Loads the parts beside the column of a desktop, so that they are there in every state. */
async function loadAsides(page: Page): Promise<void> {
  const before = page.viewportSize()
  await page.setViewportSize({ width: 1440, height: HEIGHTS[1440] })
  await seeAsides(page, LOAD_MS)
  if (before) await page.setViewportSize(before)
}

async function seeAsides(page: Page, timeout: number): Promise<void> {
  const aside = page.locator('aside').first()
  await aside.waitFor({ timeout }).catch(() => {})
}

/** The hash of a screen, with the query that selects its data where the account has some. */
function hashOf(route: Subject, locale: Locale, state: State, { activated }: ShotPeople): string {
  const prefix = locale === 'en' ? '/en' : ''
  if (isScene(route)) return `#${prefix}${pathOf(route) === '/' && prefix ? '' : pathOf(route)}`
  if (route === '/wallet/asset') return `#${prefix}${route}?asset=BNB`
  // The draft of a confirmation belongs to no account.
  const isDraft = route.endsWith('/confirm') && state !== 'empty'
  const hasData = isDraft || !['signed-out', 'empty', 'not-activated'].includes(state)
  const withData = [...screensWithData(activated).map(({ path }) => path), ...screensWithEarnings(activated)].find(
    (path) => path.startsWith(`${route}?`),
  )
  // The lists are more telling than a filter that matches nothing.
  const path = hasData && withData && !/logs|summary/.test(route) ? withData : route
  return `#${prefix}${path === '/' && prefix ? '' : path}`
}

async function openScreen(page: Page, hash: string): Promise<void> {
  // An open sheet belongs to the picture before, and a pointer over a link would change its colour.
  await page.keyboard.press('Escape')
  await waitForSheetToLeave(page)
  await page.mouse.move(0, 0)
  const isLeft = await page.evaluateHandle((next) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    scrollTo(0, 0)
    const pathOf = (each: string) => each.replace(/^#(\/en)?|\?.*/g, '')
    const before = pathOf(next) === pathOf(location.hash) ? null : document.querySelector('main h1')
    location.hash = next
    return () => before?.isConnected !== true
  }, hash)
  // The screen before stays until the code of the next one is loaded.
  await page.waitForFunction((isTrue) => isTrue(), isLeft, { timeout: LOAD_MS }).catch(() => {})
}

/** Waits until the screen has a heading and no placeholder. @returns false if it still has one after a while. */
async function hasLoaded(page: Page, locale: Locale): Promise<boolean> {
  const loading = textsOf(locale)('app_loading')
  return page
    .waitForFunction(
      ([lang, name]) =>
        document.documentElement.lang === lang &&
        document.querySelector('main h1') !== null &&
        document.querySelector(`[role=status][aria-label="${name}"]`) === null,
      [locale, loading] as const,
      { timeout: LOAD_MS },
    )
    .then(
      () => true,
      () => false,
    )
}
