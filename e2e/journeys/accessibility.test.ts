import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { installWallet, WALLET_NAME } from '../signing-wallet.ts'
import { stepsOf } from '../steps.ts'
import type { Locale } from '../texts.ts'

const SCREENS = [
  '/',
  '/language',
  '/wallet',
  '/wallet/buy',
  '/wallet/buyOrder',
  '/wallet/logs',
  '/swap/exchange',
  '/swap/activate',
]

for (const locale of ['zh-HK', 'en'] satisfies Locale[]) {
  test.describe(locale, () => {
    test.use({ locale: locale === 'en' ? 'en-GB' : 'zh-HK' })

    test('axe finds nothing on the screens of the first swap', async ({ page }) => {
      test.slow()
      await installWallet(page)
      const steps = stepsOf(page, locale)
      await steps.open('/')
      await steps.signIn(WALLET_NAME)
      for (const mode of ['dark', 'light']) {
        await page.evaluate((value) => localStorage.setItem('clearwell.mode', value), mode)
        for (const screen of SCREENS) {
          await steps.open(screen)
          await page.reload()
          await expect(page.getByRole('heading').first()).toBeVisible()
          await page.waitForLoadState('networkidle')
          const { violations } = await new AxeBuilder({ page }).analyze()
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
          expect(found, `${screen} in ${mode} mode`).toEqual([])
        }
      }
    })
  })
}
