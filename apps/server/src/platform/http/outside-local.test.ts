import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RouteName, routes } from '@clearwell/api/routes'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { type Anvil, startAnvil } from '../chain/anvil.ts'
import { controlChain } from '../chain/testing/local-chain.ts'
import { startTestBinance, type TestBinance } from '../market-data/testing/binance.ts'

/** The staging profile on a chain of its id, with its own copy of the shipped file. */
let server: TestServer
let anvil: Anvil
let binance: TestBinance
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-staging-'))
  anvil = await startAnvil({ folder: join(folder, 'chain'), port: 0, chainId: 97 })
  const config = JSON.parse(await readFile(join(import.meta.dirname, '../../../config/staging.json'), 'utf8'))
  config.chain.vault = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  // Nothing here calls the vault; the start requires that it has code.
  const { client } = controlChain({ rpcUrl: anvil.rpcUrl, chainId: 97 })
  await client.setCode({ address: config.chain.vault, bytecode: '0x00' })
  config.chain.vaultBlock = 1
  config.chain.operator = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  binance = await startTestBinance(() => Date.now())
  Object.assign(config.market.exchange, { restUrl: binance.restUrl, streamUrl: binance.streamUrl })
  config.market.chainlink = { BNBUSDT: null, ETHUSDT: null }
  config.market.usdtUsd = null
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify(config))
  const PUBLIC_URL = 'https://app.example'
  const PUBLIC_RPC_URL = 'https://node.example'
  const SERVER_URL = 'http://127.0.0.1:1'
  const urls = { CHAIN_RPC_URL: anvil.rpcUrl, PUBLIC_RPC_URL, PUBLIC_URL, SERVER_URL }
  server = await startTestServer({
    PROFILE: 'staging',
    VAULT_KIND: 'plain',
    CONFIG_FILE: file,
    SIGNER_KEY: generatePrivateKey(),
    BOX_SEED_KEY: generatePrivateKey(),
    ...urls,
  })
})
afterAll(async () => {
  expect(server.errors).toEqual([])
  await server.destroy()
  await anvil.stop()
  await binance.stop()
  await rm(folder, { recursive: true })
})

const LOCAL = (Object.keys(routes) as RouteName[]).filter((name) => 'localOnly' in routes[name])

test('local controls exist in the route table', () => {
  expect(LOCAL).toEqual(expect.arrayContaining(['localFaucet', 'localAdvance', 'localPrice', 'localSeed']))
})

test.each(LOCAL)('%s does not exist outside the local profile', async (name) => {
  const url = `/api${routes[name].path}`
  expect(server.app.hasRoute({ method: routes[name].method, url })).toBe(false)
  const payload = { address: `0x${'ab'.repeat(20)}`, seconds: 1, symbol: 'BNBUSDT', price: '1', users: 1, days: 1 }
  const reply = await server.app.inject({ method: 'POST', url, payload, headers: { 'accept-language': 'en' } })
  expect([reply.statusCode, reply.json()]).toEqual([
    404,
    { code: 20009, msg: 'We couldn’t find this. It may have been removed.', data: {} },
  ])
})

test('the OpenAPI document and the API page omit local controls', async () => {
  for (const url of ['/api/openapi.json', '/api/docs']) {
    const { statusCode, body } = await server.app.inject({ url })
    expect(statusCode).toBe(200)
    expect(body).toContain('/DappUser/getNonce')
    expect(body).not.toContain('/Local/')
  }
})

test("people sign in to the public address, on the profile's chain", async () => {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const { nonceStr } = await server.ok('getNonce', { address: wallet.address })
  expect(nonceStr).toMatch(/^app\.example wants you to sign in with your Ethereum account:\n/)
  expect(nonceStr).toContain('\nURI: https://app.example\nVersion: 1\nChain ID: 97\n')
  const signature = await wallet.signMessage({ message: nonceStr })
  const { user } = await server.ok('login', { address: wallet.address, signature, device_type: 'web' })
  expect(user.id).toBe(wallet.address.toLowerCase())
})

test('the configuration names the profile and its chain', async () => {
  expect(await server.ok('config', {})).toMatchObject({
    profile: 'staging',
    chain: { id: 97, name: 'BNB Smart Chain Testnet', confirmations: 5, explorer_url: 'https://testnet.bscscan.com' },
    vault: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    fees: { swap_total: '0.0025', swap_revenue: '0.0008', activation: { asset: 'USDT', amount: '10' } },
  })
})

test('the configuration gives browsers the public node, never the server’s own', async () => {
  const { chain, chains } = await server.ok('config', {})
  expect(chain.rpc_url).toBe('https://node.example')
  expect(chains.map(({ rpc_url }) => rpc_url)).toEqual(['https://node.example', null, null])
  expect(JSON.stringify(chains)).not.toContain(server.rpcUrl)
})

test('the server serves while unfunded pools stay closed', async () => {
  expect((await server.app.inject({ url: '/readyz' })).statusCode).toBe(200)
  expect(await server.db.query('select id from swap_pools')).toEqual([])
})
