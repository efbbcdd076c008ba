import { type Client, type EIP1193Provider, type Hex, numberToHex } from 'viem'
import { call as simulateCall } from 'viem/actions'
import type { VaultCall } from './calls.ts'
import { type Refusal, readRefusal } from './refusals.ts'

export type SendOutcome =
  | { readonly kind: 'sent'; readonly hash: Hex }
  | { readonly kind: 'other_account'; readonly account: string }
  | { readonly kind: 'chain' }
  /** The vault would revert. `refusal` is absent where the node gave no reason. */
  | { readonly kind: 'refused'; readonly refusal: Refusal | undefined }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'failed'; readonly reason: string }

export interface Sending {
  readonly provider: EIP1193Provider
  readonly chainId: number
  readonly vault: Hex
  readonly account: Hex
  readonly call: VaultCall
  /** Simulates the call: wallets often drop the vault's reason. Absent: the wallet's own node does. */
  readonly node: Client | undefined
  /** For a wallet that does not know the chain. */
  readonly nodeUrl: string | undefined
}

const USER_REJECTED = 4_001
const UNKNOWN_CHAIN = 4_902

/** Sends a call by the browser's wallet, after a simulation. Nothing is sent if the vault would reject the call. */
export async function sendByWallet(sending: Sending): Promise<SendOutcome> {
  const { provider, account } = sending
  try {
    const [found = ''] = await provider.request({ method: 'eth_requestAccounts' })
    if (found.toLowerCase() !== account.toLowerCase()) return { kind: 'other_account', account: found }
    if (!(await switchChain(sending))) return { kind: 'chain' }
    const refused = await simulate(sending)
    if (refused) return refused
    const hash = await provider.request({ method: 'eth_sendTransaction', params: [await withGas(sending)] })
    return { kind: 'sent', hash }
  } catch (error) {
    if (codeOf(error) === USER_REJECTED) return { kind: 'rejected' }
    return { kind: 'failed', reason: messageOf(error) }
  }
}

async function switchChain({ provider, chainId, nodeUrl }: Sending): Promise<boolean> {
  const chain = numberToHex(chainId)
  if (BigInt(await provider.request({ method: 'eth_chainId' })) === BigInt(chain)) return true
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: chain }] })
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CHAIN || nodeUrl === undefined) throw error
    const coin = { name: 'BNB', symbol: 'BNB', decimals: 18 }
    const added = { chainId: chain, chainName: `Chain ${chainId}`, nativeCurrency: coin, rpcUrls: [nodeUrl] }
    await provider.request({ method: 'wallet_addEthereumChain', params: [added] })
  }
  return BigInt(await provider.request({ method: 'eth_chainId' })) === BigInt(chain)
}

const transactionOf = ({ account, vault, call }: Sending) => ({
  ...{ from: account, to: call.to ?? vault, data: call.data, value: '0x0' as const },
})

async function simulate(sending: Sending): Promise<SendOutcome | undefined> {
  try {
    const { node, provider, account, vault, call } = sending
    if (node) await simulateCall(node, { account, to: call.to ?? vault, data: call.data })
    else await provider.request({ method: 'eth_call', params: [transactionOf(sending), 'latest'] })
    return undefined
  } catch (error) {
    const refusal = readRefusal(error)
    // Another fault is one of the node, and says nothing about the vault.
    return refusal || /revert/i.test(messageOf(error)) ? { kind: 'refused', refusal } : undefined
  }
}

/** An estimate leaves exactly the gas that the vault keeps for reading a balance, so a fifth is added. */
async function withGas(sending: Sending) {
  const transaction = transactionOf(sending)
  const estimate = await sending.provider
    .request({ method: 'eth_estimateGas', params: [transaction] })
    .catch(() => undefined)
  return estimate === undefined ? transaction : { ...transaction, gas: numberToHex((BigInt(estimate) * 6n) / 5n) }
}

function codeOf(error: unknown): number | undefined {
  return (error as { code?: number } | undefined)?.code
}

function messageOf(error: unknown): string {
  return (error as { message?: string } | undefined)?.message ?? String(error)
}
