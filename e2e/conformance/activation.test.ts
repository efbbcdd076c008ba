import { type Holder, newHolder, stored } from '../people.ts'
import { expect, row, test } from './fixtures.ts'

/** Observations during an activation by wallet payment. */
interface Seen {
  readonly before: string | null
  readonly while: string | null
  readonly after: string | null
  readonly calls: Holder['calls']
  readonly sent: number
  readonly permits: unknown[]
  readonly address: string
  readonly cached: string | null
}

let seen: Seen

test.beforeAll(async ({ browser }) => {
  test.setTimeout(60_000)
  const user = await newHolder(browser)
  const { page, steps, wallet, calls } = user
  await user.openSignedIn('/wallet')
  await steps.takeTestTokens()
  await steps.open('/swap/activate')
  await steps.button('activation_by_wallet_action').waitFor()
  const main = page.getByRole('main')
  await expect(main.getByText('Inactive', { exact: true }).first()).toBeVisible()
  const before = await main.textContent()
  const release = wallet.hold('eth_sendTransaction')
  await steps.button('activation_by_wallet_action').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: steps.t('payment_open_wallet') })
    .click()
  await expect.poll(() => wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').length).toBe(1)
  await expect(main.getByText(steps.t('activation_wait_tip'))).toBeVisible()
  const during = await main.textContent()
  release()
  await expect(page.getByText(steps.t('activation_done'), { exact: true })).toBeVisible({ timeout: 30_000 })
  await steps.open('/wallet')
  await expect(page.getByRole('heading', { level: 1, name: 'My Wallet' })).toBeVisible()
  await expect(main.getByText('Activated', { exact: true })).toBeVisible()
  seen = {
    before,
    while: during,
    after: await main.textContent(),
    calls: [...calls],
    sent: wallet.requests.filter(({ method }) => method === 'eth_sendTransaction').length,
    permits: wallet.signedTyped.map(({ message }) => message.value),
    address: wallet.account.address,
    cached: await stored(page, 'activation'),
  }
  await page.context().close()
})

test(row('1.04'), async () => {
  // First a permit of exactly the price, then the payment that uses it.
  expect(seen.permits).toEqual([`${10n * 10n ** 18n}`])
  expect(seen.sent).toBe(1)
  expect(seen.after).toContain('Activated')
})

test(row('2.80'), async () => {
  expect(seen.before).toContain('Activate by wallet')
})

test(row('3.11'), async () => {
  expect(JSON.parse(seen.cached ?? '')).toMatchObject({
    owner: seen.address.toLowerCase(),
    value: { status: 2, price: '10' },
  })
})

test(row('4.24'), async () => {
  expect(seen.before).toContain('Inactive')
  expect(seen.after).not.toContain('Inactive')
})

test(row('4.25'), async () => {
  expect(seen.while).toContain('Please wait for the transaction and do not leave this page.')
})

test(row('7.11'), async () => {
  const requests = seen.calls.filter(({ path }) => path === '/SwapPool/getActiveStatus')
  expect(requests.length).toBeGreaterThan(0)
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['POST']))
})

test(row('7.12'), async () => {
  const [request] = seen.calls.filter(({ path }) => path === '/SwapPool/active')
  expect(request).toMatchObject({ method: 'POST', body: '' })
})
