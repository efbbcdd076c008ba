import { type Address, createClient, encodeAbiParameters, type Hex, keccak256, parseEventLogs } from 'viem'
import { getBlock, getTransactionReceipt, readContract } from 'viem/actions'
import { RPC_LIMITS, rpcTransport } from './transport.ts'

/** The patience with a node while a user waits for it. */
const LIMITS = { ...RPC_LIMITS, timeoutMs: 5_000, retryCount: 1 }

/** The two parts of the vault's interface. All of it would be loaded otherwise; the test answers by the whole. */
const ABI = [
  {
    type: 'event',
    name: 'RootPosted',
    inputs: [
      { name: 'seq', type: 'uint40', indexed: true },
      { name: 'number', type: 'uint64', indexed: true },
      { name: 'headerHash', type: 'bytes32' },
      { name: 'postedAt', type: 'uint40' },
      { name: 'header', type: 'bytes' },
      { name: 'holdings', type: 'uint256[]' },
    ],
  },
  {
    type: 'function',
    name: 'rootAt',
    stateMutability: 'view',
    inputs: [{ name: 'seq', type: 'uint256' }],
    outputs: [{ type: 'bytes32' }],
  },
] as const

/** `posted`: the vault stores this header. `other`: it does not. `unread`: the node did not say. */
export type RootReading = 'posted' | 'other' | 'unread'

/** A header that the server says is posted. */
export interface PostedHeader {
  readonly vault: string
  readonly hash: string
  /** The transaction that posted it, and its time in ISO 8601. */
  readonly txHash: string
  readonly postedAt: string
}

/** Asks a node of the chain whether the vault stores a header now, without a wallet and without Clearwell's server. */
export async function readRoot(rpcUrl: string, posted: PostedHeader): Promise<RootReading> {
  try {
    return await askNode(rpcUrl, posted)
  } catch {
    return 'unread'
  }
}

async function askNode(rpcUrl: string, { vault, hash, txHash, postedAt }: PostedHeader): Promise<RootReading> {
  const client = createClient({ transport: rpcTransport(rpcUrl, LIMITS) })
  const [receipt, latest] = await Promise.all([
    getTransactionReceipt(client, { hash: txHash as Hex }).catch((error: Error) => {
      if (error.name === 'TransactionReceiptNotFoundError') return undefined
      throw error
    }),
    getBlock(client),
  ])
  // A node that is behind has not seen the transaction yet.
  if (!receipt) return Number(latest.timestamp) * 1_000 > Date.parse(postedAt) ? 'other' : 'unread'
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === vault.toLowerCase())
  const events = parseEventLogs({ abi: ABI, eventName: 'RootPosted', logs })
  const event = events.find(({ args }) => args.headerHash === hash)
  if (!event) return 'other'
  const { seq, postedAt: at } = event.args
  // The owner of the vault can drop roots while it is paused: the event stays, the slot does not.
  const contract = { address: vault as Address, abi: ABI, functionName: 'rootAt' } as const
  const slot = await readContract(client, { ...contract, args: [BigInt(seq)] })
  const types = [{ type: 'bytes32' }, { type: 'uint40' }, { type: 'uint40' }] as const
  return slot === keccak256(encodeAbiParameters(types, [hash as Hex, at, seq])) ? 'posted' : 'other'
}
