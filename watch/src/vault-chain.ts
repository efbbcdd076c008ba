import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import {
  type Abi,
  type AbiEvent,
  createPublicClient,
  erc20Abi,
  getAbiItem,
  type Hex,
  http,
  type PublicClient,
  zeroAddress,
} from 'viem'
import type { AssetFacts, VaultFacts } from './judge-vault.ts'
import type { VaultEvent } from './vault-keys.ts'

/** The chain, as the watchtower's own node shows it. */
export interface VaultChain {
  readonly client: PublicClient
  /** Number and time of the newest block. */
  head(): Promise<{ readonly block: bigint; readonly timeS: number }>
  /** Reads the vault at one block, which must be a recent one. */
  facts(block: bigint): Promise<VaultFacts>
  /** The events that matter, oldest first, from block to block, both included. */
  events(from: bigint, to: bigint): Promise<VaultEvent[]>
  /** Sums the vault's payments to exits from block to block, both included, by token in lower case. */
  exited(from: bigint, to: bigint): Promise<ReadonlyMap<string, bigint>>
}

const NODE_TIMEOUT_MS = 20_000
/** Blocks in one request for events. */
export const BLOCKS = 2_000n

const OF_VAULT = ['RootPosted', 'RootsDropped', 'EndStarted', 'Ended', 'Moved']
const OF_KEYS = [
  ...['KeyAdded', 'KeyRemoved', 'GuardianAnnounced', 'GuardianSet', 'LimitsSet', 'LimitsAnnounced', 'AssetListed'],
  ...['SuccessorAnnounced', 'Unpaused', 'OwnershipTransferStarted', 'OwnershipTransferred'],
]
const eventsOf = (abi: Abi, names: readonly string[]) =>
  abi.filter((item): item is AbiEvent => item.type === 'event' && names.includes(item.name))
const EXITED = getAbiItem({ abi: exitVaultAbi, name: 'Exited' })
const EVENTS = [...eventsOf(exitVaultAbi as Abi, OF_VAULT), ...eventsOf(vaultKeysAbi as Abi, OF_KEYS)]
/** The header of a root comes from the sources, with its signatures. */
const LEFT_OUT = new Set(['header', 'holdings'])

/** @throws Error if the node serves another chain, or the address has no vault with exits. */
export async function openVaultChain(of: {
  readonly rpcUrl: string
  readonly chainId: number
  readonly vault: Hex
}): Promise<VaultChain> {
  const vault = of.vault.toLowerCase() as Hex
  const client = createPublicClient({ transport: http(of.rpcUrl, { timeout: NODE_TIMEOUT_MS }), cacheTime: 0 })
  const chainId = await client.getChainId()
  if (chainId !== of.chainId) throw new Error(`the node serves chain ${chainId}, not ${of.chainId}`)
  const keys = await client.readContract({ address: vault, abi: exitVaultAbi, functionName: 'keys' })
  return {
    client: client as PublicClient,
    async head() {
      const { number, timestamp } = await client.getBlock()
      return { block: number, timeS: Number(timestamp) }
    },
    facts: (block) => readFacts(client as PublicClient, { vault, keys }, block),
    async events(from, to) {
      const range = { fromBlock: from, toBlock: to, strict: true } as const
      const logs = await client.getLogs({ ...range, address: [vault, keys], events: EVENTS })
      return Promise.all(logs.map(async (log) => ({ vault, ...(await toEvent(client as PublicClient, log)) })))
    },
    async exited(from, to) {
      const paid = new Map<string, bigint>()
      for (let start = from; start <= to; start += BLOCKS) {
        const end = start + BLOCKS - 1n < to ? start + BLOCKS - 1n : to
        const range = { fromBlock: start, toBlock: end, strict: true } as const
        for (const { args } of await client.getLogs({ ...range, address: vault, event: EXITED })) {
          const token = args.asset.toLowerCase()
          paid.set(token, (paid.get(token) ?? 0n) + args.amount)
        }
      }
      return paid
    },
  }
}

async function readFacts(
  client: PublicClient,
  { vault, keys }: { readonly vault: Hex; readonly keys: Hex },
  blockNumber: bigint,
): Promise<VaultFacts> {
  const ofVault = { address: vault, abi: exitVaultAbi, blockNumber } as const
  const ofKeys = { address: keys, abi: vaultKeysAbi, blockNumber } as const
  const [{ timestamp }, newest, closing, clock, pausedAt, tokens] = await Promise.all([
    client.getBlock({ blockNumber }),
    client.readContract({ ...ofVault, functionName: 'newestRoot' }),
    client.readContract({ ...ofVault, functionName: 'closing' }),
    client.readContract({ ...ofKeys, functionName: 'clock' }),
    client.readContract({ ...ofKeys, functionName: 'pausedAt' }),
    client.readContract({ ...ofKeys, functionName: 'assets' }),
  ])
  const assets = await Promise.all(tokens.map((token) => readAsset(client, { vault, token, blockNumber })))
  const { endingAt, movedAt } = closing
  return { block: blockNumber, timeS: Number(timestamp), clock, pausedAt, endingAt, movedAt, newest, assets }
}

async function readAsset(
  client: PublicClient,
  { vault, token, blockNumber }: { readonly vault: Hex; readonly token: Hex; readonly blockNumber: bigint },
): Promise<AssetFacts> {
  const ofVault = { address: vault, abi: exitVaultAbi, blockNumber, args: [token] } as const
  const [held, figures, total] = await Promise.all([
    readBalance(client, { vault, token, blockNumber }),
    client.readContract({ ...ofVault, functionName: 'figuresOf' }),
    client.readContract({ ...ofVault, functionName: 'totalsOf' }),
  ])
  const { owed, payouts, depositedSeen: deposited, paidSeen: paid, exitedSeen: exited, shortSince } = figures
  return { token, held, owed, payouts, seen: { deposited, paid, exited }, total, shortSince, elsewhere: 0n }
}

/** @returns `undefined` if the token refuses the call. A node that does not respond throws. */
async function readBalance(
  client: PublicClient,
  { vault, token, blockNumber }: { readonly vault: Hex; readonly token: Hex; readonly blockNumber: bigint },
): Promise<bigint | undefined> {
  if (token === zeroAddress) return client.getBalance({ address: vault, blockNumber })
  const call = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [vault], blockNumber } as const
  return client.readContract(call).catch((error: Error) => {
    if (error.name === 'ContractFunctionExecutionError' && /revert|returned no data/.test(error.message))
      return undefined
    throw error
  })
}

async function toEvent(
  client: PublicClient,
  log: {
    readonly eventName: string
    readonly args: unknown
    readonly blockNumber: bigint
    readonly logIndex: number
    readonly transactionHash: Hex
  },
): Promise<Omit<VaultEvent, 'vault'>> {
  const entries = Object.entries(log.args as Record<string, unknown>).filter(([name]) => !LEFT_OUT.has(name))
  const args = Object.fromEntries(entries.map(([name, value]) => [name, `${value}`]))
  const timeS =
    log.eventName === 'RootPosted'
      ? Number(args.postedAt)
      : Number((await client.getBlock({ blockNumber: log.blockNumber })).timestamp)
  const { blockNumber, logIndex: index, transactionHash: tx } = log
  return { name: log.eventName, block: `${blockNumber}`, index, tx, timeS, args }
}
