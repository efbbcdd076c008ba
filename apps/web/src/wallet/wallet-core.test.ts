import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { FakeBrowser, type FakeTab } from '@clearwell/ui/browser/testing/fake-browser.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { waitFor } from '../testing/wait-for.ts'
import { profileWith, REQUIRED_CHAIN } from './testing/profile.ts'
import { FakeWallet, providerError } from './testing/wallet.ts'
import type { WalletStatus } from './wallet-store.ts'

const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

let browser: FakeBrowser

// The first import of wagmi and viem takes seconds on a busy machine: that is no part of any test.
beforeAll(() => import('./wallet-core.ts'))

beforeEach(() => {
  browser = new FakeBrowser()
  vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
})

afterEach(() => {
  vi.useRealTimers()
  browser.close()
  vi.unstubAllGlobals()
})

/** Starts the wallet code in a tab, and follows its status. */
async function start(tab: FakeTab = browser.open(), profile = profileWith()) {
  return tab.load(async () => {
    const { walletStore } = await import('./wallet-store.ts')
    const { startWalletCore } = await import('./wallet-core.ts')
    const { walletErrorText } = await import('./wallet-error.ts')
    const { showLocale: speak } = await import('@clearwell/ui/i18n/locale.ts')
    const statuses: WalletStatus[] = [walletStore.get().status]
    walletStore.subscribe(() => {
      const { status } = walletStore.get()
      if (status !== statuses.at(-1)) statuses.push(status)
    })
    const core = await startWalletCore(profile)
    const uidOf = (index = 0) => core.choices()[index]?.uid ?? 'none'
    const errorOf = (work: Promise<unknown>) => work.then(() => 'no error', walletErrorText)
    return { tab, core, walletStore, statuses, uidOf, errorOf, speak, connect: () => core.connect(uidOf()) }
  })
}

/** A tab in which wallets have announced themselves. */
function tabWith(...wallets: FakeWallet[]): FakeTab {
  const tab = browser.open()
  for (const [i, wallet] of wallets.entries()) wallet.announceIn(tab, { rdns: `test.wallet${i}`, name: `Wallet ${i}` })
  return tab
}

const storedState = () => JSON.parse(browser.stored.get('clearwell.store') ?? 'null')

describe('the stored state (§3)', () => {
  test('the stored state has version 2, chain, connection and connectors', {
    tags: ['§3.01', '§3.02', '§3.03', '§3.04', '§3.05'],
  }, async () => {
    const { connect, walletStore } = await start(tabWith(new FakeWallet(ALICE)))
    await connect()
    const { connectorUid: uid } = walletStore.get()
    expect(storedState()).toEqual({
      state: {
        chainId: REQUIRED_CHAIN,
        current: uid,
        connections: {
          __type: 'Map',
          value: [
            [
              uid,
              {
                accounts: [ALICE],
                chainId: REQUIRED_CHAIN,
                connector: { id: 'test.wallet0', name: 'Wallet 0', type: 'injected', uid },
              },
            ],
          ],
        },
      },
      version: 2,
    })
    expect(JSON.parse(browser.stored.get('clearwell.recentConnectorId') ?? '')).toBe('test.wallet0')
  })

  test.each([
    [56, 56],
    [97, 97],
    [5, REQUIRED_CHAIN],
  ])(
    'a stored chain %i becomes %i: only a configured one is accepted',
    { tags: ['§5.17'] },
    async (stored, accepted) => {
      const state = { chainId: stored, current: null, connections: { __type: 'Map', value: [] } }
      browser.stored.set('clearwell.store', JSON.stringify({ state, version: 2 }))
      const { core } = await start()
      // The next thing that is stored shows what was taken over: here, a connection that fails.
      await core.connect('none').catch(() => {})
      const wallet = new FakeWallet()
      wallet.responses.wallet_requestPermissions = () => {
        throw providerError(4001, 'no')
      }
      const again = await start(tabWith(wallet))
      await again.connect().catch(() => {})
      expect(storedState().state.chainId).toBe(accepted)
    },
  )

  test('nothing is stored while the page loads', async () => {
    const wallet = new FakeWallet()
    const first = await start(tabWith(wallet))
    await first.connect()
    browser.writes.length = 0
    const second = await start(tabWith(wallet))
    expect(second.walletStore.get().status).toBe('connected')
    const states = browser.writes.filter(({ key }) => key === 'clearwell.store')
    expect(states.map(({ value }) => JSON.parse(value ?? '').state.current)).not.toContain(null)
  })
})

describe('status (§4)', () => {
  test('a connection goes from disconnected over connecting to connected', { tags: ['§3.06', '§4.08'] }, async () => {
    const { connect, statuses } = await start(tabWith(new FakeWallet(ALICE)))
    expect(await connect()).toBe(ALICE)
    expect(statuses).toEqual(['disconnected', 'connecting', 'connected'])
  })

  test('a failed connection ends disconnected', { tags: ['§4.10'] }, async () => {
    const wallet = new FakeWallet()
    wallet.responses.wallet_requestPermissions = () => {
      throw providerError(4001, 'User rejected the request.')
    }
    const { connect, statuses } = await start(tabWith(wallet))
    await expect(connect()).rejects.toMatchObject({ code: 4001 })
    expect(statuses).toEqual(['disconnected', 'connecting', 'disconnected'])
  })

  test('a failed connection keeps the current one', { tags: ['§4.09'] }, async () => {
    const refusing = new FakeWallet(BOB)
    refusing.responses.wallet_requestPermissions = () => {
      throw providerError(4001, 'no')
    }
    const { core, uidOf, statuses, walletStore } = await start(tabWith(new FakeWallet(ALICE), refusing))
    await core.connect(uidOf(0))
    await expect(core.connect(uidOf(1))).rejects.toThrow()
    expect(statuses).toEqual(['disconnected', 'connecting', 'connected', 'connecting', 'connected'])
    expect(walletStore.get().address).toBe(ALICE)
  })

  test('a page load reconnects a stored connection that its wallet still permits', {
    tags: ['§3.06', '§4.11', '§4.12'],
  }, async () => {
    const wallet = new FakeWallet(ALICE)
    await (await start(tabWith(wallet))).connect()
    const { statuses, walletStore } = await start(tabWith(wallet))
    expect(statuses).toEqual(['disconnected', 'reconnecting', 'connected'])
    expect(walletStore.get().address).toBe(ALICE)
  })

  test('the status is disconnected until the wallet confirms its permission', {
    tags: ['§4.11'],
  }, async () => {
    const wallet = new FakeWallet(ALICE)
    await (await start(tabWith(wallet))).connect()
    const asked = Promise.withResolvers<void>()
    const response = Promise.withResolvers<string[]>()
    wallet.responses.eth_accounts = () => {
      asked.resolve()
      return response.promise
    }
    const tab = tabWith(wallet)
    const { walletStore, hasStoredConnection } = await tab.load(() => import('./wallet-store.ts'))
    const started = tab.run(async () => (await import('./wallet-core.ts')).startWalletCore(profileWith()))
    await asked.promise
    expect(walletStore.get()).toMatchObject({ status: 'disconnected', isResuming: true })
    response.resolve([ALICE])
    await started
    expect(walletStore.get()).toMatchObject({ status: 'connected', isResuming: false })
    expect(tab.run(hasStoredConnection)).toBe(true)
  })

  test('the status is never reconnecting without a permission', {
    tags: ['§4.11', '§4.13'],
  }, async () => {
    const wallet = new FakeWallet()
    await (await start(tabWith(wallet))).connect()
    wallet.isPermitted = false
    const { statuses, walletStore } = await start(tabWith(wallet))
    expect(statuses).toEqual(['disconnected'])
    expect(walletStore.get().isResuming).toBe(false)
    expect(storedState().state).toMatchObject({ current: null })
  })

  test('a page load without a stored connection stays disconnected', async () => {
    const wallet = new FakeWallet()
    wallet.isPermitted = true
    const { statuses } = await start(tabWith(wallet))
    expect(statuses).toEqual(['disconnected'])
    expect(wallet.asked).toEqual([])
  })

  test('a page load does not connect another wallet than the stored', async () => {
    const [stored, other] = [new FakeWallet(ALICE), new FakeWallet(BOB)]
    await (await start(tabWith(stored))).connect()
    stored.isPermitted = false
    other.isPermitted = true
    const { walletStore } = await start(tabWith(stored, other))
    expect(walletStore.get().status).toBe('disconnected')
    expect(other.asked).toEqual([])
  })

  test('a disconnected wallet is removed and the first remaining becomes current', {
    tags: ['§4.15', '§4.14'],
  }, async () => {
    const wallets = [new FakeWallet(ALICE), new FakeWallet(BOB)] as const
    const { core, uidOf, walletStore } = await start(tabWith(...wallets))
    await core.connect(uidOf(0))
    await core.connect(uidOf(1))
    expect(walletStore.get().address).toBe(BOB)
    wallets[1].emit('disconnect')
    await waitFor(() => expect(walletStore.get()).toMatchObject({ status: 'connected', address: ALICE }))
    expect(storedState().state.connections.value).toHaveLength(1)
    wallets[0].emit('disconnect')
    await waitFor(() => expect(walletStore.get().status).toBe('disconnected'))
    expect(storedState().state).toMatchObject({ current: null, connections: { value: [] } })
  })

  test('a wallet without permitted accounts is disconnected', async () => {
    const wallet = new FakeWallet()
    const { connect, walletStore } = await start(tabWith(wallet))
    await connect()
    wallet.emit('accountsChanged', [])
    await waitFor(() => expect(walletStore.get().status).toBe('disconnected'))
  })

  test('a wallet that changes its account changes the address', async () => {
    const wallet = new FakeWallet(ALICE)
    const { connect, walletStore } = await start(tabWith(wallet))
    await connect()
    wallet.emit('accountsChanged', [BOB.toLowerCase()])
    expect(walletStore.get()).toMatchObject({ status: 'connected', address: BOB })
  })

  test('the current connector is not connected again', { tags: ['§4.16'] }, async () => {
    const { connect, errorOf } = await start(tabWith(new FakeWallet()))
    await connect()
    await expect(connect()).rejects.toMatchObject({ name: 'ConnectorAlreadyConnectedError' })
    expect(await errorOf(connect())).toBe('此錢包已經連接。')
  })

  test('a disconnected user is not silently reconnected by wallet events', { tags: ['§4.17'] }, async () => {
    const wallet = new FakeWallet(ALICE)
    // It knows no revocation, so it goes on permitting everything.
    wallet.responses.wallet_revokePermissions = () => {
      throw providerError(-32601, 'no such method')
    }
    const first = await start(tabWith(wallet))
    await first.connect()
    await first.core.disconnect()
    expect(first.walletStore.get().status).toBe('disconnected')
    expect(browser.stored.get('clearwell.test.wallet0.disconnected')).toBe('true')
    for (const tab of [first, await start(tabWith(wallet))]) {
      wallet.emit('connect', { chainId: wallet.chainId })
      wallet.emit('accountsChanged', [ALICE])
      await new Promise((resolve) => setTimeout(resolve, 5))
      expect(tab.walletStore.get().status).toBe('disconnected')
      expect(browser.stored.get('clearwell.test.wallet0.disconnected')).toBe('true')
    }
    await first.connect()
    expect(first.walletStore.get().status).toBe('connected')
    expect(browser.stored.has('clearwell.test.wallet0.disconnected')).toBe(false)
  })

  test('a user who disconnects leaves every wallet', async () => {
    const { core, uidOf, walletStore } = await start(tabWith(new FakeWallet(ALICE), new FakeWallet(BOB)))
    await core.connect(uidOf(0))
    await core.connect(uidOf(1))
    await core.disconnect()
    expect(walletStore.get().status).toBe('disconnected')
  })

  test('a silent wallet delays a disconnection by at most 100 ms', {
    tags: ['§9.30'],
  }, async () => {
    const wallet = new FakeWallet()
    wallet.responses.wallet_revokePermissions = () => new Promise(() => {})
    const { core, connect, walletStore } = await start(tabWith(wallet))
    await connect()
    vi.useFakeTimers()
    const leaving = core.disconnect()
    await vi.advanceTimersByTimeAsync(99)
    expect(walletStore.get().status).toBe('connected')
    await vi.advanceTimersByTimeAsync(1)
    await leaving
    expect(walletStore.get().status).toBe('disconnected')
  })
})

describe('the required chain (§4)', () => {
  const elsewhere = () => Object.assign(new FakeWallet(ALICE), { chainId: '0x1' })
  const unknownChain = () => {
    throw providerError(4902, 'Unrecognized chain ID')
  }

  test('a wallet on another chain is switched on connection', { tags: ['§4.21'] }, async () => {
    const wallet = elsewhere()
    const { connect, walletStore } = await start(tabWith(wallet))
    await connect()
    expect(walletStore.get().chainId).toBe(REQUIRED_CHAIN)
    expect(wallet.asked).toContainEqual({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a69' }] })
  })

  const switchesOf = (wallet: FakeWallet) =>
    wallet.methods().filter((method) => method === 'wallet_switchEthereumChain').length

  test('a wallet on another chain after a page load is switched', { tags: ['§4.21'] }, async () => {
    const wallet = new FakeWallet(ALICE)
    await (await start(tabWith(wallet))).connect()
    wallet.chainId = '0x1'
    const { walletStore } = await start(tabWith(wallet))
    await waitFor(() => expect(walletStore.get().chainId).toBe(REQUIRED_CHAIN))
    expect(switchesOf(wallet)).toBe(1)
  })

  test('a connected wallet that changes its chain is switched back', { tags: ['§4.21'] }, async () => {
    const wallet = new FakeWallet(ALICE)
    const { connect, walletStore } = await start(tabWith(wallet))
    await connect()
    for (const chainId of ['0x1', '0x38']) {
      wallet.chainId = chainId
      wallet.emit('chainChanged', chainId)
      expect(walletStore.get().chainId).toBe(Number(chainId))
      await waitFor(() => expect(walletStore.get().chainId).toBe(REQUIRED_CHAIN))
    }
    expect(switchesOf(wallet)).toBe(2)
  })

  test('a rejected switch shows a toast and is not repeated', { tags: ['§4.21', '§8.05'] }, async () => {
    const wallet = new FakeWallet(ALICE)
    const { tab, connect, walletStore } = await start(tabWith(wallet))
    const { toastStore } = await tab.run(() => import('@clearwell/ui/components/toast-store.ts'))
    await connect()
    wallet.responses.wallet_switchEthereumChain = () => {
      throw providerError(4001, 'no')
    }
    for (const _ of [1, 2]) {
      wallet.chainId = '0x1'
      wallet.emit('chainChanged', '0x1')
    }
    await waitFor(() => expect(toastStore.get()).toHaveLength(1))
    wallet.emit('accountsChanged', [ALICE])
    expect(walletStore.get()).toMatchObject({ status: 'connected', chainId: 1 })
    expect(switchesOf(wallet)).toBe(1)
  })

  test('the required chain comes from the profile', { tags: ['§4.20'] }, async () => {
    const wallet = elsewhere()
    const { chains } = profileWith()
    const chain = { ...profileWith().chain, ...chains[2], rpc_url: 'http://127.0.0.1:1', confirmations: 3 }
    const { connect, walletStore } = await start(tabWith(wallet), profileWith({ chain }))
    await connect()
    expect(walletStore.get().chainId).toBe(97)
    expect(wallet.asked).toContainEqual({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x61' }] })
  })

  test.each([
    ['says 4902', unknownChain],
    [
      'says 4902 within another error, as MetaMask on a phone does',
      () => {
        throw providerError(-32603, 'Unrecognized chain ID', { originalError: { code: 4902 } })
      },
    ],
  ])('a wallet without the chain is asked to add it: %s', { tags: ['§4.18', '§7.34'] }, async (_name, response) => {
    const wallet = elsewhere()
    wallet.responses.wallet_switchEthereumChain = response
    wallet.responses.wallet_addEthereumChain = () => {
      wallet.chainId = '0x7a69'
      return null
    }
    const { connect, walletStore } = await start(tabWith(wallet))
    await connect()
    expect(walletStore.get()).toMatchObject({ status: 'connected', chainId: REQUIRED_CHAIN })
    expect(wallet.asked).toContainEqual({
      method: 'wallet_addEthereumChain',
      params: [
        {
          chainId: '0x7a69',
          chainName: 'Local chain',
          nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
          rpcUrls: ['http://127.0.0.1:1'],
        },
      ],
    })
  })

  test.each([
    ['refused', 'wallet_switchEthereumChain', 4001],
    ['failed', 'wallet_switchEthereumChain', -32603],
    ['failed within the wallet', 'wallet_switchEthereumChain', -32000],
    ['refused when it was to be added', 'wallet_addEthereumChain', 4001],
    ['not added', 'wallet_addEthereumChain', -32602],
  ])(
    'a switch that is %s counts as rejected and connects nothing',
    { tags: ['§4.19'] },
    async (_name, method, code) => {
      const wallet = elsewhere()
      if (method === 'wallet_addEthereumChain') wallet.responses.wallet_switchEthereumChain = unknownChain
      wallet.responses[method] = () => {
        throw providerError(code, 'no')
      }
      const { connect, walletStore, errorOf } = await start(tabWith(wallet))
      await expect(connect()).rejects.toMatchObject({ name: 'UserRejectedRequestError', code: 4001 })
      expect(await errorOf(connect())).toBe('你已在錢包拒絕這項要求，這次沒有簽署或發送任何內容。')
      expect(walletStore.get().status).toBe('disconnected')
    },
  )

  test('a wallet that adds the chain without switching counts as rejecting', async () => {
    const wallet = elsewhere()
    wallet.responses.wallet_switchEthereumChain = unknownChain
    wallet.responses.wallet_addEthereumChain = () => null
    const { connect } = await start(tabWith(wallet))
    await expect(connect()).rejects.toMatchObject({ code: 4001 })
  })

  test('a wallet without switching connects and fails on a later switch', { tags: ['§8.25'] }, async () => {
    const wallet = elsewhere()
    wallet.responses.wallet_switchEthereumChain = () => {
      throw providerError(4200, 'unsupported')
    }
    const { core, connect, walletStore, errorOf, speak } = await start(tabWith(wallet))
    await connect()
    expect(walletStore.get()).toMatchObject({ status: 'connected', chainId: 1 })
    expect(await errorOf(core.switchToRequiredChain())).toContain('不支援由網站切換網絡')
    speak('en')
    expect(await errorOf(core.switchToRequiredChain())).toContain('does not support programmatic chain switching')
  })

  test('a chain’s client polls and caches for 4 s', { tags: ['§9.26', '§9.27'] }, async () => {
    const { createWalletConfig } = await import('./wallet-config.ts')
    const { config } = await browser.open().run(() => createWalletConfig(profileWith()))
    const client = config.getClient({ chainId: REQUIRED_CHAIN })
    expect(client).toMatchObject({ pollingInterval: 4_000, cacheTime: 4_000 })
  })

  test('a chain without a node has no transport', { tags: ['§8.21'] }, async () => {
    const { createWalletConfig } = await import('./wallet-config.ts')
    const { config } = await browser.open().run(() => createWalletConfig(profileWith()))
    expect(() => config.getClient({ chainId: 1 })).toThrow('No URL was provided to the Transport')
    expect(() => config.getClient({ chainId: 5 })).toThrow('Chain not configured.')
    expect(config.getClient({ chainId: REQUIRED_CHAIN }).transport).toMatchObject({
      timeout: 10_000,
      retryCount: 3,
      retryDelay: 150,
    })
    expect(config.chains.map(({ id }) => id)).toEqual([REQUIRED_CHAIN, 56, 97, 1])
  })
})

describe('signing (§5, §7)', () => {
  test('connecting and signing send exactly the expected wallet requests', {
    tags: ['§7.30', '§7.31', '§7.32', '§7.33', '§7.35', '§7.36'],
  }, async () => {
    const wallet = Object.assign(new FakeWallet(ALICE), { chainId: '0x1' })
    const { core, connect } = await start(tabWith(wallet))
    await connect()
    expect(await core.signMessage({ message: '明池', account: ALICE })).toBe('0x5167')
    await core.disconnect()
    expect(wallet.asked).toEqual([
      { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] },
      { method: 'eth_accounts' },
      { method: 'eth_chainId' },
      { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a69' }] },
      { method: 'eth_chainId' },
      { method: 'eth_chainId' },
      { method: 'personal_sign', params: ['0xe6988ee6b1a0', ALICE] },
      { method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] },
    ])
  })

  test('a wallet without permissions is asked for its accounts', { tags: ['§7.29'] }, async () => {
    const wallet = new FakeWallet(ALICE)
    wallet.responses.wallet_requestPermissions = () => {
      throw providerError(-32601, 'no such method')
    }
    const { connect } = await start(tabWith(wallet))
    expect(await connect()).toBe(ALICE)
    expect(wallet.asked).toContainEqual({ method: 'eth_requestAccounts' })
  })

  test('a failed payment is not requested again in another form', async () => {
    const wallet = new FakeWallet(ALICE)
    wallet.responses.eth_sendTransaction = () => {
      throw providerError(-32000, 'insufficient funds')
    }
    const { core, connect, errorOf } = await start(tabWith(wallet))
    await connect()
    wallet.asked.length = 0
    expect(await errorOf(core.sendTransaction({ to: BOB, value: 5n }))).toBe('insufficient funds')
    expect(wallet.asked.filter(({ method }) => method !== 'eth_chainId')).toEqual([
      { method: 'eth_sendTransaction', params: [{ from: ALICE, to: BOB, value: '0x5' }] },
    ])
  })

  test('a call is offered a fifth more gas than its estimate', async () => {
    const node = createServer(async (request, response) => {
      const resultOf = ({ id, method }: { id: number; method: string }) => ({
        ...{ jsonrpc: '2.0', id },
        result: method === 'eth_estimateGas' ? '0x64' : '0x1',
      })
      const body = (await json(request)) as Parameters<typeof resultOf>[0] | Parameters<typeof resultOf>[0][]
      response.end(JSON.stringify(Array.isArray(body) ? body.map(resultOf) : resultOf(body)))
    })
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void node.close())
    const profile = profileWith()
    const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
    const wallet = new FakeWallet(ALICE)
    wallet.responses.eth_sendTransaction = () => `0x${'7'.repeat(64)}`
    const { core, connect } = await start(tabWith(wallet), { ...profile, chain: { ...profile.chain, rpc_url: rpcUrl } })
    await connect()
    await core.sendTransaction({ to: BOB, data: '0x01' })
    const sent = wallet.asked.filter(({ method }) => method === 'eth_sendTransaction')
    expect(sent.map(({ params }) => params)).toEqual([[{ from: ALICE, to: BOB, data: '0x01', gas: '0x78' }]])
  })

  test('an account outside the connection signs nothing', { tags: ['§5.18', '§8.26'] }, async () => {
    const wallet = new FakeWallet(ALICE)
    const { core, connect, errorOf, speak } = await start(tabWith(wallet))
    await connect()
    const sign = () => core.signMessage({ message: 'x', account: BOB })
    await expect(sign()).rejects.toThrow(`Account "${BOB}" not found for connector "Wallet 0".`)
    expect(await errorOf(sign())).toBe('此帳戶不屬於已連接的錢包。')
    speak('en')
    expect(await errorOf(sign())).toBe('Account not found for connector')
    expect(wallet.methods()).not.toContain('personal_sign')
  })

  test.each(['signMessage', 'sendTransaction', 'signPermit'] as const)(
    '%s: the wallet must be on the chain of the connection',
    { tags: ['§5.19', '§8.27'] },
    async (name) => {
      const wallet = new FakeWallet(ALICE)
      const { core, connect, errorOf, speak } = await start(tabWith(wallet))
      await connect()
      speak('en')
      // The wallet changed its chain without an event.
      wallet.chainId = '0x1'
      const domain = { name: 'USDT', version: '1', chainId: REQUIRED_CHAIN, verifyingContract: BOB } as const
      const work = {
        signMessage: () => core.signMessage({ message: 'x', account: ALICE }),
        sendTransaction: () => core.sendTransaction({ to: BOB }),
        signPermit: () => core.signPermit({ domain, spender: BOB, units: 1n }),
      }[name]()
      expect(await errorOf(work)).toBe("The current chain of the connector does not match the connection's chain")
      for (const method of ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4'])
        expect(wallet.methods()).not.toContain(method)
    },
  )

  test('signing without a connection signs nothing', { tags: ['§8.23'] }, async () => {
    const { core, errorOf, speak } = await start()
    const sign = () => core.signMessage({ message: 'x', account: ALICE })
    expect(await errorOf(sign())).toBe('錢包尚未連接。')
    speak('en')
    expect(await errorOf(sign())).toBe('Connector not connected.')
  })

  test('the page blocks reloads while the wallet signs', async () => {
    const wallet = new FakeWallet(ALICE)
    let sign: (signature: string) => void = () => {}
    wallet.responses.personal_sign = () => new Promise((resolve) => (sign = resolve))
    const { tab, core, connect } = await start(tabWith(wallet))
    await connect()
    const { isReloadBlocked } = await tab.run(() => import('../browser/page-reload.ts'))
    expect(isReloadBlocked()).toBe(false)
    const signing = core.signMessage({ message: 'x', account: ALICE })
    await waitFor(() => expect(wallet.methods()).toContain('personal_sign'))
    expect(isReloadBlocked()).toBe(true)
    sign('0x1')
    await signing
    expect(isReloadBlocked()).toBe(false)
  })

  for (const [name, row, account, chinese, english] of [
    [
      'too short',
      '§5.15',
      '0x1234',
      '地址必須為 0x 加 40 個十六進制字元。',
      'Address must be a hex value of 20 bytes (40 hex characters)',
    ],
    [
      'no text',
      '§5.15',
      5,
      '地址必須為 0x 加 40 個十六進制字元。',
      'Address must be a hex value of 20 bytes (40 hex characters)',
    ],
    [
      'of another checksum',
      '§5.16',
      '0x70997970c51812dc3A010C7d01b50e0d17dc79C8',
      '地址的大小寫與校驗碼不符。',
      'Address must match its checksum counterpart',
    ],
  ] as const) {
    test(`an account that is ${name} is not connected`, { tags: [row] }, async () => {
      const { connect, errorOf, speak, walletStore } = await start(tabWith(new FakeWallet(account as string)))
      expect(await errorOf(connect())).toBe(chinese)
      speak('en')
      expect(await errorOf(connect())).toBe(english)
      expect(walletStore.get().status).toBe('disconnected')
    })
  }

  for (const [row, code, kind] of [
    ['§8.32', -32700, 'ParseRpcError'],
    ['§8.33', -32600, 'InvalidRequestRpcError'],
    ['§8.35', -32602, 'InvalidParamsRpcError'],
    ['§8.36', -32603, 'InternalRpcError'],
    ['§8.37', -32000, 'InvalidInputRpcError'],
    ['§8.38', -32001, 'ResourceNotFoundRpcError'],
    ['§8.40', -32003, 'TransactionRejectedRpcError'],
    ['§8.43', -32006, 'JsonRpcVersionUnsupportedError'],
  ] as const) {
    test(`the wallet’s code ${code} is a ${kind} with its details`, { tags: [row] }, async () => {
      const wallet = new FakeWallet(ALICE)
      wallet.responses.personal_sign = () => {
        throw providerError(code, 'nonce too low')
      }
      const { core, connect, errorOf } = await start(tabWith(wallet))
      await connect()
      const sign = () => core.signMessage({ message: 'x', account: ALICE })
      await expect(sign()).rejects.toMatchObject({ name: kind, code })
      // Not viem's general sentence about the code.
      expect(await errorOf(sign())).toBe('nonce too low')
    })
  }

  test.each([
    ['lower', ALICE.toLowerCase()],
    ['upper', `0x${ALICE.slice(2).toUpperCase()}`],
  ])('an account in %s case gets its checksum', { tags: ['§5.14'] }, async (_case, account) => {
    const { connect } = await start(tabWith(new FakeWallet(account)))
    expect(await connect()).toBe(ALICE)
  })

  test('a change to a malformed account ends the connection', async () => {
    const wallet = new FakeWallet(ALICE)
    const { connect, walletStore } = await start(tabWith(wallet))
    await connect()
    wallet.emit('accountsChanged', ['0x1'])
    await waitFor(() => expect(walletStore.get().status).toBe('disconnected'))
  })

  test('a wallet without an account is not connected', async () => {
    const wallet = new FakeWallet()
    wallet.accounts = []
    const { connect, errorOf, walletStore } = await start(tabWith(wallet))
    expect(await errorOf(connect())).toBe('帳戶無效')
    expect(walletStore.get().status).toBe('disconnected')
  })
})

describe('the wallets on offer (§2)', () => {
  test('the first connector is skipped when other wallets are announced', { tags: ['§2.65'] }, async () => {
    const tab = tabWith(new FakeWallet(ALICE), new FakeWallet(BOB))
    tab.window.ethereum = new FakeWallet()
    const { core } = await start(tab)
    expect(core.choices().map(({ name, kind }) => [name, kind])).toEqual([
      ['Wallet 0', 'announced'],
      ['Wallet 1', 'announced'],
    ])
  })

  test('window.ethereum is offered and connects without announced wallets', async () => {
    const tab = browser.open()
    tab.window.ethereum = new FakeWallet(ALICE)
    const { core, connect, walletStore } = await start(tab)
    expect(core.choices()).toMatchObject([{ name: '瀏覽器內的錢包', kind: 'generic' }])
    expect(await tab.run(connect)).toBe(ALICE)
    expect(walletStore.get().status).toBe('connected')
  })

  test('the wallet list is empty without a wallet', async () => {
    expect((await start()).core.choices()).toEqual([])
  })

  test('the wallet list skips invalid and repeated announcements and foreign icons', async () => {
    const tab = browser.open()
    const wallet = new FakeWallet()
    wallet.announceIn(tab, { icon: 'https://elsewhere.example/icon.png', name: 'First' })
    wallet.announceIn(tab, { name: 'Second' })
    tab.window.addEventListener('eip6963:requestProvider', () =>
      tab.window.dispatchEvent(
        Object.assign(new Event('eip6963:announceProvider'), { detail: { info: { rdns: 'x' } } }),
      ),
    )
    const { core } = await start(tab)
    expect(core.choices()).toMatchObject([{ name: 'First', icon: undefined }])
  })
})

describe('wallets that come late (in-app browsers)', () => {
  test.each(['ethereum#initialized', 'no event'])(
    'a late window.ethereum appears in the open list: %s',
    async (event) => {
      const { tab, core } = await start()
      const heard = vi.fn()
      const stop = tab.run(() => core.watchChoices(heard))
      tab.window.ethereum = new FakeWallet(ALICE)
      if (event !== 'no event') tab.run(() => tab.window.dispatchEvent(new Event(event)))
      await waitFor(() => expect(heard).toHaveBeenCalledOnce())
      stop()
      expect(tab.run(() => core.choices())).toMatchObject([{ kind: 'generic' }])
    },
  )

  test('a late announcement appears in the open list', async () => {
    const { tab, core } = await start()
    const heard = vi.fn()
    const stop = tab.run(() => core.watchChoices(heard))
    tab.run(() => new FakeWallet(ALICE).announceIn(tab, { name: 'Late' }))
    expect(heard).toHaveBeenCalledOnce()
    expect(core.choices()).toMatchObject([{ name: 'Late' }])
    stop()
  })

  test('a stored connection is restored when its wallet announces itself late', async () => {
    const wallet = new FakeWallet(ALICE)
    await (await start(tabWith(wallet))).connect()
    const tab = browser.open()
    setTimeout(() => tab.run(() => wallet.announceIn(tab, { rdns: 'test.wallet0' })), 150)
    const { statuses, walletStore } = await start(tab)
    expect(statuses).toEqual(['disconnected', 'reconnecting', 'connected'])
    expect(walletStore.get().address).toBe(ALICE)
  })

  test('a stored connection to a late window.ethereum is restored', async () => {
    const wallet = new FakeWallet(ALICE)
    const first = browser.open()
    first.window.ethereum = wallet
    const { connect } = await start(first)
    await first.run(connect)
    const tab = browser.open()
    setTimeout(() => Object.assign(tab.window, { ethereum: wallet }), 150)
    expect((await start(tab)).statuses).toEqual(['disconnected', 'reconnecting', 'connected'])
  })

  test('a missing wallet is awaited for 3 s and stays stored', async () => {
    await (await start(tabWith(new FakeWallet()))).connect()
    const before = browser.stored.get('clearwell.store')
    vi.useFakeTimers()
    const starting = start(browser.open())
    await vi.advanceTimersByTimeAsync(3_200)
    const { statuses } = await starting
    expect(statuses).toEqual(['disconnected'])
    expect(browser.stored.get('clearwell.store')).toBe(before)
  })
})
