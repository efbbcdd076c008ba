import { expect, test } from '@playwright/test'
import { installWallet, WALLET_NAME } from '../signing-wallet.ts'
import { connectButton, demoApproval, expectToast, stepsOf } from '../steps.ts'
import { localesOf } from '../texts.ts'

for (const locale of localesOf('zh-HK')) {
  test.describe(locale, () => {
    test.use({ locale: locale === 'en' ? 'en-GB' : 'zh-HK' })

    test('a wallet user signs in, transfers in, activates and swaps', async ({ page }) => {
      const wallet = await installWallet(page)
      const steps = stepsOf(page, locale)
      const { t, button } = steps
      await steps.open('/')
      await steps.signIn(WALLET_NAME)
      // The signed text is the shown one: an EIP-4361 message for this address.
      expect(wallet.signedTexts).toHaveLength(1)
      expect(wallet.signedTexts[0]).toContain(wallet.account.address)
      await page.reload()
      await expect(page.getByRole('banner').getByRole('button', { name: t('nav_my_account') })).toBeVisible()
      expect(wallet.signedTexts).toHaveLength(1)

      await steps.takeTestTokens()
      await steps.transferIn('USDT', '500')
      await steps.expectAvailable('USDT', '500')

      await steps.open('/swap/activate')
      // The balance covers the price, so the screen offers it first.
      await expect(page.getByRole('radio', { name: t('activation_by_balance') })).toBeChecked()
      await page.getByRole('radio', { name: t('activation_by_wallet') }).click()
      await button('activation_by_wallet_action').click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('payment_open_wallet') })
        .click()
      await expect(page.getByText(t('activation_done'), { exact: true })).toBeVisible({ timeout: 30_000 })
      // The wallet paid for the activation, so the balance is unchanged.
      await steps.expectAvailable('USDT', '500')

      await steps.open('/swap/exchange')
      await page.getByRole('textbox', { name: t('swap_sell'), exact: true }).fill('100')
      await button('swap_action').click()
      const sheet = page.getByRole('dialog')
      await expect(sheet.getByText(t('swap_confirm_title'))).toBeVisible()
      await sheet.getByRole('button', { name: t('swap_action') }).click()
      await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
      await sheet.getByRole('button', { name: t('swap_done') }).click()
      await expect(page.getByRole('region', { name: t('swap_orders') }).getByRole('listitem')).toHaveCount(1)
      await steps.expectAvailable('USDT', '400')

      await steps.open('/wallet/logs')
      const entries = page.getByRole('listitem').filter({ has: page.locator('[aria-haspopup=dialog]') })
      await expect(entries).toHaveCount(5)
      await expect(entries.filter({ hasText: t('swap_entry_sold') })).toHaveCount(1)
      await expect(entries.filter({ hasText: t('swap_entry_bought') })).toHaveCount(1)
      await expect(entries.filter({ hasText: t('activation_entry') })).toHaveCount(1)
      await expect(entries.filter({ hasText: t('wallet_entry_deposit') })).toHaveCount(2)

      await steps.open('/wallet/activity')
      await expect(page.getByRole('heading', { level: 1, name: t('title_wallet_activity') })).toBeVisible()
      await page
        .getByRole('main')
        .getByRole('button')
        .filter({ hasText: t('swap_entry') })
        .click()
      const receipt = page.waitForEvent('download')
      await sheet.getByRole('button', { name: t('ui_receipt_share') }).click()
      expect((await receipt).suggestedFilename()).toMatch(/^clearwell-swap-.*\.png$/)
      await page.keyboard.press('Escape')
      await expect(sheet).toHaveCount(0)

      // Each permit is for exactly the amount of its payment, and the wallet sends only the payments.
      const permits = wallet.signedTyped.map(({ message }) => BigInt(String(message.value)))
      expect(permits).toEqual([500n * 10n ** 18n, 10n * 10n ** 18n])
      expect(wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(2)

      await steps.signOut()
      await expectToast(page, t('session_signed_out'))
      await page.reload()
      await expect(connectButton(page, t)).toBeVisible()
    })

    test('a visitor activates by balance with the Local demo wallet', async ({ page }) => {
      const steps = stepsOf(page, locale)
      const { t } = steps
      const approve = demoApproval(page, t)
      await steps.open('/')
      await steps.signIn(t('demo_wallet_name'), approve)
      await steps.takeTestTokens()
      await steps.transferIn('USDT', '500', approve)
      await steps.activateByBalance()
      await steps.expectAvailable('USDT', '490')
    })

    test('a rejection in the wallet moves no funds and shows a message', async ({ page }) => {
      const wallet = await installWallet(page)
      const steps = stepsOf(page, locale)
      const { t, button } = steps
      wallet.refuse('personal_sign')
      await steps.open('/')
      await connectButton(page, t).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('button', { name: WALLET_NAME }).click()
      await sheet.getByRole('button', { name: t('session_sign_in_wallet') }).click()
      await expect(sheet.getByText(t('session_signature_failed'))).toBeVisible()
      wallet.approveAll()
      await sheet.getByRole('button', { name: t('session_sign_in_wallet') }).click()
      await expect(page.getByRole('banner').getByRole('button', { name: t('nav_my_account') })).toBeVisible()

      await steps.takeTestTokens()
      wallet.refuse('eth_sendTransaction')
      await steps.open('/wallet/buy')
      await page.getByRole('textbox', { name: t('wallet_amount'), exact: true }).fill('20')
      await button('wallet_continue').click()
      await button('payment_open_wallet').click()
      await expect(page.getByText(t('payment_fail_rejected'), { exact: true })).toBeVisible()
      await expect(page.getByText(t('payment_nothing_sent'))).toBeVisible()
    })
  })
}
