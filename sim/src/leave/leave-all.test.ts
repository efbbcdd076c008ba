import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bookkeeper, openBookkeeper } from '@clearwell/bookkeeper/src/bookkeeper.ts'
import { pathCalls } from '@clearwell/bookkeeper/src/path-calls.ts'
import { publishKeys } from '@clearwell/bookkeeper/src/print-keys.ts'
import { createPathServer } from '@clearwell/bookkeeper/src/serve-paths.ts'
import { createVaultNode } from '@clearwell/bookkeeper/src/vault-node.ts'
import { checkByNode } from '@clearwell/bookkeeper/src/wallet-signatures.ts'
import { claimAfterEnd, completeEnd, finishExit, requestExit, startEnd } from '@clearwell/exit-kit/src/calls.ts'
import type { SignedHeader } from '@clearwell/exit-kit/src/kit-data.ts'
import { NO_ROOT, type PostedRoot } from '@clearwell/exit-kit/src/posted-roots.ts'
import { encodeHeader, type Header } from '@clearwell/proofs/header'
import { OPERATOR, ROOT_KEY } from '@clearwell/server/src/domain/proofs/testing/proof-ledger.ts'
import { dataLines } from '@clearwell/server/src/features/proof/data-lines.ts'
import { findHeader } from '@clearwell/server/src/features/proof/signed-headers.ts'
import { publishKeys as publishOperatorKeys } from '@clearwell/server/src/operator/proof-keys.ts'
import {
  EXIT_CHAIN_ID,
  type ExitVaultChain,
  startExitVaultChain,
} from '@clearwell/server/src/platform/chain/testing/exit-vault-chain.ts'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { testTokenAbi } from '@clearwell/vault/abi/test-token'
import { buildPaths } from '@clearwell/verify/build-paths'
import { findOwnLeaves, type OwnLeaf, totalsBefore } from '@clearwell/verify/own-leaves'
import { buildTrees, readProofData } from '@clearwell/verify/proof-data'
import { readSlots } from '@clearwell/verify/read-slots'
import { encodeFunctionData, type Hex, parseEther, toHex, zeroAddress, zeroHash } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BatchChain, type Call, openBatchChain } from './testing/batch-chain.ts'
import {
  ASSETS,
  type Asset,
  type LeaveLedger,
  openLeaveLedger,
  type Payment,
  type Tokens,
} from './testing/leave-ledger.ts'
import { type Amounts, LeaveModel, randomOf } from './testing/leave-model.ts'

/** Everyone leaves: with one bookkeeper and no server, and after the end with one key of the proof data. */
const COUNT = Number(process.env.LEAVE_ACCOUNTS || '60')
const SEED = Number(process.env.LEAVE_SEED || '34')
const TIMEOUT_MS = 60_000 + 1_200 * COUNT
const DAY_S = 86_400
const deployer = mnemonicToAccount('test test test test test test test test test test test junk')
const wallets = Array.from({ length: COUNT }, (_, i) => privateKeyToAccount(toHex(1_000n + BigInt(i), { size: 32 })))
const accounts = wallets.map(({ address }) => address.toLowerCase() as Hex)
/** Pays the vault for the first time after its last root, and has no leaf. */
const newcomer: Hex = `0x${'c0'.repeat(20)}`
const everyone = [...accounts, newcomer]
const destinationOf = (account: Hex): Hex => `0x${`${everyone.indexOf(account)}`.padStart(40, 'd')}`

const random = randomOf(SEED)
const model = new LeaveModel()
/** The response of a bookkeeper to an account. */
interface Paths {
  readonly number: string
  readonly leaves: OwnLeaf[]
}

/** Deposits after the last root. */
const late = new Map<string, bigint>()
let folder: string
let chain: ExitVaultChain
let batch: BatchChain
let tokens: Tokens
let ledger: LeaveLedger
let bookkeeper: Bookkeeper
let signed: SignedHeader
let root: PostedRoot
const data: string[] = []
let start: Hex

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-leave-all-'))
  chain = await startExitVaultChain({ rootKey: ROOT_KEY.address, payout: OPERATOR as Hex })
  batch = await openBatchChain(chain.rpcUrl)
  tokens = { BNB: zeroAddress, USDT: lower(chain.tokens.USDT), ETH: lower(chain.tokens.ETH) }
  ledger = await openLeaveLedger({ chainId: EXIT_CHAIN_ID, vault: chain.vault, tokens })
  bookkeeper = await openBookkeeper({
    ...{ folder, key: chain.bookkeeper, dataSecret: ledger.dataSecret, startBlock: chain.vaultBlock },
    expected: { chainId: EXIT_CHAIN_ID, vault: chain.vault },
    openNode: (head) => createVaultNode(chain.rpcUrl, head),
    nowMs: () => chainTimeMs,
  })
  await ledger.addUsers(accounts)
  await postHeader()
  await fillBooks()
  await postHeader()
  await payLate()
  for await (const part of dataLines(ledger.db, 0n)) data.push(...part.trimEnd().split('\n'))
  start = await batch.one<Hex>('evm_snapshot')
}, TIMEOUT_MS)
afterAll(async () => {
  await bookkeeper.close()
  await ledger.close()
  await chain.stop()
  await rm(folder, { recursive: true })
})

const lower = (address: string) => address.toLowerCase() as Hex
let chainTimeMs = 0

async function postHeader(): Promise<void> {
  const block = await chain.client.getBlock()
  chainTimeMs = Number(block.timestamp) * 1_000
  await ledger.moveCursor(block)
  await ledger.makeHeader(bookkeeper)
  const found = (await findHeader(ledger.db))?.signed
  if (!found) throw new Error('no header was signed')
  signed = { ...(found as unknown as SignedHeader), postedAt: undefined }
  const header = encodeHeader(readNumbers(found.header))
  await chain.give(deployer.address, parseEther('1000'))
  await chain.call(deployer.address, 'postRoot', [header, found.signatures.root, found.signatures.bookkeeper])
  const newest = { address: chain.vault, abi: exitVaultAbi, functionName: 'newestRoot' } as const
  const { seq, postedAt } = await chain.client.readContract(newest)
  root = { signed, headerHash: signed.hash, postedAt, seq }
}

/** Numbers of a stored header are decimal text. */
function readNumbers(stored: object): Header {
  return JSON.parse(JSON.stringify(stored), (_, value) =>
    typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : value,
  )
}

/** Pays the vault on the chain. @returns the payments with their transactions */
async function payVault(payments: readonly Omit<Payment, 'tx'>[]): Promise<Payment[]> {
  const payers = [...new Set(payments.map(({ account }) => account as Hex))]
  await batch.all(
    payers.map((account) => ({ method: 'anvil_setBalance', params: [account, toHex(parseEther('10000000'))] })),
  )
  const ofTokens = payments.filter(({ asset }) => asset !== 'BNB')
  const toToken = (name: 'mint' | 'approve', { account, asset, units }: Omit<Payment, 'tx'>): Call => {
    const args = [name === 'mint' ? (account as Hex) : chain.vault, units] as const
    const from = name === 'mint' ? deployer.address : (account as Hex)
    return { from, to: tokens[asset], data: encodeFunctionData({ abi: testTokenAbi, functionName: name, args }) }
  }
  await batch.send(ofTokens.map((payment) => toToken('mint', payment)))
  await batch.send(ofTokens.map((payment) => toToken('approve', payment)))
  const hashes = await batch.send(
    payments.map(({ account, asset, units }) => {
      const args = [tokens[asset], units, zeroHash] as const
      const call = encodeFunctionData({ abi: exitVaultAbi, functionName: 'deposit', args })
      return { from: account as Hex, to: chain.vault, data: call, value: asset === 'BNB' ? units : 0n }
    }),
  )
  return payments.map((payment, i) => ({ ...payment, tx: hashes[i] as Hex }))
}

const POOL = { BNB: parseEther('10000'), USDT: parseEther('6000000') }

/** Gives each account random balances: deposits, swaps with the pool, and locked amounts. */
async function fillBooks(): Promise<void> {
  const filled = (['BNB', 'USDT'] as const).map((asset) => ({ account: OPERATOR, asset, units: POOL[asset] }))
  const payments = accounts.flatMap((account, i) =>
    ASSETS.flatMap((asset, j) => {
      // An account that never paid anything is not in the ledger.
      const units = i % 3 !== j && random(3n) === 0n ? 0n : random(parseEther('100')) + 1n
      return units === 0n ? [] : [{ account, asset, units }]
    }),
  )
  for (const { asset, units } of filled) model.fill(asset, units)
  for (const { account, asset, units } of payments) model.deposit(account, asset, units)
  for (const account of accounts) model.of(account)
  const paid = await payVault([...filled, ...payments])
  await ledger.book(paid.slice(0, filled.length))
  await ledger.post(
    'pool_liquidity',
    filled.flatMap(({ asset, units }) => transfer('treasury', 'pool:BNB-USDT', asset, units)),
  )
  const own = Map.groupBy(paid.slice(filled.length), ({ account }) => account)
  await Promise.all([...own.values()].map((each) => ledger.book(each)))
  let reserves = POOL
  for (const [i, account] of accounts.entries()) {
    if (i % 3 === 0) reserves = await swap(account, reserves)
    const locked = model.of(account).ETH / 2n
    const [available, to] = [`user:${account}:available`, `user:${account}:locked`]
    if (i % 5 === 0 && locked > 0n) await ledger.post('withdrawal_lock', transfer(available, to, 'ETH', locked))
  }
}

function transfer(from: string, to: string, asset: Asset, units: bigint) {
  return [[from, asset, -units] as const, [to, asset, units] as const]
}

async function swap(account: string, reserves: typeof POOL): Promise<typeof POOL> {
  const sold = random(model.of(account).USDT)
  const fee = sold / 500n
  const bought = (reserves.BNB * (sold - fee)) / (reserves.USDT + sold - fee)
  if (fee === 0n || bought === 0n) return reserves
  const [trader, pool] = [`user:${account}:available`, 'pool:BNB-USDT']
  await ledger.post('swap', [
    ...transfer(trader, pool, 'USDT', sold - fee),
    ...transfer(trader, 'rewards', 'USDT', fee),
    ...transfer(pool, trader, 'BNB', bought),
  ])
  model.swap(account, ['USDT', sold], ['BNB', bought])
  return { BNB: reserves.BNB - bought, USDT: reserves.USDT + sold - fee }
}

/** Some accounts pay the vault after the last root, which no header will ever know. */
async function payLate(): Promise<void> {
  const payments = everyone.flatMap((account, i) => {
    const asset = ASSETS[i % ASSETS.length] as Asset
    return i % 7 === 0 || account === newcomer ? [{ account, asset, units: random(parseEther('9')) + 1n }] : []
  })
  await payVault(payments)
  for (const { account, asset, units } of payments) {
    model.deposit(account, asset, units)
    late.set(`${account} ${asset}`, units)
  }
}

/** Signs in at the bookkeeper with each wallet, and takes the paths. */
async function askBookkeeper(): Promise<Map<Hex, Paths>> {
  const settings = { url: 'https://books.example', chainId: EXIT_CHAIN_ID, nowMs: () => Date.now() }
  const calls = pathCalls(bookkeeper, { ...settings, check: checkByNode(chain.rpcUrl) })
  const server = createPathServer(calls, () => Date.now())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/proof`
  const found = new Map<Hex, Paths>()
  const ask = async (i: number): Promise<void> => {
    const [wallet, account] = [wallets[i], accounts[i]] as [(typeof wallets)[number], Hex]
    const headers = { 'x-forwarded-for': `10.0.${i >> 8}.${i & 255}` }
    const post = async (path: string, body: object) => {
      const response = await fetch(`${url}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      const { code, msg, data: given } = (await response.json()) as { code: number; msg: string; data: unknown }
      if (code !== 1) throw new Error(`${path} gave ${account} code ${code}: ${msg}`)
      return given
    }
    const { message } = (await post('nonce', { address: wallet.address })) as { message: string }
    const signature = await wallet.signMessage({ message })
    found.set(account, (await post('mine', { message, signature })) as Paths)
  }
  for (let from = 0; from < COUNT; from += 10)
    await Promise.all(Array.from({ length: Math.min(10, COUNT - from) }, (_, i) => ask(from + i)))
  server.closeAllConnections()
  server.close()
  return found
}

const provenLeaf = (leaf: OwnLeaf) => ({
  ...{ leaf, token: tokens[leaf.asset as Asset], index: ASSETS.indexOf(leaf.asset as Asset) },
})

/** One exit's payment, as the exit kit builds it. */
function finish(account: Hex, leaf: OwnLeaf): Call {
  const base = { root, next: NO_ROOT }
  const of = { base, earlier: undefined, unfrozen: undefined, leaf: provenLeaf(leaf), to: destinationOf(account) }
  return { from: account, to: chain.vault, data: finishExit(of).data }
}

const shuffled = <Value>(values: readonly Value[]): Value[] =>
  values
    .map((value) => ({ value, by: random(1n << 50n) }))
    .toSorted((a, b) => (a.by < b.by ? -1 : 1))
    .map(({ value }) => value)

/** Reads what an address holds of each asset. */
async function holdingsOf(addresses: readonly Hex[]): Promise<Amounts[]> {
  const requests = addresses.flatMap((address) =>
    ASSETS.map((asset) => {
      if (asset === 'BNB') return { method: 'eth_getBalance', params: [address, 'latest'] }
      const call = encodeFunctionData({ abi: testTokenAbi, functionName: 'balanceOf', args: [address] })
      return { method: 'eth_call', params: [{ to: tokens[asset], data: call }, 'latest'] }
    }),
  )
  const words = (await batch.all<Hex>(requests)).map(BigInt)
  return addresses.map((_, i) => ({
    BNB: words[3 * i] ?? 0n,
    USDT: words[3 * i + 1] ?? 0n,
    ETH: words[3 * i + 2] ?? 0n,
  }))
}

async function expectPaid(expected: ReadonlyMap<string, Amounts>): Promise<void> {
  const got = await holdingsOf(everyone.map(destinationOf))
  const none: Amounts = { BNB: 0n, USDT: 0n, ETH: 0n }
  expect(everyone.map((account, i) => [account, got[i]])).toEqual(
    everyone.map((account) => [account, expected.get(account) ?? none]),
  )
}

let proofs: Map<Hex, Paths>

test(
  'every account leaves with one bookkeeper and no server',
  async () => {
    await batch.one('anvil_mine', ['0x14'])
    await bookkeeper.readPosts()
    proofs = await askBookkeeper()
    expect([...proofs.values()].filter(({ number }) => number === signed.number)).toHaveLength(COUNT)
    await batch.send(accounts.map((from) => ({ from, to: chain.vault, data: requestExit().data })))
    await batch.forward(7 * DAY_S)
    const due = [...proofs].flatMap(([account, { leaves }]) =>
      leaves
        .filter(({ asset }) => asset !== 'RT' && model.of(account)[asset as Asset] > 0n)
        .map((leaf) => finish(account, leaf)),
    )
    await batch.send(shuffled(due))
    await expectPaid(new Map([...model.free].filter(([account]) => account !== newcomer)))
    // The rest is the pool with its fees, and the deposit of the account that did not leave.
    const left = { ...model.house }
    for (const asset of ASSETS) left[asset] += model.of(newcomer)[asset]
    expect(await holdingsOf([chain.vault])).toEqual([left])
    const [again] = due
    await expect(batch.one('eth_call', [again, 'latest'])).rejects.toThrow('revert')
    await batch.one('evm_revert', [start])
  },
  TIMEOUT_MS,
)

/** A few accounts have left with one asset when the end begins. */
async function leaveEarly(): Promise<void> {
  const early = accounts.filter((account) => model.of(account).BNB > 0n).slice(0, 3)
  await batch.send(early.map((from) => ({ from, to: chain.vault, data: requestExit().data })))
  await batch.forward(7 * DAY_S)
  const leaves = early.map((account) => proofs.get(account)?.leaves.find(({ asset }) => asset === 'BNB') as OwnLeaf)
  await batch.send(early.map((account, i) => finish(account, leaves[i] as OwnLeaf)))
  const paid = await holdingsOf(early.map(destinationOf))
  for (const [i, account] of early.entries()) {
    expect(paid[i]?.BNB).toBe(model.of(account).BNB)
    model.pay(account, 'BNB', paid[i]?.BNB ?? 0n)
    await batch.one('anvil_setBalance', [destinationOf(account), '0x0'])
  }
}

/** The vault loses all of the pool and a third of what it owes its users in USDT. */
async function loseMoney(): Promise<void> {
  const units = model.held.USDT - (model.owed('USDT') * 2n) / 3n
  const [{ BNB }] = (await holdingsOf([chain.vault])) as [Amounts]
  const args = [deployer.address, units] as const
  const call = encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args })
  await batch.one('anvil_setBalance', [chain.vault, toHex(BNB + parseEther('1'))])
  await batch.send([{ from: chain.vault, to: tokens.USDT, data: call }])
  await batch.one('anvil_setBalance', [chain.vault, toHex(BNB)])
  model.lose('USDT', units)
}

const holder = () => ({
  ...{ VAULT_ADDRESS: chain.vault, CHAIN_RPC_URL: chain.rpcUrl },
  PROOF_DATA_KEY: `0x${ledger.dataSecret.toString('hex')}`,
})

test(
  'every account claims after the end with one data key',
  async () => {
    await leaveEarly()
    await loseMoney()
    await batch.forward(30 * DAY_S)
    await batch.send([{ from: deployer.address, to: chain.vault, data: startEnd(tokens.ETH).data }])
    await expect(publishKeys(holder())).rejects.toThrow('has not ended, so its keys stay secret')
    await batch.forward(DAY_S)
    await batch.send([{ from: deployer.address, to: chain.vault, data: completeEnd().data }])
    const published = await publishKeys(holder())
    const operator = { client: chain.client, db: ledger.db, chainId: EXIT_CHAIN_ID, vault: chain.vault }
    expect(published).toMatchObject((await publishOperatorKeys({ ...operator, dataSecret: ledger.dataSecret })) ?? {})

    const header = signed.header as unknown as Parameters<typeof buildTrees>[1]
    const leaves = await readProofData(data, { header, keys: published.keys })
    const trees = await buildTrees(leaves, header)
    const claims = await chain.client.readContract({ address: chain.vault, abi: exitVaultAbi, functionName: 'claims' })
    const counters = await countersOf()
    const due: Call[] = []
    for (const account of everyone) {
      const found = account === newcomer ? [] : await ownLeaves(account, trees, counters)
      for (const asset of ASSETS) {
        if (model.of(account)[asset] === 0n) continue
        const leaf = found.find((each) => each.asset === asset)
        const of = leaf ? provenLeaf(leaf) : { token: tokens[asset] }
        const call = claimAfterEnd({ claims, root, earlier: undefined, leaf: of, to: destinationOf(account) })
        due.push({ from: account, to: claims, data: call.data })
      }
    }
    await batch.send(shuffled(due))
    const shares = model.shares()
    await expectPaid(shares)
    const left = { ...model.held }
    for (const own of shares.values()) for (const asset of ASSETS) left[asset] -= own[asset]
    const [inVault, inClaims] = (await holdingsOf([chain.vault, claims])) as [Amounts, Amounts]
    expect(inClaims).toEqual(left)
    expect(inVault).toEqual({ BNB: 0n, USDT: 0n, ETH: 0n })
    await expect(batch.one('eth_call', [due[0], 'latest'])).rejects.toThrow('revert')
  },
  TIMEOUT_MS,
)

/** Reads what the vault counts of each account and token, by both in lower case. */
async function countersOf(): Promise<Map<string, readonly [deposited: bigint, paid: bigint]>> {
  const pairs = accounts.flatMap((account) => ASSETS.map((asset) => [account, tokens[asset]] as const))
  const words = await batch.all<Hex>(
    pairs.map((args) => {
      const data = encodeFunctionData({ abi: exitVaultAbi, functionName: 'balanceOf', args })
      return { method: 'eth_call', params: [{ to: chain.vault, data }, 'latest'] }
    }),
  )
  const word = (hex: Hex, at: number) => BigInt(`0x${hex.slice(2 + 64 * at, 66 + 64 * at)}`)
  return new Map(words.map((hex, i) => [pairs[i]?.join(' ') ?? '', [word(hex, 0), word(hex, 1)]]))
}

/** Finds an account's leaves by its salt, its place, and the vault's counters of now less its late deposit. */
async function ownLeaves(account: Hex, trees: Trees, counters: Awaited<ReturnType<typeof countersOf>>) {
  const old = proofs.get(account)?.leaves[0]
  const { leaves, missing } = await findOwnLeaves(trees, {
    ...{ account, salt: old?.salt ?? '', place: old?.index },
    totalsOf(token) {
      const [deposited, paid] = counters.get(`${account} ${token}`) ?? [0n, 0n]
      const asset = ASSETS.find((each) => tokens[each] === token)
      const since = late.get(`${account} ${asset}`) ?? 0n
      return { deposited: totalsBefore(deposited, [since]), paid: [paid, 0n] }
    },
  })
  expect(missing).toEqual([])
  return leaves
}

type Trees = Awaited<ReturnType<typeof buildTrees>>

test('the command builds the same paths from the files', async () => {
  const [account] = accounts as [Hex]
  const keys = JSON.stringify(await publishKeys(holder()))
  const files = { keys, headers: JSON.stringify(signed), proof: JSON.stringify({ account, ...proofs.get(account) }) }
  const { file, missing } = await buildPaths(data, { ...files, readVault: readSlots(chain.rpcUrl) })
  expect(missing).toEqual([])
  expect(file.paths[0].leaves).toEqual(proofs.get(account)?.leaves)
  const other = { ...files, headers: JSON.stringify({ ...signed, header: { ...signed.header, number: '1' } }) }
  await expect(buildPaths(data, { ...other, readVault: readSlots(chain.rpcUrl) })).rejects.toThrow('no header')
}, 60_000)
