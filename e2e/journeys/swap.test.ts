import { expect, type Locator, test } from '@playwright/test'
import { formatUnits, parseUnits } from 'viem'
import { availableOf, expectBooksAgree, exportLog } from '../books.ts'
import type { Holder } from '../people.ts'
import { textPattern } from '../steps.ts'
import {
  confirm,
  confirmSwap,
  fact,
  fillSell,
  lookedUpKeys,
  loseSwapRequest,
  openTrading,
  orders,
  QUIET_POOL,
  review,
  swapsSent,
  type Trading,
} from '../swapping.ts'
import { newTrader, type Trader } from '../trader.ts'

/** Moves the price by one percent, ten times the tolerance set here. */
const LARGE = '5000'

let other: Trader
test.beforeAll(async () => {
  other = await newTrader({ USDT: '9500' })
})

// Another language changes only texts, so each of these runs in one.
test('[§1.06] buys an exact amount, sells all of it, and the books agree', async ({ browser }) => {
  const user = await openTrading(browser, 'zh-HK')
  const { page, call } = user
  await keepTightSettings(user)
  await buyExactly(user, '100')
  await sellAll(user)
  await test.step('the page recovers automatically from a lost response', async () => {
    await page.route('**/SwapPool/doSwap', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await fillSell(user, '20')
    const sheet = await confirm(user)
    await expect(sheet.getByText(user.steps.t('swap_trying_again'))).toBeVisible()
    await expect(sheet.getByText(user.steps.t('swap_status_completed'))).toBeVisible({ timeout: 30_000 })
    await page.unroute('**/SwapPool/doSwap')
    await sheet.getByRole('button', { name: user.steps.t('swap_done') }).click()
    // All attempts share one key, so it is one command.
    const sent = swapsSent(user).slice(-3)
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    expect((await call('/SwapPool/orders')).data.items).toHaveLength(3)
  })
  await expectNothingPending(user)
  await expectBooks(user)
})

test('funds move once despite price moves and lost responses', async ({ browser }) => {
  const user = await openTrading(browser, 'en')
  const { page, steps, call } = user
  const { t, button } = steps
  await keepTightSettings(user)

  await test.step('a refusal after a price move offers new terms in one tap', async () => {
    await fillSell(user, '50')
    const sheet = await review(user)
    const before = await availableOf(user, 'USDT')
    // The page must not see the new price before the server refuses.
    await page.route('**/SwapPool/getQuote', () => {})
    await other.swap({ pool: QUIET_POOL, amount: LARGE, inverse: true })
    const refused = page.waitForResponse('**/SwapPool/doSwap')
    await sheet.getByRole('button', { name: t('swap_action'), exact: true }).click()
    const { code, msg, data } = await (await refused).json()
    expect(code).toBe(20007)
    await steps.closeMessage(msg)
    await expect(sheet.getByText(t('swap_price_moved_text'), { exact: true })).toBeVisible()
    await expect(fact(sheet, t('swap_now'))).toHaveText(`${cut(data.amount_out)} RT`)
    expect(unitsOf((await fact(sheet, t('swap_before')).textContent())?.replace(' RT', ''))).toBeGreaterThan(
      unitsOf(data.amount_out),
    )
    expect(await availableOf(user, 'USDT')).toBe(before)
    await page.unroute('**/SwapPool/getQuote')
    await sheet.getByRole('button', { name: t('swap_accept_new') }).click()
    await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
    await expect(sheet.getByText(t('swap_as_quoted'), { exact: true })).toBeVisible()
    await sheet.getByRole('button', { name: t('swap_done') }).click()
    const [first, second] = swapsSent(user)
    expect(second?.key).not.toBe(first?.key)
    expect(unitsOf(second?.form.min_amount_out)).toBeLessThan(unitsOf(first?.form.min_amount_out))
    expect(unitsOf(await availableOf(user, 'USDT'))).toBe(unitsOf(before) - unitsOf('50'))
    expect((await call('/SwapPool/orders')).data.items).toHaveLength(1)
  })

  await test.step('an open confirmation shows a price move and sends nothing', async () => {
    await button('swap_flip').click()
    await button('ui_max').click()
    const sheet = await review(user)
    await other.swap({ pool: QUIET_POOL, amount: '40000', inverse: false })
    await expect(sheet.getByText(t('swap_price_moved_text'), { exact: true })).toBeVisible()
    await sheet.getByRole('button', { name: t('app_cancel') }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(swapsSent(user)).toHaveLength(2)
    await button('swap_flip').click()
  })

  await test.step('the next visit shows the outcome of a swap left pending', async () => {
    const countResponses = Promise.withResolvers<void>()
    await page.route('**/SwapPool/doSwap', async (route) => {
      await route.fetch()
      countResponses.resolve()
    })
    await fillSell(user, '30')
    await confirm(user)
    await countResponses.promise
    await page.reload()
    const note = page.getByRole('region', { name: t('account_lost_title') })
    await expect(note.getByText(t('account_lost_done'))).toBeVisible()
    await page.unroute('**/SwapPool/doSwap')
    await note.getByRole('button', { name: t('account_lost_open') }).click()
    const sheet = page.getByRole('dialog')
    await expect(fact(sheet, t('swap_sold'))).toHaveText('30 USDT')
    await sheet.getByRole('button', { name: t('swap_done') }).click()
    await expect(note).toHaveCount(0)
    expect(lookedUpKeys(user)).toContain(swapsSent(user).at(-1)?.key)
    expect((await call('/SwapPool/orders')).data.items).toHaveLength(2)
  })

  await test.step('a swap that never arrived can be sent again with its key', async () => {
    const note = await loseSwapRequest(user, '40')
    await note.getByRole('button', { name: t('account_lost_open') }).click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByText(t('account_lost_not_arrived_text'))).toBeVisible()
    await expect(sheet.getByText(t('account_lost_not_twice'))).toBeVisible()
    await sheet.getByRole('button', { name: t('account_lost_again') }).click()
    await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
    await sheet.getByRole('button', { name: t('swap_done') }).click()
    const [lost, again] = swapsSent(user).slice(-2)
    expect(again).toEqual(lost)
    expect((await call('/SwapPool/orders')).data.items).toHaveLength(3)
  })

  await expectNothingPending(user)
  await expectBooks(user)
})

/** Sets a tight tolerance and a deadline of one hour, sees the warning, and finds both after a reload. */
async function keepTightSettings({ page, steps }: Holder): Promise<void> {
  const { t } = steps
  const open = page.getByRole('button', { name: t('swap_settings') })
  await open.click()
  const sheet = page.getByRole('dialog')
  await sheet
    .getByRole('radiogroup', { name: t('swap_slippage') })
    .getByText(t('swap_own_value'))
    .click()
  const own = sheet.getByRole('textbox', { name: t('swap_own_value_of', { name: t('swap_slippage') }) })
  await own.fill('0.05')
  await expect(sheet.getByText(t('swap_slippage_tight'))).toBeVisible()
  await own.fill('0')
  await expect(sheet.getByText(t('swap_slippage_invalid'))).toBeVisible()
  await expect(sheet.getByRole('button', { name: t('swap_settings_save') })).toBeDisabled()
  await sheet.getByRole('radio', { name: '0.1%', exact: true }).click()
  await sheet.getByRole('radio', { name: t('swap_minutes', { minutes: '60' }), exact: true }).click()
  await sheet.getByRole('button', { name: t('swap_settings_save') }).click()
  await expect(sheet).toHaveCount(0)
  await page.reload()
  await expect(open).toHaveAccessibleName(/ 0\.1%$/)
  await open.click()
  await expect(sheet.getByRole('radio', { name: t('swap_minutes', { minutes: '60' }), exact: true })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
}

/** Buys an exact amount: confirmation, request, receipt and order list have it to the unit. */
async function buyExactly(user: Trading, amount: string): Promise<void> {
  const { page, steps, call } = user
  const { t } = steps
  await test.step('buys an exact amount', async () => {
    await page.getByRole('textbox', { name: t('swap_buy'), exact: true }).fill(amount)
    const sheet = await review(user)
    const quoted = { pool_id: QUIET_POOL, amount, inverse: '1', exact: 'out' }
    const { amount_in: cost } = (await call('/SwapPool/getQuote', quoted)).data
    const words = textPattern(user.locale, 'swap_confirm_text_out', { buy: `${amount} RT` })
    await expect(sheet.getByText(words)).toBeVisible()
    // A thousandth above the quote; the shown maximum is rounded up.
    const limit = (unitsOf(cost) * 1_001n) / 1_000n
    await expect(fact(sheet, t('swap_maximum'))).toHaveText(`${upToMillionths(limit)} USDT`)
    const { data } = await confirmSwap(user, sheet)
    expect(data).toMatchObject({ amount_in: cost, status: 'completed' })
    const sent = { ...quoted, max_amount_in: formatUnits(limit, 18) }
    expect(swapsSent(user).map(({ form }) => form)).toEqual([{ ...sent, deadline: expect.any(String) }])

    await expect(sheet.getByText(t('swap_as_quoted'), { exact: true })).toBeVisible()
    await expectExactOnPress(fact(sheet, t('swap_received')), data.amount_out, 'RT')
    await expectExactOnPress(fact(sheet, t('swap_sold')), cost, 'USDT')
    await expectExactOnPress(fact(sheet, t('swap_fee_paid')), data.fee, 'USDT')
    await sheet.getByRole('button', { name: t('swap_view_order') }).click()
    const order = page.getByRole('dialog', { name: 'USDT → RT' })
    await expectExactOnPress(fact(order, t('swap_sold')), cost, 'USDT')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(orders(user)).toHaveCount(1)
    await expect(orders(user).first()).toContainText(`+${cut(data.amount_out, 5)} RT`)
  })
}

/** Checks that an amount is short for reading, and exact to the last unit after a press. */
async function expectExactOnPress(shown: Locator, amount: string, asset: string): Promise<void> {
  if ((amount.split('.')[1]?.length ?? 0) > 8) {
    await expect(shown).not.toHaveText(`${amount} ${asset}`)
    await shown.getByRole('button').click()
  }
  await expect(shown).toHaveText(`${amount} ${asset}`)
}

/** Flips the form and sells the maximum, so that nothing is left. */
async function sellAll(user: Trading): Promise<void> {
  const { page, steps } = user
  const { t, button } = steps
  await test.step('sells all of it again', async () => {
    const held = await availableOf(user, 'RT')
    await button('swap_flip').click()
    await button('ui_max').click()
    const sell = page.getByRole('textbox', { name: t('swap_sell'), exact: true })
    await sell.focus()
    await expect(sell).toHaveValue(held)
    const sheet = await review(user)
    await expect(sheet.getByText(textPattern(user.locale, 'swap_confirm_text', { sell: `${held} RT` }))).toBeVisible()
    const { data } = await confirmSwap(user, sheet)
    expect(data).toMatchObject({ amount_in: held })
    await sheet.getByRole('button', { name: t('swap_done') }).click()
    await expect(orders(user)).toHaveCount(2)
    expect(await availableOf(user, 'RT')).toBe('0')
    await button('swap_flip').click()
  })
}

/** Checks that the device has no pending swap. */
async function expectNothingPending({ page, steps: { t } }: Holder): Promise<void> {
  await page.reload()
  await expect(page.getByRole('region', { name: t('swap_orders') }).getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('region', { name: t('account_lost_title') })).toHaveCount(0)
}

async function expectBooks(user: Holder): Promise<void> {
  await user.steps.open('/wallet/logs')
  await expectBooksAgree(user, await exportLog(user))
  await user.page.context().close()
}

/** Truncates an amount as the app shows it. */
function cut(amount: string, decimals = 6): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const kept = fraction.slice(0, decimals).replace(/0+$/, '')
  return kept === '' ? whole : `${whole}.${kept}`
}

function upToMillionths(units: bigint): string {
  const step = 10n ** 12n
  return formatUnits(((units + step - 1n) / step) * step, 18)
}

function unitsOf(amount: string | null | undefined): bigint {
  return parseUnits(amount ?? '', 18)
}
