import { expect, test } from '@playwright/test'
import { parseUnits } from 'viem'
import { availableOf, expectBooksAgree, exportLog } from '../books.ts'
import { chainControl, TOKEN_ABI } from '../chain.ts'
import { type Holder, newHolder } from '../people.ts'
import { expectTextInBothLanguages } from '../steps.ts'
import { newTrader } from '../trader.ts'

test('a transfer out locked on one device completes on another', async ({ browser }) => {
  test.slow()
  const { key } = await newTrader({ USDT: '100', BNB: '0.5', activates: false })
  const first = await newHolder(browser, { locale: 'zh-HK', key })
  const order = await lockAmount(first)
  await first.page.context().close()

  const second = await newHolder(browser, { key })
  await submitVoucher(second, order)
  const { page, steps, wallet } = second
  const { t } = steps

  await test.step('the log filter survives a reload', async () => {
    await steps.open('/wallet/logs')
    const entries = page.getByRole('listitem').filter({ has: page.locator('[aria-haspopup=dialog]') })
    await expect(entries).toHaveCount(5)
    const openFilter = () => steps.button('history_logs_filter').click()
    const closeFilter = () => steps.button('history_logs_filter_show').click()
    await openFilter()
    await page.getByRole('radio', { name: 'USDT', exact: true }).click()
    await page.getByLabel(t('history_logs_filter_kind')).selectOption('withdrawal_lock')
    await page.getByLabel(t('history_logs_filter_range')).selectOption('today')
    await closeFilter()
    await expect(entries).toHaveCount(2)
    await page.reload()
    await expect(entries).toHaveCount(2)
    for (const name of ['USDT', t('wallet_entry_withdrawal_lock'), t('history_range_today')])
      await expect(page.getByRole('button', { name: t('history_logs_filter_remove', { name }) })).toHaveText(name)
    await openFilter()
    await expect(page.getByRole('radio', { name: 'USDT', exact: true })).toBeChecked()
    await expect(page.getByLabel(t('history_logs_filter_kind'))).toHaveValue('withdrawal_lock')
    await expect(page.getByLabel(t('history_logs_filter_range'))).toHaveValue('today')
    await closeFilter()
    const [narrowed] = await Promise.all([exportLog(second), expectToastOffControls(second)])
    expect(narrowed.map(({ asset, kind, amount, place }) => [asset, kind, amount, place])).toEqual([
      ['USDT', 'withdrawal_lock', '-40.000000000000000001', 'available'],
      ['USDT', 'withdrawal_lock', '40.000000000000000001', 'locked'],
    ])
    await page.getByRole('button', { name: t('history_logs_filter_remove', { name: 'USDT' }) }).click()
    await openFilter()
    await expect(page.getByRole('radio', { name: t('history_logs_all'), exact: true })).toBeChecked()
    await page.getByLabel(t('history_logs_filter_range')).selectOption('own')
    await page.getByLabel(t('history_range_from')).fill('2001-01-01')
    await page.getByLabel(t('history_range_to')).fill('2001-12-31')
    await closeFilter()
    await expectTextInBothLanguages(page, 'history_logs_none')
    await steps.button('history_logs_clear').click()
    await expect(entries).toHaveCount(5)
  })

  await test.step('a view that was chosen in the row keeps the focus on another screen', async () => {
    const all = page
      .getByRole('navigation', { name: t('history_activity_filter') })
      .getByRole('link', { name: t('history_activity_all'), exact: true })
    await all.click()
    await expect(page.getByRole('heading', { level: 1, name: t('title_wallet_activity') })).toBeVisible()
    await expect(all).toBeFocused()
    await steps.tab('nav_wallet')
    await steps.open('/wallet/activity')
    await expect(all).toBeVisible()
    await expect(all).not.toBeFocused()
    await steps.open('/wallet/logs')
  })

  await test.step('opening a log entry shows all its fields', async () => {
    await page
      .getByRole('button')
      .filter({ hasText: t('wallet_entry_withdrawal') })
      .first()
      .click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByText('-40.000000000000000001').or(sheet.getByText('−40.000000000000000001'))).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
  })

  await test.step('all views agree to the unit', async () => {
    const transactions = await expectBooksAgree(second, await exportLog(second))
    const [out, ...ins] = transactions.map(({ kind, asset, amount, status }) => [kind, asset, amount, status])
    expect(out).toEqual(['transfer_out', 'USDT', '40.000000000000000001', 'confirmed'])
    // Two payments that are booked together have one time, and no order.
    expect(ins.toSorted()).toEqual([
      ['transfer_in', 'BNB', '0.5', 'confirmed'],
      ['transfer_in', 'USDT', '100', 'confirmed'],
    ])
    expect(await availableOf(second, 'USDT')).toBe('59.999999999999999999')
    const { tokens } = await second.config()
    const held = await chainControl().readContract({
      address: tokens.USDT,
      abi: TOKEN_ABI,
      functionName: 'balanceOf',
      args: [wallet.account.address],
    })
    expect(held).toBe(parseUnits('9940.000000000000000001', 18))

    await steps.open('/transaction')
    const rows = page.getByRole('article')
    await expect(rows).toHaveCount(3)
    await expect(rows.getByText(t('history_chain_confirmed'), { exact: true })).toHaveCount(3)
    for (const [row, { tx_hash: hash }] of transactions.entries())
      await expect(rows.nth(row).getByTitle(hash)).toBeVisible()
    await expectTextInBothLanguages(page, 'history_chain_transfer_out')
    await rows
      .first()
      .getByRole('link', { name: t('history_chain_order') })
      .click()
    await expect(page.getByText(t('wallet_out_say_done', { amount: '40 USDT' }))).toBeVisible()
  })

  await test.step('the summary shows the total value', async () => {
    await steps.open('/wallet')
    await page.getByRole('link', { name: t('title_wallet_summary') }).click()
    const { data } = await second.call('/Wallet/summary')
    expect(Number(data.total_usdt)).toBeGreaterThan(60)
    for (const part of ['history_by_asset', 'history_by_status'])
      await expect(page.getByRole('region', { name: t(part) })).toBeVisible()
    await expect(page.getByRole('region', { name: t('history_by_asset') }).getByTitle('0.5 BNB')).toBeVisible()
    await page.getByRole('radio', { name: t('history_period_day'), exact: true }).click()
    await expect(page).toHaveURL(/period=day/)
    await expectTextInBothLanguages(page, 'history_by_status')
  })
  await page.context().close()
})

/** Tries invalid transfers out, locks an amount, and rejects the request in the wallet. */
async function lockAmount(user: Holder): Promise<string> {
  const { page, steps, wallet, call } = user
  const { t, button } = steps
  await user.openSignedIn('/wallet/sell')

  await test.step('an invalid transfer out is rejected before anything is locked', async () => {
    await steps.open('/wallet/sell')
    await page.getByRole('radio', { name: 'USDT', exact: true }).click()
    const amount = page.getByRole('textbox', { name: t('wallet_amount'), exact: true })
    await page.getByRole('button', { name: `${t('wallet_out_today')} 100 USDT`, exact: true }).click()
    await expect(amount).toHaveValue('100')
    await expectTextInBothLanguages(page, 'wallet_out_today')
    await amount.fill('100.000000000000000001')
    await expect(page.getByText(t('wallet_balance_not_enough'), { exact: true })).toBeVisible()
    await amount.fill('9.99')
    await button('wallet_continue').click()
    await expect(page.getByText(t('wallet_out_under_min', { min: '10 USDT' }), { exact: true })).toBeVisible()
    // The server enforces the same limits without the form.
    for (const [amount, code] of [
      ['100.000000000000000001', 20001],
      ['9.99', 20006],
      ['1000000.1', 20006],
    ] as const)
      expect((await call('/Wallet/sell', { asset: 'USDT', amount })).code).toBe(code)
    expect(await availableOf(user, 'USDT')).toBe('100')
  })

  return test.step('the amount stays locked after a rejection in the wallet', async () => {
    await steps.begin('out', 'USDT', '40.000000000000000001')
    const amount = '40.000000000000000001 USDT'
    await expectTextInBothLanguages(page, ['wallet_out_lock_text', 'wallet_out_safe'], { amount })
    await expect(page.getByText(wallet.account.address, { exact: true })).toBeVisible()
    wallet.refuse('eth_sendTransaction')
    await button('wallet_out_confirm').click()
    await expectTextInBothLanguages(page, ['payment_fail_rejected', 'wallet_out_stays_locked'])
    const [order] = (await call('/Wallet/sellOrders')).data.items
    expect(order).toMatchObject({ status: 'signed', amount: '40.000000000000000001' })
    expect((await call('/Wallet/balances')).data).toContainEqual(
      expect.objectContaining({ asset: 'USDT', available: '59.999999999999999999', locked: '40.000000000000000001' }),
    )
    return order.order_id
  })
}

/** Finds the voucher on another device and submits it. */
async function submitVoucher(user: Holder, order: string): Promise<void> {
  const { page, steps, wallet, call } = user
  const { t, button } = steps
  await user.openSignedIn('/wallet')
  const pending = page.getByRole('region', { name: t('wallet_in_progress') }).getByRole('listitem')
  await expect(pending.getByText(t('wallet_out_state_signed'), { exact: true })).toBeVisible()
  await page.getByRole('link', { name: t('title_wallet_sell_order') }).click()
  await page.getByRole('listitem').getByText(t('wallet_out_state_signed'), { exact: true }).click()
  await expectTextInBothLanguages(page, 'wallet_out_say_submit')
  await button('payment_open_wallet').click()
  await expect(page.getByText(t('wallet_out_say_done', { amount: '40 USDT' }))).toBeVisible({ timeout: 30_000 })
  await expectTextInBothLanguages(page, 'wallet_out_say_done')
  // The wallet gets one request, for the voucher.
  const sent = wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')
  expect(sent).toHaveLength(1)
  expect((await call('/Wallet/sellOrders')).data.items).toMatchObject([{ order_id: order, status: 'completed' }])
}

/** A toast is between the title and the tabs, so it covers no control of the frame. */
async function expectToastOffControls({ page, steps: { t } }: Holder): Promise<void> {
  const places = [
    page.locator('[data-toast]'),
    page.getByRole('heading', { level: 1 }),
    page.getByRole('navigation', { name: t('nav_main') }),
  ]
  const [toast, title, tabs] = await Promise.all(places.map((place) => place.boundingBox()))
  if (!toast || !title || !tabs) throw new Error('the toast, the title or the tabs are not there')
  expect(toast.y).toBeGreaterThanOrEqual(title.y + title.height)
  expect(toast.y + toast.height).toBeLessThanOrEqual(tabs.y)
}
