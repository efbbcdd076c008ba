import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres, type ThrowawayPostgres } from '../../scripts/postgres.ts'
import { expectBooksAgree, exportLog } from '../books.ts'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, newHolder } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { expectTextInBothLanguages, textPattern, waitForSheetToLeave } from '../steps.ts'
import { type Locale, textsOf } from '../texts.ts'
import { newTrader } from '../trader.ts'

const LOCALES: readonly Locale[] = ['zh-HK', 'en']

let postgres: ThrowawayPostgres | undefined
let server: OwnServer
test.beforeAll(async () => {
  test.setTimeout(120_000)
  if (findPostgres()) postgres = await startPostgres({ fsync: false })
  // Without an arbitrageur the pool prices do not follow the market.
  server = await startOwnServer({ ARBITRAGE: 'off', ...(postgres && { DATABASE_URL: postgres.url }) })
})
test.afterAll(async () => {
  await server?.stop()
  await postgres?.stop()
})

test('a suspended pool shows its reason, rejects swaps and resumes later', async ({ browser }) => {
  // The operator's command line needs a database that it can share with the running server.
  test.skip(!postgres, HOW_TO_GET_POSTGRES)
  test.slow()
  const user = await openTrading(browser)
  const { page, steps } = user
  const { t } = steps
  const action = page.getByRole('main').getByRole('button', { name: t('swap_action'), exact: true })

  await test.step('a suspension after the confirmation prevents the swap', async () => {
    const sheet = await review(user, action)
    expect(await server.operator('pools', 'suspend', 'eth-usdt', '--reason', 'the token moves', '--execute')).toBe(
      'eth-usdt is suspended.\n',
    )
    await sheet.getByRole('button', { name: t('swap_action'), exact: true }).click()
    await steps.closeMessage('Trading suspended')
    await expect(sheet.getByRole('alert')).toContainText('Trading suspended')
    await expect(sheet.getByRole('alert')).toContainText(t('ui_no_money_moved'))
    await sheet
      .getByRole('button', { name: t('app_close') })
      .last()
      .click()
    await expect(sheet).toHaveCount(0)
  })

  await test.step('both screens show the suspension, its reason and its start', async () => {
    await expectOnScreen(page, '/swap/exchange?pair=ETHUSDT', ['swap_suspended', 'swap_suspended_operator'])
    await expect(page.getByRole('main').getByRole('button', { name: t('swap_suspended') })).toBeDisabled()
    await expect(page.getByRole('main')).toContainText(sinceNow(t('swap_suspended_since')))
    await expectOnScreen(page, '/markets/ETHUSDT', ['market_suspended', 'market_suspended_operator'])
    await expect(page.getByRole('main')).toContainText(sinceNow(t('market_suspended_since')))
  })

  await test.step('a resumed pool accepts a swap without a reload', async () => {
    await steps.open('/swap/exchange?pair=ETHUSDT')
    await expect(page.getByRole('main').getByRole('button', { name: t('swap_suspended') })).toBeDisabled()
    await server.operator('pools', 'resume', 'eth-usdt', '--reason', 'the token has moved', '--execute')
    // With the amount that was typed before.
    await expect(action).toBeEnabled()
    const sheet = await review(user, action)
    await sheet.getByRole('button', { name: t('swap_action'), exact: true }).click()
    await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
    await sheet.getByRole('button', { name: t('swap_done') }).click()
  })

  await test.step('a pool far below spot stays open for a swap toward the market', async () => {
    await setPrice(page, '4000')
    const sheet = await review(user, action)
    await sheet.getByRole('button', { name: t('swap_action'), exact: true }).click()
    await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
    await sheet.getByRole('button', { name: t('swap_done') }).click()
  })

  await steps.open('/wallet/logs')
  await expectBooksAgree(user, await exportLog(user))
  expect(await server.operator('reconcile')).toContain('Nothing is missing, to the unit.')
  const changes = JSON.parse(await server.operator('pools', '--json')).events
  expect(changes.map(({ kind, by }: { kind: string; by: string }) => `${kind} ${by}`).toReversed()).toEqual([
    'suspended operator',
    'resumed operator',
  ])
  await page.context().close()
})

test('a price alert appears on any screen, exactly once', async ({ browser }) => {
  const { baseURL, chainPort } = server
  const { page, steps } = await newHolder(browser, { baseURL, chainPort })
  const { t, button } = steps
  await setPrice(page, '3300')
  await steps.open('/markets/ETHUSDT')
  const sheet = page.getByRole('dialog')

  await test.step('the list explains a missing session, a missing response and no notices', async () => {
    await button('nav_menu').click()
    await button('notice_title').click()
    await expect(sheet.getByText(t('notice_signed_out'))).toBeVisible()
    await page.keyboard.press('Escape')
    await steps.signIn(WALLET_NAME)
    await page.route('**/Notice/list', (route) => route.fulfill({ json: { code: 20010, msg: 'No.', data: null } }))
    await button('notice_title').click()
    await expect(sheet.getByRole('alert').getByText('No.')).toBeVisible()
    await page.unroute('**/Notice/list')
    // The list may also recover before the press, when the stream reads it again.
    await expect(async () => {
      const retry = sheet.getByRole('button', { name: t('app_retry') })
      if (await retry.isVisible()) await retry.click({ timeout: 1_000 })
      await expect(sheet.getByText(t('notice_none'))).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
  })

  await button('alert_title').click()
  const price = sheet.getByRole('textbox', { name: `ETH/USDT · ${t('alert_price')}` })
  await price.fill('3000')
  await sheet.getByRole('button', { name: t('alert_set') }).click()
  await expect(sheet.getByText(textPattern('en', 'alert_too_low'))).toBeVisible()
  await price.fill('3500')
  await sheet.getByRole('button', { name: t('alert_set') }).click()
  const values = { symbol: 'ETH/USDT', price: '3,500.00' }
  await expect(sheet.getByText(t('alert_is_above', values), { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)

  await steps.open('/')
  const notices = page.getByRole('log', { name: t('notice_log') })
  await expect(notices).toBeAttached()
  // Another tab listens, too, even without an interaction.
  const other = await page.context().newPage()
  const listening = other.waitForResponse(/\/api\/stream\?channels=account/)
  // Notices after its first list are new.
  const listed = other.waitForEvent('requestfinished', (request) => request.url().endsWith('/Notice/list'))
  await other.goto('/#/en')
  await Promise.all([listening, listed])
  await setPrice(page, '3600')
  await expect(notices.getByText(t('alert_notice_rose', values), { exact: true })).toBeVisible()
  // It would close itself while the languages change.
  await notices.getByRole('link').hover()
  const elsewhere = other.getByRole('log', { name: t('notice_log') })
  await expect(elsewhere.getByText(t('alert_notice_rose', values), { exact: true })).toBeVisible()
  await other.close()
  await expectTextInBothLanguages(page, 'alert_notice_rose', values)
  const read = page.waitForResponse('**/Notice/read')
  await notices.getByRole('button', { name: t('notice_close', { notice: t('alert_notice_rose', values) }) }).click()
  await read
  await expect(notices.getByRole('link')).toHaveCount(0)

  // The price is reached again after a reload, but the alert was already delivered.
  await setPrice(page, '3300')
  await setPrice(page, '3600')
  await page.reload()
  await steps.open('/markets/ETHUSDT')
  await button('notice_title').click()
  await expect(sheet.getByRole('listitem')).toHaveCount(1)
  await expect(sheet.getByText(t('notice_new_mark'), { exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await button('alert_title').click()
  await expect(sheet.getByText(t('alert_none'))).toBeVisible()
  await expect(notices.getByRole('link')).toHaveCount(0)

  // A notice closes automatically, but not while the pointer is over it, and stays unread at the bell.
  await sheet.getByRole('radio', { name: t('alert_below') }).click()
  await price.fill('3000')
  await sheet.getByRole('button', { name: t('alert_set') }).click()
  await expect(sheet.getByText(t('alert_none'))).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await page.clock.install()
  await setPrice(page, '2900')
  const notice = notices.getByRole('link')
  await expect(notice).toBeVisible()
  await notice.hover()
  const place = await notice.boundingBox()
  await page.clock.runFor(30_000)
  await expect(notice).toBeVisible()
  // The toast of the alert is gone, and the notice above it has not moved.
  expect(await notice.boundingBox()).toEqual(place)
  await page.mouse.move(5, 5)
  await expect(async () => {
    await page.clock.runFor(11_000)
    await expect(notice).toHaveCount(0, { timeout: 500 })
  }).toPass()

  // Home lists the notice, the bell counts it, and opening the list marks it as read, also after a reload.
  await steps.open('/')
  await expect(page.getByRole('region', { name: t('notice_latest') }).getByRole('listitem')).toHaveCount(1)
  await button('notice_unread', { count: '1' }).click()
  await expect(sheet.getByRole('listitem')).toHaveCount(2)
  await expect(sheet.getByText(t('notice_new_mark'), { exact: true })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(button('notice_title')).toBeVisible()
  await expect(page.getByRole('region', { name: t('notice_latest') })).toHaveCount(0)
  await waitForSheetToLeave(page)
  await page.reload()
  await expect(button('notice_title')).toBeVisible()
  await page.context().close()
})

/** Signs in a user and opens the swap of USDT for ETH. */
async function openTrading(browser: Browser): Promise<Holder> {
  const { baseURL, chainPort } = server
  const { key } = await newTrader({ USDT: '410', baseURL, chainPort })
  const user = await newHolder(browser, { key, baseURL, chainPort })
  await user.openSignedIn('/swap/exchange?pair=ETHUSDT')
  // The simulated price has drifted since the start, and without an arbitrageur the pool does not follow it.
  await setPrice(user.page, '3300')
  return user
}

/** Opens the confirmation of a swap of 100 USDT. A press while the pool's state or the quote changes may do nothing. */
async function review({ page, steps: { t } }: Holder, action: Locator): Promise<Locator> {
  const sheet = page.getByRole('dialog')
  await expect(async () => {
    if (!(await sheet.isVisible())) {
      await page.getByRole('textbox', { name: t('swap_sell'), exact: true }).fill('100', { timeout: 2_000 })
      await action.click({ timeout: 5_000 })
    }
    await expect(sheet.getByText(t('swap_confirm_title'))).toBeVisible({ timeout: 5_000 })
  }).toPass()
  return sheet
}

/** Checks texts of a screen in both languages; the page ends in English. */
async function expectOnScreen(page: Page, path: string, keys: readonly string[]): Promise<void> {
  for (const locale of LOCALES) {
    await waitForSheetToLeave(page)
    await page.goto(`/#${locale === 'en' ? '/en' : ''}${path}`)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    for (const key of keys) await expect(page.getByRole('main')).toContainText(textsOf(locale)(key))
  }
}

/** Matches `Since` followed by a day of this year. */
function sinceNow(since: string): RegExp {
  return new RegExp(`${since.trim()} .*${new Date().getFullYear()} \\d\\d:\\d\\d`)
}

async function setPrice(page: Page, price: string): Promise<void> {
  const response = await page.request.post('/api/Local/price', { form: { symbol: 'ETHUSDT', price } })
  expect((await response.json()).code).toBe(1)
}
