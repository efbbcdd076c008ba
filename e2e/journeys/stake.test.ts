import { type Browser, expect, type Locator, test } from '@playwright/test'
import { availableOf, expectBooksAgree, exportLog } from '../books.ts'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, newHolder } from '../people.ts'
import { fact } from '../swapping.ts'
import { type Locale, localesOf } from '../texts.ts'
import { newTrader, type Trader } from '../trader.ts'

const SAFE_PRICE = '600'
/** At this price a loan at 64 % of its collateral is over the liquidation limit. */
const LOW_PRICE = '450'
/** The shortest term, and the time after which an unused session ends. */
const WEEK_S = 7 * 86_400

let server: OwnServer
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(180_000)
  // Its price moves and its clock would reach the other tests.
  server = await startOwnServer({ ARBITRAGE: 'off' })
  const lender = await trader({ USDT: '3010' })
  await lender.call('/Stake/pledge', { asset: 'USDT', amount: '3000' })
})
test.afterAll(() => server?.stop())

for (const locale of localesOf('zh-HK')) {
  test(`[§1.08] a pledge is confirmed in words and withdrawn whole, to the unit (${locale})`, async ({ browser }) => {
    const user = await openAs(browser, locale, await trader({ USDT: '210' }))
    const { page, steps } = user
    const { t, button } = steps
    await steps.open('/stake')
    await expect(page.getByText(t('stake_losses'), { exact: true })).toBeVisible()
    await page
      .getByRole('main')
      .getByRole('link', { name: t('stake_pledge'), exact: true })
      .click()
    const before = await availableOf(user, 'USDT')

    await test.step('an amount over the balance is explained, and the rest is pledged', async () => {
      await button('stake_continue').click()
      await expect(page.getByText(t('stake_enter_amount'), { exact: true })).toBeVisible()
      await amountField(user, 'stake_amount').fill('99999')
      await expect(page.getByText(t('stake_balance_not_enough'), { exact: true })).toBeVisible()
      await amountField(user, 'stake_amount').fill('150')
      await button('stake_continue').click()
      await expect(page.getByText(t('stake_risk_text'))).toBeVisible()
      await page
        .getByRole('main')
        .getByRole('button', { name: t('stake_pledge'), exact: true })
        .click()
      await expect(page.getByText(t('stake_pledged_done'))).toBeVisible()
    })

    await test.step('all of it comes back', async () => {
      await steps.open('/stake/pledge')
      await page.getByRole('radio', { name: t('stake_withdraw'), exact: true }).click()
      await button('ui_max').click()
      await button('stake_continue').click()
      await expect(page.getByText(t('stake_withdraw_all_words'))).toBeVisible()
      await page
        .getByRole('main')
        .getByRole('button', { name: t('stake_withdraw'), exact: true })
        .click()
      await expect(page.getByText(t('stake_withdrawn_done'))).toBeVisible()
    })

    expect(Number(await availableOf(user, 'USDT'))).toBeCloseTo(Number(before), 6)
    await expectBooks(user)
  })

  test(`[§1.09] [§2.73] [§5.07] a loan at the limit is cured, falls overdue and is repaid (${locale})`, async ({
    browser,
  }) => {
    await setPrice(SAFE_PRICE)
    const user = await openAs(browser, locale, await trader({ USDT: '110', BNB: '2' }))
    const { page, steps } = user
    const { t, button } = steps
    await borrowToTheLimit(user)

    await test.step('a fall of the price makes it to be cleared, and collateral cures it', async () => {
      await setPrice(LOW_PRICE)
      await steps.open('/stake')
      await page
        .getByRole('link', { name: t('stake_health_to_be_cleared') })
        .first()
        .click()
      await expect(page.getByText(t('stake_to_be_cleared_text'))).toBeVisible()
      await page.getByRole('link', { name: t('title_stake_lend_add'), exact: true }).click()
      await amountField(user, 'stake_amount').fill('0.5')
      await button('stake_continue').click()
      await confirmSheet(user, 'title_stake_lend_add')
      await expect(page.getByRole('dialog').getByRole('status')).toContainText('0.5 BNB')
      await button('account_done').click()
      await steps.open('/stake/lend/orders')
      await expect(order(user).getByText(t('stake_status_normal'), { exact: true })).toBeVisible()
    })

    await test.step('the term ends, and repaying in full leaves nothing', async () => {
      await control('advance', { seconds: String(WEEK_S) })
      await steps.open('/stake/lend/orders')
      const signIn = page.getByRole('banner').getByRole('button', { name: t('session_sign_in'), exact: true })
      const sign = page.getByRole('dialog').getByRole('button', { name: t('session_sign_in_wallet') })
      // An unused session has ended. Where the clock stops meanwhile, the page may have used it.
      await expect(async () => {
        if (await sign.isVisible()) await sign.click({ timeout: 1_000 })
        else if (await signIn.isVisible()) await signIn.click({ timeout: 1_000 })
        const overdue = order(user).getByText(t('stake_health_overdue'), { exact: true })
        await expect(overdue).toBeVisible({ timeout: 2_000 })
      }).toPass()
      await steps.open('/')
      await page.getByRole('link', { name: t('danger_repay'), exact: true }).click()
      const sheet = page.getByRole('dialog')
      const owed = await fact(sheet, t('stake_total_debt')).textContent()
      // Whole tokens: less than one would be left.
      await sheet.getByRole('textbox').fill(String(Math.floor(Number.parseFloat(owed ?? ''))))
      await expect(sheet.getByText(t('stake_least_rest', { min: '10 USDT' }), { exact: true })).toBeVisible()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('stake_repay_all') })
        .click()
      await confirmSheet(user, 'stake_repay')
      await expect(page.getByText(t('stake_repaid_all'), { exact: true })).toBeVisible()
      await button('account_done').click()
      await steps.open('/stake/lend/orders')
      await expect(order(user).getByText(t('stake_status_completed'), { exact: true })).toBeVisible()
      expect(await availableOf(user, 'BNB')).toBe('2')
    })
    await expectBooks(user)
  })
}

/** Borrows against 1 BNB: more than the pool has, then what the slider allows. */
async function borrowToTheLimit(user: Holder): Promise<void> {
  const { page, steps } = user
  const { t, button } = steps
  await steps.open('/stake/lend')
  await amountField(user, 'stake_collateral').fill('1')
  const slider = page.getByRole('slider', { name: t('stake_ltv') })
  // The price has arrived: before it, the offered amount would be that of the pool alone.
  await expect(slider).toBeEnabled()
  await amountField(user, 'stake_lend_amount').fill('99999')
  await expect(page.getByText(t('stake_exceeds_pool'), { exact: true })).toBeVisible()
  await page.getByRole('alert').getByRole('button').click()
  await expect(page.getByText(t('stake_exceeds_pool'), { exact: true })).toHaveCount(0)
  await slider.focus()
  await page.keyboard.press('End')
  await expect(slider).toHaveAttribute('aria-valuetext', /^6[45]/)
  // The price moves on while one confirms, so the limit itself is now and then just beyond.
  await page.keyboard.press('ArrowLeft')
  await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`^6[345].*${t('stake_health_safe')}`))
  await page.getByRole('radio', { name: /^7 / }).click()
  await expect(page.getByText(t('stake_rate_history', { asset: 'USDT' }), { exact: true })).toBeVisible()
  await expect(fact(page.getByRole('main'), t('stake_cost_last_30_days'))).toContainText('USDT')
  await button('stake_continue').click()
  await expect(page.getByText(t('stake_liquidation_risk'), { exact: true })).toBeVisible()
  await button('stake_borrow').click()
  await expect(page.getByText(t('stake_borrowed_done'))).toBeVisible()
  // Its placeholder had the focus after the navigation.
  await expect(page.getByRole('heading', { level: 1, name: t('title_stake_lend_result') })).toBeFocused()
}

function trader(amounts: { USDT: string; BNB?: string }): Promise<Trader> {
  const { baseURL, chainPort } = server
  return newTrader({ ...amounts, baseURL, chainPort })
}

/** Opens a signed-in user's app. */
async function openAs(browser: Browser, locale: Locale, { key }: Trader): Promise<Holder> {
  const { baseURL, chainPort } = server
  const user = await newHolder(browser, { locale, key, baseURL, chainPort })
  await user.openSignedIn('/wallet')
  return user
}

function amountField({ page, steps: { t } }: Holder, label: string): Locator {
  return page.getByRole('textbox', { name: t(label), exact: true })
}

async function confirmSheet({ page, steps: { t } }: Holder, label: string): Promise<void> {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t(label), exact: true })
    .click()
}

/** The user's only order. */
function order({ page }: Holder): Locator {
  return page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('term') })
}

async function setPrice(price: string): Promise<void> {
  await control('price', { symbol: 'BNBUSDT', price })
}

async function control(name: string, form: Record<string, string>): Promise<void> {
  const body = new URLSearchParams(form)
  const response = await fetch(`${server.baseURL}/api/Local/${name}`, { method: 'POST', body })
  expect((await response.json()).code).toBe(1)
}

async function expectBooks(user: Holder): Promise<void> {
  await user.steps.open('/wallet/logs')
  await expectBooksAgree(user, await exportLog(user))
  await user.page.context().close()
}
