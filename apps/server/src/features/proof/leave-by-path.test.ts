import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeHeader, type Header } from '@clearwell/proofs/header'
import { exitVaultAbi, exitVaultBytecode } from '@clearwell/vault/abi/exit-vault'
import { settlementAbi, settlementBytecode } from '@clearwell/vault/abi/settlement'
import { testTokenAbi, testTokenBytecode } from '@clearwell/vault/abi/test-token'
import { type Abi, type Address, getContractAddress, type Hex, parseEther, zeroAddress, zeroHash } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount, toAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueHeader } from '../../domain/proofs/make-headers.ts'
import { PathTrees, readBlocks } from '../../domain/proofs/path-trees.ts'
import {
  OPERATOR,
  openProofLedger,
  type ProofLedger,
  ROOT_KEY,
  SETTINGS,
  userOf,
} from '../../domain/proofs/testing/proof-ledger.ts'
import { type Anvil, startAnvil } from '../../platform/chain/anvil.ts'
import { withSpareGas } from '../../platform/chain/spare-gas.ts'
import { controlChain } from '../../platform/chain/testing/local-chain.ts'
import { findOwnLeaves } from './own-leaves.ts'
import { findHeader } from './signed-headers.ts'

/** A header and a path of the server's code, on a chain with the real contract: an account leaves when the server is gone. */
const deployer = mnemonicToAccount('test test test test test test test test test test test junk')
const bookkeeper = privateKeyToAccount(generatePrivateKey())
const [alice, bob] = [userOf(0), userOf(1)] as [Address, Address]
const ASSETS = ['BNB', 'USDT', 'ETH'] as const
const DAY_S = 86_400
/** Test tokens exist on no other chain. */
const CHAIN_ID = 31_337

let folder: string
let anvil: Anvil
let chain: ReturnType<typeof controlChain>
let tokens: typeof SETTINGS.tokens
let vault: Address
let ledger: ProofLedger
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-leave-'))
  anvil = await startAnvil({ folder, port: 0, chainId: CHAIN_ID })
  chain = controlChain({ rpcUrl: anvil.rpcUrl, chainId: CHAIN_ID })
  const [usdt, eth] = [await newToken('USDT'), await newToken('ETH')]
  tokens = { ...SETTINGS.tokens, BNB: zeroAddress, USDT: usdt, ETH: eth }
  vault = await newVault()
  ledger = await openProofLedger({ ...SETTINGS, domain: { chainId: CHAIN_ID, vault }, tokens })
  for (const account of [alice, bob]) {
    await chain.client.impersonateAccount({ address: account })
    await chain.client.setBalance({ address: account, value: parseEther('100') })
  }
})
afterAll(async () => {
  await anvil.stop()
  await rm(folder, { recursive: true })
})

async function create(abi: Abi, bytecode: Hex, args: readonly unknown[]): Promise<Address> {
  const wallet = chain.wallet(deployer)
  const call = { abi, bytecode, args, account: deployer, chain: wallet.chain }
  return (await chain.receipt(await wallet.deployContract(call))).contractAddress as Address
}

const newToken = (symbol: string) =>
  create(testTokenAbi as Abi, testTokenBytecode, [symbol, symbol, 18, deployer.address])

async function newVault(): Promise<Address> {
  const nonce = BigInt(await chain.client.getTransactionCount({ address: deployer.address }))
  const next = getContractAddress({ from: deployer.address, nonce: nonce + 1n })
  const settlement = await create(settlementAbi as Abi, settlementBytecode, [next])
  const most = parseEther('1000000')
  const newKey = () => privateKeyToAccount(generatePrivateKey()).address
  const setup = {
    ...{ owner: deployer.address, guardian: newKey(), payout: OPERATOR, settlement, predecessor: zeroAddress },
    ...{ signers: [newKey()], rootKeys: [ROOT_KEY.address], bookkeepers: [bookkeeper.address] },
    assets: ASSETS.map((asset) => ({ token: tokens[asset], perVoucher: most, perDay: most })),
  }
  return create(exitVaultAbi as Abi, exitVaultBytecode, [setup])
}

interface Call {
  readonly to: Address
  readonly abi: Abi
  readonly functionName: string
  readonly args?: readonly unknown[]
  readonly value?: bigint
}

/** Sends a call of an account whose key the chain does not ask for. A refusal has its reason. */
async function send(account: Address, { to: address, ...call }: Call): Promise<void> {
  await chain.client.simulateContract({ address, ...call, account })
  const wallet = chain.wallet(toAccount(account))
  // As wallets do: an estimate leaves exactly the gas that the vault keeps for reading balances.
  const gas = withSpareGas(await chain.client.estimateContractGas({ address, ...call, account }))
  const request = { address, ...call, account, gas, chain: wallet.chain }
  const receipt = await chain.receipt(await wallet.writeContract(request))
  expect(receipt.status).toBe('success')
}

const ofVault = (functionName: string, args: readonly unknown[] = [], value = 0n): Call => ({
  ...{ to: vault, abi: exitVaultAbi as Abi, functionName, args, value },
})
const ofToken = (to: Address, functionName: string, args: readonly unknown[]): Call => ({
  ...{ to, abi: testTokenAbi as Abi, functionName, args },
})

/** Pays the vault, and books it as the watcher does. */
async function deposit(user: number, asset: 'BNB' | 'USDT', amount: string): Promise<void> {
  const [account, units, token] = [userOf(user) as Address, parseEther(amount), tokens[asset]]
  if (asset === 'USDT') {
    await send(deployer.address, ofToken(token, 'mint', [account, units]))
    await send(account, ofToken(token, 'approve', [vault, units]))
  }
  await send(account, ofVault('deposit', [token, units, zeroHash], asset === 'BNB' ? units : 0n))
  await ledger.run({ what: 'deposit', user, asset, units })
}

/** Makes a header of the ledger of now, and posts it. @returns the root as callers name it, and the signed header. */
async function post() {
  const { timestamp } = await chain.client.getBlock()
  ledger.clock.at = new Date(Number(timestamp) * 1_000)
  await ledger.run({ what: 'cursor', user: 0, asset: 'BNB', units: 0n })
  await makeDueHeader(ledger.server(), { force: true })
  const signed = (await findHeader(ledger.db))?.signed
  if (!signed) throw new Error('no header was signed')
  const header = encodeHeader(readFields(signed.header))
  const second = await bookkeeper.sign({ hash: signed.hash as Hex })
  await send(bob, ofVault('postRoot', [header, signed.signatures.root, second]))
  const newest = { address: vault, abi: exitVaultAbi, functionName: 'newestRoot' } as const
  const { seq, postedAt } = await chain.client.readContract(newest)
  return { root: { header, postedAt, seq }, signed }
}

/** Reads the fields of a stored header: its numbers are decimal text. */
function readFields(stored: object): Header {
  return JSON.parse(JSON.stringify(stored), (_, value) =>
    typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value,
  )
}

/** Takes the leaves of an account with their paths, as `/proof/mine` returns them. */
async function leavesOf(account: Address, signed: Awaited<ReturnType<typeof post>>['signed']) {
  const trees = new PathTrees(SETTINGS.dataSecret)
  for await (const blocks of readBlocks(ledger.db, { after: 0n, to: BigInt(signed.number) })) trees.add(blocks)
  const prove = async (number: bigint, place: number) => trees.pathsAt(number, place)
  const leaves = await findOwnLeaves({ db: ledger.db, prove, tokens, vault: vault.toLowerCase() }, account, signed)
  return leaves ?? []
}

/** Returns the claim of a leaf, in the form of the contract. */
function claimOf({ asset, index, salt, free, path, ...seen }: Awaited<ReturnType<typeof leavesOf>>[number]) {
  const leaf = {
    salt,
    free: BigInt(free),
    depositedSeen: BigInt(seen.deposited_seen),
    paidSeen: BigInt(seen.paid_seen),
  }
  const siblings = path.map(({ hash, sum }) => ({ hash, sum: BigInt(sum) }))
  return { asset: tokens[asset], index: ASSETS.indexOf(asset as 'BNB'), leaf, place: BigInt(index), path: siblings }
}

test('an account leaves with its proven balance without the server', async () => {
  // The vault takes money only under a root.
  await post()
  await deposit(0, 'BNB', '5')
  await deposit(0, 'USDT', '40')
  await deposit(1, 'BNB', '2')
  // Of 5 BNB, 1.5 go to the pool and 0.5 are locked for a transfer out.
  await ledger.run({ what: 'swap', user: 0, asset: 'BNB', units: parseEther('1.5') })
  await ledger.run({ what: 'lock', user: 0, asset: 'BNB', units: parseEther('0.5') })
  const { root, signed } = await post()
  const leaves = await leavesOf(alice, signed)
  expect(leaves.map(({ asset, free }) => [asset, free])).toEqual([
    ['BNB', `${parseEther('3.5')}`],
    ['USDT', `${parseEther('40')}`],
    ['ETH', '0'],
    ['RT', '0'],
  ])
  await ledger.close()

  await send(alice, ofVault('requestExit'))
  await expect(send(alice, ofVault('deposit', [zeroAddress, 1n, zeroHash], 1n))).rejects.toThrow('ExitOpen')
  const nothing = { headerHash: zeroHash, postedAt: 0, seq: 0 }
  const proof = { base: [root], next: nothing, unfrozen: [], unfrozenNext: nothing }
  const to = privateKeyToAccount(generatePrivateKey()).address
  const [bnb, usdt] = leaves.map(claimOf)
  const finish = (claim: unknown) => send(alice, ofVault('finishExit', [proof, claim, to]))
  await chain.client.increaseTime({ seconds: 7 * DAY_S - 60 })
  await chain.mine(1)
  await expect(finish(bnb)).rejects.toThrow('ExitNotReady')
  await chain.client.increaseTime({ seconds: 60 })
  await chain.mine(1)

  const more = { ...bnb, leaf: { ...bnb?.leaf, free: parseEther('5') } }
  await expect(finish(more)).rejects.toThrow('WrongPath')
  await finish(bnb)
  await finish(usdt)
  await expect(finish(bnb)).rejects.toThrow('NothingToPay')
  const token = { address: tokens.USDT, abi: testTokenAbi, functionName: 'balanceOf', args: [to] } as const
  expect([await chain.client.getBalance({ address: to }), await chain.client.readContract(token)]).toEqual([
    parseEther('3.5'),
    parseEther('40'),
  ])
}, 60_000)
