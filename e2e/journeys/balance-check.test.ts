import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { changeReplies } from '../change-replies.ts'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { type Holder, newHolder } from '../people.ts'
import { waitForSheetToLeave } from '../steps.ts'

let server: OwnServer
test.beforeAll(async () => {
  test.setTimeout(180_000)
  server = await startOwnServer({ LOCAL_BOOKKEEPER: 'on', VAULT_KIND: 'exits' })
})
test.afterAll(() => server.stop())

test('a user checks a balance, and a changed one is shown loudly', async ({ browser }) => {
  test.slow()
  const holder = await newHolder(browser, { baseURL: server.baseURL, chainPort: server.chainPort })
  const { page, steps } = holder
  const { t, open, takeTestTokens, transferIn, signOut } = steps
  const sheet = page.getByRole('dialog', { name: t('proof_balance_title'), exact: true })
  const banner = page.getByText(t('proof_balance_banner'), { exact: true })
  const check = async () => {
    await open('/wallet')
    await page.getByRole('button', { name: t('proof_balance_check') }).click()
  }
  const expectOutcome = (key: string) =>
    expect(sheet.getByText(t(key), { exact: true })).toBeVisible({ timeout: 30_000 })
  await holder.openSignedIn('/')

  await firstHeader(holder)
  await test.step('an account without entries has nothing to check', async () => {
    await check()
    await expectOutcome('proof_balance_nothing')
    await page.keyboard.press('Escape')
  })

  await takeTestTokens()
  await transferIn('USDT', '25')

  await test.step('a balance is not in a header from before its first entry', async () => {
    await check()
    await expectOutcome('proof_balance_not_yet')
    await page.keyboard.press('Escape')
  })

  await test.step('the balance holds in the header of the next hour', async () => {
    await nextHeader(holder)
    await check()
    await expectOutcome('proof_balance_holds')
    const usdt = sheet.getByRole('term').filter({ hasText: t('proof_balance_of', { asset: 'USDT' }) })
    await expect(usdt.locator('xpath=following-sibling::dd')).toHaveText(`25 USDT ${t('proof_balance_holds_short')}`)
    const bookkeeper = sheet.getByRole('term').filter({ hasText: t('proof_header_bookkeeper') })
    await expect(bookkeeper.locator('xpath=following-sibling::dd')).toHaveText(t('proof_header_has_bookkeeper'))
    // The browser asked the chain, and the vault has the header.
    await expect(sheet.getByText(t('proof_balance_proves_chain'), { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(banner).toHaveCount(0)
  })

  await test.step('a check without a node of the chain says that it could not check', async () => {
    const node = `http://127.0.0.1:${server.chainPort}/`
    await page.route(node, (route) => route.abort())
    await check()
    await expectOutcome('proof_balance_unknown')
    await expectOutcome('proof_balance_unknown_chain')
    await expect(banner).toHaveCount(0)
    await page.unroute(node)
    await page.keyboard.press('Escape')
  })

  await test.step('a check without the server says that it could not check', async () => {
    await page.route('**/api/proof/mine', (route) => route.abort())
    await check()
    await expectOutcome('proof_balance_unknown')
    await expectOutcome('proof_balance_unknown_no_response')
    await expect(banner).toHaveCount(0)
    await page.unroute('**/api/proof/mine')
    await page.keyboard.press('Escape')
  })

  await test.step('a changed balance is shown on every screen, also after a reload', async () => {
    await changeReplies(page, '**/api/proof/mine', (reply) => {
      const leaf = reply.data.leaves.find(({ asset }: { asset: string }) => asset === 'USDT')
      leaf.free = `${BigInt(leaf.free) + 1n}`
      return reply
    })
    await check()
    await expectOutcome('proof_balance_broken')
    await page.unroute('**/api/proof/mine')
    await page.keyboard.press('Escape')
    await open('/swap/exchange')
    await page.reload()
    await expect(banner).toBeVisible()
  })

  await test.step('the failed check is saved as a file, and its owner removes it', async () => {
    await page.getByRole('button', { name: t('proof_balance_banner_open') }).click()
    const save = sheet.getByRole('button', { name: t('proof_balance_save') })
    const [file] = await Promise.all([page.waitForEvent('download'), save.click()])
    const { fault, evidence, rows } = JSON.parse(await readFile(await file.path(), 'utf8'))
    expect([fault, evidence.account]).toEqual(['path', holder.wallet.account.address.toLowerCase()])
    expect(rows).toContain('clearwell proof 1')
    await sheet.getByRole('button', { name: t('proof_balance_remove') }).click()
    await expect(banner).toHaveCount(0)
    await waitForSheetToLeave(page)
  })

  await test.step('an entry leads to the header that contains it', async () => {
    await open('/wallet/logs')
    const entry = page.getByRole('listitem').filter({ hasText: '+25 USDT' })
    await entry.locator('[aria-haspopup=dialog]').click()
    await page.getByRole('link', { name: t('proof_header_link') }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('title_wallet_header') })).toBeVisible()
    await expect(page.getByText(t('proof_header_right'), { exact: true })).toBeVisible()
  })

  await test.step('the proof on the device goes with the session', async () => {
    expect(await keptProofs(holder)).not.toEqual([])
    await signOut()
    expect(await keptProofs(holder)).toEqual([])
  })
  await page.context().close()
})

/** Waits until the vault has a header of the ledger: the first one is posted an hour after the local chain's start. */
async function firstHeader({ call }: Holder): Promise<void> {
  await expect.poll(async () => (await call('/proof/header')).code, { timeout: 30_000 }).toBe(1)
  await call('/Local/advance', { seconds: '3600' })
  await expect.poll(async () => (await call('/proof/mine')).code, { timeout: 60_000 }).toBe(1)
}

/** Moves to the next hour, and waits until its header is posted. */
async function nextHeader({ call }: Holder): Promise<void> {
  const before = (await call('/proof/mine')).data.number
  await call('/Local/advance', { seconds: '3600' })
  await expect
    .poll(async () => Number((await call('/proof/mine')).data?.number ?? 0), { timeout: 60_000 })
    .toBeGreaterThan(Number(before))
}

/** The keys of what the browser keeps of checks. */
function keptProofs({ page }: Holder): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.balance-')))
}
