import { REASON_TEXTS } from '@clearwell/api/refusal-texts'
import { localConfigFile } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { DEAD_MARKET } from '@clearwell/server/src/platform/market-data/testing/dead-market.ts'
import { type Browser, expect, type Locator, test } from '@playwright/test'
import { findPostgres, HOW_TO_GET_POSTGRES, startPostgres, type ThrowawayPostgres } from '../../scripts/postgres.ts'
import { availableOf, expectBooksAgree, exportLog } from '../books.ts'
import { misfitsOf } from '../fitting.ts'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, newHolder } from '../people.ts'
import { textPattern } from '../steps.ts'
import { confirm, fact, fillSell, QUIET_POOL } from '../swapping.ts'
import type { Locale } from '../texts.ts'
import { newTrader } from '../trader.ts'

const DAY_S = 86_400
/** A session ends after seven days without a call. */
const HOP_DAYS = 6
/** Moves the price of the quiet pool by about 2 percent. */
const LARGE = '9000'

let postgres: ThrowawayPostgres | undefined
let server: OwnServer
test.beforeAll(async () => {
  test.setTimeout(120_000)
  // The operator's command line needs a database that it can share with the running server.
  if (findPostgres()) postgres = await startPostgres({ fsync: false })
  server = await startOwnServer({ ARBITRAGE: 'off', ...(postgres && { DATABASE_URL: postgres.url }) })
})
test.afterAll(async () => {
  await server?.stop()
  await postgres?.stop()
})

test('a limit waits for its price, is made and is in the books', async ({ browser }) => {
  test.slow()
  // First: the page must not offer prices of before.
  const fall = await raisePrice()
  const user = await openSwap(browser, 'zh-HK', '410')
  const { page, steps } = user
  const { t } = steps
  await page.getByRole('textbox', { name: t('swap_sell'), exact: true }).fill('100')
  await page.getByRole('link', { name: t('plan_limit'), exact: true }).click()
  await expect(page.getByRole('textbox', { name: t('plan_amount_spent'), exact: true })).toHaveValue('100')
  await page.getByRole('button', { name: t('plan_price_step', { percent: '−1%' }) }).click()
  const sheet = await planIt(user)
  await expect(fact(sheet, t('plan_status'))).toHaveText(t('plan_status_active'))
  await expect(fact(sheet, t('plan_amount_spent'))).toHaveText('100 USDT')
  await expect(sheet.getByText(t('plan_runs_empty'))).toBeVisible()
  expect(await availableOf(user, 'USDT')).toBe('400')

  await fall()
  await expect(fact(sheet, t('plan_status'))).toHaveText(t('plan_status_done'), { timeout: 30_000 })
  const run = runsIn(sheet, t).first()
  await expect(run).toContainText(t('plan_run_made'))
  await expect(run).toContainText('−100 USDT')
  const { plan_id, price } = (await user.call('/Plan/list')).data.items[0]
  const { amount_out } = (await user.call('/Plan/runs', { plan_id })).data.items[0]
  expect(Number(amount_out)).toBeGreaterThanOrEqual(100 / Number(price))
  // Another address closes the sheet, and stays.
  await steps.open('/stake')
  await expect(page.getByRole('heading', { level: 1, name: t('nav_staking') })).toBeVisible()
  await expect(page).toHaveURL(/\/stake$/)
  await expect(sheet).toHaveCount(0)
  await expectNotice(user, 'plan_notice_made_limit', { sold: '100 USDT' })
  await steps.open('/wallet/logs')
  await expectBooksAgree(user, await exportLog(user))
  await page.context().close()
})

test('a limit that lacks balance at its price ends and says so', async ({ browser }) => {
  test.slow()
  const fall = await raisePrice()
  const user = await openSwap(browser, 'en', '40')
  const { page, steps } = user
  const { t } = steps
  await steps.open('/swap/plans/limit?pair=RTUSDT&sell=USDT&amount=%22200%22')
  await expect(page.getByText(t('plan_limit_short'))).toBeVisible()
  await page.getByRole('textbox', { name: t('plan_amount_spent'), exact: true }).fill('9.99')
  await steps.button('plan_review').click()
  await expect(page.getByText(t('plan_least_worth', { least: '10 USDT' }))).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('textbox', { name: t('plan_amount_spent'), exact: true }).fill('200')
  await page.getByRole('button', { name: t('plan_price_step', { percent: '−1%' }) }).click()
  const sheet = await planIt(user)
  await fall()
  await expect(fact(sheet, t('plan_status'))).toHaveText(t('plan_status_ended'), { timeout: 30_000 })
  await expect(sheet.getByText(t('plan_reason_balance'))).toBeVisible()
  expect(await availableOf(user, 'USDT')).toBe('30')
  await expectNotice(user, 'plan_notice_ended_limit', { sold: '200 USDT' })
  await page.context().close()
})

test('a schedule runs each month, pauses, resumes and is cancelled', async ({ browser }) => {
  test.slow()
  const user = await openSwap(browser, 'en', '410')
  const { page, steps } = user
  const { t } = steps
  await page.getByRole('link', { name: t('plan_schedule'), exact: true }).click()
  await page.getByRole('textbox', { name: t('plan_run_spent'), exact: true }).fill('20')
  await page.getByRole('radio', { name: t('plan_every_month') }).click()
  await page.getByRole('combobox', { name: t('plan_hour') }).selectOption('23')
  let sheet = await planIt(user)
  await expect(fact(sheet, t('plan_every'))).toHaveText(t('plan_every_month'))
  await expect(fact(sheet, t('plan_next_run'))).toContainText('23:00–24:00')

  // Its first days in three months are at most 62 days apart, and the fourth comes after 89.
  await passDays(user, 72)
  await page.reload()
  sheet = page.getByRole('dialog')
  await expect(runsIn(sheet, t)).toHaveCount(3)
  for (const run of await runsIn(sheet, t).all()) await expect(run).toContainText(t('plan_run_made'))
  expect(await availableOf(user, 'USDT')).toBe('340')

  await test.step('pause, resume and cancel change its status and move nothing', async () => {
    const press = (key: string) => sheet.getByRole('button', { name: t(key), exact: true }).click()
    await press('plan_pause')
    await expect(fact(sheet, t('plan_status'))).toHaveText(t('plan_status_paused'))
    await press('plan_resume')
    await expect(fact(sheet, t('plan_status'))).toHaveText(t('plan_status_active'))
    await press('plan_cancel')
    await expect(sheet.getByText(textPattern('en', 'plan_cancel_text'))).toBeVisible()
    await press('plan_cancel')
    await expect(fact(sheet, t('plan_status'))).toHaveText(t('plan_status_cancelled'))
    expect(await availableOf(user, 'USDT')).toBe('340')
  })
  await page.context().close()
})

test('three runs of a suspended pool are skipped and pause it', { tag: '@night' }, async ({ browser }) => {
  test.skip(!postgres, HOW_TO_GET_POSTGRES)
  test.slow()
  const user = await openSwap(browser, 'zh-HK', '60')
  const { page, steps } = user
  const { t } = steps
  await steps.open('/swap/plans/schedule?pair=RTUSDT&sell=USDT&amount=%2212%22')
  await page.getByRole('radio', { name: t('plan_every_day') }).click()
  let sheet = await planIt(user)
  await server.operator('pools', 'suspend', QUIET_POOL, '--reason', 'a test', '--execute')
  await passDays(user, 4)
  await page.reload()
  sheet = page.getByRole('dialog')
  await expect(fact(sheet, t('plan_status'))).toHaveText(t('plan_status_paused'))
  await expect(sheet.getByText(t('plan_reason_skipped'))).toBeVisible()
  await expect(runsIn(sheet, t)).toHaveCount(3)
  for (const run of await runsIn(sheet, t).all()) await expect(run).toContainText(t('plan_skip_suspended'))
  expect(await availableOf(user, 'USDT')).toBe('50')

  await server.operator('pools', 'resume', QUIET_POOL, '--reason', 'the test is over', '--execute')
  await sheet.getByRole('button', { name: t('plan_resume'), exact: true }).click()
  await expect(fact(sheet, t('plan_status'))).toHaveText(t('plan_status_active'))
  // Two days: the moment of the next run is drawn within its hour, which may be the present one.
  await passDays(user, 2)
  await page.reload()
  await expect(runsIn(sheet, t).first()).toContainText(t('plan_run_made'))
  await expectNotice(user, 'plan_notice_paused', { symbol: 'RTUSDT' })
  await page.context().close()
})

test('a schedule whose price is unknown skips its runs and pauses', { tag: '@night' }, async ({ browser }) => {
  test.slow()
  const file = await localConfigFile((config) => {
    config.market = DEAD_MARKET
  })
  const apart = await startOwnServer({ ARBITRAGE: 'off', CONFIG_FILE: file.path })
  try {
    const user = await openSwap(browser, 'en', '60', apart)
    const { page, steps } = user
    const { t } = steps
    await steps.open('/swap/plans/schedule?pair=BNBUSDT&sell=USDT&amount=%2212%22')
    await page.getByRole('radio', { name: t('plan_every_day') }).click()
    await planIt(user)
    await passDays(user, 4)
    await page.reload()
    const sheet = page.getByRole('dialog')
    await expect(fact(sheet, t('plan_status'))).toHaveText(t('plan_status_paused'))
    await expect(sheet.getByText(t('plan_reason_skipped'))).toBeVisible()
    await expect(runsIn(sheet, t)).toHaveCount(3)
    for (const run of await runsIn(sheet, t).all()) await expect(run).toContainText(t('plan_skip_price_unknown'))
    expect(await availableOf(user, 'USDT')).toBe('50')
    await page.context().close()
  } finally {
    await apart.stop()
    await file.remove()
  }
})

test('a freeze ends a plan and stops a swap, and transfers in go on', async ({ browser }) => {
  test.skip(!postgres, HOW_TO_GET_POSTGRES)
  test.slow()
  const user = await openSwap(browser, 'en', '60')
  const { page, steps } = user
  const { t } = steps
  await steps.open('/swap/plans/schedule?pair=RTUSDT&sell=USDT&amount=%2212%22')
  await page.getByRole('radio', { name: t('plan_every_day') }).click()
  const sheet = await planIt(user)
  const { address } = user.wallet.account
  await server.operator('freeze', address, '--reason', 'a stolen phone', '--execute')
  await expect(fact(sheet, t('plan_status'))).toHaveText(t('plan_status_ended'), { timeout: 30_000 })
  await expect(sheet.getByText(t('plan_reason_freeze'))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  const banner = page.getByText(textPattern('en', 'session_frozen'))
  await expect(banner).toBeVisible()
  await expect(page.getByText(t('session_frozen_reason', { reason: 'a stolen phone' }))).toBeVisible()
  expect(await misfitsOf(page)).toEqual([])

  await steps.tab('nav_swap')
  await fillSell(user, '20')
  await confirm(user)
  await steps.closeMessage(REASON_TEXTS.not_available.frozen.en)
  expect((await user.call('/Wallet/buy', { asset: 'USDT', amount: '20' })).code).toBe(1)
  expect(await availableOf(user, 'USDT')).toBe('50')

  await server.operator('unfreeze', address, '--reason', 'the phone is back', '--execute')
  await expect(banner).toHaveCount(0)
  await page.context().close()
})

/** Signs in a user with USDT, of which the activation takes 10, and opens the swap of the quiet pool. */
async function openSwap(browser: Browser, locale: Locale, USDT: string, on = server): Promise<Holder> {
  const { baseURL, chainPort } = on
  const { key } = await newTrader({ USDT, baseURL, chainPort })
  const user = await newHolder(browser, { key, locale, baseURL, chainPort })
  await user.openSignedIn('/swap/exchange?pair=RTUSDT&sell=USDT')
  return user
}

/** Raises the price of the quiet pool. @returns the function that lets it fall back. */
async function raisePrice(): Promise<() => Promise<void>> {
  const { baseURL, chainPort } = server
  const other = await newTrader({ USDT: '9500', baseURL, chainPort })
  const { amount_out } = await other.swap({ pool: QUIET_POOL, amount: LARGE, inverse: true })
  return async () => {
    await other.swap({ pool: QUIET_POOL, amount: amount_out, inverse: false })
  }
}

/** Reviews and confirms the form. @returns the sheet of the new plan. */
async function planIt({ page, steps: { t, button } }: Holder): Promise<Locator> {
  await button('plan_review').click()
  const sheet = page.getByRole('dialog')
  await expect(
    sheet
      .getByRole('region', { name: t('plan_limits') })
      .getByRole('listitem')
      .first(),
  ).toBeVisible()
  await expect(sheet.getByText(t('plan_operator_sees'))).toBeAttached()
  await sheet.getByRole('button', { name: t('plan_create') }).click()
  await expect(page).toHaveURL(/\/swap\/plans\?plan=/)
  return sheet
}

function runsIn(sheet: Locator, t: Holder['steps']['t']): Locator {
  return sheet.getByRole('region', { name: t('plan_runs') }).getByRole('listitem')
}

/** Moves the clock of the server, in hops that keep the user's session. */
async function passDays({ call }: Holder, days: number): Promise<void> {
  for (let left = days; left > 0; left -= HOP_DAYS) {
    expect((await call('/Local/advance', { seconds: String(Math.min(left, HOP_DAYS) * DAY_S) })).code).toBe(1)
    expect((await call('/Wallet/balances')).code).toBe(1)
  }
}

/** Checks that the list of notices has one with this title. */
async function expectNotice({ page, steps }: Holder, key: string, values: Readonly<Record<string, string>>) {
  const locale = /#\/en(\/|$)/.test(page.url()) ? 'en' : 'zh-HK'
  await steps.open('/swap/plans')
  // The bell counts the unread ones, or only has its name.
  const bell = page.getByRole('banner').getByRole('button', { name: steps.t('notice_title') })
  const unread = page.getByRole('banner').getByRole('button', { name: textPattern(locale, 'notice_unread') })
  await bell.or(unread).first().click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(textPattern(locale, key, values)).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
}
