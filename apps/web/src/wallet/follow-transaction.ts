import {
  type Address,
  type Client,
  concatHex,
  type Hash,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  type Transaction,
  type TransactionReceipt,
} from 'viem'
import { getBlock, getBlockNumber, getTransaction, getTransactionCount, getTransactionReceipt } from 'viem/actions'
import type { ChainCall, SentTransaction, TransactionOutcome } from './sent-transaction.ts'

export interface FollowOptions {
  /** Called with every new fact: the transaction's number, and its new hash where the wallet sped it up. */
  readonly onChange?: (known: SentTransaction) => void
  readonly pollMs: number
  /** How long the network may not know a transaction before it counts as dropped. Some wallets delay sending. */
  readonly unknownAfterMs?: number
}

const UNKNOWN_AFTER_MS = 10 * 60_000
/** Checks of an overtaken transaction before it counts as dropped, as nodes of one address may differ by a block. */
const LOOKS_BEFORE_DROPPED = 3

/**
 * Waits until a transaction, or its replacement by the wallet, is in a block. Relies only on the sender's transaction
 * numbers, so it also finds a replacement that was sent while no page was open; viem's own follower must have seen the
 * transaction first.
 *
 * Asks a node without a response again. Never throws.
 */
export async function followTransaction(
  client: Client,
  sent: SentTransaction,
  { onChange = () => {}, pollMs, unknownAfterMs = UNKNOWN_AFTER_MS }: FollowOptions,
): Promise<TransactionOutcome> {
  let known = sent
  let overtakenLooks = 0
  let unknownMs = 0
  const learn = (next: SentTransaction) => {
    known = next
    onChange(known)
  }
  for (;;) {
    try {
      const receipt = await receiptOf(client, known.hash)
      if (receipt) return await minedOutcome(client, receipt)
      const transaction = await transactionOf(client, known.hash)
      if (transaction && known.nonce === undefined) learn(withNumber(known, transaction))
      unknownMs = transaction ? 0 : unknownMs + pollMs
      if (unknownMs > unknownAfterMs) return { outcome: 'dropped', hash: known.hash }
      if (await isOvertaken(client, known)) {
        const winner = await winnerOf(client, known)
        if (winner && isSpedUp(winner, known)) {
          learn({ ...known, hash: winner.hash })
          continue
        }
        // Its own receipt is there in a moment.
        if (winner && winner.hash !== known.hash)
          return { outcome: isEmpty(winner) ? 'cancelled' : 'replaced', hash: known.hash, by: winner.hash }
        overtakenLooks += winner ? 0 : 1
        if (overtakenLooks >= LOOKS_BEFORE_DROPPED) return { outcome: 'dropped', hash: known.hash }
      }
    } catch {
      // The node did not respond. The page asks again until it closes.
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** A digest of a call, independent of its sender and its fee. */
export function callDigest({ to, data, value }: ChainCall): Hex {
  return keccak256(
    concatHex([pad(to.toLowerCase() as Hex, { size: 20 }), numberToHex(value, { size: 32 }), data as Hex]),
  )
}

async function minedOutcome(client: Client, receipt: TransactionReceipt): Promise<TransactionOutcome> {
  const { status, gasUsed, transactionHash: hash } = receipt
  if (status === 'success') return { outcome: 'succeeded', hash }
  const transaction = await transactionOf(client, hash)
  // A call within the call gets at most 63/64 of the gas (EIP-150): where that one ran out, the rest is left over.
  const isOutOfGas = transaction !== undefined && gasUsed * 64n >= transaction.gas * 63n
  return { outcome: isOutOfGas ? 'out_of_gas' : 'reverted', hash }
}

/** Returns whether a block already includes a transaction with its number. */
async function isOvertaken(client: Client, { from, nonce }: SentTransaction): Promise<boolean> {
  if (from === undefined || nonce === undefined) return false
  return (await getTransactionCount(client, { address: from as Address, blockTag: 'latest' })) > nonce
}

/**
 * The transaction of the same sender with the same number that got into a block. `undefined` where it is not found, as
 * nodes forget the state of older blocks.
 */
async function winnerOf(client: Client, { from, nonce, since }: SentTransaction): Promise<Transaction | undefined> {
  if (from === undefined || nonce === undefined || since === undefined) return undefined
  try {
    const head = await getBlockNumber(client, { cacheTime: 0 })
    const block = await firstBlock(BigInt(since), head, async (blockNumber) => {
      return (await getTransactionCount(client, { address: from as Address, blockNumber })) > nonce
    })
    const { transactions } = await getBlock(client, { blockNumber: block, includeTransactions: true })
    const isWinner = (each: Transaction) => each.nonce === nonce && each.from.toLowerCase() === from.toLowerCase()
    return transactions.find(isWinner)
  } catch {
    return undefined
  }
}

/** The first of the blocks `from` to `to` that `isPast` holds for. It holds for the last, and from one on for all. */
async function firstBlock(from: bigint, to: bigint, isPast: (block: bigint) => Promise<boolean>): Promise<bigint> {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) / 2n
    if (await isPast(middle)) high = middle
    else low = middle + 1n
  }
  return low
}

function isSpedUp(winner: Transaction, { hash, call }: SentTransaction): boolean {
  return winner.hash !== hash && call !== undefined && digestOf(winner) === call
}

/** Returns whether a transaction is a wallet's cancellation: it sends nothing to its own account. */
function isEmpty({ from, to, value, input }: Transaction): boolean {
  return to?.toLowerCase() === from.toLowerCase() && value === 0n && input === '0x'
}

function digestOf({ to, input, value }: Transaction): Hex | undefined {
  return to ? callDigest({ to, data: input, value }) : undefined
}

function withNumber(known: SentTransaction, transaction: Transaction): SentTransaction {
  const { from, nonce } = transaction
  return { ...known, from, nonce, call: known.call ?? digestOf(transaction) }
}

async function receiptOf(client: Client, hash: string): Promise<TransactionReceipt | undefined> {
  return getTransactionReceipt(client, { hash: hash as Hash }).catch(orMissing('TransactionReceiptNotFoundError'))
}

async function transactionOf(client: Client, hash: string): Promise<Transaction | undefined> {
  return getTransaction(client, { hash: hash as Hash }).catch(orMissing('TransactionNotFoundError'))
}

function orMissing(name: string) {
  return (error: unknown): undefined => {
    if (error instanceof Error && error.name === name) return undefined
    throw error
  }
}
