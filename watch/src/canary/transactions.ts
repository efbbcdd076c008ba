import { cancelExit, type Finish, finishExit, requestExit } from '@clearwell/exit-kit/src/calls.ts'
import { readRefusal } from '@clearwell/exit-kit/src/refusals.ts'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import {
  type Client,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  type LocalAccount,
  parseEventLogs,
  type TransactionReceipt,
  zeroHash,
} from 'viem'
import {
  estimateFeesPerGas,
  estimateGas,
  getBlock,
  getBlockNumber,
  getTransactionCount,
  getTransactionReceipt,
  sendRawTransaction,
} from 'viem/actions'
import { chooseFees } from '../decide-post.ts'
import type { Pending } from './canary-store.ts'
import { readUnits } from './chain-view.ts'
import { isNative, type Step } from './decide-step.ts'

/** A transaction that is not mined after this time is replaced, in seconds. */
const STUCK_S = 600

export type Sending = Extract<Step, { readonly kind: Pending['kind'] }>

export interface Sender {
  readonly node: Client
  readonly account: LocalAccount
  readonly chainId: number
  readonly vault: Hex
  /** In wei for each unit of gas. */
  readonly mostFee: bigint
}

/** The vault, or a node for it, refuses a transaction. */
export class Refused extends Error {}

/** Builds the call of a step. @param base the parts of `finishExit` that say under which root. */
export function callOf(
  step: Sending,
  {
    vault,
    account,
    base,
  }: { readonly vault: Hex; readonly account: Hex; readonly base: Omit<Finish, 'leaf' | 'to'> | undefined },
): { readonly to: Hex; readonly data: Hex; readonly value: bigint } {
  const toVault = (data: Hex, value = 0n) => ({ to: vault, data, value })
  switch (step.kind) {
    case 'approve':
      return {
        ...{ to: step.token, value: 0n },
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vault, step.amount] }),
      }
    case 'deposit': {
      const args = [step.token, step.amount, zeroHash] as const
      const data = encodeFunctionData({ abi: exitVaultAbi, functionName: 'deposit', args })
      return toVault(data, isNative(step.token) ? step.amount : 0n)
    }
    case 'request':
      return toVault(requestExit().data)
    case 'cancel':
      return toVault(cancelExit().data)
    case 'finish':
      if (!base) throw new Error('a payment needs its base')
      return toVault(finishExit({ ...base, leaf: step.leaf, to: account }).data)
  }
}

/**
 * Signs a transaction. Its nonce is the number of mined ones, so that of two signed for one step, by a restart, only one is ever mined.
 *
 * @param stuck the one that it replaces
 * @throws Refused with the vault's reason
 */
export async function signCall(
  { node, account, chainId, mostFee }: Sender,
  { to, data, value }: { readonly to: Hex; readonly data: Hex; readonly value: bigint },
  stuck?: Pending,
): Promise<Pick<Pending, 'nonce' | 'hashes' | 'raw' | 'max_fee' | 'tip'>> {
  const { address } = account
  const nonce = stuck?.nonce ?? (await getTransactionCount(node, { address, blockTag: 'latest' }))
  const gas = await estimateGas(node, { account: address, to, data, value }).catch((error) => {
    const refusal = readRefusal(error)
    throw refusal ? new Refused(`the vault refuses: ${refusal.name}`) : error
  })
  const market = await estimateFeesPerGas(node)
  const before = stuck && { maxFee: BigInt(stuck.max_fee), tip: BigInt(stuck.tip) }
  const fees = chooseFees({ maxFee: market.maxFeePerGas, tip: market.maxPriorityFeePerGas }, mostFee, before)
  if (!fees) throw new Error(`gas costs ${market.maxFeePerGas} wei, which is more than allowed`)
  const raw = await account.signTransaction({
    ...{ type: 'eip1559' as const, chainId, nonce, to, data, value },
    // A fifth more than the estimate: the vault keeps a part in reserve for reading balances.
    ...{ gas: (gas * 6n) / 5n, maxFeePerGas: fees.maxFee, maxPriorityFeePerGas: fees.tip },
  })
  const hashes = [...(stuck?.hashes ?? []), keccak256(raw)]
  return { nonce, hashes, raw, max_fee: `${fees.maxFee}`, tip: `${fees.tip}` }
}

/** Sends a signed transaction. A node that knows it already refuses it, which changes nothing. */
export const send = (node: Client, { raw }: Pick<Pending, 'raw'>): Promise<unknown> =>
  sendRawTransaction(node, { serializedTransaction: raw }).catch(() => {})

export type Settled =
  | { readonly kind: 'waiting'; readonly isStuck: boolean }
  /** Another transaction of the key has its nonce. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'mined'; readonly receipt: TransactionReceipt; readonly at: number }

/** Looks what became of a transaction. It counts when it has enough blocks on top. */
export async function lookUp(
  { node, account }: Sender,
  pending: Pending,
  { confirmations, now }: { readonly confirmations: bigint; readonly now: number },
): Promise<Settled> {
  const head = await getBlockNumber(node, { cacheTime: 0 })
  for (const hash of pending.hashes) {
    const receipt = await getTransactionReceipt(node, { hash }).catch((error: Error) => {
      if (error.name === 'TransactionReceiptNotFoundError') return undefined
      throw error
    })
    if (!receipt) continue
    if (head < receipt.blockNumber + confirmations) return { kind: 'waiting', isStuck: false }
    const { timestamp } = await getBlock(node, { blockNumber: receipt.blockNumber })
    return { kind: 'mined', receipt, at: Number(timestamp) }
  }
  const used = await getTransactionCount(node, {
    address: account.address,
    blockNumber: head > confirmations ? head - confirmations : 0n,
  })
  if (used > pending.nonce) return { kind: 'lost' }
  return { kind: 'waiting', isStuck: now - pending.sent_at > STUCK_S }
}

/** Returns why a mined transaction did not do its step; `undefined` if it did, to the unit. */
export async function faultOf(
  { node, account, vault }: Sender,
  pending: Pending,
  receipt: TransactionReceipt,
): Promise<{ readonly received?: bigint; readonly why?: string }> {
  if (receipt.status !== 'success') return { why: `the transaction failed in block ${receipt.blockNumber}` }
  if (pending.kind !== 'finish' || pending.token === undefined) return {}
  const { token } = pending
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === vault)
  const [exited] = parseEventLogs({ abi: exitVaultAbi, eventName: 'Exited', logs })
  const fees = isNative(token) ? receipt.gasUsed * receipt.effectiveGasPrice : 0n
  const grown = (await readUnits(node, { token, account: account.address })) - BigInt(pending.before ?? 0) + fees
  const [expected, stated] = [BigInt(pending.amount ?? 0), exited?.args.amount ?? 0n]
  if (stated !== expected) return { received: stated, why: `the vault paid ${stated} of ${expected}` }
  // More is a gift of another account in the meantime.
  return grown < expected ? { received: grown, why: `${grown} of ${expected} arrived` } : { received: stated }
}
