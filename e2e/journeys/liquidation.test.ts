import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { parseUnits } from 'viem'
import { availableOf, expectBooksAgree, exportLog } from '../books.ts'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, newHolder } from '../people.ts'
import { fact } from '../swapping.ts'
import { type Locale, localesOf } from '../texts.ts'
import { newTrader, type Trader } from '../trader.ts'

const SAFE_PRICE = '600'
/** At this price a loan of 380 USDT against 1 BNB is over the liquidation limit: one payment clears at most half. */
const LOW_PRICE = '450'
/** At this price its ratio is over 90 %: one payment may clear all of it. */
const LOWEST_PRICE = '415'

let server: OwnServer
let rival: Trader
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(180_000)
  // Its price moves would reach the other tests.
  server = await startOwnServer({ ARBITRAGE: 'off' })
  rival = await trader({ USDT: '4010' })
  await rival.call('/Stake/pledge', { asset: 'USDT', amount: '3000' })
})
test.afterAll(() => server?.stop())

for (const locale of localesOf('en')) {
  test(`[§1.10] [§2.74] an order under the line is liquidated in parts, and both sides read why (${locale})`, async ({
    browser,
  }) => {
    const borrower = await trader({ USDT: '10', BNB: '2.5' })
    await setPrice(SAFE_PRICE)
    const [won, lost] = [await openLoan(borrower), await openLoan(borrower)]
    await setPrice(LOW_PRICE)
    const user = await openAs(browser, locale, (await trader({ USDT: '1010' })).key)
    const { page, steps } = user
    const { t } = steps
    await steps.open('/stake/liquidate')

    await test.step('the market shows the order, and a confirmation in words pays half of its debt', async () => {
      const card = cardOf(page, won)
      for (const key of ['collateral', 'lending_assets', 'interest', 'total_debt', 'estimated_profit', 'user_address'])
        await expect(card.getByText(t(`liquidation_${key}`), { exact: true })).toBeVisible()
      await expect(card).toContainText('1 BNB')
      const sheet = await review(user, won)
      await expect(sheet.getByText(new RegExp(t('liquidation_part_at_most', { max: '.+' })))).toBeVisible()
      await expect(sheet.getByText(t('liquidation_first_wins'))).toBeVisible()
      const sent = page.waitForResponse('**/Stake/liquidate')
      await confirm(user, sheet)
      const { data } = await (await sent).json()
      expect(units(data.profit)).toBeGreaterThan(units('15'))
      expect(data.status).toBe(2)
      await expect(sheet.getByText(t('liquidation_done'))).toBeVisible()
      await sheet.getByRole('link', { name: t('liquidation_see_receipt') }).click()
      await expectReceipt(user, 'liquidation_receipt_liquidator')
      await expect(page.getByText(t('liquidation_receipt_profit'), { exact: true }).first()).toBeVisible()
      await expect(fact(page.getByRole('main'), t('liquidation_rest'))).toContainText('USDT')
    })

    await test.step('someone is faster, and the second pays nothing', async () => {
      await setPrice(LOWEST_PRICE)
      await steps.open('/stake/liquidate')
      const sheet = await review(user, lost)
      const before = await availableOf(user, 'USDT')
      // The page must not see that the order is gone.
      const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await page.route('**/Stake/liquidations', async (route) => {
        held.resolve()
        await released.promise
        await route.continue()
      })
      await held.promise
      await rival.call('/Stake/liquidate', { order_id: lost, max_debt: '400' })
      await confirm(user, sheet)
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: t('app_got_it') })
        .click()
      await expect(sheet.getByText(t('liquidation_first_text'))).toBeVisible()
      expect(await availableOf(user, 'USDT')).toBe(before)
      released.resolve()
      await sheet.getByRole('button', { name: t('liquidation_find_others') }).click()
      await expect(cardOf(page, lost)).toHaveCount(0)
    })

    await test.step('the notice leads the borrower to the receipt', async () => {
      const other = await openAs(browser, locale, borrower.key)
      await other.steps.open('/')
      const notice = other.page
        .getByRole('main')
        .getByRole('link', { name: t('stake_notice_liquidated', { loan: '380 USDT' }) })
      await notice.first().click()
      await expectReceipt(other, 'liquidation_receipt_borrower')
      await other.page.context().close()
    })

    await test.step('the activity leads to the receipt as well', async () => {
      await steps.open('/wallet/activity')
      await page
        .getByRole('main')
        .getByRole('button', { name: t('liquidation_entry') })
        .click()
      await page
        .getByRole('dialog')
        .getByRole('link', { name: t('title_stake_receipt') })
        .click()
      await expectReceipt(user, 'liquidation_receipt_liquidator')
    })

    await steps.open('/wallet/logs')
    await expectBooksAgree(user, await exportLog(user))
    await page.context().close()
  })
}

function trader(amounts: { USDT: string; BNB?: string }): Promise<Trader> {
  const { baseURL, chainPort } = server
  return newTrader({ ...amounts, baseURL, chainPort })
}

/** Opens a signed-in user's app. */
async function openAs(browser: Browser, locale: Locale, key: Trader['key']): Promise<Holder> {
  const { baseURL, chainPort } = server
  const user = await newHolder(browser, { locale, key, baseURL, chainPort })
  await user.openSignedIn('/wallet')
  return user
}

/** Borrows 380 USDT against 1 BNB. @returns the order's id. */
async function openLoan(borrower: Trader): Promise<string> {
  const wish = { collateral_asset: 'BNB', collateral_amount: '1', borrow_asset: 'USDT', borrow_amount: '380' }
  return (await borrower.call('/Stake/lend', { ...wish, term_days: '30' })).order_id
}

async function setPrice(price: string): Promise<void> {
  const body = new URLSearchParams({ symbol: 'BNBUSDT', price })
  const response = await fetch(`${server.baseURL}/api/Local/price`, { method: 'POST', body })
  expect((await response.json()).code).toBe(1)
}

/** The card of an order; its id is shortened. */
function cardOf(page: Page, id: string): Locator {
  return page.getByRole('article', { name: `${id.slice(0, 6)}…${id.slice(-4)}` })
}

async function review({ page, steps: { t } }: Holder, id: string): Promise<Locator> {
  await cardOf(page, id)
    .getByRole('button', { name: t('liquidation_action') })
    .click()
  const sheet = page.getByRole('dialog')
  await expect(fact(sheet, t('liquidation_pay_most'))).toContainText('USDT')
  return sheet
}

async function confirm({ steps: { t } }: Holder, sheet: Locator): Promise<void> {
  await sheet.getByRole('button', { name: t('liquidation_action'), exact: true }).click()
}

/** The receipt, with every figure recalculated and equal. */
async function expectReceipt({ page, steps: { t } }: Holder, side: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: t('title_stake_receipt') })).toBeVisible()
  await expect(page.getByText(t(side), { exact: true })).toBeVisible()
  await expect(page.getByText(t('liquidation_replay_equal'))).toBeVisible()
}

function units(amount: string): bigint {
  return parseUnits(amount, 18)
}
