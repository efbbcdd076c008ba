import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { settlementAbi } from '@clearwell/vault/abi/settlement'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { type Address, type Hex, parseEther, toHex, zeroAddress } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../platform/chain/anvil.ts'
import { controlChain } from '../platform/chain/testing/local-chain.ts'
import { runVault } from './deploy-vault.ts'

const deployer = mnemonicToAccount('test test test test test test test test test test test junk')
const KEY = toHex(deployer.getHdKey().privateKey as Uint8Array)
const newAddress = () => privateKeyToAddress(generatePrivateKey())
const [owner, guardian, payout] = [newAddress(), newAddress(), newAddress()]
const [signers, rootKeys, bookkeepers] = [2, 2, 3].map((count) => Array.from({ length: count }, newAddress)) as [
  Address[],
  Address[],
  Address[],
]
const HOLDERS = [
  ...['--owner', owner, '--guardian', guardian, '--payout', payout, '--signers', signers.join()],
  ...['--root-keys', rootKeys.join(), '--bookkeepers', bookkeepers.join()],
]

let anvil: Anvil
let folder: string
/** A copy of the staging profile's file, into which the command writes. */
let config: string
let chain: ReturnType<typeof controlChain>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-vault-'))
  config = join(folder, 'clearwell.json')
  const shipped = JSON.parse(await readFile(join(import.meta.dirname, '../../config/staging.json'), 'utf8'))
  for (const asset of ['USDT', 'ETH']) shipped.chain.tokens[asset].address = newAddress()
  await writeFile(config, JSON.stringify(shipped))
  anvil = await startAnvil({ folder, port: 0, chainId: 97 })
  chain = controlChain({ rpcUrl: anvil.rpcUrl, chainId: 97 })
})
afterAll(async () => {
  await anvil.stop()
  await rm(folder, { recursive: true })
})

async function run(args: readonly string[], variables: Record<string, string> = {}) {
  const lines = { stdout: [] as string[], stderr: [] as string[] }
  const output = { log: (text: string) => lines.stdout.push(text), error: (text: string) => lines.stderr.push(text) }
  const words = ['deploy-with-exits', '--config', config, ...args]
  const code = await runVault(words, { CHAIN_RPC_URL: anvil.rpcUrl, ...variables }, output)
  return { code, ...lines }
}

/** Reads what the contracts say of each other, of their accounts, and of a limit. */
async function stateOf(vault: Address, settlement: Address) {
  const ofVault = { address: vault, abi: exitVaultAbi } as const
  const keys = { address: await chain.client.readContract({ ...ofVault, functionName: 'keys' }), abi: vaultKeysAbi }
  const roleOf = async (key: Address) =>
    (await chain.client.readContract({ ...keys, functionName: 'keyOf', args: [key] }))[0]
  return {
    settlement: await chain.client.readContract({ ...ofVault, functionName: 'settlement' }),
    settles: await chain.client.readContract({ address: settlement, abi: settlementAbi, functionName: 'vault' }),
    owner: await chain.client.readContract({ ...keys, functionName: 'owner' }),
    guardian: await chain.client.readContract({ ...keys, functionName: 'guardian' }),
    payout: await chain.client.readContract({ ...ofVault, functionName: 'payout' }),
    roles: await Promise.all([...signers, ...rootKeys, ...bookkeepers].map(roleOf)),
    limits: await chain.client.readContract({ ...keys, functionName: 'limitsOf', args: [zeroAddress] }),
  }
}

const expected = (vault: Address, settlement: Address) => ({
  ...{ settlement, settles: vault, owner, guardian, payout, roles: [1, 1, 2, 2, 3, 3, 3] },
  limits: [parseEther('1000'), parseEther('10000')],
})

const addressesIn = (text = '') => text.match(/0x[0-9a-fA-F]{40}\b/g) as Address[]

test('a dry run shows two transactions that create both contracts', async () => {
  const before = await chain.client.getTransactionCount({ address: deployer.address })
  const { code, stdout, stderr } = await run([...HOLDERS, '--deployer', deployer.address])
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  const [said, first, second, last] = stdout.map((text) => text.split('\n')) as [string[], string[], string[], string[]]
  expect([said[0], first[0], second[0]]).toEqual([
    'Dry run, nothing was sent. The transactions:',
    `1. create the settlement contract, by ${deployer.address} with the nonce ${before}:`,
    `2. create the vault, by ${deployer.address} with the nonce ${before + 1}:`,
  ])
  expect(await chain.client.getTransactionCount({ address: deployer.address })).toBe(before)
  const wallet = chain.wallet(deployer)
  for (const [, data] of [first, second])
    await chain.receipt(await wallet.sendTransaction({ data: data as Hex, account: deployer, chain: wallet.chain }))
  const [vault, settlement] = addressesIn(last[0]) as [Address, Address]
  expect(await stateOf(vault, settlement)).toEqual(expected(vault, settlement))
})

test('--execute deploys both contracts with their accounts and limits', async () => {
  const { code, stdout, stderr } = await run([...HOLDERS, '--execute'], { DEPLOYER_KEY: KEY })
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  const [vault, settlement] = addressesIn(stdout[0]) as [Address, Address]
  expect(stdout[0]).toMatch(/^The vault is at 0x\w{40}, in block \d+\. Its settlement contract is at 0x\w{40}\.$/)
  expect(stdout[1]).toBe(
    `chain.vault and chain.vaultBlock are set in ${config}. A server uses this vault with VAULT_KIND=exits.`,
  )
  expect(await stateOf(vault, settlement)).toEqual(expected(vault, settlement))
  const [, block] = /in block (\d+)/.exec(stdout[0] ?? '') ?? []
  expect(JSON.parse(await readFile(config, 'utf8')).chain).toMatchObject({ vault, vaultBlock: Number(block) })
})

test('without their options, the keys are those of the server’s secrets', async () => {
  const [SIGNER_KEY, PROOF_ROOT_KEY] = [generatePrivateKey(), generatePrivateKey()]
  const others = [...HOLDERS.slice(0, 6), ...HOLDERS.slice(-2), '--execute']
  const { code, stdout } = await run(others, { DEPLOYER_KEY: KEY, SIGNER_KEY, PROOF_ROOT_KEY })
  expect(code).toBe(0)
  const [vault = zeroAddress] = addressesIn(stdout[0])
  const ofVault = { address: vault, abi: exitVaultAbi } as const
  const keys = { address: await chain.client.readContract({ ...ofVault, functionName: 'keys' }), abi: vaultKeysAbi }
  const roles = [SIGNER_KEY, PROOF_ROOT_KEY].map(async (key) =>
    chain.client.readContract({ ...keys, functionName: 'keyOf', args: [privateKeyToAddress(key)] }),
  )
  expect((await Promise.all(roles)).map(([role]) => role)).toEqual([1, 2])
})

test('the bookkeeper as a root key is refused by name', async () => {
  const head = await chain.client.getBlockNumber()
  const twice = HOLDERS.map((word) => (word === rootKeys.join() ? bookkeepers[0] : word)) as string[]
  const { code, stdout, stderr } = await run([...twice, '--execute'], { DEPLOYER_KEY: KEY })
  expect({ code, stdout }).toEqual({ code: 1, stdout: [] })
  expect(stderr).toEqual([
    `The vault refuses these accounts: RolesNotApart(${bookkeepers[0]}). All must be different, and none the zero address.`,
  ])
  expect(await chain.client.getBlockNumber()).toBe(head)
})

test.each([
  ['no bookkeepers', HOLDERS.slice(0, -2)],
  ['an address that is none', [...HOLDERS, '--predecessor', '0x12']],
  ['a deployer beside --execute', [...HOLDERS, '--execute', '--deployer', deployer.address]],
  ['neither of them', HOLDERS],
])('%s: the command says how it is used', async (_, args) => {
  expect(await run(args)).toMatchObject({
    code: 2,
    stdout: [],
    stderr: [expect.stringMatching(/deploy-with-exits .*\[--root-keys <addresses>\] --bookkeepers <addresses>/)],
  })
})
