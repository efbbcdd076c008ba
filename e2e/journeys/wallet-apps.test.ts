import { expect, test } from '@playwright/test'
import { withoutDemoWallet } from '../conformance/fixtures.ts'
import { installWallet } from '../signing-wallet.ts'
import { connectButton, stepsOf } from '../steps.ts'

/** Milliseconds until the wallet appears, by the page's running clock: later than the dialog opens. */
const LATE_MS = 60_000

test.use({
  locale: 'en-GB',
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
})

test('a phone without a wallet gets links into wallet apps', async ({ page }) => {
  await withoutDemoWallet(page)
  const { t } = stepsOf(page, 'en')
  await page.goto('/?pid=AB12CD34#/en/swap/exchange')
  await connectButton(page, t).click()
  const link = (name: string) =>
    page.getByRole('dialog').getByRole('link', { name: t('connector_open_in_app', { name }) })
  const here = page.url()
  expect(here).toContain('?pid=AB12CD34#/en/swap/exchange')
  await expect(link('MetaMask')).toHaveAttribute('href', `https://link.metamask.io/dapp/${here.replace('http://', '')}`)
  expect(decodeURIComponent((await link('Trust Wallet').getAttribute('href')) ?? '')).toContain(here)
  expect(decodeURIComponent((await link('TokenPocket').getAttribute('href')) ?? '')).toContain(JSON.stringify(here))
})

for (const as of ['announced', 'ethereum'] as const) {
  test(`the open dialog shows a wallet that appears late (${as})`, async ({ page }) => {
    await withoutDemoWallet(page)
    await page.clock.install()
    const wallet = await installWallet(page, { appearsAfterMs: LATE_MS, as })
    const { open, t, button } = stepsOf(page, 'en')
    await open('/')
    await connectButton(page, t).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(t('connector_none'))).toBeVisible()
    await page.clock.fastForward(LATE_MS)
    const choice = dialog.getByRole('button', { name: as === 'announced' ? wallet.name : t('connector_generic') })
    await choice.click()
    await expect(button('session_sign_in_wallet')).toBeVisible()
  })
}

test('signing in sends only the necessary wallet requests', async ({ page }) => {
  const wallet = await installWallet(page, { chainId: 1, knowsLocalChain: false })
  const steps = stepsOf(page, 'en')
  await steps.open('/')
  await steps.signIn(wallet.name)
  await page.reload()
  await expect(page.getByRole('banner').getByRole('button', { name: steps.t('nav_my_account') })).toBeVisible()
  await steps.signOut()
  const allowed = [
    'eth_requestAccounts',
    'wallet_requestPermissions',
    'eth_accounts',
    'eth_chainId',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_revokePermissions',
    'personal_sign',
  ]
  expect(
    [...new Set(wallet.requests.map(({ method }) => method))].filter((method) => !allowed.includes(method)),
  ).toEqual([])
})
