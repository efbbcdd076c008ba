import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { routes } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Config, loadConfig } from './load-config.ts'
import type { Custody } from './platform/chain/chain.ts'
import { createRules } from './platform/rules/ruled.ts'
import { configHandlers, connectOrigins } from './public-config.ts'

const USDT = { asset: 'USDT', address: `0x${'11'.repeat(20)}`, decimals: 18 } as const
const ETH = { asset: 'ETH', address: `0x${'12'.repeat(20)}`, decimals: 18 } as const
const custody: Custody = { vault: `0x${'ab'.repeat(20)}`, vaultBlock: 0n, operator: '', tokens: [USDT, ETH] }
const RELAY = 'wss://relay.walletconnect.org'
const PROJECT = '0123456789abcdef0123456789abcdef'

/** Returns the response of `config` for a profile's file with these changes. */
async function responseOf(
  profile: 'local' | 'staging' | 'production',
  changes: Partial<Config> = {},
  tokens: Custody['tokens'] = custody.tokens,
) {
  const { env, exit, plan, proof } = await loadConfig({})
  const file = JSON.parse(await readFile(join(import.meta.dirname, `../config/${profile}.json`), 'utf8'))
  const operator = { name: null, place: null, terms: null, helpUrl: null, audits: [] }
  const config = {
    exit,
    plan,
    proof,
    contact: null,
    operator,
    ...file,
    operatorAccounts: [],
    env: { ...env, profile },
    ...changes,
  } as Config
  const clock = { now: () => new Date('2026-11-21T09:00:00Z') }
  const handlers = configHandlers({
    config,
    custody: { ...custody, tokens },
    rpcUrl: 'https://node.example',
    build: '3f2a9c',
    clock,
    features: [],
    hasDemo: () => false,
    degraded: () => ['chain'],
    announced: async () => ({ announced: [], upgrades: [] }),
    rules: createRules({ db: { query: async () => [] } as Partial<Database> as Database, clock, config }),
  })
  const response = await handlers.config({}, { locale: 'en', idempotencyKey: undefined, clientAddress: '::1' })
  return z.parse(routes.config.response, response)
}

test('the accounts of the operator are published in lower case, each once', async () => {
  const address = `0x${'Ab'.repeat(20)}`
  const operatorAccounts = ['liquidity', 'arbitrageur'].map((role) => ({ address, role })) as Config['operatorAccounts']
  const { operator_accounts } = await responseOf('local', { operatorAccounts })
  expect(operator_accounts).toEqual([{ address: address.toLowerCase(), role: 'liquidity' }])
})

test('the contact of the operator is published as it is configured', async () => {
  expect((await responseOf('production')).contact).toBeNull()
  expect((await responseOf('production', { contact: 'help@example.com' })).contact).toBe('help@example.com')
})

test('an asset without a token lives in the ledger only', async () => {
  const ofEth = (await responseOf('local', {}, [USDT])).assets.find(({ asset }) => asset === 'ETH')
  expect(ofEth).toMatchObject({ kind: 'ledger', address: null, max_in: '0', max_out: '0' })
})

test('the operator is published as it is configured', async () => {
  const statedBy = async (changes?: Partial<Config>) => {
    const { operator, terms, help } = await responseOf('production', changes)
    return { operator, terms, help }
  }
  expect(await statedBy()).toEqual({
    operator: { name: null, place: null, audits: [], terms_url: null, help_url: null },
    terms: null,
    help: null,
  })
  const [url, help] = ['https://pool.example/terms', 'https://pool.example/help']
  const terms = { version: '2026-11', url }
  const audits = [{ name: 'Audit Ltd, the vault', date: '2026-11-28', url: 'https://audit.example/report' }]
  expect(await statedBy({ operator: { name: 'Pool Ltd', place: 'Hong Kong', terms, helpUrl: help, audits } })).toEqual({
    operator: { name: 'Pool Ltd', place: 'Hong Kong', audits, terms_url: url, help_url: help },
    terms,
    help,
  })
})

describe('the chains', () => {
  test.each([
    ['production', [56, 97, 1]],
    ['staging', [97, 56, 1]],
    ['local', [31337, 56, 97, 1]],
  ] as const)(
    'the chains of %s start with the required one, and include all',
    {
      tags: ['§3.21', '§4.20', '§9.11'],
    },
    async (profile, ids) => {
      const { chain, chains } = await responseOf(profile)
      expect(chains.map(({ id }) => id)).toEqual(ids)
      expect(chains[0]).toEqual(chain)
      expect(chain).toMatchObject({ rpc_url: 'https://node.example', confirmations: expect.any(Number) })
      for (const other of chains.slice(1)) expect(other).toMatchObject({ rpc_url: null, confirmations: null })
    },
  )

  // Source: chainid.network, and specification §3 for the native currencies.
  test('the configuration lists chains in the form that wallets use', {
    tags: ['§3.22', '§3.23', '§3.24'],
  }, async () => {
    const { chains } = await responseOf('local')
    expect(chains.slice(1)).toEqual([
      expect.objectContaining({
        id: 56,
        name: 'BNB Smart Chain',
        native: { name: 'BNB', symbol: 'BNB', decimals: 18 },
        explorer_url: 'https://bscscan.com',
      }),
      expect.objectContaining({
        id: 97,
        name: 'BNB Smart Chain Testnet',
        native: { name: 'tBNB', symbol: 'tBNB', decimals: 18 },
        explorer_url: 'https://testnet.bscscan.com',
      }),
      expect.objectContaining({
        id: 1,
        name: 'Ethereum',
        native: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        explorer_url: 'https://etherscan.io',
      }),
    ])
  })

  test('the required chain is described like the other known chains', async () => {
    const known = (await responseOf('local')).chains.slice(1)
    for (const profile of ['production', 'staging'] as const) {
      const { id, name, native, explorer_url } = (await responseOf(profile)).chain
      expect(known).toContainEqual(expect.objectContaining({ id, name, native, explorer_url }))
    }
  })
})

describe('WalletConnect', () => {
  test('WalletConnect and its relay are not offered without configuration', async () => {
    expect((await responseOf('production', { walletConnect: null })).wallet_connect).toBeNull()
    const none = { walletConnect: null, env: { publicRpcUrlCheck: undefined } }
    expect(connectOrigins(none, 'https://node.example/v1/key')).toEqual(['https://node.example'])
  })

  test('a configured WalletConnect allows its relay over WebSocket and HTTP', async () => {
    const walletConnect = { projectId: PROJECT, relayUrl: RELAY }
    const env = { publicRpcUrlCheck: 'https://second.example/key' }
    expect((await responseOf('production', { walletConnect })).wallet_connect).toEqual({
      project_id: PROJECT,
      relay_url: RELAY,
    })
    expect(connectOrigins({ walletConnect, env }, 'http://127.0.0.1:8545')).toEqual([
      'http://127.0.0.1:8545',
      'https://second.example',
      'wss://relay.walletconnect.org',
      'https://relay.walletconnect.org',
    ])
    const local = { walletConnect: { projectId: PROJECT, relayUrl: 'ws://127.0.0.1:5555' }, env }
    expect(connectOrigins(local, RELAY)).toEqual(
      expect.arrayContaining(['ws://127.0.0.1:5555', 'http://127.0.0.1:5555']),
    )
  })
})

test('the address of the root key is published', async () => {
  const { proof_keys: keys } = await responseOf('local')
  expect(keys?.root).toEqual([expect.stringMatching(/^0x[0-9a-f]{40}$/)])
})

test('the build is the one that it is given', async () => {
  expect((await responseOf('local')).build).toBe('3f2a9c')
})

test("the public maximum of a transfer never exceeds the signer's cap", async () => {
  const { withdrawals } = await loadConfig({})
  const caps = {
    ...withdrawals.caps,
    ETH: { perVoucher: '1.5', perAccountPerDay: '5', perDay: '10' },
    BNB: { perVoucher: '5000', perAccountPerDay: '5000', perDay: '5000' },
  }
  const { assets } = await responseOf('local', { withdrawals: { ...withdrawals, caps } })
  const maxOut = Object.fromEntries(assets.map(({ asset, max_out }) => [asset, max_out]))
  expect(maxOut).toEqual({ BNB: '1000', USDT: '1000000', ETH: '1.5', RT: '0' })
})
