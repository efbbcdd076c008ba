import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectToast, stepsOf, textPattern } from '../steps.ts'

test.use({ locale: 'en-GB', hasTouch: false, isMobile: false })

test('keyboard users can swap, with the focus always visible', async ({ page }) => {
  test.slow()
  const { t, button, open } = stepsOf(page, 'en')
  const inSheet = (key: string) => page.getByRole('dialog').getByRole('button', { name: t(key), exact: true })
  const inBanner = (name: string) => page.getByRole('banner').getByRole('button', { name })
  /** Approves in the demo wallet's sheet. */
  const approve = async () => {
    const sheet = page.getByRole('dialog').filter({ hasText: t('demo_wallet_note') })
    const ok = sheet.getByRole('button', { name: t('demo_wallet_approve') })
    await ok.waitFor()
    const shown = await ok.elementHandle()
    await press(page, ok)
    await shown?.waitForElementState('hidden')
  }

  await open('/')
  await press(page, page.getByRole('button', { name: t('nav_connect'), exact: true }))
  await press(page, page.getByRole('dialog').getByRole('button', { name: t('demo_wallet_name') }))
  await approve()
  await press(page, inSheet('session_sign_in_wallet'))
  await approve()
  await expect(inBanner(t('nav_my_account'))).toBeVisible()
  await expectFocusKept(page)

  await press(page, page.getByRole('navigation', { name: t('nav_main') }).getByRole('link', { name: t('nav_wallet') }))
  await press(page, button('wallet_faucet'))
  await expectToast(page, /10 BNB · 10,000 USDT · 5 ETH/)

  await press(page, page.getByRole('main').getByRole('link', { name: t('wallet_transfer_in'), exact: true }))
  await tabTo(page, page.getByRole('radiogroup').getByRole('radio', { checked: true }))
  await page.keyboard.press('Home')
  while (!(await page.getByRole('radio', { name: 'USDT', exact: true }).isChecked()))
    await page.keyboard.press('ArrowRight')
  await tabTo(page, page.getByRole('textbox', { name: t('wallet_amount'), exact: true }))
  await page.keyboard.type('100')
  await press(page, button('wallet_continue'))
  await press(page, button('payment_open_wallet'))
  await approve()
  await approve()
  await expect(page.getByText(t('wallet_say_done', { amount: '100 USDT' }))).toBeVisible({ timeout: 30_000 })

  await open('/swap/activate')
  await tabTo(page, page.getByRole('radiogroup').getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('radio', { name: t('activation_by_wallet') })).toBeChecked()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: t('activation_by_balance') })).toBeChecked()
  await press(page, page.getByRole('main').getByRole('button', { name: t('activation_by_balance_action') }))
  await press(page, inSheet('activation_by_balance_action'))
  await expect(page.getByText(t('activation_done'), { exact: true })).toBeVisible()

  await open('/swap/exchange')
  await press(page, page.getByRole('button', { name: t('swap_choose_pair') }))
  await press(page, page.getByRole('dialog').getByRole('button', { name: /^ETH\/USDT/ }))
  await expect(page).toHaveURL(/pair=ETHUSDT/)
  const settings = page.getByRole('button', { name: t('swap_settings') })
  await press(page, settings)
  await tabTo(page, page.getByRole('radiogroup', { name: t('swap_slippage') }).getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowRight')
  await press(page, inSheet('swap_settings_save'))
  await expect(settings).toBeFocused()
  await expect(settings).toHaveAccessibleName(/ 1%$/)
  await press(page, button('swap_flip'))
  await expect(page.getByRole('button', { name: `ETH ${t('swap_choose_sell')}` })).toBeVisible()
  await press(page, button('swap_flip'))
  await tabTo(page, page.getByRole('textbox', { name: t('swap_buy'), exact: true }))
  await page.keyboard.type('0.005')
  await page.keyboard.press('Enter')
  await expect(inSheet('swap_action')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await press(page, page.getByRole('main').getByRole('button', { name: t('swap_action'), exact: true }))
  await press(page, inSheet('swap_action'))
  await expect(page.getByRole('dialog').getByText(t('swap_status_completed'))).toBeVisible()
  await press(page, inSheet('swap_done'))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectFocusKept(page)

  await open('/markets/ETHUSDT')
  await press(page, button('chart_show_candles'))
  const chart = page.getByRole('slider')
  await tabTo(page, chart)
  const last = (await chart.getAttribute('aria-valuemax')) ?? ''
  await page.keyboard.press('Home')
  // Not the first: at its end the chart loads older candles, and keeps the crosshair where it is.
  await expect(chart).not.toHaveAttribute('aria-valuenow', last)
  // The price at the crosshair becomes that of the alert.
  const alert = page.getByRole('button', { name: textPattern('en', 'market_alert_at') })
  const price = (await alert.textContent())?.replace(/[^\d.]/g, '') ?? ''
  await press(page, alert)
  const alertPrice = page.getByRole('dialog').getByRole('textbox', { name: `ETH/USDT · ${t('alert_price')}` })
  expect(Number((await alertPrice.inputValue()).replaceAll(',', ''))).toBe(Number(price))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(chart).toHaveAttribute('aria-valuenow', (await chart.getAttribute('aria-valuemax')) ?? '')
  await press(page, button('chart_as_table'))
  await tabTo(page, page.getByRole('region', { name: /^ETH\/USDT · / }))

  await open('/wallet/sell?asset=USDT')
  await tabTo(page, page.getByRole('textbox', { name: t('wallet_amount'), exact: true }))
  await page.keyboard.type('30')
  await press(page, button('wallet_continue'))
  await press(page, button('wallet_out_confirm'))
  await approve()
  await expect(page.getByText(t('wallet_out_say_done', { amount: '30 USDT' }))).toBeVisible({ timeout: 30_000 })

  await open('/wallet/logs')
  await press(page, button('history_logs_filter'))
  const kinds = page.getByLabel(t('history_logs_filter_kind'))
  await tabTo(page, kinds)
  await kinds.selectOption('withdrawal')
  await press(page, button('history_logs_filter_show'))
  await expect(button('history_logs_filter')).toBeFocused()
  const entry = page.getByRole('listitem').locator('[aria-haspopup=dialog]').first()
  await press(page, entry)
  await expect(page.getByRole('dialog').getByText(t('history_logs_exact'))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(entry).toBeFocused()
})

/** Tabs to a control and presses it. */
async function press(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control)
  // A control in progress keeps the focus and ignores presses.
  await expect(control).toBeEnabled()
  await page.keyboard.press('Enter')
}

/** Presses Tab until the control has the focus; every stop before it must be visible. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible()
  let { isHere } = await control.evaluate(focusState)
  for (let stop = 0; stop < 80 && !isHere; stop += 1) {
    await page.keyboard.press('Tab')
    const state = await control.evaluate(focusState)
    expect(state.isSeen, 'the focus is seen').toBe(true)
    isHere = state.isHere
  }
  if (!isHere) throw new Error(`Tab never comes to ${control}`)
}

/**
 * Reads where the focus is, and that the focused element is marked: one question, because a journey presses Tab hundreds
 * of times. Between the last and the first stop no element has the focus.
 */
function focusState(control: Element): { readonly isHere: boolean; readonly isSeen: boolean } {
  const focused = document.activeElement
  const isHere = control === focused
  if (!focused || focused === document.body || focused.hasAttribute('data-base-ui-focus-guard'))
    return { isHere, isSeen: true }
  const marked = (element: Element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  }
  // The border around a text field marks it.
  const isField = focused.matches('input, textarea, [role=textbox]')
  const isSeen = isField || marked(focused) || (focused.parentElement !== null && marked(focused.parentElement))
  return { isHere, isSeen }
}

async function expectFocusKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
}
