import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { moveToNoon, type OwnServer, startOwnServer } from '../own-server.ts'
import { newHolder } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { type Steps, stepsOf, waitForSheetToLeave } from '../steps.ts'
import type { Locale } from '../texts.ts'
import { newTrader, type Trader } from '../trader.ts'

const DAY_S = 86_400
const SAFE_PRICE = '600'
/** At this price a loan of 380 USDT against 1 BNB may be cleared whole. */
const LOWEST_PRICE = '415'

let server: OwnServer
let lender: Trader
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  test.setTimeout(180_000)
  // Its prices and its clock would reach the other tests.
  server = await startOwnServer({ ARBITRAGE: 'off' })
  await moveToNoon(server)
  lender = await trader({ USDT: '4010' })
  await lender.call('/Stake/pledge', { asset: 'USDT', amount: '3000' })
})
test.afterAll(() => server?.stop())

/** A tab of a user, signed in. Another one shares the session and what the device stores. */
interface Tab {
  readonly page: Page
  readonly steps: Steps
  readonly locale: Locale
}

/** A command as a user gives it, twice. */
interface Journey {
  readonly name: string
  readonly locale: Locale
  readonly path: string
  /** The words of the note: what was asked. */
  readonly asked: string
  prepare(): Promise<Trader>
  /** Opens the confirmation and presses its button. */
  press(tab: Tab): Promise<void>
  /** How often the command has been carried out. */
  count(trader: Trader): Promise<number>
}

/** Counts the entries of a kind in the user's log that changed an asset. */
const entries = (kind: string, asset: string) => async (own: Trader) =>
  (await own.call('/Wallet/logs', { kind, asset })).items.filter(
    ({ place }: { place: string }) => place === 'available',
  ).length

const JOURNEYS: readonly Journey[] = [
  {
    name: 'a loan',
    locale: 'en',
    path: '/Stake/lend',
    asked: 'Borrow 20 USDT against 0.1 BNB',
    prepare: () => trader({ USDT: '10', BNB: '1' }),
    async press({ page, steps: { t, open } }) {
      await open('/stake/lend/confirm?borrow=USDT&amount=%2220%22&collateral=BNB&collateralAmount=%220.1%22&term=7')
      await mainButton(page, t('stake_borrow')).click()
    },
    count: async (own) => (await own.call('/Stake/orders')).items.length,
  },
  {
    name: 'a repayment',
    locale: 'zh-HK',
    path: '/Stake/repay',
    asked: '還款 5 USDT',
    async prepare() {
      const own = await trader({ USDT: '60', BNB: '1' })
      await lend(own, { collateral_amount: '1', borrow_amount: '100' })
      return own
    },
    async press({ page, steps: { t, open, button } }) {
      await open('/stake/lend/orders')
      await mainButton(page, t('stake_repay')).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('textbox').fill('5')
      await button('stake_continue').click()
      await sheet.getByRole('button', { name: t('stake_repay'), exact: true }).click()
    },
    count: entries('loan_repayment', 'USDT'),
  },
  {
    name: 'a pledge',
    locale: 'en',
    path: '/Stake/pledge',
    asked: 'Pledge 7 USDT',
    prepare: () => trader({ USDT: '60' }),
    async press({ page, steps: { t, open } }) {
      await open('/stake/pledge/confirm?asset=USDT&amount=%227%22')
      await mainButton(page, t('stake_pledge')).click()
    },
    count: entries('pledge', 'USDT'),
  },
  {
    name: 'a liquidation',
    locale: 'zh-HK',
    path: '/Stake/liquidate',
    asked: '清算訂單',
    async prepare() {
      // Two orders: each is cleared whole by one command.
      await control('price', { symbol: 'BNBUSDT', price: SAFE_PRICE })
      const borrower = await trader({ USDT: '10', BNB: '2' })
      for (let n = 0; n < 2; n++) await lend(borrower, { collateral_amount: '1', borrow_amount: '380' })
      await control('price', { symbol: 'BNBUSDT', price: LOWEST_PRICE })
      return trader({ USDT: '1010' })
    },
    async press({ page, steps: { t, open } }) {
      await open('/stake/liquidate')
      // Its name has the order's number, too.
      const order = page.getByRole('article').first()
      await order.getByRole('button', { name: new RegExp(`^${t('liquidation_action')} `) }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('liquidation_action'), exact: true })
        .click()
    },
    count: entries('liquidation', 'USDT'),
  },
  {
    name: 'a deposit of RT',
    locale: 'en',
    path: '/Rich/deposit',
    asked: 'Deposit 30 RT',
    async prepare() {
      await control('price', { symbol: 'BNBUSDT', price: SAFE_PRICE })
      const own = await trader({ USDT: '210' })
      await own.swap({ pool: 'rt-usdt', amount: '200', inverse: true })
      await own.call('/Rich/link', { uid: '100000001', name: 'Kit' })
      return own
    },
    async press({ page, steps: { t, open, button } }) {
      await open('/rich/pledge')
      await page.getByRole('textbox', { name: t('rich_amount') }).fill('30')
      await button('rich_continue').click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('rich_deposit'), exact: true })
        .click()
    },
    count: entries('rt_deposit', 'RT'),
  },
  {
    name: 'a claim',
    locale: 'zh-HK',
    path: '/BlindBox/claim',
    asked: '領取 1 個盲盒的獎勵',
    async prepare() {
      await passDay()
      const own = await trader({ USDT: '510' })
      await own.swap({ pool: 'bnb-usdt', amount: '200', inverse: true })
      // Two boxes, each claimed alone.
      for (let n = 0; n < 2; n++) {
        await passDay()
        await own.call('/BlindBox/click')
        await own.swap({ pool: 'bnb-usdt', amount: '50', inverse: true })
      }
      await passDay()
      return own
    },
    async press({ page, steps: { t, open } }) {
      await open('/node/claim')
      const choices = page.getByRole('group', { name: t('box_claim_choose') }).getByRole('checkbox')
      await expect(choices.first()).toBeVisible()
      // The first one chooses all.
      if ((await choices.count()) > 2) await choices.last().uncheck()
      await page.getByRole('main').locator('a[href*="/node/confirmation"]').click()
      await mainButton(page, t('title_node_claim')).click()
    },
    count: async (own) => (await own.call('/BlindBox/boxes', { status: '1' })).items.length,
  },
]

/** The only ones in `npm test`: all others send the same sheet again, and run at night. */
const EVERY_TIME: readonly string[] = ['a loan', 'a claim']

for (const { name, locale, path, asked, prepare, press, count } of JOURNEYS) {
  const details = { tag: EVERY_TIME.includes(name) ? [] : ['@night'] }
  test(`${name} happens once when the tab dies before its response (${locale})`, details, async ({ browser }) => {
    test.setTimeout(180_000)
    const own = await prepare()
    let tab = await openTab(browser, locale, own)
    const { t } = tab.steps

    await test.step('the request arrives, and its response is never delivered', async () => {
      tab = await killWhileSending(tab, path, { arrives: true, press: () => press(tab) })
      await expect(note(tab)).toContainText(asked)
      await expect(note(tab)).toContainText(t('account_lost_done'))
      const sheet = await openNote(tab)
      await expect(sheet.getByRole('status')).toContainText(asked)
      expect(await count(own)).toBe(1)
      await sheet.getByRole('button', { name: t('account_done'), exact: true }).click()
      await expect(note(tab)).toHaveCount(0)
    })

    await test.step('the request is never sent, and is sent again with its key', async () => {
      const keys = keysOf(tab, path)
      tab = await killWhileSending(tab, path, { arrives: false, press: () => press(tab) })
      await expect(note(tab)).toContainText(asked)
      await expect(note(tab)).toContainText(t('account_lost_not_arrived'), { timeout: 30_000 })
      expect(await count(own)).toBe(1)
      const sheet = await openNote(tab)
      await expect(sheet.getByText(t('account_lost_not_arrived_text'))).toBeVisible()
      await sheet.getByRole('button', { name: t('account_lost_again') }).click()
      await expect(sheet.getByRole('status')).toContainText(asked)
      expect(keys.length).toBeGreaterThanOrEqual(2)
      expect(new Set(keys).size).toBe(1)
      await sheet.getByRole('button', { name: t('account_done'), exact: true }).click()
      await waitForSheetToLeave(tab.page)
      await tab.page.reload()
      await expect(tab.page.getByRole('main')).toBeVisible()
      await expect(note(tab)).toHaveCount(0)
      expect(await count(own)).toBe(2)
    })
    await tab.page.context().close()
  })
}

test('a page that gets no response finds the outcome and goes on', async ({ browser }) => {
  const own = await trader({ USDT: '60' })
  const tab = await openTab(browser, 'en', own)
  const { page, steps } = tab
  const { t } = steps
  let sent = 0
  await page.route('**/Stake/pledge', async (route) => {
    sent += 1
    if (sent === 1) await route.fetch()
    await route.abort()
  })
  await steps.open('/stake/pledge/confirm?asset=USDT&amount=%227%22')
  await mainButton(page, t('stake_pledge')).click()
  // The result of the screen itself, as after a response.
  await expect(page.getByText(t('stake_pledged_done'))).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('heading', { level: 1, name: t('title_stake_pledge_result') })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(note(tab)).toHaveCount(0)
  expect([sent, await entries('pledge', 'USDT')(own)]).toEqual([4, 1])
  await page.context().close()
})

test('another tab waits, an outage keeps the command, and sign-out deletes it', async ({ browser }) => {
  test.setTimeout(120_000)
  const own = await trader({ USDT: '60' })
  const first = await openTab(browser, 'en', own)
  const context = first.page.context()
  const { t } = first.steps
  const second = await newTab(first)
  const arrived = Promise.withResolvers<void>()
  await first.page.route('**/Stake/pledge', async (route) => {
    await route.fetch()
    arrived.resolve()
  })
  await first.steps.open('/stake/pledge/confirm?asset=USDT&amount=%227%22')
  await mainButton(first.page, t('stake_pledge')).click()
  await arrived.promise

  await test.step('while the first tab waits for its response, the second says nothing', async () => {
    await expect.poll(() => storedCommands(second)).toBe(1)
    await second.steps.tab('nav_stake')
    await expect(second.page.getByRole('heading', { level: 1, name: t('nav_staking'), exact: true })).toBeVisible()
    await expect(note(second)).toHaveCount(0)
    await untilCodeLoaded(second)
  })

  await test.step('the first tab dies during an outage, and the second finds the outcome after it', async () => {
    await context.setOffline(true)
    await first.page.close()
    await expect(note(second)).toContainText('Pledge 7 USDT')
    await expect(note(second)).toContainText(t('account_lost_unreachable'), { timeout: 30_000 })
    await context.setOffline(false)
    await expect(note(second)).toContainText(t('account_lost_done'), { timeout: 30_000 })
    expect(await entries('pledge', 'USDT')(own)).toBe(1)
  })

  await test.step('sign-out deletes it from the device', async () => {
    expect(await storedCommands(second)).toBe(1)
    await second.steps.signOut()
    expect(await storedCommands(second)).toBe(0)
    await second.steps.signIn(WALLET_NAME)
    await expect(note(second)).toHaveCount(0)
  })
  await context.close()
})

/**
 * Presses, and crashes the tab while its request has no response. @returns a new tab of the same browser.
 *
 * @param arrives whether the request reaches the server.
 */
async function killWhileSending(
  tab: Tab,
  path: string,
  { arrives, press }: { arrives: boolean; press: () => Promise<void> },
): Promise<Tab> {
  const { page } = tab
  const sent = Promise.withResolvers<void>()
  await page.route(`**${path}`, async (route) => {
    if (arrives) await route.fetch()
    sent.resolve()
  })
  await press()
  await sent.promise
  // Closing alone would let the held request go.
  const died = page.waitForEvent('crash')
  page.goto('chrome://crash').catch(() => {})
  await died
  await page.close()
  return newTab(tab)
}

/** Waits until a tab has requested no more code for two seconds: an outage keeps what is not loaded from loading. */
async function untilCodeLoaded({ page }: Tab): Promise<void> {
  let before = -1
  await expect(async () => {
    // The API is polled.
    const now = await page.evaluate(
      () =>
        performance.getEntriesByType('resource').filter(({ name }) => !new URL(name).pathname.startsWith('/api/'))
          .length,
    )
    const isSame = now === before
    before = now
    expect(isSame).toBe(true)
  }).toPass({ intervals: [2_000] })
}

/** A new tab of the same browser, signed in as the other one is. */
async function newTab({ page, locale }: Tab): Promise<Tab> {
  const opened = await page.context().newPage()
  const steps = stepsOf(opened, locale)
  await steps.open('/stake')
  await expect(opened.getByRole('banner').getByRole('button', { name: steps.t('nav_my_account') })).toBeVisible()
  return { page: opened, steps, locale }
}

async function openTab(browser: Browser, locale: Locale, { key }: Trader): Promise<Tab> {
  const { baseURL, chainPort } = server
  const user = await newHolder(browser, { locale, key, baseURL, chainPort })
  await user.openSignedIn('/stake')
  return { page: user.page, steps: user.steps, locale }
}

/** The keys that the pages of this browser send from now on. They fill while it runs. */
function keysOf({ page }: Tab, path: string): (string | undefined)[] {
  const keys: (string | undefined)[] = []
  page.context().on('request', (request) => {
    if (request.url().endsWith(path)) keys.push(request.headers()['idempotency-key'])
  })
  return keys
}

function note({ page, steps: { t } }: Tab): Locator {
  return page.getByRole('region', { name: t('account_lost_title') })
}

async function openNote(tab: Tab): Promise<Locator> {
  await note(tab)
    .getByRole('button', { name: tab.steps.t('account_lost_open') })
    .click()
  return tab.page.getByRole('dialog')
}

/** How many commands the device stores without a seen outcome. */
function storedCommands({ page }: Tab): Promise<number> {
  return page.evaluate(
    () => Object.keys(localStorage).filter((key) => key.includes('until-disconnect.commands')).length,
  )
}

function mainButton(page: Page, name: string): Locator {
  return page.getByRole('main').getByRole('button', { name, exact: true }).first()
}

function trader(amounts: { USDT: string; BNB?: string }): Promise<Trader> {
  const { baseURL, chainPort } = server
  return newTrader({ ...amounts, baseURL, chainPort })
}

async function lend(own: Trader, amounts: { collateral_amount: string; borrow_amount: string }): Promise<void> {
  await own.call('/Stake/lend', { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: '30', ...amounts })
}

async function control(name: string, payload: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(`${server.baseURL}/api/Local/${name}`, {
    method: 'POST',
    body: new URLSearchParams(payload),
  })
  expect((await response.json()).code).toBe(1)
}

/** Moves the clock, and with it the chain and every job that is due. */
async function passDay(): Promise<void> {
  await control('advance', { seconds: String(DAY_S) })
}
