import { expect, test } from '@playwright/test'
import { parseUnits } from 'viem'
import { availableOf } from '../books.ts'
import { transactionsOf } from '../chain.ts'
import { newHolder, storedPayments } from '../people.ts'
import { expectTextInBothLanguages } from '../steps.ts'

test('activation survives a reload, completes automatically and credits a second payment', async ({ browser }) => {
  const user = await newHolder(browser, { locale: 'zh-HK' })
  const { page, steps, wallet, call } = user
  const { t, button } = steps
  await user.openSignedIn('/wallet')
  await steps.takeTestTokens()
  await steps.open('/swap/activate')
  wallet.holdBack()
  await button('activation_by_wallet_action').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('payment_open_wallet') })
    .click()
  const pending = page.getByText(t('activation_status_pending'), { exact: true })
  await expect.poll(() => storedPayments(page)).toMatchObject([{ hash: expect.stringMatching(/^0x/) }])
  await page.reload()
  await expect(pending).toBeVisible()
  await expectTextInBothLanguages(page, 'activation_wait_tip')
  expect((await call('/SwapPool/getActiveStatus')).data).toMatchObject({ order: { status: 'created' } })
  const { order_id: order } = (await call('/SwapPool/getActiveStatus')).data.order

  // The activation is known before the user's response, which waits here.
  const answered = Promise.withResolvers<void>()
  await page.route('**/profile/userinfo', async (route) => {
    await answered.promise
    await route.fallback()
  })
  await wallet.speedUp()
  await expect(page.getByText(t('activation_done'), { exact: true })).toBeVisible({ timeout: 30_000 })
  await expectTextInBothLanguages(page, 'activation_done_twice')
  await steps.open('/wallet')
  await expect(page.getByRole('heading', { level: 1, name: t('nav_my_wallet') })).toBeVisible()
  await expect(page.getByText(t('wallet_activated'), { exact: true })).toBeVisible()
  answered.resolve()
  expect(await availableOf(user, 'USDT')).toBe('0')
  expect(wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(1)

  // Pays the same order again, as from another device.
  const { vault, tokens } = await user.config()
  await transactionsOf(wallet.account).deposit(vault, tokens.USDT, parseUnits('10', 18), order)
  await steps.expectAvailable('USDT', '10')
  await expect(page.getByText(t('wallet_activated'), { exact: true })).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.context().close()
})
