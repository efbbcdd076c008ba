import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { encodeHeader, type Header } from '@clearwell/proofs/header'
import { controlChain, expectCustodyExact } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { type BookkeeperProcess, chooseBookkeeperProcess } from '@clearwell/server/src/testing/bookkeeper-process.ts'
import { newKey, startTestServer, type TestServer, type TestUser } from '@clearwell/server/src/testing/server.ts'
import { newTrader, trySwap } from '@clearwell/server/src/testing/traders.ts'
import { canShareLedger, openSharedLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { lookOnce } from '@clearwell/watch/src/canary/canary.ts'
import { readCanarySettings } from '@clearwell/watch/src/canary/canary-settings.ts'
import { openCanaryStore } from '@clearwell/watch/src/canary/canary-store.ts'
import type { Hex, PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Two servers on one ledger and a vault with exits, with a bookkeeper in a separate process. */
const CONFIRMATIONS = 3
const DAY_S = 86_400
const CANARY_KEY = `0x${'ca'.repeat(32)}` as const
const CANARY = privateKeyToAccount(CANARY_KEY)

const ends: (() => Promise<unknown>)[] = []
let leader: TestServer
let follower: TestServer
let bookkeeper: BookkeeperProcess
let control: ReturnType<typeof controlChain>
let folder: string

describe.runIf(canShareLedger)('an account that leaves', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clearwell-leave-'))
    ends.push(() => rm(folder, { recursive: true }))
    bookkeeper = await chooseBookkeeperProcess()
    const ledger = await openSharedLedger((config) => {
      config.chain.confirmations = CONFIRMATIONS
      config.exit = { canary: CANARY.address }
    })
    ends.push(ledger.end)
    const start = async (name: string) => {
      const exits = { VAULT_KIND: 'exits', PROOFS: 'on', ...bookkeeper.variables }
      const server = await startTestServer({ ...ledger.variablesFor(name), ...exits })
      ends.push(server.destroy)
      return server
    }
    leader = await start('leader')
    follower = await start('follower')
    control = controlChain({ rpcUrl: ledger.rpcUrl, chainId: leader.config.chain.id })
  }, 120_000)
  afterAll(async () => {
    try {
      await leader.watcher.poll()
      await expectBooksBalanced(follower.db)
      await expectCustodyExact(leader)
    } finally {
      for (const end of ends.reverse()) await end()
    }
  })

  /** Calls the vault without a server. */
  async function callVault(account: PrivateKeyAccount, functionName: string, args: readonly unknown[] = []) {
    const wallet = control.wallet(account)
    const call = { address: leader.custody.vault, abi: exitVaultAbi, functionName, args, account, chain: wallet.chain }
    const receipt = await control.receipt(await wallet.writeContract(call as never))
    expect([functionName, receipt.status]).toEqual([functionName, 'success'])
  }

  /** Each kind of command that moves money, on one server. */
  async function tryAll(server: TestServer, user: TestUser) {
    const { token } = user
    const key = () => ({ token, key: newKey() })
    const replies = [
      await trySwap(server, user, { amount: '1', inverse: 1 }),
      await server.call('pledge', { asset: 'USDT', amount: '10' }, key()),
      await server.call('sell', { asset: 'USDT', amount: '10' }, key()),
    ]
    return replies.map(({ code }) => code)
  }

  test('a request locks its account on both servers until the cancel', async () => {
    const user = await newTrader(leader)
    const { token, account } = user
    const limit = { pool_id: 'bnb-usdt', inverse: 1, amount: '10', kind: 'limit', price: '100' } as const
    const ends_at = new Date(Date.now() + 30 * DAY_S * 1_000).toISOString()
    await leader.ok('createPlan', { ...limit, ends_at }, { token, key: newKey() })
    expect(await tryAll(follower, user)).toEqual([1, 1, 1])

    // No block follows the request: the leader sees it before it is confirmed, and the follower never reads the chain.
    await callVault(account, 'requestExit')
    const stateOn = async (server: TestServer) => (await server.ok('proofExit', {}, { token })).state
    await expect.poll(() => stateOn(follower)).toBe('requested')
    expect(await tryAll(follower, user)).toEqual([20016, 20016, 20016])
    expect(await tryAll(leader, user)).toEqual([20016, 20016, 20016])
    const ended = async () =>
      (await follower.ok('plans', {}, { token })).items.map((each) => [each.status, each.reason])
    await expect.poll(ended).toEqual([['ended', 'exit']])

    await callVault(account, 'cancelExit')
    await control.mine(CONFIRMATIONS)
    await leader.watcher.poll()
    await expect.poll(() => stateOn(follower)).toBe('none')
    expect(await tryAll(follower, user)).toEqual([1, 1, 1])
    expect(await tryAll(leader, user)).toEqual([1, 1, 1])
  }, 120_000)

  test('the canary leaves by kit and bookkeeper, and every server shows it', async () => {
    const address = CANARY.address
    await leader.ok('localFaucet', { address })
    const { url: serverUrl, rpcUrl, custody } = leader
    const { vault, vaultBlock } = custody
    await bookkeeper.start({ serverUrl, rpcUrl, vault, vaultBlock, folder: join(folder, 'bookkeeper') })
    ends.push(bookkeeper.stop)
    const usdt = leader.custody.tokens.find(({ asset }) => asset === 'USDT')?.address
    const settings = readCanarySettings(
      [
        ...['--node', leader.rpcUrl, '--vault', leader.custody.vault, '--chain', `${leader.config.chain.id}`],
        ...['--bookkeeper', bookkeeper.pathsUrl, '--folder', join(folder, 'canary'), '--confirmations', '0'],
        ...['--deposit', 'BNB=0.25', '--deposit', `${usdt}=40`],
      ],
      { CANARY_PRIVATE_KEY: CANARY_KEY },
    )
    if (!settings) throw new Error('no settings')
    const store = await openCanaryStore(settings.folder)
    ends.push(store.close)
    /** Looks until the canary waits, has reopened its account, or meets a fault. @returns its steps */
    const rest = async () => {
      const steps: string[] = []
      for (;;) {
        const { step, why } = await lookOnce({ settings, account: CANARY, store })
        if (step !== 'settling') steps.push(why ?? step)
        if (['wait', 'cancel', 'fault'].includes(step)) return steps
      }
    }
    const shown = async (server: TestServer) => {
      const { items } = await server.ok('proofCanary', {})
      return items.map(({ state, paid }) => [state, paid.map(({ asset, amount }) => `${amount} ${asset}`).toSorted()])
    }

    expect(await rest()).toEqual(['deposit', 'approve', 'deposit', 'wait'])
    await control.mine(CONFIRMATIONS)
    await postNewest(await control.client.getBlockNumber())
    await control.mine(CONFIRMATIONS)
    // The bookkeeper gives paths in posted headers only, and the canary asks again after a minute of the chain.
    const ask = async () => {
      await leader.ok('localAdvance', { seconds: 61 })
      return rest()
    }
    await expect.poll(ask, { timeout: 150_000 }).toEqual(['request', 'wait'])
    await control.mine(CONFIRMATIONS)
    await expect.poll(() => shown(follower)).toEqual([['waiting', []]])

    await leader.ok('localAdvance', { seconds: 7 * DAY_S + 60 })
    expect(await rest()).toEqual(['finish', 'finish', 'cancel'])
    await control.mine(CONFIRMATIONS)
    const paid = ['0.25 BNB', '40 USDT']
    for (const server of [leader, follower]) await expect.poll(() => shown(server)).toEqual([['paid', paid]])
  }, 400_000)

  /** Posts the newest header that both keys have signed, once it knows the confirmed blocks up to this one. */
  async function postNewest(block: bigint): Promise<void> {
    const newest = async () => (await leader.call('proofHeader', {})).data
    const knows = async () => BigInt((await newest())?.header?.cursorBlock ?? 0) >= block - BigInt(CONFIRMATIONS)
    await expect.poll(knows, { timeout: 60_000 }).toBe(true)
    const { header, signatures } = await newest()
    const fields = JSON.parse(JSON.stringify(header), (_, value) =>
      typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value,
    ) as Header
    const signed = [signatures.root, signatures.bookkeeper] as Hex[]
    await callVault(CANARY, 'postRoot', [encodeHeader(fields), ...signed])
  }
})
