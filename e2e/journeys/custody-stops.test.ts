import { expect, test } from '@playwright/test'
import type { Hex } from 'viem'
import { availableOf, savedLog } from '../books.ts'
import { chainControl, VAULT_ABI } from '../chain.ts'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, holder } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { expectSaidInBoth } from '../steps.ts'

/** Vouchers of the local profile pay for an hour. */
const PAST_DEADLINE_S = 3_601

let server: OwnServer
test.beforeAll(async () => {
  test.setTimeout(120_000)
  server = await startOwnServer()
})
test.afterAll(async () => {
  await server.stop()
})

test('a voucher that lapses gives its amount back; a paused vault and one that holds too little say so, and lock nothing', async ({
  browser,
}) => {
  test.slow()
  const { baseURL, chainPort } = server
  const one = await holder(browser, { baseURL, chainPort })
  const { page, steps, wallet, call } = one
  const { t, button } = steps
  const chain = chainControl(chainPort)
  const { vault } = await one.config()
  await steps.open('/')
  await steps.signIn(WALLET_NAME)
  await steps.takeTestTokens()
  await steps.transferIn('USDT', '100')
  await steps.activateByBalance()

  await test.step('not submitted in time: the amount comes back, and the voucher is worth nothing', async () => {
    await steps.begin('out', 'USDT', '30')
    wallet.refuse('eth_sendTransaction')
    await button('wallet_out_confirm').click()
    await expect(page.getByText(t('payment_fail_rejected'))).toBeVisible()
    wallet.approveAll()
    const [{ calldata }] = (await call('/Wallet/sellOrders')).data.items
    expect(await availableOf(one, 'USDT')).toBe('60')
    await advance(one, PAST_DEADLINE_S)
    await expectSaidInBoth(page, 'wallet_out_say_expired', { amount: '30 USDT' })
    expect(await availableOf(one, 'USDT')).toBe('90')
    const account = wallet.account.address
    await expect(chain.call({ account, to: vault, data: calldata })).rejects.toThrow(/revert/)
    await steps.open('/wallet/sellOrder')
    await expectSaidInBoth(page, 'wallet_out_state_expired')
    await steps.open('/wallet/logs')
    const log = await savedLog(one)
    expect(log.filter(({ kind }) => kind === 'withdrawal_release').map(({ amount, place }) => [place, amount])).toEqual(
      [
        ['locked', '-30'],
        ['available', '30'],
      ],
    )
  })

  await test.step('the vault is paused: nothing goes out or in, and it goes on after', async () => {
    await asRole(chainPort, vault, 'guardian', 'pause')
    await steps.begin('out', 'USDT', '30')
    await button('wallet_out_confirm').click()
    const alert = page.getByRole('alert')
    await expect(alert).toHaveText(`${t('wallet_out_refuse_paused')} ${t('wallet_out_not_locked')}`)
    await steps.begin('in', 'BNB', '1')
    await button('payment_open_wallet').click()
    await expectSaidInBoth(page, 'payment_fail_paused')
    await expectSaidInBoth(page, 'payment_nothing_sent')
    expect(await availableOf(one, 'USDT')).toBe('90')
    await asRole(chainPort, vault, 'owner', 'unpause')
    await button('app_retry').click()
    await expect(page.getByText(t('wallet_say_done', { amount: '1 BNB' }))).toBeVisible({ timeout: 30_000 })
  })

  await test.step('the vault holds less than the ledger says: money stays, and can still be looked at', async () => {
    await chain.setBalance({ address: vault, value: 1n })
    // What the last check found counts for a few seconds.
    await advance(one, 60)
    await steps.begin('out', 'USDT', '30')
    await button('wallet_out_confirm').click()
    const alert = page.getByRole('alert')
    await expect(alert).toHaveText(`${t('wallet_out_refuse_insolvent')} ${t('wallet_out_not_locked')}`)
    expect(server.alarms()).toContain('BNB missing')
    const [{ id: pool_id }] = (await call('/SwapPool/pairs')).data
    const deadline = new Date(Date.parse(await advance(one, 1)) + 600_000).toISOString()
    const swap = { pool_id, amount: '1', inverse: '1', min_amount_out: '0', deadline }
    expect(await call('/SwapPool/doSwap', swap)).toMatchObject({ code: 20005, msg: 'Trading suspended' })
    expect((await call('/SwapPool/doSwap', swap, 'zh-HK')).msg).toBe('交易已暫停')
    await steps.expectAvailable('USDT', '90')
  })
  await page.context().close()
})

/** Moves the clocks of server and chain. @returns what time it is then. */
async function advance({ page }: Holder, seconds: number): Promise<string> {
  const moved = await page.request.post('/api/Local/advance', { form: { seconds: String(seconds) } })
  const { code, data } = await moved.json()
  expect(code).toBe(1)
  return data.time
}

/** Pauses the vault or lets it go on, as the account that may. */
async function asRole(port: number, vault: Hex, role: 'guardian' | 'owner', functionName: 'pause' | 'unpause') {
  const chain = chainControl(port)
  const account = await chain.readContract({ address: vault, abi: VAULT_ABI, functionName: role })
  await chain.impersonateAccount({ address: account })
  await chain.setBalance({ address: account, value: 10n ** 18n })
  const hash = await chain.writeContract({ account, address: vault, abi: VAULT_ABI, functionName })
  expect((await chain.waitForTransactionReceipt({ hash })).status).toBe('success')
}
