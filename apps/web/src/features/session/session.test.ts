import { FakeBrowser, FakeTab } from '@clearwell/ui/browser/testing/fake-browser.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { waitFor } from '../../testing/wait-for.ts'
import { profileWith } from '../../wallet/testing/profile.ts'
import { FakeWallet, providerError } from '../../wallet/testing/wallet.ts'
import { hasStoredConnection } from '../../wallet/wallet-store.ts'

const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** A fake server for the session's calls. */
const server = vi.hoisted(() => ({
  calls: [] as { name: string; payload: Record<string, unknown> }[],
  refusal: undefined as Error | undefined,
  onLogin: undefined as (() => Promise<void>) | undefined,
  config: undefined as Promise<never> | undefined,
  /** An account without an inviter signs in. */
  isAlone: false,
}))

vi.mock('../../api/config.ts', () => ({
  fetchConfig: () => server.config ?? Promise.resolve(profileWith()),
  useConfig: () => profileWith(),
}))
vi.mock('../../browser/page-reload.ts', async (load) => ({
  ...(await load<object>()),
  reloadPage: () => {
    const tab = FakeTab.current()
    if (tab) tab.reloads += 1
  },
}))
vi.mock('../../api/client.ts', () => ({
  call: async (name: string, payload: Record<string, unknown>) => {
    server.calls.push({ name, payload })
    if (server.refusal) throw server.refusal
    if (name === 'getNonce') return { nonceStr: `sign in as ${payload.address}` }
    if (name !== 'login') return null
    await server.onLogin?.()
    const user = { address: String(payload.address).toLowerCase(), ...(server.isAlone ? { parent: null } : {}) }
    return { token: `token of ${payload.address}`, user }
  },
}))

// Importing wagmi and viem takes seconds on a busy machine, which would count toward the first test's timeout.
beforeAll(() => import('../../wallet/wallet-core.ts'))

let browser: FakeBrowser
let toasts: string[]

beforeEach(() => {
  Object.assign(server, { calls: [], refusal: undefined, onLogin: undefined, config: undefined, isAlone: false })
  toasts = []
  browser = new FakeBrowser()
  const location = { origin: 'http://127.0.0.1', href: 'http://127.0.0.1/?pid=AB12#/' }
  vi.stubGlobal('location', location)
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  class FakeHistory {
    replaceState(_state: unknown, _title: string, href: string) {
      location.href = href
    }
  }
  vi.stubGlobal('History', FakeHistory)
  vi.stubGlobal('history', new FakeHistory())
})

afterEach(() => {
  browser.close()
  vi.unstubAllGlobals()
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Loads the app's session in a tab, as `main.tsx` does. */
async function open(...wallets: FakeWallet[]) {
  const tab = browser.open()
  for (const [i, wallet] of wallets.entries()) wallet.announceIn(tab, { rdns: `test.wallet${i}` })
  return load(tab)
}

function load(tab: FakeTab) {
  return tab.load(async () => {
    const { sessionStore } = await import('../../api/session-store.ts')
    const { walletStore } = await import('../../wallet/wallet-store.ts')
    const { resumeWallet, wallet } = await import('../../wallet/wallet.ts')
    const { followWallet, showSignedOut } = await import('./follow-wallet.ts')
    const signing = await import('./sign-in.ts')
    const { signInStore } = await import('./sign-in-stage.ts')
    const { signOut } = await import('./sign-out.ts')
    const { toastStore } = await import('@clearwell/ui/components/toast-store.ts')
    toastStore.subscribe(() => toasts.push(toastStore.get().at(-1)?.text ?? ''))
    followWallet()
    resumeWallet()
    showSignedOut()
    const stage = () => signInStore.get()
    const at = (wanted: string) => waitFor(() => expect(stage()?.at).toBe(wanted), { interval: 2, timeout: 20_000 })
    return {
      tab,
      signing,
      stage,
      at,
      account: () => sessionStore.get(),
      status: () => walletStore.get().status,
      address: () => walletStore.get().address,
      wallet: () => tab.run(wallet),
      signOut: () => tab.run(signOut),
      /** Signs in from the start. */
      signIn: (index = 0) =>
        tab.run(async () => {
          const done = signing.signIn()
          await at('choose')
          const choice = (await wallet()).choices()[index]
          if (!choice) throw new Error('no such wallet')
          await signing.chooseWallet(choice)
          const read = stage()
          if (read?.at !== 'read') throw new Error(`not to be read: ${JSON.stringify(read)}`)
          await signing.confirmSigning(read)
          return done
        }),
    }
  })
}

const reject = () => {
  throw providerError(4001, 'User rejected the request.')
}

const stored = (key: string) => browser.stored.get(`clearwell.${key}`)

describe('sign-in (§4, §5)', () => {
  test('sign-in signs a nonce, logs in, and stores token and user', async () => {
    const wallet = new FakeWallet(ALICE)
    const app = await open(wallet)
    expect(await app.signIn()).toBe(true)
    expect(server.calls).toEqual([
      { name: 'getNonce', payload: { address: ALICE } },
      { name: 'login', payload: { pid: 'AB12', address: ALICE, signature: '0x5167', device_type: 'web' } },
    ])
    const text = `0x${Buffer.from(`sign in as ${ALICE}`).toString('hex')}`
    expect(wallet.asked).toContainEqual({ method: 'personal_sign', params: [text, ALICE] })
    expect(app.account()).toMatchObject({ token: `token of ${ALICE}`, user: { address: ALICE.toLowerCase() } })
    expect(app.stage()).toBeUndefined()
  })

  test('token, user, address and connection have separate storage keys', async () => {
    await (await open(new FakeWallet(ALICE))).signIn()
    expect(stored('token')).toBe(`token of ${ALICE}`)
    expect(JSON.parse(stored('user') ?? '')).toEqual({ address: ALICE.toLowerCase() })
    expect(stored('address')).toBe(ALICE)
    expect([...browser.stored.keys()].sort()).toEqual(
      ['address', 'recentConnectorId', 'store', 'token', 'user'].map((key) => `clearwell.${key}`),
    )
  })

  test('a sheet closed while the wallet loads stays closed', async () => {
    const app = await open(new FakeWallet(ALICE))
    const isSignedIn = await app.tab.run(async () => {
      const done = app.signing.signIn()
      app.signing.cancelSignIn()
      return done
    })
    await app.wallet()
    await pause(0)
    expect(isSignedIn).toBe(false)
    expect(app.stage()).toBeUndefined()
  })

  test('sign-in works with full storage', async () => {
    const app = await open(new FakeWallet(ALICE))
    browser.isFull = true
    expect(await app.signIn()).toBe(true)
    expect(app.account().token).toBe(`token of ${ALICE}`)
  })

  test('a connected wallet without a token skips to the text', async () => {
    const app = await open(new FakeWallet(ALICE))
    const core = await app.wallet()
    await app.tab.run(() => core.connect(core.choices()[0]?.uid ?? ''))
    void app.tab.run(app.signing.signIn)
    await app.at('read')
    expect(app.stage()).toMatchObject({ at: 'read', address: ALICE, text: `sign in as ${ALICE}` })
  })

  test('a token and a connected wallet need no sign-in', async () => {
    const app = await open(new FakeWallet(ALICE))
    await app.signIn()
    server.calls = []
    expect(await app.tab.run(app.signing.signIn)).toBe(true)
    expect(server.calls).toEqual([])
  })

  test('a token without a wallet connects, signs and logs in', { tags: ['§4.02'] }, async () => {
    const wallet = new FakeWallet(ALICE)
    await (await open(wallet)).signIn()
    browser.stored.delete('clearwell.store')
    browser.tabs.length = 0
    const app = await open(wallet)
    expect([app.status(), app.account().token]).toEqual(['disconnected', `token of ${ALICE}`])
    server.calls = []
    wallet.asked.length = 0
    expect(await app.signIn()).toBe(true)
    expect(server.calls.map(({ name }) => name)).toEqual(['getNonce', 'login'])
    expect(wallet.methods()).toContain('wallet_requestPermissions')
    expect(wallet.methods()).toContain('personal_sign')
  })

  test('a second sign-in joins the first', async () => {
    const app = await open(new FakeWallet(ALICE))
    const first = app.tab.run(app.signing.signIn)
    expect(app.tab.run(app.signing.signIn)).toBe(first)
    app.tab.run(app.signing.cancelSignIn)
    expect(await first).toBe(false)
  })

  test('a rejected connection shows a message and returns to the list', async () => {
    const wallet = new FakeWallet(ALICE)
    wallet.responses.wallet_requestPermissions = reject
    const app = await open(wallet)
    await app.signIn().catch(() => {})
    expect(toasts).toEqual(['你已在錢包拒絕這項要求，這次沒有簽署或發送任何內容。'])
    expect(app.stage()).toEqual({ at: 'choose' })
  })

  test.each([
    ['rejected', reject, '你已在錢包拒絕這項要求，這次沒有簽署或發送任何內容。'],
    [
      'failed',
      () => {
        throw providerError(-32603, 'the wallet is broken')
      },
      'the wallet is broken',
    ],
  ])('a %s signature shows 簽署失敗，請再試一次 and can be retried', async (_name, response, reason) => {
    const wallet = new FakeWallet(ALICE)
    wallet.responses.personal_sign = response
    const app = await open(wallet)
    const done = app.signIn()
    await waitFor(() =>
      expect(app.stage()).toMatchObject({ at: 'read', error: { text: '簽署失敗，請再試一次', reason } }),
    )
    expect(toasts).toEqual([])
    expect(server.calls.map(({ name }) => name)).toEqual(['getNonce'])
    delete wallet.responses.personal_sign
    const stage = app.stage()
    if (stage?.at === 'read') await app.tab.run(() => app.signing.confirmSigning(stage))
    expect(await done).toBe(true)
  })

  test('a wallet without an account is an invalid account', { tags: ['§5.02', '§8.10'] }, async () => {
    const wallet = new FakeWallet()
    wallet.accounts = []
    const app = await open(wallet)
    await app.signIn().catch(() => {})
    expect(toasts).toEqual(['帳戶無效'])
    expect(app.stage()).toEqual({ at: 'choose' })
  })

  test('an address that the server refuses is an invalid account', { tags: ['§8.10'] }, async () => {
    const app = await open(new FakeWallet(ALICE))
    const { ApiError } = await app.tab.run(() => import('../../api/api-error.ts'))
    const reason = 'Address must match its checksum counterpart'
    server.refusal = new ApiError(20013, reason, { reason })
    await app.signIn().catch(() => {})
    expect(app.stage()).toEqual({ at: 'failed', error: '帳戶無效' })
  })

  test('a refused login shows the server message and allows a retry', async () => {
    const app = await open(new FakeWallet(ALICE))
    const { ApiError } = await app.tab.run(() => import('../../api/api-error.ts'))
    server.refusal = new ApiError(20001, 'Not today', null)
    await app.signIn().catch(() => {})
    expect(app.stage()).toEqual({ at: 'failed', error: 'Not today' })
    server.refusal = undefined
    app.tab.run(app.signing.retrySignIn)
    await app.at('read')
  })

  test('a login in progress blocks reloads', async () => {
    const app = await open(new FakeWallet(ALICE))
    const { isReloadBlocked } = await app.tab.run(() => import('../../browser/page-reload.ts'))
    const held: boolean[] = []
    server.onLogin = async () => {
      await Promise.resolve()
      held.push(isReloadBlocked())
    }
    await app.signIn()
    expect(held).toEqual([true])
    expect(isReloadBlocked()).toBe(false)
  })
})

describe('wallet changes (§4)', () => {
  test('disconnecting the wallet clears token and user and reloads', async () => {
    const wallet = new FakeWallet(ALICE)
    const app = await open(wallet)
    await app.signIn()
    wallet.emit('disconnect')
    await waitFor(() => expect(app.tab.reloads).toBe(1))
    expect(app.account()).toEqual({ token: undefined, user: undefined })
    expect([stored('token'), stored('user')]).toEqual([undefined, undefined])
  })

  test('a permission revoked while away clears token and user and reloads once', { tags: ['§4.03'] }, async () => {
    const wallet = new FakeWallet(ALICE)
    await (await open(wallet)).signIn()
    wallet.isPermitted = false
    browser.tabs.length = 0
    const app = await open(wallet)
    await waitFor(() => expect(app.tab.reloads).toBe(1))
    expect([stored('token'), stored('user')]).toEqual([undefined, undefined])
    expect(app.account()).toEqual({ token: undefined, user: undefined })
    browser.tabs.length = 0
    const again = await open(wallet)
    await pause(150)
    expect(again.tab.reloads).toBe(0)
  })

  test('signing out revokes the token, disconnects, reloads and says so once', async () => {
    const kept = new Map<string, string>()
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    })
    const app = await open(new FakeWallet(ALICE))
    await app.signIn()
    await app.signOut()
    expect(server.calls.at(-1)?.name).toBe('logout')
    await waitFor(() => expect(app.tab.reloads).toBe(1))
    expect(stored('token')).toBeUndefined()
    expect(toasts).toEqual([])
    await load(app.tab)
    expect(toasts).toEqual(['已登出'])
    await load(app.tab)
    expect(toasts).toEqual(['已登出'])
  })

  test('an invite code that was not used is named', async () => {
    server.isAlone = true
    const app = await open(new FakeWallet(ALICE))
    await app.signIn()
    expect(toasts).toEqual([expect.stringContaining('沒有使用邀請碼 AB12')])
  })

  test('the list of wallets comes first, before their code', async () => {
    const wallet = new FakeWallet(ALICE)
    await (await open(wallet)).signIn()
    browser.tabs.length = 0
    server.config = new Promise(() => {})
    const stageOf = async () => {
      const app = await open(wallet)
      void app.tab.run(() => app.signing.signIn())
      return app.stage()
    }
    // A wallet that was connected may only have to sign.
    expect(await stageOf()).toEqual({ at: 'preparing' })
    browser.close()
    browser = new FakeBrowser()
    expect(await stageOf()).toEqual({ at: 'choose' })
  })

  test('signing out clears the device where the wallet cannot start', async () => {
    const wallet = new FakeWallet(ALICE)
    const app = await open(wallet)
    await app.signIn()
    browser.tabs.length = 0
    server.config = new Promise(() => {})
    const away = await open(wallet)
    await away.signOut()
    await waitFor(() => expect(away.tab.reloads).toBe(1))
    expect([stored('token'), stored('user'), away.tab.run(hasStoredConnection)]).toEqual([undefined, undefined, false])
  })

  test('another account clears the session, updates the address and reloads', async () => {
    const wallet = new FakeWallet(ALICE)
    const app = await open(wallet)
    await app.signIn()
    wallet.accounts = [BOB]
    wallet.emit('accountsChanged', [BOB])
    expect([stored('token'), stored('user'), stored('address')]).toEqual([undefined, undefined, BOB])
    await waitFor(() => expect(app.tab.reloads).toBe(1))
  })

  test('another account found on load reloads the page only once', async () => {
    const wallet = new FakeWallet(ALICE)
    const first = await open(wallet)
    await first.signIn()
    browser.tabs.length = 0
    wallet.accounts = [BOB]
    const second = await open(wallet)
    await waitFor(() => expect(second.tab.reloads).toBe(1))
    expect([stored('token'), stored('user'), stored('address')]).toEqual([undefined, undefined, BOB])
    browser.tabs.length = 0
    const third = await open(wallet)
    await waitFor(() => expect(third.address()).toBe(BOB))
    await pause(150)
    expect(third.tab.reloads).toBe(0)
  })

  test('another account reloads the page only once with full storage', async () => {
    const wallet = new FakeWallet(ALICE)
    await (await open(wallet)).signIn()
    browser.isFull = true
    wallet.accounts = [BOB]
    let reloads = 0
    for (let load = 0; load < 4; load += 1) {
      browser.tabs.length = 0
      const page = await open(wallet)
      await waitFor(() => expect(page.address()).toBe(BOB))
      await pause(150)
      reloads += page.tab.reloads
    }
    expect(reloads).toBe(1)
  })

  test('a repeated account event changes nothing', async () => {
    const wallet = new FakeWallet(ALICE)
    const app = await open(wallet)
    await app.signIn()
    wallet.emit('accountsChanged', [ALICE])
    await pause(150)
    expect(app.tab.reloads).toBe(0)
    expect(app.account().token).toBe(`token of ${ALICE}`)
  })

  test('a reconnection keeps the session of its address', async () => {
    const wallet = new FakeWallet(ALICE)
    await (await open(wallet)).signIn()
    const again = await open(wallet)
    await waitFor(() => expect(again.status()).toBe('connected'))
    await pause(150)
    expect(again.tab.reloads).toBe(0)
    expect(again.account().token).toBe(`token of ${ALICE}`)
  })
})

describe('two tabs', () => {
  /** The tabs stop writing: two that react to each other's writes would never stop. */
  const quiet = () =>
    waitFor(async () => {
      const writes = browser.writes.length
      await pause(150)
      expect(browser.writes.length).toBe(writes)
    })

  test('signing in in one tab connects the other without a wallet request', async () => {
    const wallet = new FakeWallet(ALICE)
    const [here, there] = [await open(wallet), await open(wallet)]
    await here.signIn()
    await waitFor(() => expect(there.status()).toBe('connected'))
    await waitFor(() => expect(there.account()).toEqual(here.account()))
    expect(there.address()).toBe(ALICE)
    expect(wallet.methods().filter((method) => method === 'wallet_requestPermissions')).toHaveLength(1)
    await quiet()
    expect([here.tab.reloads, there.tab.reloads]).toEqual([0, 0])
  })

  test('signing out in one tab signs the other out once', async () => {
    const wallet = new FakeWallet(ALICE)
    const here = await open(wallet)
    await here.signIn()
    const there = await open(wallet)
    await waitFor(() => expect(there.status()).toBe('connected'))
    await here.signOut()
    await waitFor(() => expect(there.account().token).toBeUndefined())
    await waitFor(() => expect(there.status()).toBe('disconnected'))
    await quiet()
    expect([here.tab.reloads, there.tab.reloads]).toEqual([1, 1])
  })

  test('removing the token in one tab signs the other out without disconnecting', async () => {
    const wallet = new FakeWallet(ALICE)
    const here = await open(wallet)
    await here.signIn()
    const there = await open(wallet)
    await waitFor(() => expect(there.status()).toBe('connected'))
    const { forgetSession } = await here.tab.load(() => import('../../api/session-store.ts'))
    here.tab.run(forgetSession)
    await waitFor(() => expect(there.account()).toEqual({ token: undefined, user: undefined }))
    expect(there.status()).toBe('connected')
    await quiet()
    expect(there.tab.reloads).toBe(0)
  })

  test('an account change reported to one tab reaches the other', async () => {
    const [wallet, same] = [new FakeWallet(ALICE), new FakeWallet(ALICE)]
    const here = await open(wallet)
    await here.signIn()
    same.isPermitted = true
    const there = await open(same)
    await waitFor(() => expect(there.status()).toBe('connected'))
    for (const each of [wallet, same]) each.accounts = [BOB]
    wallet.emit('accountsChanged', [BOB])
    await waitFor(() => expect(there.address()).toBe(BOB))
    await waitFor(() => expect([here.tab.reloads, there.tab.reloads]).toEqual([1, 1]))
    expect(there.account().token).toBeUndefined()
    await quiet()
    expect([here.tab.reloads, there.tab.reloads]).toEqual([1, 1])
  })

  test('a tab ignores the session of another address', async () => {
    const [alices, bobs] = [new FakeWallet(ALICE), new FakeWallet(BOB)]
    const there = await open(alices, bobs)
    await there.signIn(1)
    const here = await open(alices, bobs)
    await waitFor(() => expect(here.address()).toBe(BOB))
    // One tab stores a session of Alice, while the other stays connected as Bob.
    browser.tabs.reverse()
    browser.write(here.tab, 'clearwell.user', JSON.stringify({ address: ALICE.toLowerCase() }))
    browser.write(here.tab, 'clearwell.token', 'token of Alice')
    await waitFor(() => expect(there.account()).toEqual({ token: undefined, user: undefined }))
    await quiet()
    expect(stored('token')).toBe('token of Alice')
    expect(there.tab.reloads).toBe(0)
  })

  test('a user change in one tab shows in the other', async () => {
    const wallet = new FakeWallet(ALICE)
    const here = await open(wallet)
    await here.signIn()
    const there = await open(wallet)
    await waitFor(() => expect(there.status()).toBe('connected'))
    browser.write(here.tab, 'clearwell.user', JSON.stringify({ address: ALICE.toLowerCase(), activated: true }))
    await waitFor(() => expect(there.account().user).toMatchObject({ activated: true }))
    await quiet()
  })

  test('a loading tab does not affect a connected one', async () => {
    const wallet = new FakeWallet(ALICE)
    const here = await open(wallet)
    await here.signIn()
    for (let i = 0; i < 3; i += 1) expect((await open(wallet)).status()).toBeDefined()
    await waitFor(() => expect(browser.tabs).toHaveLength(4))
    await quiet()
    expect(browser.tabs.map(({ reloads }) => reloads)).toEqual([0, 0, 0, 0])
    expect(here.account().token).toBe(`token of ${ALICE}`)
  })
})
