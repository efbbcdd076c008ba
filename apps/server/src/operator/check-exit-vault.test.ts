import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PublicClient } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Config, loadConfig } from '../load-config.ts'
import { type Anvil, startAnvil } from '../platform/chain/anvil.ts'
import type { Custody } from '../platform/chain/chain.ts'
import { openLocalChain } from '../platform/chain/local-chain.ts'
import { createRpcClient } from '../platform/chain/rpc-chain.ts'
import { deploymentsInMemory } from '../platform/chain/testing/local-chain.ts'
import { localBookkeeperAccount } from '../platform/signer/proof-keys.ts'
import { exitPauseFaults, exitRoleFaults, exitRootNotes } from './check-exit-vault.ts'

let folder: string
let anvil: Anvil
let config: Config
let client: PublicClient
let custody: Custody
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-check-'))
  config = await loadConfig({ VAULT_KIND: 'exits' })
  anvil = await startAnvil({ folder, port: 0, chainId: config.chain.id })
  client = createRpcClient(anvil.rpcUrl)
  const options = { deployments: deploymentsInMemory(), isNewLedger: true }
  custody = (await openLocalChain(config, client, anvil.rpcUrl, options)).custody
})
afterAll(async () => {
  await anvil.stop()
  await rm(folder, { recursive: true })
})

const withEnv = (more: Partial<Config['env']>): Config => ({ ...config, env: { ...config.env, ...more } })
const bookkeeper = (address: string) => ({ url: 'https://books.example', address, token: `0x${'7'.repeat(64)}` })

test('the vault accepts the keys of the servers, and is not paused', async () => {
  const known = withEnv({ bookkeepers: [bookkeeper(localBookkeeperAccount().address)] as never })
  expect(await exitRoleFaults(client, custody, known)).toEqual([])
  expect(await exitPauseFaults(client, custody)).toEqual([])
})

test('a bookkeeper that the vault does not know is a fault', async () => {
  const address = privateKeyToAddress(generatePrivateKey())
  const faults = await exitRoleFaults(client, custody, withEnv({ bookkeepers: [bookkeeper(address)] as never }))
  expect(faults).toEqual([`the vault does not accept BOOKKEEPER_ADDRESS, whose address is ${address}`])
})

test('a poster without a key or without coins is said', async () => {
  const posterKey = generatePrivateKey()
  const { address } = privateKeyToAccount(posterKey)
  expect(await exitRootNotes(client, custody, withEnv({ posterKey: undefined }))).toEqual([
    'POSTER_PRIVATE_KEY is not set: only withdrawals post roots',
  ])
  expect(await exitRootNotes(client, custody, withEnv({ posterKey }))).toEqual([
    `the poster ${address} has 0 of the native coin: send it 0.02`,
  ])
})

test('a vault without a root takes no deposit', async () => {
  const none = {
    ...client,
    readContract: async () => ({ number: 0n, cursorBlock: 0n, postedAt: 0, seq: 0 }),
  } as unknown as PublicClient
  expect((await exitRootNotes(none, custody, withEnv({ posterKey: undefined })))[0]).toBe(
    'the vault has no root yet, and takes no deposit before its first one, which the servers post',
  )
})
