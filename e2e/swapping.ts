import { type Browser, expect, type Locator } from '@playwright/test'
import { type Holder, newHolder } from './people.ts'
import type { Locale } from './texts.ts'
import { newTrader } from './trader.ts'

/**
 * A pool without a spot price and an arbitrageur. On the shared server no other journey than `swap.test.ts` trades in it: that one compares
 * prices exactly. The walker might, by chance.
 */
export const QUIET_POOL = 'rt-usdt'

/** A user on the swap screen. */
export interface Trading extends Holder {
  readonly locale: Locale
}

/** Signs in a user with 400 USDT and opens the swap screen of a pool, the quiet one where none is named. */
export async function openTrading(
  browser: Browser,
  locale: Locale,
  pair: 'RT/USDT' | 'ETH/USDT' = 'RT/USDT',
): Promise<Trading> {
  const { key } = await newTrader({ USDT: '410' })
  const user = await newHolder(browser, { locale, key })
  const { page, steps } = user
  const { t } = steps
  await user.openSignedIn('/swap/exchange')
  await page.getByRole('button', { name: t('swap_choose_pair') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${pair}`) })
    .click()
  await expect(page).toHaveURL(new RegExp(`pair=${pair.replace('/', '')}`))
  // The form sells the larger holding.
  await expect(page.getByRole('button', { name: `USDT ${t('swap_choose_sell')}` })).toBeVisible()
  return { ...user, locale }
}

/** Types the amount to sell. */
export async function fillSell({ page, steps: { t } }: Holder, amount: string): Promise<void> {
  await page.getByRole('textbox', { name: t('swap_sell'), exact: true }).fill(amount)
}

/** Opens the confirmation. */
export async function review({ page, steps: { t, button } }: Holder): Promise<Locator> {
  await button('swap_action').click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(t('swap_confirm_title'))).toBeVisible()
  return sheet
}

/** Opens the confirmation and confirms, without waiting for the outcome. */
export async function confirm(user: Holder): Promise<Locator> {
  const sheet = await review(user)
  await sheet.getByRole('button', { name: user.steps.t('swap_action'), exact: true }).click()
  return sheet
}

/** Confirms a sale whose request never reaches the server, then reloads. @returns the note about the pending swap. */
export async function loseSwapRequest(user: Trading, amount: string): Promise<Locator> {
  const { page, steps } = user
  const tried = page.waitForRequest('**/SwapPool/doSwap')
  await page.route('**/SwapPool/doSwap', () => {})
  await fillSell(user, amount)
  await confirm(user)
  await tried
  await page.reload()
  const note = page.getByRole('region', { name: steps.t('account_lost_title') })
  await expect(note.getByText(steps.t('account_lost_not_arrived'))).toBeVisible()
  // Not while the page loads: Chromium then drops requests that are on their way.
  await page.unroute('**/SwapPool/doSwap')
  return note
}

/** Confirms and waits until the swap has completed. @returns the server's response. */
export async function confirmSwap({ page, steps: { t } }: Holder, sheet: Locator) {
  const response = page.waitForResponse('**/SwapPool/doSwap')
  await sheet.getByRole('button', { name: t('swap_action'), exact: true }).click()
  await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
  return (await response).json()
}

/** Finds the value of a fact in a sheet. */
export function fact(sheet: Locator, label: string): Locator {
  const term = sheet.page().getByText(label, { exact: true })
  return sheet.locator('dl > div').filter({ has: term }).getByRole('definition')
}

/** Finds the user's swaps in the list. */
export function orders({ page, steps: { t } }: Holder): Locator {
  return page.getByRole('region', { name: t('swap_orders') }).getByRole('listitem')
}

/** The swaps that the page has sent, oldest first. */
export function swapsSent({ calls }: Holder) {
  return calls
    .filter(({ path }) => path === '/SwapPool/doSwap')
    .map(({ headers, body }) => ({
      key: headers['idempotency-key'],
      form: Object.fromEntries(new URLSearchParams(body)),
    }))
}

/** The keys of the commands that the page has looked up. */
export function lookedUpKeys({ calls }: Holder): (string | null)[] {
  return calls
    .filter(({ path }) => path === '/Command/outcome')
    .map(({ body }) => new URLSearchParams(body).get('idempotency_key'))
}
