import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from './load-config.ts'
import { type Anvil, startAnvil } from './platform/chain/anvil.ts'
import { type LocalChain, openLocalChain } from './platform/chain/local-chain.ts'
import { createRpcClient } from './platform/chain/rpc-chain.ts'
import { controlChain, deploymentsInMemory } from './platform/chain/testing/local-chain.ts'
import { freePort } from './platform/http/ports.ts'
import { startTestBinance, type TestBinance } from './platform/market-data/testing/binance.ts'
import { endExact, newKey, startTestServer, type TestServer, type TestUser } from './testing/server.ts'

/** The staging profile on a chain that ends and starts again at the same address, with its state. */
const CHAIN_ID = 97
/** The account that signs for the vault of a chain as `openLocalChain` deploys it. */
const SIGNER_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

let folder: string
let anvil: Anvil
let port: number
let local: LocalChain
let binance: TestBinance
let server: TestServer
let ann: TestUser

const startChain = (name: string, chainId: number) => startAnvil({ folder: join(folder, name), port, chainId })
const parts = async () => (await server.app.inject({ url: '/readyz' })).json()

/** Starts a chain with the contracts, and writes the configuration that names them. */
async function deploy(): Promise<string> {
  const config = await loadConfig({})
  const deployments = deploymentsInMemory()
  const open = (id: typeof config.chain.id) => {
    const options = { deployments, isNewLedger: true }
    return openLocalChain(
      { ...config, chain: { ...config.chain, id } },
      createRpcClient(anvil.rpcUrl),
      anvil.rpcUrl,
      options,
    )
  }
  // The test tokens refuse any other chain when they are deployed.
  port = await freePort()
  anvil = await startChain('chain', 31337)
  await open(31337)
  await anvil.stop()
  anvil = await startChain('chain', CHAIN_ID)
  local = await open(CHAIN_ID)
  const file = JSON.parse(await readFile(join(import.meta.dirname, '../config/staging.json'), 'utf8'))
  const { vault, vaultBlock, operator, tokens } = local.custody
  Object.assign(file.chain, { vault, vaultBlock: Number(vaultBlock), operator, pollMs: 200, confirmations: 1 })
  for (const { asset, address, decimals } of tokens)
    Object.assign(file.chain.tokens[asset], { address, decimals, name: asset })
  file.swap.pools = [{ id: 'rt-usdt', base: 'RT', quote: 'USDT', initialBase: '10000', initialQuote: '1000' }]
  Object.assign(file.market.exchange, { restUrl: binance.restUrl, streamUrl: binance.streamUrl })
  file.market.chainlink = { BNBUSDT: null, ETHUSDT: null }
  file.market.usdtUsd = null
  const path = join(folder, 'config.json')
  await writeFile(path, JSON.stringify(file))
  return path
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-without-node-'))
  binance = await startTestBinance(() => Date.now())
  const path = await deploy()
  server = await startTestServer({
    PROFILE: 'staging',
    VAULT_KIND: 'plain',
    CONFIG_FILE: path,
    CHAIN_RPC_URL: anvil.rpcUrl,
    PUBLIC_RPC_URL: 'https://node.example',
    PUBLIC_URL: 'https://app.example',
    SERVER_URL: 'http://127.0.0.1:1',
    SIGNER_KEY,
    BOX_SEED_KEY: generatePrivateKey(),
  })
  await local.depositLiquidity({ BNB: 0n, USDT: parseEther('2000'), ETH: 0n })
  ann = await server.newUser({ faucet: false })
  await local.faucet(ann.account.address)
  await ann.transferIn('USDT', '100')
  await ann.activateByBalance()
})
afterAll(async () => {
  await endExact(server)
  await anvil.stop()
  await binance.stop()
  await rm(folder, { recursive: true })
})

const sell = () => server.call('sell', { asset: 'USDT', amount: '10' }, { token: ann.token, key: newKey() })

async function available(): Promise<number> {
  const balances = await server.ok('balances', {}, { token: ann.token })
  return Number(balances.find(({ asset }) => asset === 'USDT')?.available)
}

async function swap() {
  const deadline = new Date(Date.now() + 60_000).toISOString()
  const payload = { pool_id: 'rt-usdt', amount: '5', inverse: 1, min_amount_out: '0.1', deadline } as const
  return server.call('doSwap', payload, { token: ann.token, key: newKey() })
}

test('a server starts without its node and catches up later', async () => {
  await expect.poll(async () => (await server.ok('pairs', {})).length).toBe(1)
  // Paid while no server runs, and the node ends before one does.
  const call = await server.ok('buy', { asset: 'USDT', amount: '20' }, { token: ann.token, key: newKey() })
  await server.stop()
  const payment = await ann.pay('USDT', call)
  await anvil.stop()

  server = await server.restart()
  expect(server.errors.map(({ error }) => String(error))).toContain('Error: the node at CHAIN_RPC_URL does not respond')
  expect(await parts()).toEqual({ status: 'degraded', parts: expect.arrayContaining(['chain']) })
  await expect.poll(async () => (await server.ok('config', {})).degraded).toContain('chain')
  expect((await swap()).code).toBe(1)
  const away = { status: 503, code: 50300, data: { part: 'chain' } }
  expect(await sell()).toMatchObject(away)
  const retrieve = await server.call('retrieve', { tx_hash: payment }, { token: ann.token, key: newKey() })
  expect(retrieve).toMatchObject(away)

  const before = await available()
  anvil = await startChain('chain', CHAIN_ID)
  await expect.poll(async () => (await parts()).parts ?? []).not.toContain('chain')
  await expect.poll(async () => await available()).toBe(before + 20)
  expect((await sell()).code).toBe(1)
}, 60_000)

test('a node of another chain that comes late closes the chain', async () => {
  await server.stop()
  await anvil.stop()
  server = await server.restart()
  anvil = await startChain('other', 56)
  const refusal = 'the node serves chain 56, not 97'
  await expect
    .poll(() => server.errors)
    .toContainEqual({
      error: expect.objectContaining({ message: refusal }),
      task: 'chain refused',
    })
  expect((await parts()).parts).toContain('chain')
  expect(await sell()).toMatchObject({ code: 50300, data: { part: 'chain' } })
  // A start that finds such a node is refused.
  await expect(server.restart()).rejects.toThrow('The node at CHAIN_RPC_URL is chain 56, not 97.')
  await anvil.stop()
  anvil = await startChain('chain', CHAIN_ID)
  server = await server.restart()
  await controlChain({ rpcUrl: anvil.rpcUrl, chainId: CHAIN_ID }).mine(1)
}, 60_000)
