import { expect, type Page, test } from '@playwright/test'
import { newPhone } from '../people.ts'
import { connectButton, expectToast, stepsOf } from '../steps.ts'

/** The most taps from the first visit to the first swap, with the taps in the wallet, and of a later swap. */
const FIRST_SWAP_TAPS = 12
const DAILY_SWAP_TAPS = 3

// With movement: a tap may meet a sheet on its way.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a first swap takes 12 taps at most, a daily swap 3', async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  const steps = stepsOf(page, 'en')
  const { t, open } = steps
  const { counts, startOver } = await countTaps(page)
  const sheet = page.getByRole('dialog')
  const inMain = (key: string) => page.getByRole('main').getByRole('button', { name: t(key), exact: true })
  const inSheet = (key: string) => sheet.getByRole('button', { name: t(key), exact: true })
  const tab = (key: string) =>
    page.getByRole('navigation', { name: t('nav_main') }).getByRole('link', { name: t(key), exact: true })
  const sell = page.getByRole('textbox', { name: t('swap_sell'), exact: true })
  const approve = async () => {
    const button = inSheet('demo_wallet_approve')
    await button.waitFor()
    const element = await button.elementHandle()
    await button.click()
    await element?.waitForElementState('hidden')
  }

  await open('/')
  await connectButton(page, t).click()
  await sheet.getByRole('button', { name: t('demo_wallet_name') }).click()
  await approve()
  // The message is shown in words before the wallet opens.
  await expect(sheet.getByText('wants you to sign in with your Ethereum account')).toBeVisible()
  await inSheet('session_sign_in_wallet').click()
  await approve()

  // The step of "Get started" fills in an example.
  await page
    .getByRole('region', { name: t('home_steps') })
    .getByRole('link', { name: t('home_step_swap') })
    .click()
  await expect(sell).toHaveValue('100')
  await expect(page.getByText(t('swap_balance_not_enough'), { exact: true })).toBeVisible()
  await page
    .getByRole('main')
    .getByRole('link', { name: t('swap_transfer_in'), exact: true })
    .click()
  // The price of the activation and the swap.
  await expect(page.getByRole('main')).toContainText('110 USDT')
  await inMain('wallet_faucet_then_pay').click()
  await expectToast(page, /10 BNB · 10,000 USDT · 5 ETH/)
  await approve()
  await approve()

  const goOn = page.getByRole('main').getByRole('link', { name: t('account_activate_and_swap'), exact: true })
  await expect(goOn).toBeVisible({ timeout: 30_000 })
  await goOn.click()
  // Both things that happen, the price and the amount, in words.
  const review = sheet.filter({ hasText: t('swap_activation_title') })
  await expect(review).toContainText(t('swap_activation_pay', { price: '10 USDT' }))
  await expect(review).toContainText('You sell exactly 100 USDT')
  await inSheet('swap_activate_and_swap').click()
  await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
  // A message that fades away is a dialog too.
  await expect(sheet.filter({ hasText: t('swap_activation_done', { price: '10 USDT' }) })).toBeVisible()
  const first = counts()

  await inSheet('swap_done').click()
  await steps.transferIn('USDT', '500', approve)
  await page.reload()
  await open('/')
  startOver()
  await tab('nav_swap').click()
  // The last pair and side.
  await expect(page.getByRole('button', { name: `USDT ${t('swap_choose_sell')}` })).toBeVisible()
  await inMain('swap_repeat_last').click()
  await expect(sheet.getByText('You sell exactly 100 USDT')).toBeVisible()
  await inSheet('swap_action').click()
  await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
  const daily = counts()

  console.log(`taps: ${first} from the first visit to the first swap, ${daily} for a daily swap`)
  expect(first).toBeLessThanOrEqual(FIRST_SWAP_TAPS)
  expect(daily).toBeLessThanOrEqual(DAILY_SWAP_TAPS)
  await context.close()
})

/** Counts every tap on a page until `startOver`. */
async function countTaps(page: Page) {
  let taps = 0
  await page.exposeFunction('countTap', () => {
    taps += 1
  })
  await page.addInitScript(() =>
    addEventListener(
      'pointerup',
      ({ isTrusted }) => isTrusted && (window as never as { countTap(): void }).countTap(),
      {
        capture: true,
      },
    ),
  )
  return {
    counts: () => taps,
    startOver() {
      taps = 0
    },
  }
}
