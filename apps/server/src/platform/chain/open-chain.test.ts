import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { loadConfig } from '../../load-config.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { type Ending, endAll } from '../process/endings.ts'
import { createDeploymentStore } from './local-deployment.store.ts'
import { openChain } from './open-chain.ts'
import { createRpcClient } from './rpc-chain.ts'

let folder: string
let db: Database
const running: Ending[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-open-chain-'))
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterEach(async () => {
  await endAll(running.splice(0), { onError: () => {} })
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

const fail = (error: unknown) => {
  throw error
}

/** Opens the chain as a server with a data folder of this name does. */
async function open(name: string, variables: NodeJS.ProcessEnv = {}, startsAt?: Date) {
  const config = await loadConfig({ PROFILE: 'local', CHAIN_PORT: '0', DATA_DIR: join(folder, name), ...variables })
  const started: Ending[] = []
  const opened = await openChain(config, db, started, fail, startsAt)
  running.push(...started)
  return { ...opened, started }
}

test('a second server on a ledger finds the chain of the first', async () => {
  const first = await open('first')
  const second = await open('second')
  expect(second.rpcUrls).toEqual(first.rpcUrls)
  expect(second.custody).toEqual(first.custody)
  expect(second.started).toEqual([])
})

test('a server starts its own chain when the stored one is gone', async () => {
  const first = await open('first')
  await endAll(running.splice(0), { onError: () => {} })
  const again = await open('first')
  expect(again.started).toHaveLength(1)
  expect(again.custody).toEqual(first.custody)
  const second = await open('second')
  expect(second.rpcUrls).toEqual(again.rpcUrls)
})

/** The bytecode of a constructor whose contract is the time of its block. */
const TIME_OF_BLOCK = '0x4260005260206000f3'

test('a restarted chain estimates by the time that it was moved to', async () => {
  const ahead = new Date(Date.now() + 10 * 86_400_000)
  const first = await open('first', {}, new Date())
  await first.localChain?.moveTo(ahead)
  await endAll(running.splice(0), { onError: () => {} })

  const again = await open('first', {}, ahead)
  const client = createRpcClient(again.rpcUrls[0] ?? '')
  const { data = '0x0' } = await client.call({ data: TIME_OF_BLOCK, blockTag: 'pending' })
  expect(Number(data)).toBeGreaterThanOrEqual(Math.floor(ahead.getTime() / 1_000))
})

test('the local profile refuses a node that does not answer', async () => {
  await expect(open('silent', { CHAIN_RPC_URL: 'http://127.0.0.1:1' })).rejects.toThrow(
    new ConfigError('The node at CHAIN_RPC_URL does not respond, and the local profile puts its contracts on it.'),
  )
})

test('addresses that an earlier version kept in a file are stored', async () => {
  const deployment = { vault: '0x1', vaultBlock: '7', USDT: '0x2', ETH: '0x3' }
  await mkdir(join(folder, 'chain'))
  await writeFile(join(folder, 'chain/deployment.json'), JSON.stringify(deployment))
  expect(await createDeploymentStore(db, 31337, join(folder, 'chain')).read()).toEqual(deployment)
  expect(await createDeploymentStore(db, 31337, join(folder, 'elsewhere')).read()).toEqual(deployment)
})
