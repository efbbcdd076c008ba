import { type Browser, expect, type Locator, test } from '@playwright/test'
import { availableOf, expectBooksAgree, exportLog } from '../books.ts'
import { moveToNoon, type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, newHolder } from '../people.ts'
import { newTrader, type Trader } from '../trader.ts'

const DAY_S = 24 * 3_600
/** Longer than the time that a parent has. */
const APPROVAL_S = 73 * 3_600
const RT_POOL = 'rt-usdt'

let server: OwnServer
test.beforeAll(async () => {
  test.setTimeout(180_000)
  // Its clock would reach the other tests.
  server = await startOwnServer({ ARBITRAGE: 'off' })
  // One star a day: midnight would allow a second.
  await moveToNoon(server)
})
test.afterAll(() => server?.stop())

// The texts in both languages are those of rich-screen.test.tsx.
test('[§6.05] [§1.13] [§4.22] [§4.23] [§2.86] [§2.88] a star is requested, approved, passed and paid for', async ({
  browser,
}) => {
  test.slow()
  const grandparent = await newMember()
  // Without a parent, the system passes the request immediately.
  await grandparent.call('/Rich/link', { uid: '100000001', name: 'Grandparent' })
  await grandparent.call('/Rich/deposit', { amount: '400' })
  await grandparent.call('/Rich/requestUpgrade')
  const parent = await newMember(grandparent.inviteCode)
  const child = await newMember(parent.inviteCode)
  const user = await openAs(browser, child)
  const { page, steps } = user
  const { t, button } = steps

  await test.step('the child links a UID and deposits', async () => {
    await button('rich_link').click()
    await confirm(user, 'rich_continue')
    await expect(sheet(user).getByText(t('rich_invalid_input'), { exact: true })).toHaveCount(1)
    // The name was not reached yet.
    await expect(sheet(user).getByText(t('rich_enter_name'), { exact: true })).toHaveCount(0)
    await sheet(user).getByLabel(t('rich_uid')).fill('12')
    await expect(sheet(user).getByText(t('rich_uid_short', { n: '2', m: '6' }), { exact: true })).toBeVisible()
    await sheet(user).getByLabel(t('rich_uid')).fill('123 456 789')
    await expect(sheet(user).getByText(t('rich_enter_name'), { exact: true })).toBeVisible()
    await sheet(user).getByLabel(t('rich_name')).fill('Kit')
    await confirm(user, 'rich_continue')
    // The number again, before a link that stays.
    await expect(sheet(user).getByText('123 456 789', { exact: true })).toBeVisible()
    await confirm(user, 'rich_link')
    await expect(sheet(user).getByRole('status')).toContainText(t('rich_linked'))
    await confirm(user, 'account_done')
    await page
      .getByRole('main')
      .getByRole('link', { name: t('rich_deposit') })
      .click()
    const amount = page.getByRole('textbox', { name: t('rich_amount') })
    await amount.fill('999999')
    await expect(page.getByText(t('rich_balance_not_enough'), { exact: true })).toBeVisible()
    await amount.fill('200')
    await button('rich_continue').click()
    await confirm(user, 'rich_deposit')
    await sheet(user)
      .getByRole('link', { name: t('rich_to_hub') })
      .click()
  })

  await test.step('the parent agrees to the first request', async () => {
    await request(user, '1')
    const other = await openAs(browser, parent)
    await expect(row(other, 'Kit')).toContainText(t('rich_requested'))
    await row(other, 'Kit')
      .getByRole('button', { name: t('rich_approve') })
      .click()
    await expect(sheet(other)).toHaveAccessibleName("Do you agree to Kit's request?")
    await confirm(other, 'rich_approve')
    await expect(sheet(other).getByRole('status')).toContainText(t('rich_passed'))
    await confirm(other, 'account_done')
    await expect(row(other, 'Kit')).toContainText(t('rich_passed'))
    await other.page.context().close()
    const requests = page.getByRole('region', { name: t('rich_my_requests') })
    await expect(requests.getByText(t('rich_passed'), { exact: true })).toBeVisible()
    await expect(page.getByText(t('rich_star', { n: '1' }), { exact: true }).first()).toBeVisible()
  })

  await test.step('the child renames the UID', async () => {
    await button('rich_rename').click()
    await sheet(user).getByLabel(t('rich_name')).fill('Kit Two')
    await confirm(user, 'rich_rename')
    await expect(sheet(user).getByRole('status')).toContainText(`Kit Two${t('rich_renamed_text')}`)
    await confirm(user, 'account_done')
    await expect(page.getByRole('main').getByText('Kit Two', { exact: true })).toBeVisible()
    expect((await user.call('/Rich/overview')).data.name).toBe('Kit Two')
  })

  await test.step('a second request waits for the next day', async () => {
    await button('rich_request_star', { n: '2' }).click()
    await confirm(user, 'rich_request')
    await steps.closeMessage('You can gain one star a day, and have gained today’s.')
    await expect(sheet(user).getByRole('alert')).toContainText('You can gain one star a day')
    await confirm(user, 'app_cancel')
    await advance(DAY_S)
    await page.reload()
  })

  await test.step('the system passes the second request after its time', async () => {
    await request(user, '2')
    await advance(APPROVAL_S)
    await page.reload()
    const requests = page.getByRole('listitem').filter({ hasText: t('rich_star', { n: '2' }) })
    await expect(requests.filter({ hasText: t('rich_passed') })).toBeVisible()
  })

  await test.step('the child collects what the days have released', async () => {
    await page.reload()
    await expect(page.getByText(t('rich_star', { n: '2' }), { exact: true }).first()).toBeVisible()
    const before = await availableOf(user, 'RT')
    await button('rich_collect').click()
    await confirm(user, 'rich_collect')
    await expect(sheet(user).getByText(t('rich_collected_title'))).toBeVisible()
    expect(Number(await availableOf(user, 'RT'))).toBeGreaterThan(Number(before))
    await confirm(user, 'account_done')
  })

  await test.step('the child steps down, and reads when the deposit returns', async () => {
    await steps.open('/rich/pledge')
    await page
      .getByRole('main')
      .getByRole('button', { name: t('rich_step_down') })
      .click()
    await confirm(user, 'rich_step_down')
    await expect(sheet(user).getByRole('status')).toContainText(t('rich_notice_given'))
    await confirm(user, 'account_done')
    await steps.open('/wallet/logs')
    await expectBooksAgree(user, await exportLog(user))
  })
  await page.context().close()
})

/** An activated user with RT. */
async function newMember(pid?: string): Promise<Trader> {
  const { baseURL, chainPort } = server
  const trader = await newTrader({ USDT: '510', baseURL, chainPort, ...(pid && { pid }) })
  await trader.swap({ pool: RT_POOL, amount: '500', inverse: true })
  return trader
}

/** Opens a signed-in user's app. */
async function openAs(browser: Browser, { key }: Trader, path = '/rich'): Promise<Holder> {
  const { baseURL, chainPort } = server
  const user = await newHolder(browser, { key, baseURL, chainPort })
  await user.openSignedIn(path)
  return user
}

async function request(user: Holder, n: string): Promise<void> {
  await user.steps.button('rich_request_star', { n }).click()
  await confirm(user, 'rich_request')
  await expect(sheet(user).getByRole('status')).toContainText(user.steps.t('rich_requested'))
  await confirm(user, 'account_done')
}

function sheet({ page }: Holder): Locator {
  return page.getByRole('dialog')
}

async function confirm(user: Holder, key: string): Promise<void> {
  await sheet(user)
    .getByRole('button', { name: user.steps.t(key), exact: true })
    .click()
}

/** A child's request. */
function row({ page }: Holder, name: string): Locator {
  return page.getByRole('article', { name, exact: true }).first()
}

async function advance(seconds: number): Promise<void> {
  const body = new URLSearchParams({ seconds: String(seconds) })
  const response = await fetch(`${server.baseURL}/api/Local/advance`, { method: 'POST', body })
  expect((await response.json()).code).toBe(1)
}
