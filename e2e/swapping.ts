import { type Browser, expect, type Locator } from '@playwright/test'
import { type Holder, holder } from './people.ts'
import { WALLET_NAME } from './signing-wallet.ts'
import { textPattern } from './steps.ts'
import type { Locale } from './texts.ts'
import { newTrader } from './trader.ts'

/** No spot price and no arbitrageur: nobody trades in this pool but who is told to. */
export const QUIET_POOL = 'rt-usdt'

/** Somebody on the swap screen. */
export interface Trading extends Holder {
  readonly locale: Locale
}

/** Somebody signed in on the swap screen of the quiet pool, about to sell of 400 USDT. */
export async function trading(browser: Browser, locale: Locale): Promise<Trading> {
  const { key } = await newTrader({ USDT: '410' })
  const one = await holder(browser, { locale, key })
  const { page, steps } = one
  const { t } = steps
  await steps.open('/swap/exchange')
  await steps.signIn(WALLET_NAME)
  await page.getByRole('button', { name: t('swap_choose_pair') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^RT\/USDT/ })
    .click()
  await expect(page).toHaveURL(/pair=RTUSDT/)
  await steps.button('swap_flip').click()
  return { ...one, locale }
}

/** Types what is sold. */
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

/** Opens the confirmation and confirms; how it ends is not waited for. */
export async function confirm(one: Holder): Promise<Locator> {
  const sheet = await review(one)
  await sheet.getByRole('button', { name: one.steps.t('swap_action'), exact: true }).click()
  return sheet
}

/** Confirms a sale that never comes to the server, and comes back to the page. @returns the note that tells of it. */
export async function loseOnTheWay(one: Trading, amount: string): Promise<Locator> {
  const { page, steps } = one
  const tried = page.waitForRequest('**/SwapPool/doSwap')
  await page.route('**/SwapPool/doSwap', () => {})
  await fillSell(one, amount)
  await confirm(one)
  await tried
  await page.reload()
  await page.unroute('**/SwapPool/doSwap')
  const note = page.getByRole('region', { name: steps.t('swap_lost_title') })
  await expect(note.getByText(textPattern(one.locale, 'swap_lost_not_yet'))).toBeVisible({ timeout: 20_000 })
  return note
}

/** Confirms, and sees it done. @returns what the server answered. */
export async function swapNow({ page, steps: { t } }: Holder, sheet: Locator) {
  const answer = page.waitForResponse('**/SwapPool/doSwap')
  await sheet.getByRole('button', { name: t('swap_action'), exact: true }).click()
  await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
  return (await answer).json()
}

/** The value of a fact of a sheet. */
export function fact(sheet: Locator, label: string): Locator {
  const term = sheet.page().getByText(label, { exact: true })
  return sheet.locator('dl > div').filter({ has: term }).getByRole('definition')
}

/** My swaps, as they are listed. */
export function orders({ page, steps: { t } }: Holder): Locator {
  return page.getByRole('region', { name: t('swap_orders') }).getByRole('listitem')
}

/** Swaps that the page sent, oldest first. */
export function swapsSent({ calls }: Holder) {
  return calls
    .filter(({ path }) => path === '/SwapPool/doSwap')
    .map(({ headers, body }) => ({
      key: headers['idempotency-key'],
      form: Object.fromEntries(new URLSearchParams(body)),
    }))
}

/** Keys of swaps that the page asked after. */
export function askedByKey({ calls }: Holder): (string | null)[] {
  return calls
    .filter(({ path }) => path === '/SwapPool/getOrderStatus')
    .map(({ body }) => new URLSearchParams(body).get('idempotency_key'))
}
