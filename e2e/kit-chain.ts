import { encodeHeader, type Header, hashHeader } from '@clearwell/proofs/header'
import { hashLeaf } from '@clearwell/proofs/leaf'
import { chainProofData, NO_PROOF_DATA, quarterOf, sealRecords } from '@clearwell/proofs/proof-data'
import { SumTree } from '@clearwell/proofs/sum-tree'
import {
  type ExitVaultChain,
  startExitVaultChain,
} from '@clearwell/server/src/platform/chain/testing/exit-vault-chain.ts'
import { testTokenAbi } from '@clearwell/vault/abi/test-token'
import { encodeFunctionData, type Hex, parseEther, toHex, zeroHash } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount, toAccount } from 'viem/accounts'

/** A chain with the vault and an account in it, as they are when the server is gone for good: only files of its headers remain. */
const deployer = mnemonicToAccount('test test test test test test test test test test test junk')
const ASSETS = ['BNB', 'USDT', 'ETH'] as const
type Asset = (typeof ASSETS)[number]
const DEPTH = 20
const FIRST_PLACE = 703_710
const SALT: Hex = `0x${'5a'.repeat(32)}`

/** Amounts that each account has paid the vault. */
export const HELD: Readonly<Record<Asset, bigint>> = {
  BNB: parseEther('5'),
  USDT: parseEther('40'),
  ETH: parseEther('2.5'),
}

export type KitChain = Awaited<ReturnType<typeof startKitChain>>

/** Starts the chain; {@link KitChain.deposit} pays the vault for an account, and gives the file that proves it. */
export async function startKitChain() {
  const rootKey = privateKeyToAccount(generatePrivateKey())
  const payout = privateKeyToAccount(generatePrivateKey()).address
  const chain = await startExitVaultChain({ rootKey: rootKey.address, payout })
  const poster = privateKeyToAccount(generatePrivateKey()).address
  await chain.give(poster, parseEther('1'))
  let number = 0
  /** Accounts that have paid the vault, in the order of their places. Nothing of this ledger ever sees an exit. */
  const accounts: Hex[] = []
  const lines: string[] = []
  const data = newProofData()
  /** Makes, signs and posts a header with the leaves of all accounts. @returns the file of the last one. */
  const post = async (): Promise<string> => {
    number += 1
    const { header, leaves } = await makeHeader(chain, { number, accounts }, data)
    const account = accounts.at(-1)
    const hash = hashHeader(header, { chainId: 31_337, vault: chain.vault })
    const signatures = { root: await rootKey.sign({ hash }), bookkeeper: await chain.bookkeeper.sign({ hash }) }
    await chain.call(poster, 'postRoot', [encodeHeader(header), signatures.root, signatures.bookkeeper])
    const signed = { number: `${number}`, hash, header, signatures, tx_hash: null }
    lines.push(toText(signed))
    const kit = {
      chainId: 31_337,
      vault: chain.vault,
      account,
      headers: [signed],
      mine: { number: `${number}`, leaves },
    }
    return toText(kit)
  }
  return {
    ...chain,
    /** All headers, as `headers.jsonl` has them. */
    headerLines: () => lines.join('\n'),
    /** The encrypted proof data of all headers, as `data.jsonl` has them. */
    dataLines: () => data.lines.join('\n'),
    /** The keys of the proof data, as their holders publish them after the end. */
    publishedKeys: () =>
      toText({ format: 'clearwell data keys 1', chainId: 31_337, vault: chain.vault.toLowerCase(), keys: data.keys }),
    /** Takes tokens out of the vault, as a fault of a token or of the contract would. */
    async lose(asset: 'USDT' | 'ETH', units: bigint): Promise<void> {
      const call = { abi: testTokenAbi, functionName: 'transfer', args: [deployer.address, units] } as const
      await chain.give(chain.vault, parseEther('1') + (await chain.client.getBalance({ address: chain.vault })))
      await sendFrom(chain, chain.vault, { to: chain.tokens[asset], data: encodeFunctionData(call) })
    },
    /** Pays the vault in each asset, and posts the header that knows it. @returns the account's file. */
    async deposit(account: Hex): Promise<string> {
      // The vault takes money only under a root.
      await post()
      await chain.give(account, HELD.BNB + parseEther('10'))
      await chain.depositBnb(account, HELD.BNB)
      for (const asset of ['USDT', 'ETH'] as const) await depositToken(chain, account, asset)
      accounts.push(account)
      return post()
    },
    /** Sends what the kit shows, as a user who pastes it into a wallet. */
    async paste(from: Hex, data: Hex, to: Hex = chain.vault): Promise<void> {
      await sendFrom(chain, from, { to, data })
    },
    balancesOf: (address: Hex) => balancesOf(chain, address),
  }
}

async function balancesOf(chain: ExitVaultChain, address: Hex): Promise<Record<Asset, bigint>> {
  const token = (asset: 'USDT' | 'ETH') =>
    chain.client.readContract({
      ...{ address: chain.tokens[asset], abi: testTokenAbi, functionName: 'balanceOf', args: [address] },
    } as const)
  const [BNB, USDT, ETH] = await Promise.all([
    chain.client.getBalance({ address }),
    token('USDT'),
    token('ETH'),
  ] as const)
  return { BNB, USDT: USDT as bigint, ETH: ETH as bigint }
}

const toText = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))

interface Books {
  readonly number: number
  readonly accounts: readonly Hex[]
}

/** A log of the leaves that each header adds, encrypted with a key for each quarter. */
function newProofData() {
  const keys: Record<string, Hex> = {}
  const lines: string[] = []
  let hash = NO_PROOF_DATA
  let known = 0
  return {
    keys,
    lines,
    /** Adds the block of a header. @returns its `dataHash` */
    add({ number, accounts }: Books, at: Date, tokens: readonly Hex[]): Hex {
      const quarter = quarterOf(at)
      keys[quarter] ??= generatePrivateKey()
      const records = tokens.flatMap((token, asset) =>
        accounts.slice(known).map((account, i) => {
          const { place, hash: leaf, sum } = leafAt(ASSETS[asset] as Asset, token, { account, i: known + i })
          return { asset, place, hash: toHex(leaf), sum }
        }),
      )
      known = accounts.length
      const block = sealRecords(Buffer.from(keys[quarter].slice(2), 'hex'), BigInt(number), records)
      hash = chainProofData(hash, block)
      lines.push(JSON.stringify({ number: `${number}`, block: block.toString('base64') }))
      return toHex(hash)
    },
  }
}

async function makeHeader(chain: ExitVaultChain, books: Books, data: ReturnType<typeof newProofData>) {
  const { number, timestamp, hash } = await chain.client.getBlock()
  const tokens = ASSETS.map((asset) => chain.tokens[asset].toLowerCase() as Hex)
  const trees = ASSETS.map((asset, i) => treeOf(asset, tokens[i] as Hex, books))
  const dataHash = data.add(books, new Date(Number(timestamp) * 1_000), tokens)
  const none = { lending: 0n, payouts: 0n, house: 0n, locked: 0n, paidSeen: 0n, exitedSeen: 0n, payoutPaidSeen: 0n }
  const header: Header = {
    ...{ number: BigInt(books.number), previous: zeroHash, ledgerSeq: BigInt(books.number), entryHash: zeroHash },
    ...{ cursorBlock: number, cursorHash: hash, cursorTime: Number(timestamp), positionsRoot: zeroHash },
    ...{ pools: zeroHash, rules: zeroHash, boxDay: 0, boxRoot: zeroHash, dataHash, depth: DEPTH },
    ...{ rtRoot: zeroHash, rtUsers: 0n },
    assets: trees.map(({ token, root, users }) => ({ token, root, users, depositedSeen: users, ...none })),
  }
  return { header, leaves: trees.map(({ leaf }) => leaf) }
}

/** The users tree of an asset, with the leaf of the last account. */
function treeOf(asset: Asset, token: Hex, { accounts }: Books) {
  const tree = new SumTree(DEPTH)
  const free = HELD[asset]
  tree.set(accounts.map((account, i) => leafAt(asset, token, { account, i })))
  const index = FIRST_PLACE + accounts.length - 1
  const path = tree.path(index).map(({ hash, sum }, height) => ({
    ...{ hash: toHex(hash), sum: `${sum}`, side: (index >>> height) & 1 ? 'left' : 'right' },
  }))
  const texts = { free: `${free}`, deposited_seen: `${free}`, paid_seen: '0' }
  const leaf = { kind: 'user', asset, ...texts, salt: SALT, index, path }
  return { token, leaf, root: toHex(tree.root(token)), users: tree.sum }
}

function leafAt(asset: Asset, token: Hex, { account, i }: { readonly account: Hex; readonly i: number }) {
  const free = HELD[asset]
  const leaf = { salt: SALT, free, depositedSeen: free, paidSeen: 0n, account, asset: token }
  return { place: FIRST_PLACE + i, hash: hashLeaf(leaf), sum: free }
}

async function depositToken(chain: ExitVaultChain, account: Hex, asset: 'USDT' | 'ETH'): Promise<void> {
  const token = { address: chain.tokens[asset], abi: testTokenAbi } as const
  const units = HELD[asset]
  const wallet = chain.wallet(deployer)
  const minting = { ...token, functionName: 'mint', args: [account, units] } as const
  await chain.receipt(await wallet.writeContract({ ...minting, account: deployer, chain: wallet.chain }))
  const owner = toAccount(account)
  await chain.client.impersonateAccount({ address: account })
  const approval = { ...token, functionName: 'approve', args: [chain.vault, units] } as const
  const ofOwner = chain.wallet(owner)
  await chain.receipt(await ofOwner.writeContract({ ...approval, account: owner, chain: ofOwner.chain }))
  await chain.call(account, 'deposit', [chain.tokens[asset], units, zeroHash])
}

/** Sends a transaction with a fifth more gas than the estimate, as the kit says. */
async function sendFrom(chain: ExitVaultChain, from: Hex, { to, data }: { to: Hex; data: Hex }): Promise<void> {
  const account = toAccount(from)
  await chain.client.impersonateAccount({ address: from })
  const gas = ((await chain.client.estimateGas({ account, to, data })) * 6n) / 5n
  const wallet = chain.wallet(account)
  const receipt = await chain.receipt(await wallet.sendTransaction({ account, to, data, gas, chain: wallet.chain }))
  if (receipt.status !== 'success') throw new Error(`the transaction to ${to} failed`)
}
