import { type Browser, expect, type Locator, test } from '@playwright/test'
import { expectBooksAgree, exportLog } from '../books.ts'
import { moveToNoon, type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, newHolder } from '../people.ts'
import { textPattern } from '../steps.ts'
import type { Locale } from '../texts.ts'
import { newTrader, type Trader } from '../trader.ts'

const DAY_SECONDS = 86_400
/** Hong Kong is ahead of UTC. */
const HONG_KONG_SECONDS = 8 * 3_600
/** From the end of a day until after its block. */
const TO_BLOCK_SECONDS = 31 * 60
/** Longer than a reward can be claimed. */
const EXPIRY_DAYS = 31

let server: OwnServer
/** Has clicked on a day with an empty pool, and missed the day after it. */
let early: Trader
/** Has left a reward unclaimed. */
let forgetful: Trader

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(180_000)
  // Days pass here, and without an arbitrageur the pool stays empty until somebody swaps.
  server = await startOwnServer({ ARBITRAGE: 'off' })
  await moveToNoon(server)
  early = await trader('110')
  // The server's first day began before its commitment, so it has no draws.
  await passDays(1)
  await early.call('/BlindBox/click')
  await passDays(2)
})
test.afterAll(() => server?.stop())

// Another language changes only texts, so each of these runs in one.
test('[§1.14] an empty pool pays nothing, and a missed day ends the streak', async ({ browser }) => {
  const user = await openAs(browser, 'zh-HK', early)
  const { page, steps } = user
  const { t } = steps
  await steps.open('/node')
  await expect(page.getByText(t('node_pool_empty'), { exact: true })).toBeVisible()
  await steps.open('/node/blindBox')
  await expect(page.getByText(t('box_pool_empty'), { exact: true })).toBeVisible()
  await expect(page.getByText(t('box_outcome_no_power'), { exact: true })).toBeVisible()
  await expect(page.getByText(textPattern('zh-HK', 'box_day_clicked')).first()).toBeAttached()
  await expect(page.getByText(textPattern('zh-HK', 'box_day_missed')).first()).toBeAttached()
  await page.context().close()
})

// After the empty pool was seen: this one swaps, and a pool that was filled is never empty again.
test('[§1.07] a box is clicked, drawn, verified and claimed', async ({ browser }) => {
  const clicker = await trader('310')
  const user = await openAs(browser, 'en', clicker)
  const { page, steps } = user
  const { t, button } = steps

  await test.step('two days with a click, after a day with swap fees', async () => {
    await clicker.swap({ pool: 'bnb-usdt', amount: '200', inverse: true })
    await passDays(1)
    await clicker.call('/BlindBox/click')
    await passDays(1)
    await reopen(user, '/node/blindBox')
    const sealed = page.getByText(t('box_sealed'), { exact: true })
    // The page may learn of the click before the response to it.
    await page.route('**/BlindBox/click', async (route) => {
      const response = await route.fetch()
      await sealed.waitFor()
      await route.fulfill({ response })
    })
    await button('box_click').click()
    await expect(sealed).toBeFocused()
    await page.unrouteAll({ behavior: 'wait' })
    // Offline, this phone can't note the day's root before its block.
    await page.context().setOffline(true)
    await passDays(1)
    await page.context().setOffline(false)
  })

  await test.step('one reward is confirmed and claimed, the other is left', async () => {
    await reopen(user, '/node/claim')
    const choices = page.getByRole('group', { name: t('box_claim_choose') }).getByRole('checkbox')
    await expect(choices).toHaveCount(3)
    await choices.last().uncheck()
    forgetful = clicker
    await page.getByRole('main').locator('a[href*="/node/confirmation"]').click()
    await expect(page.getByText(t('box_claim_receive'), { exact: true })).toBeVisible()
    await page
      .getByRole('main')
      .getByRole('button', { name: t('title_node_claim'), exact: true })
      .click()
    await expect(page.getByText(t('box_claimed_done'), { exact: true })).toBeVisible()
  })

  await test.step('the browser confirms each step of the draw', async () => {
    await steps.open('/node/income')
    await boxRow(user, 'box_status_success').click()
    await button('verify_action').click()
    // The phone didn't see the root before its block, so their order is the operator's statement.
    const outcome = page
      .getByRole('dialog')
      .getByRole('status')
      .filter({ hasText: t('verify_root') })
    await expect(outcome).toHaveText(
      `${t('verify_right_but', { n: '9', m: '10' })} ${t('verify_open', { steps: t('verify_root') })}`,
    )
    await expect(page.getByRole('dialog')).toContainText(t('verify_order_missed'))
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('app_close') })
      .click()
    await steps.open('/wallet/logs')
    await expectBooksAgree(user, await exportLog(user))
    await page.context().close()
  })
})

// The order of root and block is proven only to a browser that saw the root in time, and few stay on the box screen for it.
test('[§1.07] a draw is verified in full after the day ended on the wallet screen', async ({ browser }) => {
  const clicker = await trader('310')
  await clicker.swap({ pool: 'bnb-usdt', amount: '200', inverse: true })
  await passDays(1)
  const user = await openAs(browser, 'en', clicker)
  const { page, steps } = user
  const { t, button } = steps
  await steps.open('/node/blindBox')
  await button('box_click').click()
  await expect(page.getByText(t('box_sealed'), { exact: true })).toBeVisible()
  await reopen(user, '/wallet')
  await expect(page.getByRole('heading', { level: 1, name: t('nav_my_wallet') })).toBeVisible()
  const waitsFor = () => page.evaluate(() => localStorage.getItem('clearwell.box.sealed'))
  expect(await waitsFor()).toMatch(/^\d{4}-\d\d-\d\d$/)
  await passDayEnd()
  await expect.poll(waitsFor).toBeNull()
  // After the day has ended, a step passes no moment between: one step to the block, then one for each confirmation.
  await passSeconds(TO_BLOCK_SECONDS)
  await expect
    .poll(async () => {
      await passSeconds(1)
      return (await user.call('/BlindBox/boxes')).data.items[0].status
    })
    .toBe(0)
  await reopen(user, '/node/income')
  await boxRow(user, 'box_status_to_be_assigned').click()
  await button('verify_action').click()
  const outcome = page
    .getByRole('dialog')
    .getByRole('status')
    .filter({ hasText: t('verify_right', { m: '10' }) })
  await expect(outcome).toBeVisible()
  await page.context().close()
})

test('[§1.07] a reward that its owner leaves for 30 days expires', async ({ browser }) => {
  await passDays(EXPIRY_DAYS)
  const user = await openAs(browser, 'en', forgetful)
  await user.steps.open('/node/income')
  await boxRow(user, 'box_status_failed').click()
  await expect(user.page.getByText(user.steps.t('box_outcome_expired'), { exact: true })).toBeVisible()
  await user.page.context().close()
})

function trader(usdt: string): Promise<Trader> {
  const { baseURL, chainPort } = server
  return newTrader({ USDT: usdt, baseURL, chainPort })
}

/** Opens a signed-in user's app on a new phone. */
async function openAs(browser: Browser, locale: Locale, { key }: Pick<Trader, 'key'>): Promise<Holder> {
  const { baseURL, chainPort } = server
  const user = await newHolder(browser, { locale, key, baseURL, chainPort })
  await user.openSignedIn('/wallet')
  return user
}

/** Opens a screen in a new page load, after the clock has moved. */
async function reopen({ page, steps }: Holder, path: string): Promise<void> {
  await steps.open(path)
  await page.reload()
}

function boxRow({ page, steps: { t } }: Holder, status: string): Locator {
  return page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: t(status) })
    .first()
    .getByRole('button')
}

/** Passes the end of the day in Hong Kong. The root is published then, and its block comes minutes later. */
async function passDayEnd(): Promise<void> {
  const { data } = (await (await fetch(`${server.baseURL}/api/config`)).json()) as { data: { time: string } }
  const inDay = (Date.parse(data.time) / 1_000 + HONG_KONG_SECONDS) % DAY_SECONDS
  await passSeconds(Math.ceil(DAY_SECONDS - inDay) + 5)
}

function passDays(days: number): Promise<void> {
  return passSeconds(days * DAY_SECONDS)
}

/** Moves the clock, and with it the chain and every job that is due. */
async function passSeconds(seconds: number): Promise<void> {
  const body = new URLSearchParams({ seconds: String(seconds) })
  const response = await fetch(`${server.baseURL}/api/Local/advance`, { method: 'POST', body })
  expect((await response.json()).code).toBe(1)
}
