import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { demoApproval, stepsOf } from './steps.ts'

const DOCS = join(import.meta.dirname, '../docs')
/** The picture of each README. */
const PICTURES = [
  ['en', 'screenshot.png'],
  ['zh-HK', 'screenshot.zh-HK.png'],
] as const

test.use({ locale: 'en-GB' })

test('home, swap and wallet of an account in use', async ({ page, browser, request }) => {
  test.setTimeout(180_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await request.post('/api/Local/seed', { form: { users: '4', days: '2', seed: '7' } })
  const steps = stepsOf(page, 'en')
  const { t, button } = steps
  const approve = demoApproval(page, t)
  await steps.open('/')
  await steps.signIn(t('demo_wallet_name'), approve)
  await steps.takeTestTokens()
  await steps.transferIn('USDT', '900', approve)
  await steps.transferIn('BNB', '3', approve)
  await steps.activateByBalance()
  await steps.open('/swap/exchange')
  await page.getByLabel(t('swap_sell'), { exact: true }).fill('1')
  await button('swap_action').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: t('swap_action') }).click()
  await sheet.getByRole('button', { name: t('swap_done') }).click()

  for (const [locale, file] of PICTURES) {
    const [swap, wallet, home] = await photograph(page, locale)
    const wide = await browser.newPage({ viewport: { width: 1250, height: 884 } })
    const images = [home, swap, wallet].map((src) => `<img src="${src}" width="390" height="844">`)
    await wide.setContent(
      `<body style="margin:0;padding:20px;display:flex;gap:20px;background:#05090f">${images.join('')}</body>`,
    )
    await wide.screenshot({ path: join(DOCS, file) })
    await wide.close()
  }
})

/** Photographs swap, wallet and home in a language. */
async function photograph(page: Page, locale: (typeof PICTURES)[number][0]): Promise<string[]> {
  const steps = stepsOf(page, locale)
  const { t } = steps
  const shots: string[] = []
  const shoot = async () => {
    await expect(page.getByRole('status', { name: t('app_loading') })).toHaveCount(0)
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
    const file = test.info().outputPath(`${locale}-${shots.length}.png`)
    await page.screenshot({ path: file })
    shots.push(`data:image/png;base64,${readFileSync(file).toString('base64')}`)
  }
  await steps.open('/swap/exchange')
  await page.getByLabel(t('swap_sell'), { exact: true }).fill('0.5')
  await expect(page.getByText(t('swap_minimum'))).toBeVisible()
  await shoot()
  await steps.tab('nav_wallet')
  await shoot()
  await steps.tab('nav_home')
  await expect(
    page
      .getByRole('region', { name: t('market_list') })
      .locator('svg path[stroke]')
      .first(),
  ).toBeVisible()
  await shoot()
  return shots
}
