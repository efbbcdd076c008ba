import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { type AccountInUse, accountInUse, screensWithData } from '../account-in-use.ts'
import { changeReplies } from '../change-replies.ts'
import { leaveSession } from '../earlier-session.ts'
import { EARNING_SCREENS, SCREENS, type ShownScreen, SIGNED_IN_SCREENS } from '../screens.ts'
import { installWallet, WALLET_NAME } from '../signing-wallet.ts'
import { connectButton, stepsOf, type Texts } from '../steps.ts'
import type { Locale } from '../texts.ts'

/** One way to see a screen, and the rules to check in it. */
interface Look {
  readonly locale: Locale
  readonly mode: 'dark' | 'light'
  readonly about: 'all' | 'colours and texts' | 'contrast'
}

/** Contrast depends on the mode, texts and names on the language, structure on neither: these looks cover every rule. */
const FIRST = { locale: 'zh-HK', mode: 'dark', about: 'all' } as const satisfies Look
/** Follows each check in the first look. */
const OTHER_MODE = { locale: 'zh-HK', mode: 'light', about: 'contrast' } as const satisfies Look
/** The nightly run also checks the other language. */
const ENGLISH = { locale: 'en', mode: 'light', about: 'colours and texts' } as const satisfies Look
const LOOKS: readonly Look[] = process.env.NIGHTLY === '1' ? [FIRST, ENGLISH] : [FIRST]

/** The axe rules about structure. A rule that axe adds later is checked in both looks. */
const STRUCTURE_RULES = [
  'accesskeys',
  'aria-allowed-attr',
  'aria-allowed-role',
  'aria-conditional-attr',
  'aria-deprecated-role',
  'aria-hidden-body',
  'aria-hidden-focus',
  'aria-prohibited-attr',
  'aria-required-attr',
  'aria-required-children',
  'aria-required-parent',
  'aria-roles',
  'aria-valid-attr',
  'aria-valid-attr-value',
  'autocomplete-valid',
  'bypass',
  'definition-list',
  'dlitem',
  'duplicate-id-aria',
  'heading-order',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'list',
  'listitem',
  'meta-viewport',
  'nested-interactive',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'tabindex',
  'td-headers-attr',
  'th-has-data-cells',
]

const test = base.extend<object, { used: AccountInUse }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern.
  used: [async ({}, use) => use(await accountInUse()), { scope: 'worker' }],
})

// In sequence these tests would take longer than the rest of the run.
test.describe.configure({ mode: 'parallel' })

test.use({ locale: 'zh-HK' })

test('every screen passes axe', async ({ page }) => {
  test.slow()
  await start(page, FIRST)
  // A test below sees the others as a signed-in user.
  for (const screen of SCREENS) if (!EARNING_SCREENS.includes(screen)) await expectAccessible(page, screen)
})

test('screens of a signed-in user pass axe', async ({ page, used }) => {
  test.slow()
  await startSignedIn(page, FIRST, used, '/')
  for (const screen of SIGNED_IN_SCREENS) await expectAccessible(page, screen)
  const screens = screensWithData(used)
  for (const screen of screens) await expectAccessible(page, screen)

  const logs = screens.filter(({ heading }) => heading === 'title_wallet_logs')
  expect(logs).toHaveLength(1)
  for (const look of LOOKS) {
    for (const screen of logs) await show(page, look, screen)
    await page.getByRole('listitem').locator('[aria-haspopup=dialog]').first().click()
    const { t } = stepsOf(page, look.locale)
    await expect(page.getByRole('dialog').getByText(t('history_logs_exact'))).toBeVisible()
    await expectNoViolations(page, 'an entry of the log', look)
    await closeAll(page)
  }
})

test('screens of lending, boxes and the team pass axe', { tag: '@night' }, async ({ page, used }) => {
  test.slow()
  await startSignedIn(page, FIRST, used, '/stake')
  for (const screen of EARNING_SCREENS) await expectAccessible(page, screen)
})

for (const look of LOOKS) {
  const { locale, mode } = look
  test.describe(`${locale}, ${mode}`, () => {
    test.use({ locale: locale === 'en' ? 'en-GB' : 'zh-HK' })

    test('markets and swaps, open or suspended, pass axe', { tag: '@night' }, async ({ page, used }) => {
      test.slow()
      await startSignedIn(page, look, used, '/markets/BNBUSDT')
      const { open, t, button } = stepsOf(page, locale)
      await page.getByRole('slider').focus()
      await page.keyboard.press('Home')
      await expectNoViolations(page, 'a line with its crosshair', look)
      await button('chart_show_candles').click()
      await page.getByRole('slider').focus()
      await page.keyboard.press('Home')
      await expectNoViolations(page, 'candles with their crosshair', look)
      await button('chart_as_table').click()
      await expectNoViolations(page, 'candles as a table', look)
      await button('alert_title').click()
      await expect(page.getByRole('dialog').getByRole('button', { name: t('alert_set') })).toBeVisible()
      await expectNoViolations(page, 'price alerts', look)
      await closeAll(page)

      const sheet = page.getByRole('dialog')
      await open('/swap/exchange?pair=BNBUSDT&sell=BNB')
      await page.getByRole('button', { name: t('swap_choose_pair') }).click()
      await expect(sheet.getByRole('listitem')).toHaveCount(3)
      await expectNoViolations(page, 'the choice of a pair', look)
      await closeAll(page)
      await page.getByRole('button', { name: `BNB ${t('swap_choose_sell')}` }).click()
      await expect(sheet.getByRole('searchbox')).toBeVisible()
      await expectNoViolations(page, 'the choice of a token', look)
      await closeAll(page)
      await page.getByRole('button', { name: t('swap_settings') }).click()
      await sheet
        .getByRole('radiogroup', { name: t('swap_slippage') })
        .getByText(t('swap_own_value'))
        .click()
      await sheet.getByRole('textbox').fill('0.05')
      await expect(sheet.getByText(t('swap_slippage_tight'))).toBeVisible()
      await expectNoViolations(page, 'the settings of a swap, with a warning', look)
      await closeAll(page)
      await page.getByRole('textbox', { name: t('swap_buy'), exact: true }).fill('1')
      await expect(page.getByText(t('swap_maximum'))).toBeVisible()
      await expectNoViolations(page, 'a swap that is typed', look)
      await button('swap_action').click()
      await expect(sheet.getByText(t('swap_confirm_title'))).toBeVisible()
      await expectNoViolations(page, 'the confirmation of a swap', look)
      await sheet.getByRole('button', { name: t('swap_action'), exact: true }).click()
      await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
      await expectNoViolations(page, 'the receipt of a swap', look)

      await suspendPools(page)
      for (const path of ['/swap/exchange', '/markets/BNBUSDT']) {
        await open('/language')
        await page.reload()
        await open(path)
        await expect(page.getByRole('main').getByText(t('swap_suspended'), { exact: true }).first()).toBeVisible()
        await expectNoViolations(page, `${path} of a suspended pool`, look)
      }
    })

    test('menu, sheets, dialogs and toasts pass axe', async ({ page }) => {
      test.slow()
      const wallet = await installWallet(page)
      await start(page, look)
      const { open, t, button } = stepsOf(page, locale)
      const connect = connectButton(page, t)
      await open('/wallet')
      await button('nav_menu').click()
      await expect(page.getByRole('dialog').getByText(t('nav_settings'), { exact: true })).toBeVisible()
      await expectNoViolations(page, 'the menu', look)
      await closeAll(page)

      await connect.click()
      await expect(page.getByRole('dialog').getByRole('button', { name: WALLET_NAME })).toBeVisible()
      await expectNoViolations(page, 'the choice of a wallet', look)
      wallet.refuse('wallet_requestPermissions')
      await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
      await expect(page.getByText(t('connector_refused'))).toBeVisible()
      await expectNoViolations(page, 'a toast over a sheet', look)
      wallet.approveAll()
      await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
      await expect(button('session_sign_in_wallet')).toBeVisible()
      await expectNoViolations(page, 'the text to sign', look)
      await button('session_sign_in_wallet').click()
      await expect(page.getByRole('dialog')).toHaveCount(0)

      await showDialog(page, t)
      await expectNoViolations(page, 'a dialog', look)
    })
  })
}

/** Follows the system's mode, which a page can change without a reload. */
async function start(page: Page, { mode }: Look): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('clearwell.mode', 'system'))
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: mode })
}

/** Opens a screen with the session of an earlier visit. */
async function startSignedIn(page: Page, look: Look, { key }: AccountInUse, path: string): Promise<void> {
  await leaveSession(page, await installWallet(page, { key }))
  await start(page, look)
  const { open, waitForSession } = stepsOf(page, look.locale)
  await open(path)
  await waitForSession()
}

async function expectAccessible(page: Page, screen: ShownScreen): Promise<void> {
  for (const look of LOOKS) {
    await show(page, look, screen)
    await expectNoViolations(page, screen.path, look)
  }
}

/** Shows a screen in a look. Only the first screen of a test loads the page. */
async function show(page: Page, { locale, mode }: Look, { path, heading }: ShownScreen): Promise<void> {
  const { open, t } = stepsOf(page, locale)
  await page.emulateMedia({ colorScheme: mode })
  await open(path)
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
  // A market's title is its pair.
  const name = path.startsWith('/markets/') ? /BNB/ : t(heading)
  await expect(page.getByRole('heading', { level: 1, name })).toBeAttached()
  await expect(page.getByRole('status', { name: t('app_loading') })).toHaveCount(0)
  if (path.startsWith('/markets/')) await expect(page.locator('canvas').first()).toBeVisible()
}

async function expectNoViolations(page: Page, where: string, look: Look): Promise<void> {
  await analyze(page, where, look)
  if (look !== FIRST) return
  await page.emulateMedia({ colorScheme: OTHER_MODE.mode })
  await analyze(page, where, OTHER_MODE)
  await page.emulateMedia({ colorScheme: look.mode })
}

async function analyze(page: Page, where: string, { locale, mode, about }: Look): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('data-mode', mode)
  // Colours are not final during an animation. A skeleton's never ends, nor does one in a closed <details>.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => {
      const isSeen = effect instanceof KeyframeEffect && effect.target?.checkVisibility()
      return isSeen && effect.getComputedTiming().endTime !== Infinity
    })
    return Promise.allSettled(ending.map(({ finished }) => finished))
  })
  // Axe is half a megabyte of source, which the page reads again only after a load.
  const isLoaded = await page.evaluate(() => 'axe' in window)
  // With hash routing every link looks like a skip link. The app's skip link is a button.
  // Legacy mode opens no blank page to merge the results of frames. The app has no frames.
  const axe = new AxeBuilder({ page, ...(isLoaded ? { axeSource: 'void 0' } : {}) }).setLegacyMode()
  const results = { resultTypes: ['violations'] as ['violations'] }
  if (about === 'contrast') axe.options({ ...results, runOnly: ['color-contrast'] })
  else axe.options(results).disableRules(about === 'all' ? ['skip-link'] : ['skip-link', ...STRUCTURE_RULES])
  const { violations } = await axe.analyze()
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html} (${any.map(({ message }) => message).join()})`).join(' | ')}`,
  )
  // Shows the faults of all screens in one run.
  expect.soft(found, `${where}, ${locale}, ${mode}`).toEqual([])
}

/** Serves all pools as suspended and blocks the stream, which would contradict that. */
async function suspendPools(page: Page): Promise<void> {
  await page.route('**/api/stream?*', (route) => route.abort())
  const suspended = { suspended: true, suspended_reason: 'operator', suspended_at: '2030-01-01T00:00:00.000Z' }
  await changeReplies(page, '**/api/SwapPool/pairs', ({ data, ...rest }) => ({
    ...rest,
    data: data.map((pair: object) => ({ ...pair, ...suspended })),
  }))
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
