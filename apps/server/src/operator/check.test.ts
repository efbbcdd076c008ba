import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newTestPostgres } from '@clearwell/ledger/testing/database'
import { clearwellVaultAbi, clearwellVaultBytecode } from '@clearwell/vault/abi/clearwell-vault'
import { type Hex, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../platform/chain/anvil.ts'
import { controlChain } from '../platform/chain/testing/local-chain.ts'
import { MIGRATION_FOLDERS } from '../platform/database/open-database.ts'
import { runInEnvironment } from './testing/run-in-environment.ts'

const owner = mnemonicToAccount('test test test test test test test test test test test junk')
const guardian = privateKeyToAccount(generatePrivateKey()).address
const SIGNER_KEY = generatePrivateKey()
const signer = privateKeyToAccount(SIGNER_KEY).address

let anvil: Anvil
let folder: string
let variables: Record<string, string>
let send: (functionName: 'setLimits' | 'pause' | 'unpause', args?: readonly unknown[]) => Promise<unknown>
const endings: (() => Promise<unknown>)[] = []

/** A vault on a chain of the staging profile, with its own copy of the shipped file. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-check-'))
  anvil = await startAnvil({ folder: join(folder, 'chain'), port: 0, chainId: 97 })
  const { wallet, receipt } = controlChain({ rpcUrl: anvil.rpcUrl, chainId: 97 })
  const client = wallet(owner)
  const deploy = { abi: clearwellVaultAbi, bytecode: clearwellVaultBytecode } as const
  const hash = await client.deployContract({ ...deploy, args: [owner.address, signer, guardian] } as never)
  const { contractAddress } = await receipt(hash)
  send = async (functionName, args = []) => {
    const call = { address: contractAddress as Hex, abi: clearwellVaultAbi, functionName, args }
    return receipt(await client.writeContract(call as never))
  }
  await send('setLimits', [zeroAddress, parseEther('1000'), parseEther('10000')])
  const config = JSON.parse(await readFile(join(import.meta.dirname, '../../config/staging.json'), 'utf8'))
  config.firstOwners = ['3', '4'].map((digit) => ({ address: `0x${digit.repeat(40)}`, name: `Owner ${digit}` }))
  Object.assign(config.chain, { vault: contractAddress, vaultBlock: 1, operator: owner.address })
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  variables = {
    PROFILE: 'staging',
    VAULT_KIND: 'plain',
    CONFIG_FILE: join(folder, 'config.json'),
    CHAIN_RPC_URL: anvil.rpcUrl,
    PUBLIC_RPC_URL: 'https://node.example',
    PUBLIC_URL: 'https://app.example',
    SIGNER_KEY,
    BOX_SEED_KEY: generatePrivateKey(),
  }
  if (process.env.TEST_DATABASE !== 'postgres') return
  const database = await newTestPostgres(MIGRATION_FOLDERS)
  endings.push(database.drop)
  Object.assign(variables, { DATABASE_URL: database.url, SERVER_URL: 'http://127.0.0.1:1' })
})
afterAll(async () => {
  for (const end of endings) await end()
  await anvil.stop()
  await rm(folder, { recursive: true })
})

const check = async (changes: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await runInEnvironment({ ...variables, ...changes }, ['check', '--json'])
  expect(stderr).toBe('')
  const { checks } = JSON.parse(stdout) as { checks: { name: string; faults: string[] }[] }
  const faults = checks.filter(({ name }) => name !== 'database').flatMap((each) => each.faults)
  const database = checks.find(({ name }) => name === 'database')?.faults
  return { code, names: checks.map(({ name }) => name), faults, database }
}

/** The test database is quick, and would lose commits in a crash. */
const IN_TESTS = [
  'fsync is off, and must be on: a crash would lose commits',
  'full_page_writes is off, and must be on: a crash would lose commits',
  'synchronous_commit is off: a crash would lose commands that were acknowledged',
]

test('check finds only settings of the database that can lose commits', async () => {
  const isPostgres = process.env.TEST_DATABASE === 'postgres'
  const [code, database] = isPostgres ? [1, IN_TESTS] : [0, undefined]
  const names = [
    'configuration',
    expect.stringMatching(/^database/),
    'rules',
    'persons',
    'nodes',
    'vault',
    'roles',
    'caps',
    'tokens',
  ]
  expect(await check()).toEqual({ code, names, faults: [], database })
})

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'check reads the replica and names one without answer',
  async () => {
    const same = await check({ READ_DATABASE_URL: variables.DATABASE_URL as string })
    expect([same.names[2], same.faults]).toEqual(['replica', []])
    const { faults } = await check({ READ_DATABASE_URL: 'postgres://127.0.0.1:1/none' })
    expect(faults).toEqual([expect.stringMatching(/ECONNREFUSED/)])
  },
  30_000,
)

test('check names caps of a day below the limit of a transfer', async () => {
  const config = JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'))
  config.limits.USDT.maxOut = '900'
  const caps = { perVoucher: '500', perAccountPerDay: '800', perDay: '900' }
  config.withdrawals = { ...config.withdrawals, caps: { ...config.withdrawals?.caps, USDT: caps } }
  const CONFIG_FILE = join(folder, 'low-caps.json')
  await writeFile(CONFIG_FILE, JSON.stringify(config))
  const { stdout } = await runInEnvironment({ ...variables, CONFIG_FILE }, ['check'])
  expect(stdout.split('\n').filter((line) => line.startsWith('note'))).toEqual([
    'note   rules: withdrawals.caps.USDT.perAccountPerDay is 800, below 900 of limits.USDT.maxOut: a transfer out of that much is always refused',
  ])
})

test('check reports all faults of the configuration together', async () => {
  const { code, names, faults } = await check({ PUBLIC_URL: '', SIGNER_KEY: '0x12' })
  expect({ code, names }).toEqual({ code: 1, names: ['configuration'] })
  expect(faults).toEqual([
    'SIGNER_KEY is not a valid private key: it must be 0x and 64 hex characters.',
    'PUBLIC_URL must be set outside the local profile: it is the domain that people sign in to.',
  ])
})

test('check reports a paused vault, a foreign signer and low limits', async () => {
  await send('pause')
  await send('setLimits', [zeroAddress, parseEther('1'), parseEther('2')])
  const { code, faults } = await check({ SIGNER_KEY: `0x${'5'.repeat(64)}` })
  expect(code).toBe(1)
  expect(faults).toEqual([
    expect.stringMatching(/^the vault 0x\w{40} is paused/),
    expect.stringMatching(new RegExp(`^the vault accepts vouchers of ${signer}, and SIGNER_KEY is of 0x`)),
    expect.stringMatching(/^withdrawals\.caps\.BNB\.perVoucher exceeds the vault's limit; .*BNB\.perDay exceeds/),
  ])
})

test('check reports a node or database that does not answer', async () => {
  const nowhere = { CHAIN_RPC_URL: 'http://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/none' }
  const { code, database, faults } = await check({ ...nowhere, SERVER_URL: 'http://127.0.0.1:2' })
  expect(code).toBe(1)
  expect({ database, faults }).toEqual({
    database: [expect.stringMatching(/ECONNREFUSED/)],
    faults: ['the node at CHAIN_RPC_URL does not respond'],
  })
})
