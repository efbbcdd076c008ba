import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Hex } from 'viem'
import { leaveSession } from './earlier-session.ts'
import { installWallet, type SigningWallet, type WalletOptions } from './signing-wallet.ts'
import { type Steps, stepsOf } from './steps.ts'
import type { Locale } from './texts.ts'
import type { Envelope } from './trader.ts'

/** A user with the app open. */
export interface Person {
  readonly page: Page
  readonly steps: Steps
}

/** A user with a wallet, signed in or not. */
export interface Holder extends Person {
  readonly wallet: SigningWallet
  /** API calls of the app so far, oldest first. */
  readonly calls: readonly SeenCall[]
  /** Makes an API call with the user's token, as the app does, and returns its envelope. */
  call(path: string, payload?: Readonly<Record<string, string>>, language?: Locale): Promise<Envelope>
  /** The addresses of the vault and the tokens. */
  config(): Promise<Custody>
  /** Opens a screen for the first time, signed in since an earlier visit. */
  openSignedIn(path: string): Promise<void>
}

export interface Custody {
  readonly vault: Hex
  /** Token contracts by asset. */
  readonly tokens: { readonly USDT: Hex; readonly ETH: Hex }
}

export interface SeenCall {
  readonly method: string
  /** The path after `/api`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly query: string
}

export interface HolderOptions extends WalletOptions {
  readonly locale?: Locale
  /** The server to use; the shared one if omitted. */
  readonly baseURL?: string
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Creates a browser context like a phone's, in a language. */
export function newPhone(
  browser: Browser,
  locale: Locale = 'en',
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserContext> {
  const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`
  return browser.newContext({ ...PHONE, baseURL, locale: locale === 'en' ? 'en-GB' : 'zh-HK', ...options })
}

/** Creates a user with a wallet on a separate phone, who has not opened the app yet. */
export async function newHolder(
  browser: Browser,
  { locale = 'en', baseURL, ...options }: HolderOptions = {},
): Promise<Holder> {
  const context = await newPhone(browser, locale, baseURL === undefined ? {} : { baseURL })
  const page = await context.newPage()
  const wallet = await installWallet(context, options)
  const steps = stepsOf(page, locale)
  return {
    page,
    wallet,
    steps,
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
    async config() {
      const { data } = await (await page.request.get('/api/config')).json()
      const addressOf = (asset: string) => data.assets.find((each: { asset: string }) => each.asset === asset).address
      return { vault: data.vault, tokens: { USDT: addressOf('USDT'), ETH: addressOf('ETH') } }
    },
    async openSignedIn(path) {
      await leaveSession(context, wallet, baseURL)
      await steps.open(path)
      await steps.waitForSession()
    },
  }
}

/** Reads one of the app's keys in local storage. */
export function stored(page: Page, key: string): Promise<string | null> {
  return page.evaluate((name) => localStorage.getItem(`clearwell.${name}`), key)
}

/** The payments that the app stores in this browser, newest first. */
export async function storedPayments(page: Page): Promise<unknown[]> {
  const items = await page.evaluate(() =>
    Object.entries(localStorage).flatMap(([key, text]) => (key.startsWith('clearwell.payments.') ? [text] : [])),
  )
  return items
    .map((text) => JSON.parse(text))
    .toSorted((one, other) => other.at - one.at)
    .map(({ value }) => value)
}

/** Records the API calls that a page makes from now on. */
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
