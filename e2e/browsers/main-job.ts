import { WALLET_NAME } from '../signing-wallet.ts'
import { type Locale, textsOf } from '../texts.ts'
import type { TestBrowser } from './browser.ts'
import { pageActions } from './page-actions.ts'

/** The confirmation ignores a press so soon after it opened: it may be the second one of a double tap. */
const DOUBLE_TAP_MS = 1_000

/**
 * The main job of a visitor: sign in, transfer in, activate, swap, and find it all in the balance log.
 *
 * @throws Error that names the first step that is not possible.
 */
export async function doMainJob(browser: TestBrowser, url: string, locale: Locale): Promise<void> {
  const t = textsOf(locale)
  const page = pageActions(browser)
  const prefix = locale === 'en' ? '#/en' : '#'
  const button = (key: string, isInDialog = false) => ({ role: 'button', name: t(key), isInDialog }) as const

  await browser.open(`${url}/${prefix}`)
  await page.press(button('nav_connect'))
  await page.press({ role: 'button', name: WALLET_NAME, isPart: true, isInDialog: true })
  await page.press(button('session_sign_in_wallet', true))
  const account = { role: 'button', name: t('nav_my_account'), isPart: true } as const
  await page.see(account)
  await browser.open(`${url}/?reloaded${prefix}`)
  await page.see(account)

  await page.go(`${prefix}/wallet`)
  await page.press(button('wallet_faucet'))
  await page.see({ role: 'text', name: '10 BNB · 10,000 USDT · 5 ETH', isPart: true })

  await page.go(`${prefix}/wallet/buy`)
  await page.press({ role: 'radio', name: 'USDT' })
  await page.fill({ role: 'textbox', name: t('wallet_amount') }, '500')
  await page.press(button('wallet_continue'))
  await page.press(button('payment_open_wallet'))
  await page.see({ role: 'text', name: t('wallet_say_done', { amount: '500 USDT' }), isPart: true })

  await page.go(`${prefix}/swap/activate`)
  await page.press({ role: 'radio', name: t('activation_by_balance') })
  await page.press(button('activation_by_balance_action'))
  await page.press(button('activation_by_balance_action', true))
  await page.see({ role: 'text', name: t('activation_done') })

  await page.go(`${prefix}/swap/exchange`)
  await page.fill({ role: 'textbox', name: t('swap_sell') }, '100')
  await page.press(button('swap_action'))
  await page.see({ role: 'text', name: t('swap_confirm_title'), isInDialog: true })
  await new Promise((resolve) => setTimeout(resolve, DOUBLE_TAP_MS))
  await page.press(button('swap_action', true))
  await page.see({ role: 'text', name: t('swap_status_completed'), isInDialog: true })
  await page.press(button('swap_done', true))

  await page.go(`${prefix}/wallet/logs`)
  for (const key of ['swap_entry_sold', 'swap_entry_bought', 'activation_entry', 'wallet_entry_deposit'])
    await page.see({ role: 'listitem', name: t(key), isPart: true })
  if (await browser.run<boolean>('return document.documentElement.scrollWidth > innerWidth'))
    throw new Error('the balance log scrolls sideways')
}
