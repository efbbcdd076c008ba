import { expect, type Locator, type Page } from '@playwright/test'
import { type Locale, textsOf } from './texts.ts'

export type Texts = ReturnType<typeof textsOf>

/** Actions of a user in the app, found by the texts of their language. */
export interface Steps {
  readonly t: Texts
  open(path: string): Promise<void>
  /** Opens a screen with the bottom tabs. */
  tab(key: string): Promise<void>
  button(key: string, variables?: Readonly<Record<string, string>>): Locator
  /** Checks the server's message in the dialog, and closes the dialog. */
  closeMessage(text: string): Promise<void>
  /** Connects with the named wallet and signs the message that the app shows first. */
  signIn(walletName: string, approve?: () => Promise<void>): Promise<void>
  /** Waits until the page has the session and the wallet of an earlier visit. */
  waitForSession(): Promise<void>
  takeTestTokens(): Promise<void>
  /** Fills the form and continues to the screen that explains the wallet's requests. */
  begin(way: 'in' | 'out', asset: string, amount: string): Promise<void>
  /** Transfers in through the wallet and waits on the progress screen until the amount is credited. */
  transferIn(asset: string, amount: string, approve?: () => Promise<void>): Promise<void>
  /** Pays for the activation from the available balance. */
  activateByBalance(): Promise<void>
  /** Checks the available amount of an asset on the wallet screen. */
  expectAvailable(asset: string, amount: string): Promise<void>
  signOut(): Promise<void>
}

export function stepsOf(page: Page, locale: Locale): Steps {
  const t = textsOf(locale)
  const prefix = locale === 'en' ? '/en' : ''
  const common: CommonSteps = {
    t,
    button: (key, variables) => page.getByRole('button', { name: t(key, variables), exact: true }),
    async closeMessage(text) {
      const message = page.getByRole('alertdialog')
      await expect(message.getByText(text, { exact: true })).toBeVisible()
      await message.getByRole('button', { name: t('app_got_it') }).click()
      await expect(message).toHaveCount(0)
    },
    async open(path) {
      await waitForSheetToLeave(page)
      await page.goto(`/#${prefix}${path === '/' && prefix ? '' : path}`)
    },
    async tab(key) {
      await page
        .getByRole('navigation', { name: t('nav_main') })
        .getByRole('link', { name: t(key), exact: true })
        .click()
    },
  }
  return { ...common, ...sessionSteps(page, t), ...walletSteps(page, common) }
}

type CommonSteps = Pick<Steps, 't' | 'button' | 'closeMessage' | 'open' | 'tab'>

const approveNothing = async () => {}

/** A toast stays two seconds, so this looks more often than an assertion does. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const toasts = page.locator('[data-toast]').filter({ hasText: text, visible: true })
  await expect.poll(() => toasts.count(), { intervals: [100] }).toBeGreaterThan(0)
}

/** The Connect of the header; on home, the only one is in the hero. */
export function connectButton(page: Page, t: Texts): Locator {
  return page.getByRole('button', { name: t('nav_connect'), exact: true }).first()
}

function sessionSteps(page: Page, t: Texts): Pick<Steps, 'signIn' | 'waitForSession' | 'signOut'> {
  const sheet = () => page.getByRole('dialog')
  const account = () => page.getByRole('banner').getByRole('button', { name: t('nav_my_account') })
  return {
    async signIn(walletName, approve = approveNothing) {
      await connectButton(page, t).click()
      await sheet().getByRole('button', { name: walletName }).click()
      await approve()
      await expect(sheet().getByText('wants you to sign in with your Ethereum account')).toBeVisible()
      await sheet()
        .getByRole('button', { name: t('session_sign_in_wallet') })
        .click()
      await approve()
      await expect(account()).toBeVisible()
      await waitForSheetToLeave(page)
    },
    async waitForSession() {
      await expect(account()).toBeVisible()
      // The app is busy until the wallet has permitted its connection again.
      await expect(account()).not.toHaveAttribute('aria-busy', 'true')
    },
    async signOut() {
      await account().click()
      // The app reloads when the wallet disconnects.
      const reloaded = page.waitForEvent('load')
      await sheet()
        .getByRole('button', { name: t('nav_disconnect') })
        .click()
      await reloaded
      await expect(connectButton(page, t)).toBeVisible()
    },
  }
}

function walletSteps(
  page: Page,
  { t, button, open, tab }: CommonSteps,
): Pick<Steps, 'takeTestTokens' | 'begin' | 'transferIn' | 'activateByBalance' | 'expectAvailable'> {
  const begin: Steps['begin'] = async (way, asset, amount) => {
    await open(way === 'in' ? '/wallet/buy' : '/wallet/sell')
    await page.getByRole('radio', { name: asset, exact: true }).click()
    await page.getByRole('textbox', { name: t('wallet_amount'), exact: true }).fill(amount)
    await button('wallet_continue').click()
    await expect(page.getByRole('heading', { level: 1, name: t('title_wallet_confirmation') })).toBeVisible()
  }
  return {
    async takeTestTokens() {
      await tab('nav_wallet')
      await button('wallet_faucet').click()
      await expectToast(page, /10 BNB · 10,000 USDT · 5 ETH/)
    },
    begin,
    async transferIn(asset, amount, approve = approveNothing) {
      await begin('in', asset, amount)
      await button('payment_open_wallet').click()
      // A token needs two approvals: the permit of exactly this amount, then the payment.
      if (asset !== 'BNB') await approve()
      await approve()
      await expect(page.getByText(t('wallet_say_done', { amount: `${amount} ${asset}` }))).toBeVisible({
        timeout: 30_000,
      })
    },
    async activateByBalance() {
      await open('/swap/activate')
      await page.getByRole('radio', { name: t('activation_by_balance') }).click()
      await button('activation_by_balance_action').click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('activation_by_balance_action') })
        .click()
      await expect(page.getByText(t('activation_done'), { exact: true })).toBeVisible()
      // The stream may say so before the response, which closes the sheet.
      await expect(page.getByRole('dialog')).toHaveCount(0)
    },
    async expectAvailable(asset, amount) {
      await open('/wallet')
      const row = page
        .getByRole('region', { name: t('wallet_assets') })
        .getByRole('listitem')
        .filter({ hasText: asset })
      // The row names the available part where it is not the whole.
      const part = row.filter({ has: page.getByText(`${t('wallet_available')} ${amount}`, { exact: true }) })
      const whole = row
        .filter({ hasNotText: t('wallet_available') })
        .filter({ has: page.getByText(amount, { exact: true }) })
      await expect(part.or(whole)).toBeVisible()
    },
  }
}

/**
 * Checks that the page shows a text in its language, in the other language, and in the first one again. Omitted variables
 * match any text.
 *
 * @param keys the text, or several that the page shows together.
 */
export async function expectTextInBothLanguages(
  page: Page,
  keys: string | readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const here = new URL(page.url()).hash.match(/^#\/en(\/|$)/) ? 'en' : 'zh-HK'
  const expectText = async (locale: Locale) => {
    for (const key of [keys].flat())
      await expect(page.getByText(textPattern(locale, key, variables)).first()).toBeVisible()
  }
  await expectText(here)
  // Read after the first check: an earlier press may still have been navigating.
  const path = new URL(page.url()).hash.replace(/^#\/en(?=\/|$)/, '#')
  for (const locale of [here === 'en' ? 'zh-HK' : 'en', here] as const) {
    await page.evaluate((hash) => location.replace(hash), locale === 'en' ? path.replace('#', '#/en') : path)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    await expectText(locale)
  }
}

/** A pattern that matches a whole text of the app. Omitted variables match any text. */
export function textPattern(locale: Locale, key: string, variables: Readonly<Record<string, string>> = {}): RegExp {
  const anything = '\u0000'
  const known = new Proxy(variables, { get: (target, name) => target[String(name)] ?? anything })
  const literal = textsOf(locale)(key, known).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(anything, '.+')}$`)
}

/** Approves the request that the Local demo wallet shows. */
export function demoApproval(page: Page, t: Texts): () => Promise<void> {
  return async () => {
    const sheet = page.getByRole('dialog').filter({ hasText: t('demo_wallet_note') })
    const approve = sheet.getByRole('button', { name: t('demo_wallet_approve') })
    await approve.waitFor()
    // The next request may follow immediately, so this waits for this button, not just any, to disappear.
    const button = await approve.elementHandle()
    await approve.click()
    await button?.waitForElementState('hidden')
  }
}

/**
 * A sheet that has just closed takes its entry of the history away. That step back would undo a navigation and abort a reload.
 */
export async function waitForSheetToLeave(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(isSheetLeaving)).toBe(false)
}

/** Runs in the page. */
function isSheetLeaving(): boolean {
  return Boolean(history.state?.__sheets) && !document.querySelector('[role=dialog], [role=alertdialog]')
}
