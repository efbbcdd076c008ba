import AxeBuilder from '@axe-core/playwright'
import { type Browser, expect, type Locator, test } from '@playwright/test'
import { parseUnits } from 'viem'
import { availableOf, expectBooksAgree, exportLog } from '../books.ts'
import { transactionsOf } from '../chain.ts'
import { type Holder, newHolder } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { connectButton, expectToast } from '../steps.ts'
import { type Locale, textsOf } from '../texts.ts'
import { newTrader } from '../trader.ts'

test('[§1.11] [§6.04] [§9.10] [§2.75] [§2.76] a lead follows an invitation, activates, and completes a level', async ({
  browser,
}) => {
  const [inviter, lead] = await Promise.all([openInviter(browser), newHolder(browser, { locale: 'zh-HK' })])
  const { page, steps } = inviter
  const link = await readLink(inviter)

  await test.step('the link is copied, shared and saved as a QR code', () => passOn(inviter, link))
  await test.step('the invitation outlasts screens, both languages and a reload', () => followInvitation(lead, link))

  const friend = await newHolder(browser)
  await test.step('the team grows by a lead of the lead, and an activation completes the level', async () => {
    await steps.open('/team')
    await expectCounts(inviter, 'team_direct', { total: 5, activated: 4 })
    await expect(page.getByText(steps.t('team_level', { level: '0' }), { exact: true })).toBeVisible()
    await Promise.all([activate(lead), join(friend, lead)])
    await expectCounts(inviter, 'team_direct', { total: 5, activated: 5 })
    await expectCounts(inviter, 'team_whole', { total: 6, activated: 5 })
    await expect(page.getByText(steps.t('team_level', { level: '1' }), { exact: true })).toBeVisible()
  })

  await test.step('the notice of the lead opens the team', async () => {
    await steps.open('/ranks')
    await page
      .getByRole('banner')
      .getByRole('button', { name: steps.t('notice_title') })
      .click()
    const notices = page.getByRole('dialog')
    await expect(notices.getByText(steps.t('team_notice_level_up', { level: '1' }), { exact: true })).toBeVisible()
    await notices
      .getByRole('link', { name: steps.t('team_notice_lead_activated', { lead: shortAddress(lead) }) })
      .click()
    await expect(page).toHaveURL(/#\/en\/team$/)
  })

  await test.step('the keyboard opens the tree down to a lead of the lead', async () => {
    await openByKeyboard(inviter, lead, friend)
    await expectAccessible(inviter)
  })

  await test.step('a swap of the lead pays a share, which names the swap', async () => {
    const swap = await sellUsdt(lead, '5')
    await steps.open('/referral')
    const share = page.getByRole('main').getByRole('listitem').filter({ hasText: '+0.0008 USDT' })
    await expect(share).toContainText(shortAddress(lead))
    await expectAccessible(inviter)
    await share.getByRole('button').click()
    await expect(page.getByRole('dialog').getByTitle(swap)).toBeVisible()
    expect(await availableOf(inviter, 'USDT')).toMatch(/\.\d*0008$/)
    await steps.open('/wallet/logs')
    await expectBooksAgree(inviter, await exportLog(inviter))
  })
  await Promise.all([inviter, lead, friend].map((each) => each.page.context().close()))
})

/** An activated user with four activated leads, on the referral screen. */
async function openInviter(browser: Browser): Promise<Holder> {
  const { key, inviteCode: pid } = await newTrader({ USDT: '10' })
  const leads = Promise.all([1, 2, 3, 4].map(() => newTrader({ USDT: '10', pid })))
  const inviter = await newHolder(browser, { key })
  await inviter.openSignedIn('/referral')
  await leads
  return inviter
}

/** Copies the link, shares it, and saves its QR code: each carries the same link. */
async function passOn({ page, steps: { button, t } }: Holder, link: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button('referral_copy_link').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await page.evaluate(() => {
    const share = async ({ url }: { url: string }) => Object.assign(window, { sharedUrl: url })
    Object.assign(navigator, { share })
  })
  await button('referral_share').click()
  await expect.poll(() => page.evaluate(() => (window as { sharedUrl?: string }).sharedUrl)).toBe(link)

  // A link of this length needs a code of version 3, in a quiet zone of four modules. Its modules are tested in team-screen.test.tsx.
  await expect(page.getByRole('img', { name: t('referral_qr') })).toHaveAttribute('viewBox', '0 0 37 37')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    expectToast(page, t('referral_qr_saved')),
    button('referral_save_qr').click(),
  ])
  expect(file.suggestedFilename()).toBe(`Clearwell-${new URL(link).searchParams.get('pid')}.png`)
}

async function readLink({ page }: Holder): Promise<string> {
  const link = page.getByRole('main').getByText(/\/\?pid=[2-9A-Z]{8}$/)
  return `http://${await link.textContent()}`
}

/** Opens the link, looks around in both languages, and signs in. */
async function followInvitation({ page, steps, calls }: Holder, link: string): Promise<void> {
  const code = new URL(link).searchParams.get('pid') ?? ''
  await page.goto(link)
  await switchLanguage('zh-HK', 'en')
  await page.reload()
  await switchLanguage('en', 'zh-HK')
  await steps.tab('nav_swap')
  await page.reload()
  await steps.tab('nav_wallet')
  await connectButton(page, steps.t).click()
  await expect(page.getByRole('dialog').getByText(steps.t('session_invited', { code }), { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await steps.signIn(WALLET_NAME)
  const login = calls.find(({ path }) => path === '/DappUser/login')
  expect(new URLSearchParams(login?.body).get('pid')).toBe(code)
  expect(page.url()).not.toContain('pid=')

  async function switchLanguage(from: Locale, to: Locale) {
    await expect(page.locator('html')).toHaveAttribute('lang', from)
    await page
      .getByRole('banner')
      .getByRole('button', { name: textsOf(from)('app_language_switch') })
      .click()
    await expect(page.locator('html')).toHaveAttribute('lang', to)
  }
}

/** Pays USDT in and activates from the balance. */
async function activate({ wallet: { account }, steps, call, config }: Holder): Promise<void> {
  const { vault, tokens } = await config()
  await call('/Local/faucet', { address: account.address })
  const hash = await transactionsOf(account).transfer(tokens.USDT, vault, parseUnits('20', 18))
  expect(await call('/Wallet/retrieve', { tx_hash: hash })).toMatchObject({ code: 1 })
  await steps.activateByBalance()
}

/** Signs in with the link of an inviter. */
async function join({ page, steps }: Holder, inviter: Holder): Promise<void> {
  const { data: team } = await inviter.call('/Team/overview')
  await page.goto(`/?pid=${team.invite_code}#/en/referral`)
  await steps.signIn(WALLET_NAME)
}

/** @returns the id of the swap. */
async function sellUsdt(lead: Holder, amount: string): Promise<string> {
  const { data: config } = await (await lead.page.request.get('/api/config')).json()
  const deadline = new Date(Date.parse(config.time) + 600_000).toISOString()
  // Not in the quiet pool, whose price another journey compares to the unit.
  const wish = { pool_id: 'bnb-usdt', amount, inverse: '1', min_amount_out: '0', deadline }
  const { code, data } = await lead.call('/SwapPool/doSwap', wish)
  expect(code).toBe(1)
  return data.transaction_id
}

/** As a screen reader reads them: the rolling digits beside the figures are hidden. */
async function expectCounts(
  { page, steps: { t } }: Holder,
  part: 'team_direct' | 'team_whole',
  { total, activated }: { total: number; activated: number },
): Promise<void> {
  await expect(page.getByRole('region', { name: t(part), exact: true })).toMatchAriaSnapshot(`
    - term: ${t('team_total')}
    - definition: "${total}"
    - term: ${t('team_activated')}
    - definition: "${activated}"
  `)
}

/** Opens the lead's row with the arrow keys, goes to the friend's row in it and back. */
async function openByKeyboard({ page }: Holder, lead: Holder, friend: Holder): Promise<void> {
  const tree = page.getByRole('tree')
  const rowOf = (holder: Holder): Locator => tree.getByRole('treeitem').filter({ hasText: shortAddress(holder) })
  // Without leads, a row cannot open.
  await expect(rowOf(lead)).toHaveAttribute('aria-expanded', 'false')
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Tab')
  await expect(tree.getByRole('treeitem').first()).toBeFocused()
  const above = await rowOf(lead).getAttribute('aria-posinset')
  for (let row = 1; row < Number(above); row += 1) await page.keyboard.press('ArrowDown')
  await expect(rowOf(lead)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(rowOf(lead)).toHaveAttribute('aria-expanded', 'true')
  await expect(rowOf(friend)).toHaveAttribute('aria-level', '2')
  await page.keyboard.press('ArrowRight')
  await expect(rowOf(friend)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(rowOf(lead)).toBeFocused()
}

/** With data: the other screens are checked without. */
async function expectAccessible({ page }: Holder): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
}

/** As the app shows it to others. */
function shortAddress({ wallet: { account } }: Holder): string {
  return `${account.address.slice(0, 6)}…${account.address.slice(-4)}`
}
