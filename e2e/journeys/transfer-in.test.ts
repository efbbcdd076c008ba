import { expect, test } from '@playwright/test'
import { parseEther, parseUnits } from 'viem'
import { availableOf } from '../books.ts'
import { chainControl, transactionsOf } from '../chain.ts'
import { type Holder, newHolder, storedPayments } from '../people.ts'
import type { SigningWallet } from '../signing-wallet.ts'
import { expectTextInBothLanguages, expectToast, stepsOf } from '../steps.ts'
import { type Locale, localesOf } from '../texts.ts'

const LOCALES: readonly Locale[] = ['zh-HK', 'en']
const APPROVE = '0x095ea7b3'
const NO_ORDER = `0x${'0'.repeat(64)}` as const

test('a payment survives reloads, replacements and both kinds of approval', async ({ browser }) => {
  const user = await newHolder(browser, { locale: 'zh-HK' })
  const { page, steps, wallet, call } = user
  const { t, button } = steps
  const { vault } = await user.config()
  const done = (amount: string) => expectDone(user, amount)
  await user.openSignedIn('/wallet')
  await steps.takeTestTokens()

  await test.step('a permit payment continues after the page closed', async () => {
    await steps.begin('in', 'USDT', '100')
    const release = wallet.hold('eth_sendTransaction')
    await button('payment_open_wallet').click()
    await expect.poll(() => sentBy(wallet)).toHaveLength(1)
    expect(wallet.signedTyped.map(({ primaryType, message }) => [primaryType, message.spender, message.value])).toEqual(
      [['Permit', vault, `${parseUnits('100', 18)}`]],
    )
    await page.reload()
    await expectTextInBothLanguages(page, 'payment_say_no_response')
    release()
    await done('100 USDT')
    expect(sentBy(wallet)).toHaveLength(1)
  })

  await test.step('a wallet without typed data approves the exact amount', async () => {
    wallet.failWith('eth_signTypedData_v4', { code: 4200, message: 'The method is not supported.' })
    await steps.begin('in', 'USDT', '50')
    await button('payment_open_wallet').click()
    await done('50 USDT')
    wallet.approveAll()
    const [approval, payment] = sentBy(wallet).slice(1)
    expect(approval?.slice(0, 10)).toBe(APPROVE)
    expect(BigInt(`0x${approval?.slice(-64)}`)).toBe(parseUnits('50', 18))
    expect(approval).toContain(vault.slice(2).toLowerCase())
    expect(payment?.slice(0, 10)).not.toBe(APPROVE)
    expect(sentBy(wallet)).toHaveLength(3)
  })

  await test.step('a payment is followed when sped up after a reload', async () => {
    wallet.holdBack()
    await steps.begin('in', 'BNB', '0.5')
    await button('payment_open_wallet').click()
    await expect(page.getByText(t('payment_detail_block'))).toBeVisible()
    await page.reload()
    await expect(page.getByText(t('payment_detail_block'))).toBeVisible()
    const hash = await wallet.speedUp()
    await done('0.5 BNB')
    await expect(page.getByTitle(hash)).toBeVisible()
    expect((await call('/Wallet/buyOrders')).data.items[0]).toMatchObject({ credited: '0.5', tx_hash: hash })
  })

  await test.step('a cancelled payment credits nothing and can be sent again', async () => {
    wallet.holdBack()
    await steps.begin('in', 'BNB', '0.4')
    await button('payment_open_wallet').click()
    // The page must have seen the transaction before it can notice that it is gone.
    const seen = { transfer: { amount: '0.4' }, sent: { nonce: expect.any(Number) } }
    await expect.poll(async () => (await storedPayments(page))[0]).toMatchObject(seen)
    await wallet.cancel()
    await expectTextInBothLanguages(page, 'payment_lost_cancelled')
    expect(await availableOf(user, 'BNB')).toBe('0.5')
    await button('app_retry').click()
    await done('0.4 BNB')
  })

  expect(await availableOf(user, 'BNB')).toBe('0.9')
  expect(await availableOf(user, 'USDT')).toBe('150')
  await page.context().close()
})

test('a blocked payment shows the reason and continues after a fix', async ({ browser }) => {
  const user = await newHolder(browser)
  const { page, steps, wallet } = user
  const { button, t } = steps
  await user.openSignedIn('/wallet')
  await steps.takeTestTokens()

  await test.step('amounts below the minimum or above the maximum are rejected', async () => {
    for (const [amount, key, bound] of [
      ['0.001', 'wallet_under_min', '0.005 ETH'],
      ['1000.1', 'wallet_over_max', '1,000 ETH'],
    ] as const) {
      for (const locale of LOCALES) {
        const { open, t, button } = stepsOf(page, locale)
        await open('/wallet/buy')
        await page.getByRole('radio', { name: 'ETH', exact: true }).click()
        await page.getByRole('textbox', { name: t('wallet_amount'), exact: true }).fill(amount)
        await button('wallet_continue').click()
        const words = t(key, { min: bound, max: bound })
        expect(words).toContain('Rollup')
        await expect(page.getByText(words, { exact: true })).toBeVisible()
      }
    }
  })

  await test.step('the user rejects the network or the signature', async () => {
    await steps.begin('in', 'ETH', '1')
    wallet.refuse('wallet_switchEthereumChain')
    await wallet.changeChain(1)
    // The app asks for the switch right away, and once only.
    await expectToast(page, t('connector_refused'))
    await expect(page.getByText(t('connector_refused'))).toHaveCount(0)
    await expectTextInBothLanguages(page, 'app_network_switch_to')
    // A notice offers the switch, and the pay button is replaced by it.
    const switchNetwork = button('app_network_switch_to', { name: 'Local chain' }).last()
    await switchNetwork.click()
    await expectToast(page, t('connector_refused'))
    wallet.approveAll()
    await switchNetwork.click()
    wallet.refuse('eth_signTypedData_v4')
    await button('payment_open_wallet').click()
    await expectTextInBothLanguages(page, ['payment_fail_rejected', 'payment_nothing_sent'])
    expect(sentBy(wallet)).toEqual([])
    wallet.approveAll()
    await button('app_retry').click()
    await expectDone(user, '1 ETH')
    // The network switch comes before any signature.
    const methods = wallet.requests.map(({ method }) => method)
    expect(methods.lastIndexOf('wallet_switchEthereumChain')).toBeLessThan(methods.indexOf('eth_signTypedData_v4'))
  })

  await test.step('the network fee exceeds the balance of the coin', async () => {
    const { setBalance } = chainControl()
    await setBalance({ address: wallet.account.address, value: 1_000n })
    await steps.open('/wallet/buy')
    await expectTextInBothLanguages(page, 'wallet_gas_short', { coin: 'BNB' })
    await steps.begin('in', 'USDT', '20')
    await button('payment_open_wallet').click()
    await expectTextInBothLanguages(page, 'payment_fail_gas', { coin: 'BNB' })
    await expect(page.getByText(t('payment_nothing_sent'))).toBeVisible()
    await setBalance({ address: wallet.account.address, value: parseEther('1') })
    await button('app_retry').click()
    await expectDone(user, '20 USDT')
  })

  expect(await availableOf(user, 'ETH')).toBe('1')
  expect(await availableOf(user, 'USDT')).toBe('20')
  await page.context().close()
})

for (const locale of localesOf('en')) {
  test(`direct vault payments are credited and every look-up is explained (${locale})`, async ({ browser }) => {
    const [user, other] = [await newHolder(browser, { locale }), await newHolder(browser)]
    const { page, steps, wallet, call } = user
    const { t, button } = steps
    await user.openSignedIn('/wallet')
    const { vault, tokens } = await user.config()
    const token = tokens.USDT
    for (const { account } of [wallet, other.wallet]) await call('/Local/faucet', { address: account.address })
    const [mine, others] = [transactionsOf(wallet.account), transactionsOf(other.wallet.account)]

    // A plain transfer without an order, below the minimum of 10.
    const plain = await mine.transfer(token, vault, parseUnits('7', 18))
    await mine.deposit(vault, token, parseUnits('3.000000000000000001', 18), NO_ORDER)
    await mine.pay(vault, parseEther('0.001'))
    await steps.open('/wallet')
    const assetsShown = page.getByRole('region', { name: t('wallet_assets') })
    await expect(assetsShown.getByTitle('10.000000000000000001').first()).toBeVisible()
    await expect(assetsShown.getByTitle('0.001').first()).toBeVisible()

    await button('wallet_retrieve').click()
    const sheet = page.getByRole('dialog')
    const lookUp = async (hash: string, words: string) => {
      await sheet.getByRole('textbox').fill(hash)
      await sheet.getByRole('button', { name: t('payment_retrieve_submit') }).click()
      await expect(sheet.getByText(words, { exact: true })).toBeVisible()
    }
    await lookUp(plain, t('payment_retrieve_already', { amounts: '7 USDT' }))
    await lookUp(NO_ORDER, t('payment_retrieve_not_found', { network: t('app_network_local') }))
    await lookUp(await mine.pay(other.wallet.account.address, 1n), t('payment_retrieve_not_ours'))
    await lookUp(await mine.failingDeposit(vault, token, 10n ** 30n), t('payment_retrieve_failed'))
    const theirs = await others.transfer(token, vault, parseUnits('9', 18))
    await lookUp(theirs, t('payment_retrieve_sender_credited', { amounts: '9 USDT' }))
    await sheet.getByRole('textbox').fill('0x12')
    await sheet.getByRole('button', { name: t('payment_retrieve_submit') }).click()
    await expect(sheet.getByText(t('payment_retrieve_invalid'))).toBeVisible()
    expect(await availableOf(user, 'USDT')).toBe('10.000000000000000001')

    await other.openSignedIn('/wallet')
    await other.steps.expectAvailable('USDT', '9')
    for (const each of [user, other]) await each.page.context().close()
  })
}

/** The data of requested transactions, oldest first. */
function sentBy({ requests }: SigningWallet): string[] {
  return requests
    .filter(({ method }) => method === 'eth_sendTransaction')
    .map(({ params }) => (params[0] as { data?: string }).data ?? '0x')
}

async function expectDone({ page, steps: { t } }: Holder, amount: string): Promise<void> {
  await expect(page.getByText(t('wallet_say_done', { amount }))).toBeVisible({ timeout: 30_000 })
}
