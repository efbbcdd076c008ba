import type { AddressInfo } from 'node:net'
import { pathCalls } from '@clearwell/bookkeeper/src/path-calls.ts'
import { createPathServer } from '@clearwell/bookkeeper/src/serve-paths.ts'
import { encodeHeader, hashHeader } from '@clearwell/proofs/header'
import { hashLeaf } from '@clearwell/proofs/leaf'
import { SumTree } from '@clearwell/proofs/sum-tree'
import {
  EXIT_CHAIN_ID,
  type ExitVaultChain,
  startExitVaultChain,
} from '@clearwell/server/src/platform/chain/testing/exit-vault-chain.ts'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { testTokenAbi } from '@clearwell/vault/abi/test-token'
import { type Address, type Hex, parseEther, toHex, zeroHash } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { ROOT_KEY } from '../../testing/signed-header.ts'

/** A chain with the vault, and a bookkeeper that gives paths in what is posted. No server of the product runs. */
const deployer = mnemonicToAccount('test test test test test test test test test test test junk')
export const CANARY = privateKeyToAccount(`0x${'ca'.repeat(32)}`)
const account = CANARY.address.toLowerCase() as Hex
const [DEPTH, PLACE, SALT] = [20, 703_710, `0x${'5a'.repeat(32)}` as Hex]
const ASSETS = ['BNB', 'USDT'] as const

type Made = Awaited<ReturnType<typeof makeHeader>>

export type CanaryWorld = Awaited<ReturnType<typeof openCanaryWorld>>

export async function openCanaryWorld() {
  const chain = await startExitVaultChain({ rootKey: ROOT_KEY.address, payout: `0x${'0e'.repeat(20)}` })
  const made = new Map<string, Made>()
  /** The vaults of the ledger, the oldest first. */
  const vaults: Address[] = [chain.vault]
  const faults = { isAway: false, takes: 0n }
  let nowMs = (await chain.time()).getTime()
  const books = await servePaths({ made, faults, nowMs: () => nowMs })
  const world = {
    ...chain,
    bookkeeperUrl: books.url,
    faults,
    vaults,
    /** Makes and posts the header of a ledger that has booked what the chain says. */
    async post() {
      nowMs = (await chain.time()).getTime()
      const header = await makeHeader(chain, { vaults, number: made.size + 1, takes: faults.takes })
      made.set(header.signed.number, header)
      const { root, bookkeeper } = header.signed.signatures
      await chain.callAt(vaults.at(-1) as Address, deployer.address, 'postRoot', [
        ...[encodeHeader(header.fields), root, bookkeeper],
      ])
      return header.signed.number
    },
    async forward(seconds: number) {
      await chain.forward(seconds)
      nowMs = (await chain.time()).getTime()
    },
    async units() {
      const token = { address: chain.tokens.USDT, abi: testTokenAbi } as const
      const usdt = await chain.client.readContract({ ...token, functionName: 'balanceOf', args: [account] })
      return { BNB: await chain.client.getBalance({ address: account }), USDT: usdt }
    },
    /** How often each event of the account is on the chain. */
    async counts() {
      const logs = await chain.client.getContractEvents({ address: chain.vault, abi: exitVaultAbi, fromBlock: 0n })
      const names = ['Deposited', 'ExitRequested', 'Exited', 'ExitCancelled'] as const
      return Object.fromEntries(names.map((name) => [name, logs.filter(({ eventName }) => eventName === name).length]))
    },
    async stop() {
      await books.close()
      await chain.stop()
    },
  }
  await chain.give(account, parseEther('1'))
  const wallet = chain.wallet(deployer)
  const mint = {
    address: chain.tokens.USDT,
    abi: testTokenAbi,
    functionName: 'mint',
    args: [account, parseEther('50')],
  }
  await chain.receipt(await wallet.writeContract({ ...mint, account: deployer, chain: wallet.chain } as never))
  return world
}

/** The calls of a real bookkeeper: sign-in by wallet, and one new path an hour. */
async function servePaths(of: {
  readonly made: ReadonlyMap<string, Made>
  readonly faults: { readonly isAway: boolean }
  readonly nowMs: () => number
}) {
  let url = ''
  const paths = (_: string, number?: string) => {
    const found = number === undefined ? [...of.made.values()].at(-1) : of.made.get(number)
    if (!found || of.faults.isAway) return undefined
    return { number: found.signed.number, posted_at: null, leaves: found.leaves, signed: found.signed } as never
  }
  const settings = {
    get url() {
      return url
    },
    ...{ chainId: EXIT_CHAIN_ID, nowMs: of.nowMs, check: async () => true },
  }
  const server = createPathServer(pathCalls({ paths, knows: () => true }, settings), of.nowMs)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function makeHeader(
  chain: ExitVaultChain,
  { vaults, number, takes }: { readonly vaults: readonly Address[]; readonly number: number; readonly takes: bigint },
) {
  const block = await chain.client.getBlock()
  const trees = await Promise.all(ASSETS.map((asset) => treeOf(chain, asset, { vaults, takes })))
  const none = { lending: 0n, payouts: 0n, house: takes, locked: 0n, payoutPaidSeen: 0n }
  const eth = {
    token: chain.tokens.ETH.toLowerCase() as Hex,
    root: toHex(new SumTree(DEPTH).root(chain.tokens.ETH)),
    users: 0n,
  }
  const fields = {
    ...{ number: BigInt(number), previous: zeroHash, ledgerSeq: BigInt(number), entryHash: zeroHash },
    ...{ cursorBlock: block.number, cursorHash: block.hash, cursorTime: Number(block.timestamp) },
    ...{ positionsRoot: zeroHash, pools: zeroHash, rules: zeroHash, boxDay: 0, boxRoot: zeroHash, dataHash: zeroHash },
    ...{ depth: DEPTH, rtRoot: zeroHash, rtUsers: 0n },
    assets: [
      ...trees.map(({ token, root, users, totals }) => ({ token, root, users, ...none, ...totals })),
      { ...eth, ...none, house: 0n, depositedSeen: 0n, paidSeen: 0n, exitedSeen: 0n },
    ],
  }
  const hash = hashHeader(fields, { chainId: EXIT_CHAIN_ID, vault: vaults.at(-1) as Address })
  const signatures = { root: await ROOT_KEY.sign({ hash }), bookkeeper: await chain.bookkeeper.sign({ hash }) }
  const header = JSON.parse(JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
  const signed = { number: `${number}`, hash, header, signatures, tx_hash: null }
  return { fields, signed, leaves: trees.map(({ leaf }) => leaf) }
}

/** The canary's leaf has what it paid the vaults and did not get back, without `takes`; the counters are those of the last one. */
async function treeOf(
  chain: ExitVaultChain,
  asset: (typeof ASSETS)[number],
  { vaults, takes }: { readonly vaults: readonly Address[]; readonly takes: bigint },
) {
  const token = chain.tokens[asset].toLowerCase() as Hex
  const countersAt = (address: Address) =>
    chain.client.readContract({ address, abi: exitVaultAbi, functionName: 'balanceOf', args: [account, token] })
  const counters = await Promise.all(vaults.map(countersAt))
  const ofVault = { address: vaults.at(-1) as Address, abi: exitVaultAbi } as const
  const { deposited, paid } = counters.at(-1) as (typeof counters)[number]
  const total = await chain.client.readContract({ ...ofVault, functionName: 'totalsOf', args: [token] })
  const tree = new SumTree(DEPTH)
  const held = counters.reduce((sum, each) => sum + each.deposited - each.paid, 0n)
  const free = held > takes ? held - takes : 0n
  const seen = { salt: SALT, free, depositedSeen: deposited, paidSeen: paid }
  tree.set([{ place: PLACE, hash: hashLeaf({ ...seen, account, asset: token }), sum: free }])
  const path = tree.path(PLACE).map(({ hash, sum }, height) => ({
    ...{ hash: toHex(hash), sum: `${sum}`, side: (PLACE >>> height) & 1 ? ('left' as const) : ('right' as const) },
  }))
  const texts = { free: `${free}`, deposited_seen: `${deposited}`, paid_seen: `${paid}` }
  const leaf = { kind: 'user' as const, asset, ...texts, salt: SALT, index: PLACE, path }
  const totals = { depositedSeen: total.deposited, paidSeen: total.paid, exitedSeen: total.exited }
  return { token, leaf, root: toHex(tree.root(token)), users: tree.sum, totals }
}
