import { createPublicClient, createWalletClient, type Hex, hexToString, http, numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { LOCAL_CHAIN_ID, localChain } from './chain.ts'

/** The state of the signing test wallet and its response to each request. */

const UNKNOWN_CHAIN = { code: 4902, message: 'Unrecognized chain ID. Try adding the chain first.' }

/** Above the local chain's base fee, and low enough to be outbid. */
const HELD_BACK_FEE = 10_000_000_000n
/** The gas of a held-back transaction cannot be estimated: what is mined before it decides whether it fails. */
const GAS_LIMIT = 500_000n

export interface WalletFault {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface SignedTyped {
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

export interface Request {
  method: string
  params?: readonly unknown[]
}

export type WalletResponse = { result: unknown } | { error: WalletFault }

/** Emits events in the page, all in one turn of its event loop. */
export type EmitEvents = (...events: readonly (readonly [event: string, value: unknown])[]) => Promise<void>

interface Transaction {
  readonly to: Hex
  readonly data?: Hex
  readonly value: bigint
  readonly nonce: number
}

export interface WalletState {
  account: PrivateKeyAccount
  chainId: number
  readonly chain: ReturnType<typeof localChain>
  readonly knownChains: Set<number>
  readonly signedTexts: string[]
  readonly signedTyped: SignedTyped[]
  holdsBack: boolean
  heldBack: Transaction | undefined
}

export function createWalletState({
  key = generatePrivateKey(),
  chainId = LOCAL_CHAIN_ID,
  knowsLocalChain = true,
  chainPort,
}: {
  readonly key?: Hex
  readonly chainId?: number
  readonly knowsLocalChain?: boolean
  readonly chainPort?: number
}): WalletState {
  return {
    account: privateKeyToAccount(key),
    chainId,
    chain: localChain(chainPort),
    knownChains: new Set([chainId, ...(knowsLocalChain ? [LOCAL_CHAIN_ID] : [])]),
    signedTexts: [],
    signedTyped: [],
    holdsBack: false,
    heldBack: undefined,
  }
}

/** The result of one request; throws the fault that a wallet would report. */
export async function respondToRequest(
  state: WalletState,
  emit: EmitEvents,
  { method, params = [] }: Request,
): Promise<unknown> {
  switch (method) {
    case 'eth_accounts':
    case 'eth_requestAccounts':
      return [state.account.address]
    case 'eth_chainId':
      return numberToHex(state.chainId)
    case 'wallet_requestPermissions':
    case 'wallet_getPermissions': {
      const caveats = [{ type: 'restrictReturnedAccounts', value: [state.account.address] }]
      return [{ parentCapability: 'eth_accounts', caveats }]
    }
    case 'wallet_revokePermissions':
      return null
    // Real wallets switch to a chain that they have just added.
    case 'wallet_addEthereumChain':
      await switchChain(state, emit, chainOf(params))
      return null
    case 'wallet_switchEthereumChain':
      if (!state.knownChains.has(chainOf(params))) throw UNKNOWN_CHAIN
      await switchChain(state, emit, chainOf(params))
      return null
    case 'personal_sign': {
      const text = hexToString(params[0] as Hex)
      state.signedTexts.push(text)
      return state.account.signMessage({ message: text })
    }
    case 'eth_sendTransaction':
      return sendTransaction(state, params[0] as { to: Hex; data?: Hex; value?: Hex })
    case 'eth_signTypedData_v4': {
      const typed = JSON.parse(params[1] as string)
      state.signedTyped.push(typed)
      return state.account.signTypedData(typed)
    }
    default:
      return publicClient(state).request({ method, params } as never)
  }
}

export async function switchChain(state: WalletState, emit: EmitEvents, chainId: number): Promise<void> {
  state.chainId = chainId
  state.knownChains.add(chainId)
  await emit(['chainChanged', numberToHex(chainId)])
}

/** Replaces the held-back transaction, and closes the gap in the nonces before it. */
export async function replaceHeldBack(state: WalletState, change: (held: Transaction) => Transaction): Promise<Hex> {
  if (!state.heldBack) throw new Error('the wallet holds nothing back')
  const hash = await send(state, change(state.heldBack), 2n * HELD_BACK_FEE)
  const gap = { to: state.account.address, value: 0n, nonce: state.heldBack.nonce - 1 }
  state.heldBack = undefined
  state.holdsBack = false
  await send(state, gap, 2n * HELD_BACK_FEE)
  return hash
}

async function sendTransaction(
  state: WalletState,
  request: { to: Hex; data?: Hex; value?: Hex; gas?: Hex },
): Promise<Hex> {
  const { to, data, value, gas } = request
  const call = { to, ...(data ? { data } : {}), value: BigInt(value ?? '0x0') }
  if (!state.holdsBack) return walletClient(state).sendTransaction({ ...call, ...(gas ? { gas: BigInt(gas) } : {}) })
  const { address } = state.account
  state.heldBack = { ...call, nonce: (await publicClient(state).getTransactionCount({ address })) + 1 }
  return send(state, state.heldBack, HELD_BACK_FEE)
}

function send(state: WalletState, call: Transaction, maxFeePerGas: bigint): Promise<Hex> {
  return walletClient(state).sendTransaction({ ...call, gas: GAS_LIMIT, maxFeePerGas, maxPriorityFeePerGas: 1n })
}

function walletClient({ account, chain }: WalletState) {
  return createWalletClient({ account, chain, transport: http() })
}

function publicClient({ chain }: WalletState) {
  return createPublicClient({ chain, transport: http() })
}

function chainOf(params: readonly unknown[]): number {
  return Number((params[0] as { chainId: Hex }).chainId)
}
