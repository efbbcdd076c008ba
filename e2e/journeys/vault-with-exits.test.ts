import { expect, test } from '@playwright/test'
import { availableOf } from '../books.ts'
import { chainControl, transactionsOf } from '../chain.ts'
import { chooseLateBookkeeper, type LateBookkeeper } from '../late-bookkeeper.ts'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, newHolder } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { expectTextInBothLanguages } from '../steps.ts'

let bookkeeper: LateBookkeeper
let server: OwnServer
test.beforeAll(async () => {
  test.setTimeout(180_000)
  bookkeeper = await chooseLateBookkeeper()
  server = await startOwnServer({ VAULT_KIND: 'exits', ...bookkeeper.variables })
})
test.afterAll(async () => {
  await bookkeeper.stop()
  await server.stop()
})

test('a transfer out waits for the second signature', async ({ browser }) => {
  test.slow()
  const holder = await newHolder(browser, { baseURL: server.baseURL, chainPort: server.chainPort })
  const { page, steps, call } = holder
  const { t, button } = steps
  await steps.open('/')
  await steps.signIn(WALLET_NAME)
  await steps.takeTestTokens()
  await steps.transferIn('USDT', '100')

  await test.step('a waiting transfer survives a reload, and is cancelled', async () => {
    await lock(holder)
    await expectTextInBothLanguages(page, 'wallet_out_say_second')
    await page.reload()
    await expect(page.getByText(t('wallet_out_say_second'), { exact: true })).toBeVisible()
    expect(await availableOf(holder, 'USDT')).toBe('60')
    await button('wallet_out_cancel').click()
    await expect(page.getByText(t('wallet_out_say_cancelled', { amount: '40 USDT' }))).toBeVisible()
    expect(await availableOf(holder, 'USDT')).toBe('100')
  })

  await test.step('a signed transfer is paid with its root', async () => {
    await lock(holder)
    await expect(page.getByText(t('wallet_out_say_second'), { exact: true })).toBeVisible()
    const { vault } = await holder.config()
    bookkeeper.start({ serverUrl: server.baseURL, chainPort: server.chainPort, vault })
    await button('payment_open_wallet').click({ timeout: 60_000 })
    await expect(page.getByText(t('wallet_out_say_done', { amount: '40 USDT' }))).toBeVisible({ timeout: 30_000 })
    const { items } = (await call('/Wallet/sellOrders')).data
    expect(items.map(({ status }: { status: string }) => status)).toEqual(['completed', 'cancelled'])
  })

  await test.step('an account that asks the vault for its exit is locked until it stays', async () => {
    const { vault } = await holder.config()
    const vaultOf = transactionsOf(holder.wallet.account, server.chainPort)
    await vaultOf.askVault(vault, 'requestExit')
    await expect.poll(() => exitOf(holder)).toMatch(/^(requested|open)$/)
    await lock(holder)
    await steps.closeMessage('This account is leaving')
    expect(await call('/Wallet/sell', { asset: 'USDT', amount: '10' })).toMatchObject({ code: 20016 })
    expect(await availableOf(holder, 'USDT')).toBe('60')
    await vaultOf.askVault(vault, 'cancelExit')
    await chainControl(server.chainPort).mine({ blocks: 30 })
    await expect.poll(() => exitOf(holder)).toBe('none')
    expect(await call('/Wallet/sell', { asset: 'USDT', amount: '10' })).toMatchObject({ code: 1 })
  })
  await page.context().close()
})

async function exitOf({ call }: Holder): Promise<string> {
  return (await call('/proof/exit')).data.state
}

/** Confirms a transfer of 40 USDT. */
async function lock({ steps }: Holder): Promise<void> {
  await steps.begin('out', 'USDT', '40')
  await steps.button('wallet_out_confirm').click()
}
