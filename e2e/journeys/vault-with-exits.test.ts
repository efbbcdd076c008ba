import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BookkeeperProcess, chooseBookkeeperProcess } from '@clearwell/server/src/testing/bookkeeper-process.ts'
import { expect, test } from '@playwright/test'
import { availableOf } from '../books.ts'
import { chainControl } from '../chain.ts'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, newHolder } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { expectTextInBothLanguages } from '../steps.ts'

const DAY_S = 86_400

let bookkeeper: BookkeeperProcess
let folder: string
let server: OwnServer
test.beforeAll(async () => {
  test.setTimeout(180_000)
  bookkeeper = await chooseBookkeeperProcess()
  folder = await mkdtemp(join(tmpdir(), 'clearwell-e2e-book-'))
  server = await startOwnServer({ VAULT_KIND: 'exits', ...bookkeeper.variables })
})
test.afterAll(async () => {
  await bookkeeper.stop()
  await rm(folder, { recursive: true, force: true })
  await server.stop()
})

test('a transfer out waits for the second signature', { tag: '@night' }, async ({ browser }) => {
  // Two servers' worth of work: seven days, and nine transactions.
  test.setTimeout(300_000)
  const holder = await newHolder(browser, { baseURL: server.baseURL, chainPort: server.chainPort })
  const { page, steps, call } = holder
  const { t, button } = steps
  await steps.open('/')
  await steps.signIn(WALLET_NAME)
  await steps.takeTestTokens()
  await steps.transferIn('USDT', '100')
  await steps.transferIn('BNB', '0.5')

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
    // The wallet is asked without another press, because this page confirmed the transfer.
    const rpcUrl = `http://127.0.0.1:${server.chainPort}`
    await bookkeeper.start({ serverUrl: server.baseURL, rpcUrl, vault, vaultBlock: 0n, folder })
    await expect(page.getByText(t('wallet_out_say_done', { amount: '40 USDT' }))).toBeVisible({ timeout: 60_000 })
    const { items } = (await call('/Wallet/sellOrders')).data
    expect(items.map(({ status }: { status: string }) => status)).toEqual(['completed', 'cancelled'])
  })

  await test.step('a request from the screen locks the account', async () => {
    await steps.open('/wallet/exit')
    await expect(page.getByText(t('exit_what_right'))).toBeVisible()
    const kit = page.getByRole('link', { name: t('exit_kit_open') })
    const filledIn = /\/exit-kit\.html#chain=31337&vault=0x[0-9a-fA-F]{40}&account=0x[0-9a-fA-F]{40}$/
    await expect(kit).toHaveAttribute('href', filledIn)
    await confirmOf(holder, 'exit_request')
    await expect(page.getByText(t('exit_works_cancel'))).toBeVisible()
    await expectTextInBothLanguages(page, 'exit_works_read')
    await steps.open('/wallet/sell')
    await expect(page.getByText(t('account_locked'))).toBeVisible()
    await expect(button('wallet_continue')).toBeDisabled()
    await expect(page.getByText(t('exit_banner'), { exact: true })).toBeVisible()
    expect(await call('/Wallet/sell', { asset: 'USDT', amount: '10' })).toMatchObject({ code: 20016 })
    expect(await availableOf(holder, 'USDT')).toBe('60')
  })

  await test.step('the saved proof opens in the kit of the link', async () => {
    await page
      .getByRole('link', { name: t('exit_banner_open') })
      .first()
      .click()
    const [file] = await Promise.all([page.waitForEvent('download'), button('exit_proof_download').click()])
    const kit = await page.context().newPage()
    await kit.goto((await page.getByRole('link', { name: t('exit_kit_open') }).getAttribute('href')) ?? '')
    await expect(kit.locator('#chain')).toHaveValue('31337')
    await expect(kit.locator('#vault')).toHaveValue(new RegExp(`^${(await holder.config()).vault}$`, 'i'))
    await kit.locator('#files').setInputFiles(await file.path())
    await expect(kit.locator('#data-header')).toHaveText(/^Header \d+ of /)
    await expect(kit.locator('.warn')).toHaveCount(0)
    await kit.close()
  })

  await test.step('a cancel from the screen opens it again', async () => {
    await confirmOf(holder, 'exit_cancel')
    await confirmBlocks()
    await expect(button('exit_request')).toBeVisible()
    expect(await exitOf(holder)).toBe('none')
  })

  await test.step('after seven days the vault of the exit pays each asset', async () => {
    await confirmOf(holder, 'exit_request')
    await expect(page.getByText(t('exit_works_cancel'))).toBeVisible()
    await confirmBlocks()
    await expect.poll(() => exitOf(holder)).toBe('open')
    expect(await call('/Local/advance', { seconds: `${7 * DAY_S + 60}` })).toMatchObject({ code: 1 })
    const { vault } = await holder.config()
    await configureAnotherVault(holder)
    await page.reload()
    const signIn = page.getByRole('banner').getByRole('button', { name: t('session_sign_in'), exact: true })
    const sign = page.getByRole('dialog').getByRole('button', { name: t('session_sign_in_wallet') })
    // An unused session has ended. Where the clock stops meanwhile, the page may have used it.
    await expect(async () => {
      if (await sign.isVisible()) await sign.click({ timeout: 1_000 })
      else if (await signIn.isVisible()) await signIn.click({ timeout: 1_000 })
      await expect(page.getByText(t('exit_say_ready'))).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await expectTextInBothLanguages(page, 'exit_former')
    for (const asset of ['USDT', 'BNB']) {
      await button('exit_finish_of', { asset }).click()
      await expectFormerVault(holder, vault, 'exit_former_finish')
      await openWallet(holder)
      await confirmBlocks()
      await expect(button('exit_finish_of', { asset })).toHaveCount(0)
      expect(await availableOf(holder, asset)).toBe('0')
    }
    const { paid } = (await call('/proof/exit')).data
    expect(paid.map(({ asset, amount }: Record<string, string>) => [asset, amount])).toEqual([
      ['BNB', '0.5'],
      ['USDT', '60'],
    ])
    await expect(page.getByText(t('exit_finish_all'))).toBeVisible()
  })

  await test.step('a cancel at the vault of the exit opens the account again', async () => {
    const { vault } = (await call('/proof/exit')).data
    await button('exit_reopen').click()
    await expectFormerVault(holder, vault, 'exit_former_cancel')
    await openWallet(holder)
    await confirmBlocks()
    await expect(button('exit_request')).toBeVisible()
    expect(await exitOf(holder)).toBe('none')
  })
  await page.context().close()
})

async function exitOf({ call }: Holder): Promise<string> {
  return (await call('/proof/exit')).data.state
}

/** Presses a button of the exit's screen, and confirms the transaction in the sheet and in the wallet. */
async function confirmOf(holder: Holder, key: 'exit_request' | 'exit_cancel'): Promise<void> {
  await holder.steps.button(key).click()
  await openWallet(holder)
}

const openWallet = ({ page, steps }: Holder) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: steps.t('payment_open_wallet') })
    .click()

/** Names another vault in the configuration, as after a move: a transaction to that address has no effect. */
async function configureAnotherVault({ page }: Holder): Promise<void> {
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...body, data: { ...body.data, vault: `0x${'99'.repeat(20)}` } } })
  })
  // The quiet check of the balance would find that the headers are of another vault.
  await page.route('**/api/proof/export.jsonl*', (route) => route.abort())
}

/** Checks that the sheet names the vault that the transaction goes to, and says why. */
async function expectFormerVault({ page, steps }: Holder, vault: string, key: string): Promise<void> {
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(vault)).toBeVisible()
  await expect(sheet.getByText(steps.t(key))).toBeVisible()
}

const confirmBlocks = () => chainControl(server.chainPort).mine({ blocks: 30 })

/** Confirms a transfer of 40 USDT. */
async function lock({ steps }: Holder): Promise<void> {
  await steps.begin('out', 'USDT', '40')
  await steps.button('wallet_out_confirm').click()
}
