import type { Browser, Page } from '@playwright/test'
import { type Holder, newHolder, stored } from '../people.ts'
import { WALLET_NAME, type WalletOptions } from '../signing-wallet.ts'
import { expectToast } from '../steps.ts'
import { expect, preventUserActivation, row, sharing, test } from './fixtures.ts'

const KNOWN_CHAIN = 31337
const OTHER_CHAIN = 1

test(row('3.01'), async ({ member: { page } }) => {
  expect(JSON.parse((await stored(page, 'store')) ?? '')).toMatchObject({ version: 2 })
})

test(row('3.02'), async ({ member: { page } }) => {
  const state = await walletState(page)
  expect(state).toMatchObject({ chainId: KNOWN_CHAIN, current: expect.any(String) })
  expect(state.connections.map(([id]) => id)).toContain(state.current)
})

test(row('3.03'), async ({ member: { page, wallet } }) => {
  const [[, connection] = []] = (await walletState(page)).connections
  expect(Object.keys(connection ?? {}).sort()).toEqual(['accounts', 'chainId', 'connector'])
  expect(connection).toMatchObject({ accounts: [wallet.account.address], chainId: KNOWN_CHAIN })
})

test(row('3.04'), async ({ member: { page } }) => {
  const [[, connection] = []] = (await walletState(page)).connections
  expect(Object.keys(connection?.connector ?? {}).sort()).toEqual(['id', 'name', 'type', 'uid'])
  expect(connection?.connector.name).toBe(WALLET_NAME)
})

test(row('3.05'), async ({ member: { page } }) => {
  const [[, connection] = []] = (await walletState(page)).connections
  expect(JSON.parse((await stored(page, 'recentConnectorId')) ?? '')).toBe(connection?.connector.id)
})

test(row('3.07'), async ({ member: { page, calls, wallet } }) => {
  const countRequests = () => calls.filter(({ path }) => path === '/profile/userinfo').length
  const before = countRequests()
  await page.evaluate(() => localStorage.setItem('clearwell.user', '{"address":"0x0"}'))
  await page.reload()
  await expect.poll(countRequests).toBeGreaterThan(before)
  const user = expect.objectContaining({ address: wallet.account.address, activated: true })
  await expect.poll(async () => JSON.parse((await stored(page, 'user')) ?? '')).toEqual(user)
})

test(row('3.08'), async ({ member: { page, wallet } }) => {
  expect(await stored(page, 'token')).toMatch(/^[\w-]{20,}$/)
  expect(await stored(page, 'address')).toBe(wallet.account.address)
  expect(await stored(page, 'user')).toContain('invite_code')
})

test(row('4.01'), async ({ browser }) => {
  const { page, wallet, steps, calls } = await opened(browser)
  expect(await stored(page, 'token')).toBeNull()
  await steps.signIn(WALLET_NAME)
  const methods = wallet.requests.map(({ method }) => method)
  expect(methods.indexOf('wallet_requestPermissions')).toBeGreaterThanOrEqual(0)
  expect(methods.indexOf('personal_sign')).toBeGreaterThan(methods.indexOf('wallet_requestPermissions'))
  expect(calls.map(({ path }) => path).filter((path) => path.startsWith('/DappUser/'))).toEqual([
    '/DappUser/getNonce',
    '/DappUser/login',
  ])
  expect(await stored(page, 'token')).not.toBeNull()
  expect(await stored(page, 'user')).toContain(wallet.account.address)
  await page.context().close()
})

test(row('1.03'), async ({ member: { wallet, calls } }) => {
  expect(wallet.signedTexts[0]).toContain('wants you to sign in with your Ethereum account')
  expect(wallet.signedTexts[0]).toContain(wallet.account.address)
  const login = calls.find(({ path }) => path === '/DappUser/login')
  expect(login?.body).toContain('signature=0x')
})

test(row('4.02'), async ({ browser }) => {
  const { page, wallet, steps, calls } = await openedSignedIn(browser)
  await page.evaluate(() => localStorage.removeItem('clearwell.store'))
  await page.reload()
  const token = await stored(page, 'token')
  expect(token).not.toBeNull()
  const earlier = calls.length
  wallet.requests.length = 0
  await steps.open('/wallet/buy')
  await page
    .getByRole('main')
    .getByRole('button', { name: steps.t('nav_connect'), exact: true })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
  await steps.button('session_sign_in_wallet').click()
  await expect.poll(() => stored(page, 'token')).not.toBe(token)
  expect(wallet.requests.map(({ method }) => method)).toContain('personal_sign')
  expect(
    calls
      .slice(earlier)
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/DappUser/')),
  ).toEqual(['/DappUser/getNonce', '/DappUser/login'])
  await page.context().close()
})

for (const [id, flow] of sharing('4.03', '4.14')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const { page, wallet } = await openedSignedIn(browser)
      const reloaded = page.waitForEvent('load')
      await wallet.disconnect()
      await reloaded
      await expect(connectButton(page)).toBeVisible()
      expect([await stored(page, 'token'), await stored(page, 'user')]).toEqual([null, null])
      expect(await walletState(page)).toMatchObject({ current: null, connections: [] })
      await page.context().close()
    }),
  )
}

for (const [id, flow] of sharing('4.04', '4.05')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const { page, wallet } = await openedSignedIn(browser)
      const before = wallet.account.address
      expect(await stored(page, 'address')).toBe(before)
      const reloaded = page.waitForEvent('load')
      const { address } = await wallet.changeAccount()
      await reloaded
      expect(address).not.toBe(before)
      await expect.poll(() => stored(page, 'address')).toBe(address)
      expect([await stored(page, 'token'), await stored(page, 'user')]).toEqual([null, null])
      await page.context().close()
    }),
  )
}

for (const [id, flow] of sharing('4.06', '4.07', '8.02')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const { page, steps, call, calls } = await openedSignedIn(browser)
      await steps.open('/swap/activate')
      await steps.button('activation_by_wallet_action').click()
      const sheet = page.getByRole('dialog')
      await expect(sheet).toBeVisible()
      // A poll would use the revoked token first.
      await page.route('**/api/**', (route) =>
        /DappUser|SwapPool\/active$/.test(route.request().url()) ? route.fallback() : route.abort(),
      )
      const old = await stored(page, 'token')
      expect((await call('/DappUser/logout')).code).toBe(1)
      await sheet.getByRole('button', { name: steps.t('payment_open_wallet') }).click()
      const signIn = steps.button('session_sign_in_wallet')
      await expect(signIn).toBeVisible()
      expect([await stored(page, 'token'), await stored(page, 'user')]).toEqual([null, null])
      await signIn.click()
      const sent = () => calls.filter(({ path }) => path === '/SwapPool/active')
      await expect.poll(() => sent().length).toBe(2)
      const [first, second] = sent()
      expect(second?.body).toBe(first?.body)
      expect(first?.headers['idempotency-key']).toMatch(/^[\w-]{8,64}$/)
      expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
      expect(first?.headers['xx-token']).toBe(old)
      expect(second?.headers['xx-token']).toBe(await stored(page, 'token'))
      await page.context().close()
    }),
  )
}

test(row('6.08'), async ({ browser }) => {
  const { page, wallet, steps } = await opened(browser)
  wallet.refuse('wallet_requestPermissions')
  await choose({ page, steps })
  await expectToast(page, steps.t('connector_refused'))
  await expect(page.getByRole('dialog').getByRole('button', { name: WALLET_NAME })).toBeEnabled()
  expect((await walletState(page)).current ?? null).toBeNull()
  await page.keyboard.press('Escape')
  await expect(connectButton(page)).toBeVisible()
  await page.context().close()
})

for (const [id, flow] of sharing('4.11', '4.12', '7.31')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const { page, wallet } = await openedSignedIn(browser)
      wallet.requests.length = 0
      const release = wallet.hold('eth_accounts')
      await page.reload()
      await expect.poll(() => wallet.requests.map(({ method }) => method)).toContain('eth_accounts')
      // The user stays signed in until the wallet responds.
      await expect(accountButton(page)).toBeVisible()
      release()
      await expect.poll(async () => (await walletState(page)).connections.length).toBe(1)
      await expect(accountButton(page)).toBeVisible()
      expect(wallet.requests.map(({ method }) => method)).not.toContain('wallet_requestPermissions')
      await page.context().close()
    }),
  )
}

for (const [id, flow] of sharing('4.03', '4.13')) {
  test(id === '4.03' ? `${row(id)}, while the page was away` : row(id), async ({ browser }) =>
    flow(async () => {
      const { page } = await openedSignedIn(browser)
      // Revoked in the wallet while the page is closed.
      await page.evaluate((name) => localStorage.removeItem(`${name} is permitted`), WALLET_NAME)
      // Not the whole load: the page reloads once more when it finds no permission.
      await page.reload({ waitUntil: 'commit' })
      // A page that reloads returns nothing.
      const kept = () =>
        Promise.all([
          stored(page, 'token'),
          stored(page, 'user'),
          walletState(page).then(({ current }) => current ?? null),
        ]).catch(() => 'reloading')
      await expect.poll(kept).toEqual([null, null, null])
      await expect(connectButton(page)).toBeVisible()
      await page.context().close()
    }),
  )
}

test(row('4.17'), async ({ browser }) => {
  const { page, wallet, steps } = await openedSignedIn(browser)
  await steps.signOut()
  // Even though the wallet would still allow the connection.
  await page.evaluate((name) => localStorage.setItem(`${name} is permitted`, 'yes'), WALLET_NAME)
  wallet.requests.length = 0
  // Otherwise the stream may open first, and a network with an open stream is never idle.
  await preventUserActivation(page)
  await page.reload()
  await expect(connectButton(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(connectButton(page)).toBeVisible()
  expect(wallet.requests.map(({ method }) => method)).not.toContain('wallet_requestPermissions')
  const flags = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => /clearwell\..*disconnected$/.test(key)),
  )
  expect(flags).toHaveLength(1)
  await page.context().close()
})

for (const [id, flow] of sharing('4.18', '7.34')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const { page, wallet, steps } = await opened(browser, { chainId: OTHER_CHAIN, knowsLocalChain: false })
      await choose({ page, steps })
      await expect(steps.button('session_sign_in_wallet')).toBeVisible()
      const methods = wallet.requests.map(({ method }) => method)
      expect(methods.indexOf('wallet_addEthereumChain')).toBeGreaterThan(methods.indexOf('wallet_switchEthereumChain'))
      const added = wallet.requests.find(({ method }) => method === 'wallet_addEthereumChain')
      expect(added?.params).toEqual([
        expect.objectContaining({
          chainId: '0x7a69',
          chainName: 'Local chain',
          nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
          rpcUrls: [`http://127.0.0.1:${process.env.E2E_CHAIN_PORT}`],
        }),
      ])
      await page.context().close()
    }),
  )
}

test(row('4.19'), async ({ browser }) => {
  const { page, wallet, steps } = await opened(browser, { chainId: OTHER_CHAIN, knowsLocalChain: false })
  for (const fail of [
    () => wallet.refuse('wallet_addEthereumChain'),
    () => wallet.failWith('wallet_addEthereumChain', { code: -32603, message: 'May not add' }),
  ]) {
    fail()
    await choose({ page, steps })
    await expectToast(page, steps.t('connector_refused'))
    await expect(page.getByText(steps.t('connector_refused'))).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.context().close()
})

test(`${row('4.21')}, later and after a page load`, async ({ browser }) => {
  const { page, wallet, steps } = await openedSignedIn(browser)
  const switches = () => wallet.requests.filter(({ method }) => method === 'wallet_switchEthereumChain').length
  // On a later change of the chain, and after a page load on another chain.
  await wallet.changeChain(OTHER_CHAIN)
  await expect.poll(switches).toBe(1)
  wallet.refuse('wallet_switchEthereumChain')
  await wallet.changeChain(OTHER_CHAIN)
  await expect.poll(switches).toBe(2)
  wallet.approveAll()
  await page.reload()
  await expect.poll(switches).toBe(3)
  await expect(page.getByText(steps.t('app_network_wrong_text', { name: 'Local chain' }))).toHaveCount(0)
  await page.context().close()
})

for (const [id, flow] of sharing('4.21', '7.33')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const { page, wallet, steps } = await opened(browser, { chainId: OTHER_CHAIN })
      await choose({ page, steps })
      await expect(steps.button('session_sign_in_wallet')).toBeVisible()
      const switches = wallet.requests.filter(({ method }) => method === 'wallet_switchEthereumChain')
      expect(switches.map(({ params }) => params)).toEqual([[{ chainId: '0x7a69' }]])
      await page.context().close()
    }),
  )
}

test(row('6.07'), async ({ member: { wallet } }) => {
  const asks = wallet.requests.map(({ method }) => method).filter((method) => /Accounts|Permissions/.test(method))
  expect(asks[0]).toBe('wallet_requestPermissions')
})

test(row('7.29'), async ({ browser }) => {
  const { page, wallet, steps } = await opened(browser)
  // A wallet without permissions gets a request for its accounts.
  wallet.failWith('wallet_requestPermissions', { code: -32601, message: 'The method does not exist' })
  await choose({ page, steps })
  await expect(steps.button('session_sign_in_wallet')).toBeVisible()
  const requests = wallet.requests.filter(({ method }) => method === 'eth_requestAccounts')
  expect(requests.map(({ params }) => params)).toEqual([[]])
  await page.context().close()
})

for (const [id, flow] of sharing('7.30', '7.35')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const { page, wallet, steps } = await opened(browser)
      await steps.signIn(WALLET_NAME)
      await steps.signOut()
      const eth = [{ eth_accounts: {} }]
      expect(
        wallet.requests.filter(({ method }) => method === 'wallet_revokePermissions').map(({ params }) => params),
      ).toEqual([eth])
      // After disconnecting, the wallet gets a new request.
      await choose({ page, steps })
      await expect(steps.button('session_sign_in_wallet')).toBeVisible()
      const requests = wallet.requests.filter(({ method }) => method === 'wallet_requestPermissions')
      expect(requests.map(({ params }) => params)).toEqual([eth, eth])
      await page.context().close()
    }),
  )
}

test(row('7.32'), async ({ member: { wallet } }) => {
  expect(wallet.requests.find(({ method }) => method === 'eth_chainId')?.params).toEqual([])
})

test(row('7.36'), async ({ member: { wallet } }) => {
  const [signed] = wallet.requests.filter(({ method }) => method === 'personal_sign')
  const [message, signer] = (signed?.params ?? []) as string[]
  expect(message).toMatch(/^0x([0-9a-f]{2})+$/)
  expect(Buffer.from(message?.slice(2) ?? '', 'hex').toString()).toBe(wallet.signedTexts[0])
  expect(signer?.toLowerCase()).toBe(wallet.account.address.toLowerCase())
})

/** The state that wagmi stores. */
interface WalletState {
  chainId?: number
  current?: string | null
  connections: [string, { accounts: string[]; chainId: number; connector: Record<string, string> }][]
}

async function walletState(page: Page): Promise<WalletState> {
  const { state } = JSON.parse((await stored(page, 'store')) ?? '{"state":{}}')
  return { ...state, connections: state.connections?.value ?? [] }
}

async function opened(browser: Browser, options: WalletOptions = {}): Promise<Holder> {
  const user = await newHolder(browser, options)
  await user.page.goto('/#/en')
  return user
}

/** Opens home with the session of an earlier visit. */
async function openedSignedIn(browser: Browser): Promise<Holder> {
  const user = await newHolder(browser)
  await user.openSignedIn('/')
  return user
}

/** Opens the dialog and chooses the test wallet. */
async function choose({ page, steps }: Pick<Holder, 'page' | 'steps'>): Promise<void> {
  await connectButton(page).click()
  await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
  expect(steps.t('nav_connect')).toBe('Connect')
}

function connectButton(page: Page) {
  return page.getByRole('button', { name: 'Connect', exact: true }).first()
}

function accountButton(page: Page) {
  return page.getByRole('banner').getByRole('button', { name: 'My account' })
}
