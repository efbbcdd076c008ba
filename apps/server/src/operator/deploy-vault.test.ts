import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clearwellVaultAbi as abi } from '@clearwell/vault/abi/clearwell-vault'
import { type Hex, parseEther, toHex, zeroAddress } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../platform/chain/anvil.ts'
import { controlChain } from '../platform/chain/testing/local-chain.ts'
import { runVault } from './deploy-vault.ts'

const [owner, signer, guardian] = [0, 1, 2].map((addressIndex) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex }),
) as [ReturnType<typeof mnemonicToAccount>, ReturnType<typeof mnemonicToAccount>, ReturnType<typeof mnemonicToAccount>]
const keyOf = ({ getHdKey }: typeof owner) => toHex(getHdKey().privateKey as Uint8Array)
const ROLES = ['--owner', owner.address, '--signer', signer.address, '--guardian', guardian.address]

let anvil: Anvil
let folder: string
let file: string
let chain: ReturnType<typeof controlChain>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-vault-'))
  anvil = await startAnvil({ folder: join(folder, 'chain'), port: 0, chainId: 97 })
  chain = controlChain({ rpcUrl: anvil.rpcUrl, chainId: 97 })
  file = join(folder, 'config.json')
  await writeFile(file, await readFile(join(import.meta.dirname, '../../config/staging.json'), 'utf8'))
})
afterAll(async () => {
  await anvil.stop()
  await rm(folder, { recursive: true })
})

async function run(args: readonly string[], variables: Record<string, string> = {}) {
  const lines = { stdout: [] as string[], stderr: [] as string[] }
  const output = { log: (text: string) => lines.stdout.push(text), error: (text: string) => lines.stderr.push(text) }
  const words = ['deploy', '--config', file, ...args]
  const code = await runVault(words, { CHAIN_RPC_URL: anvil.rpcUrl, ...variables }, output)
  return { code, ...lines }
}

test('a dry run shows transactions that a wallet can send', async () => {
  const before = await readFile(file, 'utf8')
  const { code, stdout, stderr } = await run(ROLES)
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  expect(stdout.map((line) => line.split('\n')[0])).toEqual([
    'Dry run, nothing was sent. The transactions:',
    '1. create the vault:',
    '2. set the limits of BNB, sent by the owner to the new vault:',
  ])
  expect(await readFile(file, 'utf8')).toBe(before)
  const [data, limits] = stdout.slice(1).map((line) => line.split('\n')[1]) as [Hex, Hex]
  const wallet = chain.wallet(owner)
  const send = async (call: { to?: Hex; data: Hex }) =>
    chain.receipt(await wallet.sendTransaction({ ...call, account: owner, chain: wallet.chain }))
  const vault = (await send({ data })).contractAddress as Hex
  await send({ to: vault, data: limits })
  const call = { address: vault, abi, functionName: 'limitsOf', args: [zeroAddress] } as const
  expect(await chain.client.readContract(call)).toEqual([parseEther('1000'), parseEther('10000')])
})

test('--execute deploys, sets the limits and writes the chain block', async () => {
  const before = await readFile(file, 'utf8')
  const { code, stdout, stderr } = await run([...ROLES, '--execute'], { DEPLOYER_KEY: keyOf(owner) })
  expect({ code, stderr, last: stdout.slice(1) }).toEqual({
    code: 0,
    stderr: [],
    last: [`chain.vault and chain.vaultBlock are set in ${file}.`, 'Its limits are set.'],
  })
  const after = await readFile(file, 'utf8')
  const { vault, vaultBlock } = JSON.parse(after).chain
  expect(stdout[0]).toBe(`The vault is at ${vault}, in block ${vaultBlock}.`)
  expect(after.replace(`"${vault}"`, 'null').replace(`"vaultBlock": ${vaultBlock}`, '"vaultBlock": 0')).toBe(before)
  const roles = ['owner', 'signer', 'guardian'] as const
  const held = await Promise.all(
    roles.map((functionName) => chain.client.readContract({ address: vault, abi, functionName })),
  )
  expect(held).toEqual([owner.address, signer.address, guardian.address])
  const call = { address: vault, abi, functionName: 'limitsOf', args: [zeroAddress] } as const
  expect(await chain.client.readContract(call)).toEqual([parseEther('1000'), parseEther('10000')])
})

test('the signer is the account of SIGNER_KEY where none is named', async () => {
  const [owning, guarding] = [ROLES.slice(0, 2), ROLES.slice(4)]
  const key = generatePrivateKey()
  const keys = { DEPLOYER_KEY: keyOf(guardian), SIGNER_KEY: key }
  const { code } = await run([...owning, ...guarding, '--execute'], keys)
  const { vault } = JSON.parse(await readFile(file, 'utf8')).chain
  const signing = await chain.client.readContract({ address: vault, abi, functionName: 'signer' })
  expect([code, signing]).toEqual([0, privateKeyToAddress(key)])
})

test('another deployer leaves the limits to the owner', async () => {
  const { code, stdout } = await run([...ROLES, '--execute'], { DEPLOYER_KEY: keyOf(guardian) })
  expect(code).toBe(0)
  expect(stdout[2]).toBe('Its owner must still send these transactions, or it takes and pays nothing:')
  expect(stdout[3]).toMatch(/^1\. set the limits of BNB, sent by the owner to 0x\w{40}:\n0x[0-9a-f]+$/)
})

test('roles that the contract refuses send nothing', async () => {
  const head = await chain.client.getBlockNumber()
  const twice = ['--owner', owner.address, '--signer', owner.address, '--guardian', guardian.address]
  expect(await run([...twice, '--execute'], { DEPLOYER_KEY: keyOf(owner) })).toEqual({
    code: 1,
    stdout: [],
    stderr: ['The vault refuses these accounts: owner, signer, guardian must be different, and none the zero address.'],
  })
  expect(await chain.client.getBlockNumber()).toBe(head)
})

test('a missing role or a missing key is reported', async () => {
  expect(await run(ROLES.slice(2))).toMatchObject({ code: 2, stderr: [expect.stringMatching(/--owner <address>/)] })
  expect(await run([...ROLES, '--execute'], { DEPLOYER_KEY: '0x12' })).toMatchObject({
    code: 1,
    stderr: ['DEPLOYER_KEY is not a valid private key: it must be 0x and 64 hex characters.'],
  })
})

test("a node's error is shown without the node's address", async () => {
  const { code, stdout, stderr } = await run([...ROLES, '--execute'], { DEPLOYER_KEY: generatePrivateKey() })
  expect({ code, stdout }).toEqual({ code: 1, stdout: [] })
  expect(stderr).toEqual([expect.stringMatching(/^[A-Z].*\.$/s)])
  expect(stderr.join()).not.toContain(anvil.rpcUrl)
})
