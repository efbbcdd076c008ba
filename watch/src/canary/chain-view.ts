import { nodeAt, readVault, type Unknown, type VaultReading } from '@clearwell/exit-kit/src/read-vault.ts'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { type Client, erc20Abi, type Hex } from 'viem'
import { getBalance, getBlock, getLogs, readContract } from 'viem/actions'
import { type AssetView, isNative, type RootEvent } from './decide-step.ts'

/** Blocks in one request for events. */
const BLOCKS = 2_000n

export interface ChainOf {
  readonly chainId: number
  /** The vaults of the ledger in lower case, the oldest first. */
  readonly vaults: readonly [Hex, ...Hex[]]
  readonly account: Hex
  /** Deposited in each round, by token in lower case. */
  readonly deposits: ReadonlyMap<Hex, bigint>
}

export interface ChainRead {
  /** The vault that the account acts at. */
  readonly at: Hex
  readonly vault: VaultReading
  readonly assets: readonly AssetView[]
}

/**
 * Finds the first of the nodes that gives the vault's state.
 *
 * @throws Error that says why the last one does not
 */
export async function findNode(urls: readonly string[], of: ChainOf): Promise<{ node: Client; read: ChainRead }> {
  let why = 'no node is configured'
  for (const url of urls) {
    const node = nodeAt(url)
    const read = await readVaults(node, of)
    if (typeof read !== 'string') return { node, read }
    why = read
  }
  throw new Error(`no node shows the vault: ${why}`)
}

/** Reads the first vault that has not moved its money to the next one, or where an exit of the account is open. @returns why it cannot */
async function readVaults(node: Client, of: ChainOf): Promise<ChainRead | Unknown> {
  const carried = new Map<Hex, bigint>()
  for (const [i, vault] of of.vaults.entries()) {
    // The chain's own clock counts: a late node is seen by the age of its roots.
    const reading = await readVault(node, { ...of, vault, tokens: [...of.deposits.keys()], now: 0 })
    if (reading.kind !== 'read') return reading.why
    const { account, end, balances } = reading.vault
    const isLeft = end.step === 'moved' && account.exitAt === 0 && i < of.vaults.length - 1
    if (!isLeft)
      return {
        at: vault,
        vault: reading.vault,
        assets: await readAssets(node, { ...of, vault, carried }, reading.vault),
      }
    for (const [token, { deposited, paid }] of balances)
      carried.set(token as Hex, (carried.get(token as Hex) ?? 0n) + deposited - paid)
  }
  return 'zero'
}

async function readAssets(
  node: Client,
  { account, vault, deposits, carried }: ChainOf & { readonly vault: Hex; readonly carried: ReadonlyMap<Hex, bigint> },
  read: VaultReading,
): Promise<AssetView[]> {
  return Promise.all(
    [...deposits].map(async ([token, amount]) => {
      const { deposited = 0n, paid = 0n } = read.balances.get(token) ?? {}
      const wallet = await readUnits(node, { token, account })
      const call = { address: token, abi: erc20Abi, functionName: 'allowance', args: [account, vault] } as const
      const allowance = isNative(token) ? amount : await readContract(node, call)
      const held = await readUnits(node, { token, account: vault })
      return { token, amount, wallet, allowance, deposited, paid, held, carried: carried.get(token) ?? 0n }
    }),
  )
}

/** Reads the account's units of a token, zero for the native coin. */
export function readUnits(
  node: Client,
  { token, account }: { readonly token: Hex; readonly account: Hex },
): Promise<bigint> {
  if (isNative(token)) return getBalance(node, { address: account })
  return readContract(node, { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
}

/**
 * Reads the roots that the vault has taken since a block. Their events are only hints: each is compared with the vault's slot.
 *
 * @param from absent: from the time of the newest root, or of the open exit if that is earlier.
 */
export async function readRoots(
  node: Client,
  { vault, from, read }: { readonly vault: Hex; readonly from: bigint | undefined; readonly read: VaultReading },
): Promise<{ roots: RootEvent[]; scannedTo: bigint }> {
  const { number: head } = await getBlock(node)
  const { exitAt } = read.account
  const { postedAt } = read.slots.newest
  const first = from ?? (await firstBlockAt(node, exitAt === 0 ? postedAt : Math.min(exitAt, postedAt), head))
  const event = exitVaultAbi.find((item) => item.type === 'event' && item.name === 'RootPosted')
  const roots: RootEvent[] = []
  for (let at = first; at <= head; at += BLOCKS) {
    const toBlock = at + BLOCKS - 1n < head ? at + BLOCKS - 1n : head
    const logs = await getLogs(node, {
      address: vault,
      event: event as RootPosted,
      fromBlock: at,
      toBlock,
      strict: true,
    })
    for (const { args } of logs)
      roots.push({ seq: args.seq, number: `${args.number}`, hash: args.headerHash, postedAt: args.postedAt })
  }
  return { roots, scannedTo: head }
}

type RootPosted = Extract<(typeof exitVaultAbi)[number], { readonly type: 'event'; readonly name: 'RootPosted' }>

/** Finds the first block of a time or later, by halving. */
async function firstBlockAt(node: Client, time: number, head: bigint): Promise<bigint> {
  let [low, high] = [0n, head]
  while (low < high) {
    const middle = (low + high) / 2n
    const { timestamp } = await getBlock(node, { blockNumber: middle })
    if (timestamp < BigInt(time)) low = middle + 1n
    else high = middle
  }
  return low
}

/** Adds the slots of roots that {@link readVault} leaves out because many came later. */
export async function withSlots(
  node: Client,
  vault: Hex,
  { slots }: VaultReading,
  seqs: readonly (number | undefined)[],
): Promise<VaultReading['slots']> {
  const at = new Map(slots.at)
  for (const seq of seqs) {
    if (!seq || seq > slots.newest.seq || at.has(seq)) continue
    at.set(
      seq,
      await readContract(node, { address: vault, abi: exitVaultAbi, functionName: 'rootAt', args: [BigInt(seq)] }),
    )
  }
  return { ...slots, at }
}
