import { expect, test } from '@playwright/test'
import { formatUnits, parseUnits } from 'viem'
import { availableOf, expectBooksAgree, savedLog } from '../books.ts'
import type { Holder } from '../people.ts'
import { textPattern } from '../steps.ts'
import {
  askedByKey,
  confirm,
  fact,
  fillSell,
  loseOnTheWay,
  orders,
  QUIET_POOL,
  review,
  swapNow,
  swapsSent,
  type Trading,
  trading,
} from '../swapping.ts'
import type { Locale } from '../texts.ts'
import { newTrader, type Trader } from '../trader.ts'

const LOCALES: readonly Locale[] = ['zh-HK', 'en']

/** So much moves the price by one percent: ten times the tolerance that is set here. */
const LARGE = '5000'

let other: Trader
test.beforeAll(async () => {
  other = await newTrader({ USDT: '9500' })
})

for (const locale of LOCALES) {
  test(`an exact amount is bought, and all of it sold again; receipt, orders and books say the same (${locale})`, async ({
    browser,
  }) => {
    const one = await trading(browser, locale)
    const { page, call } = one
    await keepTightSettings(one)
    await buyExactly(one, '100')
    await sellAll(one)
    await test.step('the answer is lost, and the page finds out by itself', async () => {
      await page.route('**/SwapPool/doSwap', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await fillSell(one, '20')
      const sheet = await confirm(one)
      await expect(sheet.getByText(one.steps.t('swap_trying_again'))).toBeVisible()
      await expect(sheet.getByText(one.steps.t('swap_status_completed'))).toBeVisible({ timeout: 30_000 })
      await page.unroute('**/SwapPool/doSwap')
      await sheet.getByRole('button', { name: one.steps.t('swap_done') }).click()
      // However often it was sent, it was one command.
      const sent = swapsSent(one).slice(-3)
      expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
      expect(askedByKey(one)).toContain(sent[0]?.key)
      expect((await call('/SwapPool/orders')).data.items).toHaveLength(3)
    })
    await expectNothingPending(one)
    await expectBooks(one)
  })

  test(`the price moves before the swap, or its answer is lost with the page: it is said, and money moves once (${locale})`, async ({
    browser,
  }) => {
    const one = await trading(browser, locale)
    const { page, steps, call } = one
    const { t, button } = steps
    await keepTightSettings(one)

    await test.step('the server refuses what moved beyond the limit, and one tap accepts the new figure', async () => {
      await fillSell(one, '50')
      const sheet = await review(one)
      const before = await availableOf(one, 'USDT')
      // The page hears nothing of it before the server does.
      await page.route('**/SwapPool/getQuote', () => {})
      await other.swap({ pool: QUIET_POOL, amount: LARGE, inverse: true })
      const refused = page.waitForResponse('**/SwapPool/doSwap')
      await sheet.getByRole('button', { name: t('swap_action'), exact: true }).click()
      const { code, data } = await (await refused).json()
      expect(code).toBe(20007)
      await expect(sheet.getByText(t('swap_price_moved_text'), { exact: true })).toBeVisible()
      await expect(fact(sheet, t('swap_now'))).toHaveText(`${cut(data.amount_out)} RT`)
      expect(unitsOf((await fact(sheet, t('swap_before')).textContent())?.replace(' RT', ''))).toBeGreaterThan(
        unitsOf(data.amount_out),
      )
      expect(await availableOf(one, 'USDT')).toBe(before)
      await page.unroute('**/SwapPool/getQuote')
      await sheet.getByRole('button', { name: t('swap_accept_new') }).click()
      await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
      await expect(sheet.getByText(t('swap_as_quoted'), { exact: true })).toBeVisible()
      await sheet.getByRole('button', { name: t('swap_done') }).click()
      const [first, second] = swapsSent(one)
      expect(second?.key).not.toBe(first?.key)
      expect(unitsOf(second?.form.min_amount_out)).toBeLessThan(unitsOf(first?.form.min_amount_out))
      expect(unitsOf(await availableOf(one, 'USDT'))).toBe(unitsOf(before) - unitsOf('50'))
      expect((await call('/SwapPool/orders')).data.items).toHaveLength(1)
    })

    await test.step('a price that moves while the confirmation is open is said there, and nothing is sent', async () => {
      await button('swap_flip').click()
      await button('ui_max').click()
      const sheet = await review(one)
      await other.swap({ pool: QUIET_POOL, amount: '40000', inverse: false })
      await expect(sheet.getByText(t('swap_price_moved_text'), { exact: true })).toBeVisible()
      await sheet.getByRole('button', { name: t('app_cancel') }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      expect(swapsSent(one)).toHaveLength(2)
      await button('swap_flip').click()
    })

    await test.step('the page is closed before the answer comes: it is told at the next visit', async () => {
      const answered = Promise.withResolvers<void>()
      await page.route('**/SwapPool/doSwap', async (route) => {
        await route.fetch()
        answered.resolve()
      })
      await fillSell(one, '30')
      await confirm(one)
      await answered.promise
      await page.reload()
      await page.unroute('**/SwapPool/doSwap')
      const note = page.getByRole('region', { name: t('swap_lost_title') })
      await expect(note.getByText(t('swap_lost_completed'))).toBeVisible()
      await note.getByRole('button', { name: t('swap_lost_open') }).click()
      const sheet = page.getByRole('dialog')
      await expect(fact(sheet, t('swap_sold'))).toHaveText('30 USDT')
      await sheet.getByRole('button', { name: t('swap_done') }).click()
      await expect(note).toHaveCount(0)
      expect(askedByKey(one)).toContain(swapsSent(one).at(-1)?.key)
      expect((await call('/SwapPool/orders')).data.items).toHaveLength(2)
    })

    await test.step('it never came to the server: it may still, and can be sent again under its key', async () => {
      const note = await loseOnTheWay(one, '40')
      await note.getByRole('button', { name: t('swap_lost_open') }).click()
      const sheet = page.getByRole('dialog')
      await expect(sheet.getByText(textPattern(locale, 'swap_lost_not_found'))).toBeVisible()
      await expect(sheet.getByText(t('swap_lost_not_twice'))).toBeVisible()
      await sheet.getByRole('button', { name: t('swap_lost_again') }).click()
      await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
      await sheet.getByRole('button', { name: t('swap_done') }).click()
      const [lost, again] = swapsSent(one).slice(-2)
      expect(again).toEqual(lost)
      expect((await call('/SwapPool/orders')).data.items).toHaveLength(3)
    })

    await expectNothingPending(one)
    await expectBooks(one)
  })
}

/** A tight tolerance and an hour; both are there when the page is loaded anew. What is too tight is said. */
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
  await steps.button('swap_flip').click()
}

/** Types the side that is bought; what is confirmed, sent, done and listed is that amount to the unit. */
async function buyExactly(one: Trading, amount: string): Promise<void> {
  const { page, steps, call } = one
  const { t } = steps
  await test.step('an exact amount is bought', async () => {
    await page.getByRole('textbox', { name: t('swap_buy'), exact: true }).fill(amount)
    const sheet = await review(one)
    const quoted = { pool_id: QUIET_POOL, amount, inverse: '1', exact: 'out' }
    const { amount_in: cost } = (await call('/SwapPool/getQuote', quoted)).data
    const words = textPattern(one.locale, 'swap_confirm_text_out', { buy: `${amount} RT` })
    await expect(sheet.getByText(words)).toBeVisible()
    // A thousandth more than quoted; where it is cut for reading, it is shown as more.
    const limit = (unitsOf(cost) * 1_001n) / 1_000n
    await expect(fact(sheet, t('swap_maximum'))).toHaveText(`${upToMillionths(limit)} USDT`)
    const { data } = await swapNow(one, sheet)
    expect(data).toMatchObject({ amount_in: cost, status: 'completed' })
    const sent = { ...quoted, max_amount_in: formatUnits(limit, 18) }
    expect(swapsSent(one).map(({ form }) => form)).toEqual([{ ...sent, deadline: expect.any(String) }])

    await expect(sheet.getByText(t('swap_as_quoted'), { exact: true })).toBeVisible()
    await expect(fact(sheet, t('swap_received'))).toHaveText(`${data.amount_out} RT`)
    await expect(fact(sheet, t('swap_sold'))).toHaveText(`${cost} USDT`)
    await expect(fact(sheet, t('swap_fee_paid'))).toHaveText(`${data.fee} USDT`)
    await sheet.getByRole('button', { name: t('swap_view_order') }).click()
    const order = page.getByRole('dialog', { name: 'USDT → RT' })
    await expect(fact(order, t('swap_sold'))).toHaveText(`${cost} USDT`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(orders(one)).toHaveCount(1)
    await expect(orders(one).first()).toContainText(`+${cut(data.amount_out, 5)} RT`)
  })
}

/** Turned round and Max: nothing of it is left. */
async function sellAll(one: Trading): Promise<void> {
  const { page, steps } = one
  const { t, button } = steps
  await test.step('all of it is sold again', async () => {
    const held = await availableOf(one, 'RT')
    await button('swap_flip').click()
    await button('ui_max').click()
    await expect(page.getByRole('textbox', { name: t('swap_sell'), exact: true })).toHaveValue(held)
    const sheet = await review(one)
    await expect(sheet.getByText(textPattern(one.locale, 'swap_confirm_text', { sell: `${held} RT` }))).toBeVisible()
    const { data } = await swapNow(one, sheet)
    expect(data).toMatchObject({ amount_in: held })
    await sheet.getByRole('button', { name: t('swap_done') }).click()
    await expect(orders(one)).toHaveCount(2)
    expect(await availableOf(one, 'RT')).toBe('0')
    await button('swap_flip').click()
  })
}

/** Nothing is left that this device does not know the end of. */
async function expectNothingPending({ page, steps: { t } }: Holder): Promise<void> {
  await page.reload()
  await expect(page.getByRole('region', { name: t('swap_orders') }).getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('region', { name: t('swap_lost_title') })).toHaveCount(0)
}

async function expectBooks(one: Holder): Promise<void> {
  await one.steps.open('/wallet/logs')
  await expectBooksAgree(one, await savedLog(one))
  await one.page.context().close()
}

/** Cut, as amounts are for reading. */
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
