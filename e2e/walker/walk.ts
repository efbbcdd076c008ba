import { expect, type Locator, type Page } from '@playwright/test'
import type { Holder } from '../people.ts'
import { SCREENS } from '../screens.ts'
import { waitForSheetToLeave } from '../steps.ts'

/** A repeatable generator of whole numbers below a bound. */
export type Random = (below: number) => number

/** Errors of the page that are no fault, with the reason. */
const LISTED_ERRORS: readonly RegExp[] = [
  // The browser reports each response of 4xx; the app shows what it means.
  /^Failed to load resource: the server responded with a status of 4\d\d/,
]

/** Texts for every field: right ones, nearly right ones, and none. */
const TYPED = ['1', '0.5', '20', '99999999', '0', '', '-1', '1e5', 'abc', '0.0000000000000000001', '１２'] as const
const PATIENCE_MS = 60_000

/** Keeps what goes wrong in the page, so that each step can check it. */
export interface Watch {
  readonly errors: string[]
  /** Commands since the last step: one for each idempotency key. */
  takeCommands(): readonly string[]
}

export function watchPage(page: Page): Watch {
  const errors: string[] = []
  const keys = new Map<string, string>()
  page.on('pageerror', (error) => errors.push(`page: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !LISTED_ERRORS.some((each) => each.test(message.text())))
      errors.push(`console: ${message.text()}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 500) errors.push(`${response.status()} from ${response.url()}`)
  })
  page.on('request', (request) => {
    const key = request.headers()['idempotency-key']
    if (key !== undefined) keys.set(key, new URL(request.url()).pathname)
  })
  return {
    errors,
    takeCommands() {
      const paths = [...keys.values()]
      keys.clear()
      return paths
    },
  }
}

/** One step: a press, a text, a screen, or Back. @returns its description, for the report of a failure. */
export async function takeStep(user: Holder, random: Random): Promise<string> {
  const { page } = user
  const way = random(10)
  if (way === 0) return goBack(page)
  if (way === 1) return openScreen(user, random)
  if (way <= 3) return typeText(page, random)
  return press(user, random)
}

async function goBack(page: Page): Promise<string> {
  await waitForSheetToLeave(page)
  await look(() => page.evaluate(listenToHistory))
  const before = await placeOf(page)
  if (!(await look(() => page.evaluate(() => navigation.canGoBack)))) return 'nothing to go back to'
  await page.evaluate(() => history.back())
  // A sheet that was still loading may open now: then Back closes it, and the page is where it was.
  const hasLeft = async () =>
    (await placeOf(page)) !== before || /push,traverse$/.test(await look(() => page.evaluate(historySince)))
  await expect.poll(hasLeft, { message: `Back leaves ${before}`, timeout: PATIENCE_MS }).toBe(true)
  return `back from ${before}`
}

interface HistoryWindow {
  /** The kinds of changes of the history, oldest first. */
  historyChanges?: string[]
}

/** Runs in the page: notes the kind of each change of its history from now on. */
function listenToHistory(): void {
  const page = window as HistoryWindow
  if (!page.historyChanges)
    navigation.addEventListener('currententrychange', ({ navigationType }) =>
      page.historyChanges?.push(String(navigationType)),
    )
  page.historyChanges = []
}

/** Runs in the page. A page that was loaded meanwhile has noted nothing. */
function historySince(): string {
  return String((window as HistoryWindow).historyChanges ?? '')
}

/** The address, the entry of the history and the open sheet: Back changes one of them. */
function placeOf(page: Page): Promise<string> {
  return look(() =>
    page.evaluate(() => {
      const sheets = document.querySelectorAll('[role=dialog], [role=alertdialog]').length
      return `${location.hash} ${navigation.currentEntry?.index} ${sheets}`
    }),
  )
}

/** Looks at the page again where a load of the page has ended the look. */
async function look<Seen>(read: () => Promise<Seen>): Promise<Seen> {
  for (let tries = 1; ; tries++)
    try {
      return await read()
    } catch (error) {
      if (tries === 5 || !/context was destroyed/.test((error as Error).message)) throw error
    }
}

async function openScreen({ steps }: Holder, random: Random): Promise<string> {
  const { path } = SCREENS[random(SCREENS.length)] ?? { path: '/' }
  await steps.open(path)
  return `open ${path}`
}

async function typeText(page: Page, random: Random): Promise<string> {
  const fields = await shown(topOf(page).getByRole('textbox'))
  const field = fields[random(Math.max(fields.length, 1))]
  if (!field) return 'no field'
  const text = TYPED[random(TYPED.length)] ?? ''
  const name = await field.getAttribute('aria-label').catch(() => null)
  await field.fill(text, { timeout: 2_000 }).catch(ignoreChange)
  return `type ${JSON.stringify(text)} into ${name ?? 'a field'}`
}

async function press(user: Holder, random: Random): Promise<string> {
  const { page, steps } = user
  const targets = await shown(topOf(page).getByRole('button').or(topOf(page).getByRole('link')))
  const target = targets[random(Math.max(targets.length, 1))]
  if (!target) return 'nothing to press'
  const name = ((await target.textContent().catch(() => '')) ?? '').trim().slice(0, 40)
  if ([steps.t('nav_disconnect')].some((text) => name.includes(text))) return `keep from ${name}`
  if (
    await target.evaluate((node) => /^(https?:|mailto:|\/api)/.test(node.getAttribute('href') ?? '')).catch(() => true)
  )
    return `keep from ${name}, which leaves the app`
  const isTwice = random(4) === 0
  await target.click({ timeout: 2_000, clickCount: isTwice ? 2 : 1 }).catch(ignoreChange)
  return `press ${name || 'an icon'}${isTwice ? ' twice' : ''}`
}

/** The open dialog, or the whole page. */
function topOf(page: Page): Locator {
  return page.locator('[role=alertdialog], [role=dialog], body').last()
}

/** Those of a locator that a person can see and press. In one look: a screen has dozens. */
async function shown(locator: Locator): Promise<Locator[]> {
  const places = await look(() =>
    locator.evaluateAll((nodes) =>
      nodes.flatMap((node, index) =>
        node.checkVisibility() && !node.matches(':disabled, [aria-disabled=true]') ? [index] : [],
      ),
    ),
  )
  return places.map((place) => locator.nth(place))
}

/** The page may change between a look and a press. */
function ignoreChange(): void {}

/** Checks that a screen has its heading and something to press, and that nothing has failed. */
export async function expectNoDeadEnd(page: Page, { errors }: Watch): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached({ timeout: PATIENCE_MS })
  await expect
    .poll(async () => (await shown(topOf(page).getByRole('button').or(topOf(page).getByRole('link')))).length, {
      message: 'something to press',
      timeout: PATIENCE_MS,
    })
    .toBeGreaterThan(0)
  expect(errors).toEqual([])
}

/** One press of a button may send a command once: again with the same key, never with another one. */
export function expectNoDoubleSubmission(watch: Watch): void {
  const paths = watch.takeCommands()
  expect(paths.toSorted()).toEqual([...new Set(paths)].toSorted())
}

/** Compares the wallet screen with the ledger. */
export async function expectShownBalances(user: Holder): Promise<void> {
  const { page, steps, call } = user
  // An open sheet would stay above the screen.
  for (let tries = 0; tries < 3 && (await page.locator('[role=dialog], [role=alertdialog]').count()) > 0; tries += 1)
    await page.keyboard.press('Escape')
  await waitForSheetToLeave(page)
  await steps.open('/wallet')
  const rows = page.getByRole('region', { name: steps.t('wallet_assets') }).getByRole('listitem')
  for (const asset of ['USDT', 'BNB']) {
    const row = rows.locator(`a[href$="asset=${asset}"]`)
    await expect(row).toBeVisible()
    // The walker may have hidden all amounts.
    if ((await row.locator('[title]').count()) === 0) continue
    const compare = async () => {
      const { data } = await call('/Wallet/balances')
      const { total } = data.find((each: { asset: string }) => each.asset === asset)
      const amount = row.locator('[title]').last()
      const [whole, shownText] = [await amount.getAttribute('title'), await amount.textContent()]
      const isCut = total.startsWith((shownText ?? '').replaceAll(',', ''))
      return isCut && whole === total ? 'as in the ledger' : `${shownText} (${whole}), not ${total}`
    }
    await expect.poll(compare, { message: `the shown ${asset}`, timeout: PATIENCE_MS }).toBe('as in the ledger')
  }
}
