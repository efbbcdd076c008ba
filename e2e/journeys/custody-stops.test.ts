import { expect, test } from '@playwright/test'
import type { Hex } from 'viem'
import { availableOf, exportLog } from '../books.ts'
import { chainControl, VAULT_ABI } from '../chain.ts'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, newHolder } from '../people.ts'
import { expectTextInBothLanguages } from '../steps.ts'
import { newTrader } from '../trader.ts'

/** Vouchers of the local profile are valid for one hour. */
const PAST_DEADLINE_S = 3_601

let server: OwnServer
test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startOwnServer()
})
test.afterAll(async () => {
  await server.stop()
})

test('transfers stop safely for expired vouchers, a paused vault and a shortfall', { tag: '@night' }, async ({
  browser,
}) => {
  test.slow()
  const { baseURL, chainPort } = server
  // Activated, with 90 USDT.
  const { key } = await newTrader({ USDT: '100', baseURL, chainPort })
  const user = await newHolder(browser, { key, baseURL, chainPort })
  const { page, steps, wallet, call } = user
  const { t, button } = steps
  const chain = chainControl(chainPort)
  const { vault } = await user.config()
  await user.openSignedIn('/wallet')

  await test.step('an expired voucher returns its amount and cannot be used', async () => {
    await steps.begin('out', 'USDT', '30')
    wallet.refuse('eth_sendTransaction')
    await button('wallet_out_confirm').click()
    await expect(page.getByText(t('payment_fail_rejected'), { exact: true })).toBeVisible()
    wallet.approveAll()
    const [{ calldata }] = (await call('/Wallet/sellOrders')).data.items
    expect(await availableOf(user, 'USDT')).toBe('60')
    await advance(user, PAST_DEADLINE_S)
    await expectTextInBothLanguages(page, 'wallet_out_say_expired', { amount: '30 USDT' })
    expect(await availableOf(user, 'USDT')).toBe('90')
    const account = wallet.account.address
    await expect(chain.call({ account, to: vault, data: calldata })).rejects.toThrow(/revert/)
    await steps.open('/wallet/sellOrder')
    await expectTextInBothLanguages(page, 'wallet_out_state_expired')
    await steps.open('/wallet/logs')
    const log = await exportLog(user)
    expect(log.filter(({ kind }) => kind === 'withdrawal_release').map(({ amount, place }) => [place, amount])).toEqual(
      [
        ['locked', '-30'],
        ['available', '30'],
      ],
    )
  })

  await test.step('a paused vault stops transfers until it resumes', async () => {
    await asRole(chainPort, vault, 'guardian', 'pause')
    await steps.begin('out', 'USDT', '30')
    await button('wallet_out_confirm').click()
    await steps.closeMessage('Trading suspended')
    const alert = page.getByRole('alert')
    const texts = [t('wallet_out_refuse_paused'), t('wallet_out_not_locked'), t('payment_next_later')]
    await expect(alert).toHaveText(texts.join(' '))
    await steps.begin('in', 'BNB', '1')
    await button('payment_open_wallet').click()
    await expectTextInBothLanguages(page, ['payment_fail_paused', 'payment_nothing_sent'])
    expect(await availableOf(user, 'USDT')).toBe('90')
    await asRole(chainPort, vault, 'owner', 'unpause')
    await button('app_retry').click()
    await expect(page.getByText(t('wallet_say_done', { amount: '1 BNB' }))).toBeVisible({ timeout: 30_000 })
  })

  await test.step('a vault shortfall stops transfers while balances stay visible', async () => {
    await chain.setBalance({ address: vault, value: 1n })
    // The result of the last check is cached for a few seconds.
    await advance(user, 60)
    await steps.begin('out', 'USDT', '30')
    await button('wallet_out_confirm').click()
    await steps.closeMessage('Trading suspended')
    const alert = page.getByRole('alert')
    await expect(alert).toHaveText(`${t('wallet_out_refuse_insolvent')} ${t('wallet_out_not_locked')}`)
    expect(server.alarms()).toContain('BNB missing')
    const [{ id: pool_id }] = (await call('/SwapPool/pairs')).data
    const deadline = new Date(Date.parse(await advance(user, 1)) + 600_000).toISOString()
    const swap = { pool_id, amount: '1', inverse: '1', min_amount_out: '0', deadline }
    expect(await call('/SwapPool/doSwap', swap)).toMatchObject({ code: 20005, msg: 'Trading suspended' })
    expect((await call('/SwapPool/doSwap', swap, 'zh-HK')).msg).toBe('交易已暫停')
    await steps.expectAvailable('USDT', '90')
  })

  await test.step('the proof of reserves names the shortfall, and the browser reads it too', async () => {
    await steps.open('/')
    const card = page.getByRole('region', { name: t('proof_title'), exact: true })
    // It loads near the screen.
    await expect(async () => {
      await page.keyboard.press('End')
      await expect(card).toContainText(/ BNB is missing from the vault\./, { timeout: 2_000 })
    }).toPass()
    await card.getByRole('button', { name: t('proof_open') }).click()
    await expect(page.getByRole('dialog').getByText(t('proof_short'), { exact: true })).toBeVisible()
  })

  await test.step('a chain that is away is announced before a press', async () => {
    await server.endChain()
    const degraded = async () => (await (await page.request.get('/api/config')).json()).data.degraded
    await expect.poll(degraded, { timeout: 30_000 }).toEqual(['chain'])
    await page.reload()
    await steps.open('/wallet/sell')
    await expectTextInBothLanguages(page, 'wallet_out_chain_away')
    await steps.open('/wallet/buy')
    await expectTextInBothLanguages(page, 'wallet_in_chain_away')
  })
  await page.context().close()
})

/** Moves the clocks of server and chain. @returns the new time. */
async function advance({ page }: Holder, seconds: number): Promise<string> {
  const moved = await page.request.post('/api/Local/advance', { form: { seconds: String(seconds) } })
  const { code, data } = await moved.json()
  expect(code).toBe(1)
  return data.time
}

/** Pauses or resumes the vault from the account with that role. */
async function asRole(port: number, vault: Hex, role: 'guardian' | 'owner', functionName: 'pause' | 'unpause') {
  const chain = chainControl(port)
  const account = await chain.readContract({ address: vault, abi: VAULT_ABI, functionName: role })
  await chain.impersonateAccount({ address: account })
  await chain.setBalance({ address: account, value: 10n ** 18n })
  const hash = await chain.writeContract({ account, address: vault, abi: VAULT_ABI, functionName })
  expect((await chain.waitForTransactionReceipt({ hash, checkReplacement: false })).status).toBe('success')
}
