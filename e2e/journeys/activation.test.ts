import { expect, test } from '@playwright/test'
import { parseUnits } from 'viem'
import { availableOf } from '../books.ts'
import { ownTransactions } from '../chain.ts'
import { holder, stored } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { expectSaidInBoth } from '../steps.ts'

test('an activation by wallet is pending over a reload, then done by itself; what was paid twice is in the balance', async ({
  browser,
}) => {
  const one = await holder(browser, { locale: 'zh-HK' })
  const { page, steps, wallet, call } = one
  const { t, button } = steps
  await steps.open('/')
  await steps.signIn(WALLET_NAME)
  await steps.takeTestTokens()
  await steps.open('/swap/activate')
  wallet.holdBack()
  await button('activation_by_wallet_action').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('payment_open_wallet') })
    .click()
  const pending = page.getByText(t('activation_status_pending'), { exact: true })
  await expect.poll(() => stored(page, `payments.${wallet.account.address.toLowerCase()}`)).toContain('"hash"')
  await page.reload()
  await expect(pending).toBeVisible()
  await expectSaidInBoth(page, 'activation_wait_tip')
  expect((await call('/SwapPool/getActiveStatus')).data).toMatchObject({ order: { status: 'created' } })
  const { order_id: order } = (await call('/SwapPool/getActiveStatus')).data.order

  await wallet.speedUp()
  await expect(page.getByText(t('activation_done'), { exact: true })).toBeVisible({ timeout: 30_000 })
  await expectSaidInBoth(page, 'activation_done_twice')
  expect(await availableOf(one, 'USDT')).toBe('0')
  expect(wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(1)

  // The same order once more, as from another device that did not know.
  const { vault, tokens } = await one.config()
  await ownTransactions(wallet.account).deposit(vault, tokens.USDT, parseUnits('10', 18), order)
  await steps.expectAvailable('USDT', '10')
  await expect(page.getByText(t('wallet_activated'), { exact: true })).toBeVisible()
  await page.context().close()
})
