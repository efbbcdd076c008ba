import { type Browser, type BrowserContext, test as base, type Page } from '@playwright/test'
import { installWallet, type SigningWallet, WALLET_NAME, type WalletOptions } from '../signing-wallet.ts'
import { type Steps, stepsOf } from '../steps.ts'
import type { Locale } from '../texts.ts'
import { ROWS, type Row, type RowId } from './rows.ts'

/** Somebody with the app open. */
export interface Person {
  readonly page: Page
  readonly steps: Steps
}

/** Somebody with a wallet, signed in or not. */
export interface Holder extends Person {
  readonly wallet: SigningWallet
  /** Calls that the app made so far, oldest first. */
  readonly calls: readonly SeenCall[]
  /** Makes a call as the app does, with the holder's token, and answers its envelope. */
  call(path: string, payload?: Readonly<Record<string, string>>, language?: Locale): Promise<Envelope>
}

export interface SeenCall {
  readonly method: string
  /** Behind `/api`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly query: string
}

export interface Envelope {
  readonly code: number
  readonly msg: string
  // biome-ignore lint/suspicious/noExplicitAny: what a call answers is what its test looks into.
  readonly data: any
}

const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`
const PHONE = { baseURL, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** A context of a phone's browser in a language. */
export function phone(
  browser: Browser,
  locale: Locale = 'en',
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  return browser.newContext({ ...PHONE, locale: locale === 'en' ? 'en-GB' : 'zh-HK', ...options })
}

/**
 * Tests of rows share what is costly to set up: somebody who only looks, somebody who reads what to sign, somebody who only signed in,
 * and somebody who
 * signed in, took test tokens, transferred in and activated. A test leaves them as it found them, or opens a page of its own.
 */
export const test = base.extend<object, { visitor: Person; newcomer: Holder; reader: Holder; member: Holder }>({
  visitor: [
    async ({ browser }, use) => {
      const context = await phone(browser)
      const page = await context.newPage()
      // The first load goes to the browser's language; from then on every path is meant.
      await page.goto('/#/en')
      await use({ page, steps: stepsOf(page, 'en') })
      await context.close()
    },
    { scope: 'worker' },
  ],
  reader: [
    async ({ browser }, use) => {
      const reader = await holder(browser)
      const { page, steps } = reader
      await page.goto('/#/en')
      await page.getByRole('banner').getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
      await steps.button('session_sign_in_wallet').waitFor()
      await use(reader)
      await page.context().close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  newcomer: [
    async ({ browser }, use) => {
      const newcomer = await holder(browser)
      await newcomer.page.goto('/#/en')
      await newcomer.steps.signIn(WALLET_NAME)
      await use(newcomer)
      await newcomer.page.context().close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  member: [
    async ({ browser }, use) => {
      const member = await holder(browser)
      const { page, steps } = member
      await page.goto('/?pid=NOBODY42#/en')
      await steps.signIn(WALLET_NAME)
      await steps.takeTestTokens()
      await steps.transferIn('USDT', '500')
      await steps.activateByBalance()
      await use(member)
      await page.context().close()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

export { expect } from '@playwright/test'

/** Somebody on a phone of their own with a wallet, who has not opened the app yet. */
export async function holder(
  browser: Browser,
  { locale = 'en', ...options }: WalletOptions & { locale?: Locale } = {},
): Promise<Holder> {
  const context = await phone(browser, locale)
  const page = await context.newPage()
  const wallet = await installWallet(context, options)
  return {
    page,
    wallet,
    steps: stepsOf(page, locale),
    calls: recordCalls(page),
    async call(path, payload = {}, language = 'en') {
      const headers = {
        'XX-Device-Type': 'web',
        'XX-Token': (await stored(page, 'token')) ?? '',
        'Accept-Language': language,
        'Idempotency-Key': crypto.randomUUID(),
      }
      return (await page.request.post(`/api${path}`, { headers, form: payload })).json()
    },
  }
}

/** What the app keeps under one of its keys in local storage. */
export function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(`clearwell.${name}`), key)
}

/** The profile of a place where no Local demo wallet is offered. */
export async function withoutDemoWallet(page: Page): Promise<void> {
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch()
    const envelope = await response.json()
    await route.fulfill({ response, json: { ...envelope, data: { ...envelope.data, profile: 'staging' } } })
  })
}

/** From now on the page's code that was not loaded yet is not there, as after a newer build was installed. */
export async function loseChunks(page: Page, times = Number.POSITIVE_INFINITY): Promise<void> {
  await page.waitForLoadState('networkidle')
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  let left = times
  await page.route(/\/assets\/.*\.js/, (route) => {
    if (loaded.includes(route.request().url()) || left <= 0) return route.fallback()
    left -= 1
    return route.fulfill({ status: 404 })
  })
}

const rows: readonly Row[] = ROWS

/** The title of the test that shows a row. An id that is no row does not compile. */
export function row(id: RowId): string {
  return titleOf(rowOf(id))
}

/**
 * Rows that one flow shows. Each has its test; the first that runs goes through the flow, the others share how it ended.
 *
 * @example for (const [id, flow] of sharing('4.10', '6.08')) test(row(id), async ({ browser }) => flow(async () => { … }))
 */
export function sharing<Id extends RowId>(...ids: Id[]): [Id, (run: () => Promise<void>) => Promise<void>][] {
  let outcome: Promise<void> | undefined
  const flow = (run: () => Promise<void>) => {
    outcome ??= run()
    return outcome
  }
  return ids.map((id) => [id, flow])
}

export function titleOf({ id, text }: Row): string {
  return `[§${id}] ${text}`
}

export function rowsWhere<Key extends keyof Row>(key: Key): (Row & Required<Pick<Row, Key>>)[] {
  return rows.filter((each): each is Row & Required<Pick<Row, Key>> => each[key] !== undefined)
}

function rowOf(id: RowId): Row {
  const found = rows.find((each) => each.id === id)
  if (!found) throw new Error(`there is no row ${id}`)
  return found
}

/** Records the calls of the product that a page makes from now on. */
export function recordCalls(page: Page): readonly SeenCall[] {
  const calls: SeenCall[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (!pathname.startsWith('/api/')) return
    calls.push({
      method: request.method(),
      path: pathname.slice('/api'.length),
      headers: request.headers(),
      body: request.postData() ?? '',
      query: search,
    })
  })
  return calls
}
