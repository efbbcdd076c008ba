import { FakeBrowser } from '@clearwell/ui/browser/testing/fake-browser.ts'
import { SignClient } from '@walletconnect/sign-client'
import { hexToString, verifyMessage } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { waitFor } from '../testing/wait-for.ts'
import { profileWith, REQUIRED_CHAIN } from './testing/profile.ts'
import { LocalRelay } from './testing/relay.ts'

/** The real provider of WalletConnect on our side, its real client on the wallet's, and a relay of our own between. */
const CHAIN = `eip155:${REQUIRED_CHAIN}`
const PROJECT_ID = '0123456789abcdef0123456789abcdef'
const EVENTS = ['accountsChanged', 'chainChanged']

type Provider = Awaited<ReturnType<typeof import('./wallet-connect-provider.ts').openWalletConnect>>

/** Those that the connectors opened, the last one last. */
const providers = vi.hoisted(() => [] as Provider[])
vi.mock('./wallet-connect-provider.ts', async (load) => {
  const { openWalletConnect } = await load<typeof import('./wallet-connect-provider.ts')>()
  return {
    openWalletConnect: async (site: Parameters<typeof openWalletConnect>[0]) => {
      const provider = await openWalletConnect(site)
      providers.push(provider)
      return provider
    },
  }
})

let relay: LocalRelay
let browser: FakeBrowser
let wallet: Awaited<ReturnType<typeof openWallet>>
const fetched: string[] = []

beforeAll(async () => {
  // The first import takes seconds on a busy machine: that is no part of any test.
  await Promise.all([import('./wallet-core.ts'), import('./wallet-connect-provider.ts')])
  relay = await LocalRelay.start()
  wallet = await openWallet()
})

afterAll(async () => {
  for (const { core } of [wallet.client, ...providers.map(({ client }) => client)]) {
    core.heartbeat.stop()
    await core.relayer.transportClose()
  }
  await relay.stop()
})

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://clearwell.example' })
  vi.stubGlobal('fetch', async (input: unknown) => {
    fetched.push(String(input))
    throw new TypeError('Failed to fetch')
  })
  browser = new FakeBrowser()
})

afterEach(() => {
  browser.close()
  vi.unstubAllGlobals()
})

/** A wallet on another device. It approves the requests that a test allows, with its own key. */
async function openWallet() {
  const account = privateKeyToAccount(generatePrivateKey())
  const stored = new Map<string, unknown>()
  const client = await SignClient.init({
    projectId: PROJECT_ID,
    relayUrl: relay.url,
    metadata: { name: 'Test wallet', description: '', url: 'https://wallet.example', icons: [] },
    customStoragePrefix: 'test-wallet',
    telemetryEnabled: false,
    logger: 'silent',
    storage: {
      getKeys: async () => [...stored.keys()],
      getEntries: async () => [...stored.entries()] as never,
      getItem: async (key) => structuredClone(stored.get(key)) as never,
      setItem: async (key, value) => void stored.set(key, structuredClone(value)),
      removeItem: async (key) => void stored.delete(key),
    },
  })
  // A wallet looks attestations up elsewhere: that is its own affair, and not what is tested.
  client.core.verify.resolve = async () => undefined as never
  const asked: { method: string; params: unknown; chainId: string }[] = []
  client.on('session_request', async ({ id, topic, params: { request, chainId } }) => {
    asked.push({ method: request.method, params: request.params, chainId })
    const message = hexToString(request.params[0])
    const response = message.startsWith('refuse')
      ? { id, jsonrpc: '2.0', error: { code: 5000, message: 'User rejected.' } }
      : { id, jsonrpc: '2.0', result: await account.signMessage({ message }) }
    await client.respond({ topic, response })
  })
  /** Scans the code; returns the proposal. */
  async function take(uri: string, decision: 'approve' | 'reject' | 'approve another chain') {
    const proposed = new Promise<Parameters<Parameters<typeof client.on<'session_proposal'>>[1]>[0]>((resolve) =>
      client.once('session_proposal', resolve),
    )
    await client.pair({ uri })
    const proposal = await proposed
    if (decision === 'reject') {
      await client.reject({ id: proposal.id, reason: { code: 5000, message: 'User rejected.' } })
      return proposal.params
    }
    const chain = decision === 'approve' ? CHAIN : 'eip155:1'
    const namespace = { accounts: [`${chain}:${account.address}`], methods: ['personal_sign'], events: EVENTS }
    const { acknowledged } = await client.approve({ id: proposal.id, namespaces: { eip155: namespace } })
    await acknowledged()
    return proposal.params
  }
  const topic = () => client.session.getAll().at(-1)?.topic ?? ''
  return { account, client, asked, take, topic }
}

async function start() {
  const tab = browser.open()
  // A page that loads has no global core yet.
  for (const name of ['_walletConnectCore_clearwell', '_walletConnectCore_clearwell_count'])
    Reflect.deleteProperty(globalThis, name)
  return tab.load(async () => {
    const { startWalletCore } = await import('./wallet-core.ts')
    const { walletStore } = await import('./wallet-store.ts')
    const { walletErrorText } = await import('./wallet-error.ts')
    const core = await startWalletCore(
      profileWith({ wallet_connect: { project_id: PROJECT_ID, relay_url: relay.url } }),
    )
    const uid = core.choices().find(({ kind }) => kind === 'elsewhere')?.uid ?? ''
    return {
      core,
      uid,
      walletStore,
      walletErrorText,
      connect: (decision: Parameters<typeof wallet.take>[1]) => {
        const proposed = Promise.withResolvers<Awaited<ReturnType<typeof wallet.take>>>()
        const connected = tab.run(() =>
          core.connect(uid, (uri) => wallet.take(uri, decision).then(proposed.resolve, proposed.reject)),
        )
        return Promise.all([connected, proposed.promise])
      },
    }
  })
}

test('WalletConnect is offered when the operator configured it', async () => {
  const tab = browser.open()
  const { startWalletCore } = await tab.load(() => import('./wallet-core.ts'))
  expect(await tab.run(async () => (await startWalletCore(profileWith())).choices())).toEqual([])
  expect((await start()).core.choices()).toMatchObject([{ name: 'WalletConnect', kind: 'elsewhere' }])
  expect(relay.connections).toHaveLength(0)
})

test('a wallet on another device connects, signs, refuses and disconnects', async () => {
  const { core, connect, walletStore, walletErrorText } = await start()
  const [address, proposal] = await connect('approve')
  expect(address).toBe(wallet.account.address)
  expect(walletStore.get()).toMatchObject({
    status: 'connected',
    chainId: REQUIRED_CHAIN,
    connectorName: 'WalletConnect',
  })

  // Only what the product uses, on its chain, under its name and its public address.
  expect(proposal.optionalNamespaces).toMatchObject({
    eip155: {
      chains: [CHAIN],
      methods: ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4'],
      events: EVENTS,
    },
  })
  expect(proposal.requiredNamespaces).toEqual({})
  expect(proposal.proposer.metadata).toMatchObject({ name: '明池', url: 'https://clearwell.example' })

  const text = 'clearwell.example wants you to sign in\n明池'
  const signature = await core.signMessage({ message: text, account: address })
  expect(await verifyMessage({ address, message: text, signature })).toBe(true)
  expect(wallet.asked).toEqual([
    { method: 'personal_sign', params: [expect.stringMatching(/^0x/), address], chainId: CHAIN },
  ])

  const refused = await core.signMessage({ message: 'refuse this', account: address }).catch((error: unknown) => error)
  expect(walletErrorText(refused)).toBe('你已在錢包拒絕這項要求，這次沒有簽署或發送任何內容。')

  // Everything stored is under our prefix.
  expect([...browser.stored.keys()].filter((key) => !key.startsWith('clearwell.'))).toEqual([])
  expect([...browser.stored.keys()].some((key) => key.startsWith('clearwell.wc.'))).toBe(true)

  await wallet.client.disconnect({ topic: wallet.topic(), reason: { code: 6000, message: 'User disconnected.' } })
  await waitFor(() => expect(walletStore.get().status).toBe('disconnected'), { timeout: 20_000 })
})

test('a session that expires ends the connection', async () => {
  const { connect, walletStore } = await start()
  await connect('approve')
  const { session, client } = lastProvider()
  client.core.expirer.set(session?.topic ?? '', 0)
  client.core.heartbeat.events.emit('heartbeat_pulse')
  await waitFor(() => expect(walletStore.get().status).toBe('disconnected'))
})

test('a page load restores the WalletConnect session and signs with it', async () => {
  const [address] = await (await start()).connect('approve')
  const { core, walletStore } = await start()
  expect(walletStore.get()).toMatchObject({ status: 'connected', address })
  const signature = await core.signMessage({ message: 'again', account: address })
  expect(await verifyMessage({ address, message: 'again', signature })).toBe(true)
})

test('a wallet that changes its account changes the address', async () => {
  const { connect, walletStore } = await start()
  await connect('approve')
  const other = privateKeyToAccount(generatePrivateKey()).address
  const accounts = [other, wallet.account.address].map((account) => `${CHAIN}:${account}`)
  const namespaces = { eip155: { accounts, methods: ['personal_sign'], events: EVENTS } }
  const { acknowledged } = await wallet.client.update({ topic: wallet.topic(), namespaces })
  await acknowledged()
  await waitFor(() => expect(walletStore.get().address).toBe(other))
})

test('a wallet that rejects the pairing or lacks the chain stays disconnected', async () => {
  const { connect, walletStore, walletErrorText } = await start()
  const refused = await connect('reject').catch((error: unknown) => error)
  expect(walletErrorText(refused)).toBe('你已在錢包拒絕這項要求，這次沒有簽署或發送任何內容。')
  expect(walletStore.get().status).toBe('disconnected')
  const elsewhere = await connect('approve another chain').catch((error: unknown) => error)
  expect(walletErrorText(elsewhere)).toBe('錢包沒有此網絡，請先在錢包新增網絡，再試一次。')
  expect(walletStore.get().status).toBe('disconnected')
})

test('a pairing ends immediately when the user cancels it', async () => {
  const { core, uid, walletStore } = await start()
  const connecting = core.connect(uid, () => core.cancelPairing())
  await expect(connecting).rejects.toMatchObject({ code: 4001 })
  expect(walletStore.get().status).toBe('disconnected')
})

test('an unreachable relay is reported with a readable message', async () => {
  const { core, uid, connect, walletErrorText } = await start()
  await connect('reject').catch(() => {})
  vi.spyOn(lastProvider(), 'connect').mockRejectedValueOnce(new Error("Couldn't establish socket connection"))
  const failed = await core.connect(uid).catch((error: unknown) => error)
  expect(walletErrorText(failed)).toBe('未能連上 WalletConnect，請再試一次。')
})

test('disconnecting in the app disconnects the wallet too', async () => {
  const { core, connect, walletStore } = await start()
  await connect('approve')
  const topic = wallet.topic()
  const endedTopic = new Promise<string>((resolve) =>
    wallet.client.once('session_delete', (event) => resolve(event.topic)),
  )
  await core.disconnect()
  expect(walletStore.get().status).toBe('disconnected')
  expect(await endedTopic).toBe(topic)
})

test('WalletConnect contacts only the relay', async () => {
  const { client } = lastProvider()
  expect(fetched).toEqual([])
  expect(client.core.eventClient.telemetryEnabled).toBe(false)
  expect(await client.core.verify.register({ id: 'x', decryptedId: 'y' })).toBe('')
  expect(relay.connections.every((url) => url.includes(`projectId=${PROJECT_ID}`))).toBe(true)
})

function lastProvider(): Provider {
  const provider = providers.at(-1)
  if (!provider) throw new Error('no provider was opened')
  return provider
}
