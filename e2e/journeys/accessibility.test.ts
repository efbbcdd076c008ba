import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type AccountInUse, accountInUse, screensWithData } from '../account-in-use.ts'
import { NOT_OPEN, SCREENS, SIGNED_IN_SCREENS } from '../screens.ts'
import { installWallet, WALLET_NAME } from '../signing-wallet.ts'
import { connectButton, stepsOf, type Texts } from '../steps.ts'
import type { Locale } from '../texts.ts'

const LOCALES: readonly Locale[] = ['zh-HK', 'en']
const MODES = ['dark', 'light'] as const

/** The axe rules that depend on the mode. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** All screens, with one for the planned features, which differ only in their texts. */
const ONE_OF_EACH_KIND = SCREENS.filter(({ path }) => !NOT_OPEN.slice(1).includes(path))

const test = base.extend<object, { used: AccountInUse }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  used: [async ({}, use) => use(await accountInUse()), { scope: 'worker' }],
})

// In sequence these tests would take longer than the rest of the run.
test.describe.configure({ mode: 'parallel' })

for (const locale of LOCALES) {
  test.describe(locale, () => {
    test.use({ locale: locale === 'en' ? 'en-GB' : 'zh-HK' })

    // Both languages have the same colours, so light mode is checked in one language, and only for its colours.
    for (const mode of locale === 'en' ? (['dark'] as const) : MODES) {
      const about = mode === 'light' ? 'colours' : locale === 'en' ? 'all but colours' : 'all'
      const look = { locale, about } as const

      test(`every screen passes axe in ${mode} mode`, async ({ page }) => {
        test.slow()
        await start(page, mode)
        const screens = about === 'all' ? SCREENS : ONE_OF_EACH_KIND
        for (const { path, heading } of screens) await expectAccessible(page, look, path, heading)
      })

      test(`screens of a signed-in user pass axe in ${mode} mode`, async ({ page, used }) => {
        test.slow()
        await installWallet(page, { key: used.key })
        await start(page, mode)
        const steps = stepsOf(page, locale)
        await steps.open('/')
        await steps.signIn(WALLET_NAME)
        for (const { path, heading } of SIGNED_IN_SCREENS) await expectAccessible(page, look, path, heading)
        for (const { path, heading } of screensWithData(used)) await expectAccessible(page, look, path, heading)

        // The last screen is the log: opens an entry.
        await page.getByRole('listitem').locator('[aria-haspopup=dialog]').first().click()
        await expect(page.getByRole('dialog').getByText(steps.t('history_logs_exact'))).toBeVisible()
        await expectNoViolations(page, 'an entry of the log')
      })

      // Each mode and each language once is enough.
      const looksAt = (mode === 'light') === (locale === 'zh-HK') ? test : () => {}
      looksAt(`markets and swaps, open or suspended, pass axe in ${mode} mode`, async ({ page, used }) => {
        test.slow()
        await installWallet(page, { key: used.key })
        await start(page, mode)
        const { open, signIn, t, button } = stepsOf(page, locale)
        await open('/markets/BNBUSDT')
        await signIn(WALLET_NAME)
        await page.getByRole('slider').focus()
        await page.keyboard.press('Home')
        await expectNoViolations(page, 'a line with its crosshair')
        await button('market_show_candles').click()
        await page.getByRole('slider').focus()
        await page.keyboard.press('Home')
        await expectNoViolations(page, 'candles with their crosshair')
        await button('chart_as_table').click()
        await expectNoViolations(page, 'candles as a table')
        await button('alert_title').click()
        await expect(page.getByRole('dialog').getByRole('button', { name: t('alert_set') })).toBeVisible()
        await expectNoViolations(page, 'price alerts')
        await closeAll(page)

        const sheet = page.getByRole('dialog')
        await open('/swap/exchange?pair=BNBUSDT&sell=BNB')
        await page.getByRole('button', { name: t('swap_choose_pair') }).click()
        await expect(sheet.getByRole('listitem')).toHaveCount(3)
        await expectNoViolations(page, 'the choice of a pair')
        await closeAll(page)
        await page.getByRole('button', { name: `BNB ${t('swap_choose_sell')}` }).click()
        await expect(sheet.getByRole('searchbox')).toBeVisible()
        await expectNoViolations(page, 'the choice of a token')
        await closeAll(page)
        await page.getByRole('button', { name: t('swap_settings') }).click()
        await sheet
          .getByRole('radiogroup', { name: t('swap_slippage') })
          .getByText(t('swap_own_value'))
          .click()
        await sheet.getByRole('textbox').fill('0.05')
        await expect(sheet.getByText(t('swap_slippage_tight'))).toBeVisible()
        await expectNoViolations(page, 'the settings of a swap, with a warning')
        await closeAll(page)
        await page.getByRole('textbox', { name: t('swap_buy'), exact: true }).fill('1')
        await expect(page.getByText(t('swap_maximum'))).toBeVisible()
        await expectNoViolations(page, 'a swap that is typed')
        await button('swap_action').click()
        await expect(sheet.getByText(t('swap_confirm_title'))).toBeVisible()
        await expectNoViolations(page, 'the confirmation of a swap')
        await sheet.getByRole('button', { name: t('swap_action'), exact: true }).click()
        await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
        await expectNoViolations(page, 'the receipt of a swap')

        await suspendPools(page)
        for (const path of ['/swap/exchange', '/markets/BNBUSDT']) {
          await open('/language')
          await page.reload()
          await open(path)
          await expect(page.getByRole('main').getByText(t('swap_suspended'), { exact: true }).first()).toBeVisible()
          await expectNoViolations(page, `${path} of a suspended pool`)
        }
      })

      test(`menu, sheets, dialogs and toasts pass axe in ${mode} mode`, async ({ page }) => {
        test.slow()
        const wallet = await installWallet(page)
        await start(page, mode)
        const { open, t, button } = stepsOf(page, locale)
        const connect = connectButton(page, t)
        await open('/wallet')
        await button('nav_menu').click()
        await expect(page.getByRole('dialog').getByText(t('nav_settings'), { exact: true })).toBeVisible()
        await expectNoViolations(page, 'the menu')
        await closeAll(page)

        await connect.click()
        await expect(page.getByRole('dialog').getByRole('button', { name: WALLET_NAME })).toBeVisible()
        await expectNoViolations(page, 'the choice of a wallet')
        wallet.refuse('wallet_requestPermissions')
        await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
        await expect(page.getByText(t('connector_refused'))).toBeVisible()
        await expectNoViolations(page, 'a toast over a sheet')
        wallet.approveAll()
        await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
        await expect(button('session_sign_in_wallet')).toBeVisible()
        await expectNoViolations(page, 'the text to sign')
        await button('session_sign_in_wallet').click()
        await expect(page.getByRole('dialog')).toHaveCount(0)

        await open('/')
        await button('proof_open').click()
        await expect(page.getByRole('dialog').getByText(t('proof_confirmed'))).toBeVisible()
        await expectNoViolations(page, 'the proof of reserves')
        await closeAll(page)

        await open('/wallet')
        await showDialog(page, t)
        await expectNoViolations(page, 'a dialog')
      })
    }
  })
}

/** Chooses the mode before the app loads. */
async function start(page: Page, mode: (typeof MODES)[number]): Promise<void> {
  await page.addInitScript((value) => localStorage.setItem('clearwell.mode', value), mode)
  await page.emulateMedia({ reducedMotion: 'reduce' })
}

/** The rules to check. The colour rules take about as long as all the others. */
interface Look {
  readonly locale: Locale
  readonly about: 'all' | 'colours' | 'all but colours'
}

async function expectAccessible(page: Page, { locale, about }: Look, path: string, heading: string): Promise<void> {
  const { open, t } = stepsOf(page, locale)
  await open(path)
  // A market's title is its pair.
  const name = path.startsWith('/markets/') ? /BNB/ : t(heading)
  await expect(page.getByRole('heading', { level: 1, name })).toBeAttached()
  await expect(page.getByRole('status', { name: t('app_loading') })).toHaveCount(0)
  if (path.startsWith('/markets/')) await expect(page.locator('canvas').first()).toBeVisible()
  await expectNoViolations(page, path, about)
}

async function expectNoViolations(page: Page, where: string, about: Look['about'] = 'all'): Promise<void> {
  // Colours are not final during an animation.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  // With hash routing every link looks like a skip link. The app's skip link is a button.
  // Legacy mode opens no blank page to merge the results of frames. The app has no frames.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .disableRules(about === 'all but colours' ? ['skip-link', ...COLOUR_RULES] : ['skip-link'])
  if (about === 'colours') axe.withRules(COLOUR_RULES)
  const { violations } = await axe.analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  expect(found, where).toEqual([])
}

/** Serves all pools as suspended and blocks the stream, which would contradict that. */
async function suspendPools(page: Page): Promise<void> {
  await page.route('**/api/stream?*', (route) => route.abort())
  await page.route('**/api/SwapPool/pairs', async (route) => {
    const response = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
    const { data, ...rest } = await response.json()
    const suspended = { suspended: true, suspended_reason: 'price_deviation', suspended_at: '2030-01-01T00:00:00.000Z' }
    await route.fulfill({ json: { ...rest, data: data.map((pair: object) => ({ ...pair, ...suspended })) } })
  })
}

async function closeAll(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Makes the server refuse a command, which opens a dialog. */
async function showDialog(page: Page, t: Texts): Promise<void> {
  const refusal = { code: 20010, msg: 'No.', data: null }
  await page.route('**/api/Local/faucet', (route) => route.fulfill({ json: refusal }))
  await page.getByRole('button', { name: t('wallet_faucet'), exact: true }).click()
  await expect(page.getByRole('alertdialog').getByText('No.')).toBeVisible()
}
