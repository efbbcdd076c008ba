import {
  createWalletClient,
  defineChain,
  formatEther,
  type Hex,
  hexToString,
  http,
  isHex,
  numberToHex,
  type TypedDataDefinition,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { m } from '../../generated/messages.ts'
import { STORAGE_PREFIX } from '../wallet-store.ts'
import { askInSheet, type DemoRequest } from './ask-in-sheet.tsx'

interface DemoChain {
  readonly chainId: number
  readonly rpcUrl: string
}

/** EIP-6963 asks for a data: URI. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#12324a"/><path d="M8 12h16v11H8zM8 12l11-4v4" fill="none" stroke="#f5b94f" stroke-width="2" stroke-linejoin="round"/><circle cx="20" cy="17.500" r="1.600" fill="#f5b94f"/></svg>',
)}`

const KEY = `${STORAGE_PREFIX}.demo.key`
const PERMITTED = `${STORAGE_PREFIX}.demo.permitted`
const NEW_PERMITTED = `${STORAGE_PREFIX}.demo.new-permitted`

/**
 * Announces the Local demo wallet by EIP-6963: an ordinary EIP-1193 wallet with its key in this browser. It asks, then
 * really signs and sends. For the local profile only, as it protects nothing of value.
 *
 * @param key of an account with a history, where demo data was filled in: then there are two wallets, one with that account and
 * one with a new account.
 */
export function announceDemoWallets(chain: DemoChain, key?: Hex): void {
  if (!key) {
    announce(m.demo_wallet_name(), 'local.clearwell.demo', new DemoWallet(chain))
    return
  }
  announce(m.demo_wallet_used(), 'local.clearwell.demo', new DemoWallet(chain, { key }))
  announce(m.demo_wallet_new(), 'local.clearwell.new', new DemoWallet(chain, { permitted: NEW_PERMITTED }))
}

function announce(name: string, rdns: string, provider: DemoWallet): void {
  const info = Object.freeze({ uuid: crypto.randomUUID(), name, icon: ICON, rdns })
  const detail = Object.freeze({ info, provider })
  const send = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', send)
  send()
}

type Listener = (...values: unknown[]) => void

interface DemoWalletOptions {
  readonly ask?: (request: DemoRequest) => Promise<boolean>
  /** The account's key; that of this browser if absent. */
  readonly key?: Hex
  /** Where the permission is stored. */
  readonly permitted?: string
}

export class DemoWallet {
  readonly #chains = new Map<number, DemoChain>()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #account: PrivateKeyAccount
  readonly #ask: (request: DemoRequest) => Promise<boolean>
  readonly #permitted: string
  #chain: DemoChain

  constructor(chain: DemoChain, { ask = askInSheet, key = loadKey(), permitted = PERMITTED }: DemoWalletOptions = {}) {
    this.#account = privateKeyToAccount(key)
    this.#permitted = permitted
    this.#chain = chain
    this.#chains.set(chain.chainId, chain)
    this.#ask = ask
  }

  on(event: string, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return this
  }

  removeListener(event: string, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener)
    return this
  }

  /** EIP-1193. @throws an error with a provider code: 4001 refused, 4100 not permitted, 4902 unknown chain. */
  async request({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> {
    switch (method) {
      case 'eth_chainId':
        return numberToHex(this.#chain.chainId)
      case 'net_version':
        return String(this.#chain.chainId)
      case 'eth_accounts':
        return this.#accounts()
      case 'eth_requestAccounts':
        await this.#permit()
        return this.#accounts()
      case 'wallet_requestPermissions':
        await this.#permit()
        return this.#permissions()
      case 'wallet_getPermissions':
        return this.#permissions()
      case 'wallet_revokePermissions':
        localStorage.removeItem(this.#permitted)
        this.#emit('accountsChanged', [])
        return null
      case 'personal_sign':
        return this.#signText(params as [Hex, string])
      case 'eth_signTypedData_v4':
        return this.#signTypedData(params as [string, string])
      case 'eth_sendTransaction':
        return this.#send((params as [TransactionRequest])[0])
      case 'wallet_switchEthereumChain':
        return this.#switchChain((params as [{ chainId: Hex }])[0])
      case 'wallet_addEthereumChain':
        return this.#addChain((params as [{ chainId: Hex; rpcUrls: string[]; chainName: string }])[0])
      default:
        if (/^(wallet_|eth_sign)/.test(method)) throw providerError(4200, `${method} is not supported`)
        return this.#client().request({ method, params } as never)
    }
  }

  #accounts(): string[] {
    return localStorage.getItem(this.#permitted) === null ? [] : [this.#account.address]
  }

  #permissions(): unknown[] {
    const value = this.#accounts()
    if (value.length === 0) return []
    return [{ parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value }] }]
  }

  async #permit(): Promise<void> {
    if (this.#accounts().length > 0) return
    await this.#approve({
      title: m.demo_wallet_connect(),
      facts: [
        { label: m.demo_wallet_site(), value: location.origin },
        { label: m.demo_wallet_account(), value: this.#account.address },
      ],
    })
    localStorage.setItem(this.#permitted, '1')
    this.#emit('connect', { chainId: numberToHex(this.#chain.chainId) })
    this.#emit('accountsChanged', this.#accounts())
  }

  async #signText([message, signer]: [string, string]): Promise<Hex> {
    this.#assertOwn(signer)
    const raw = isHex(message) ? { raw: message } : message
    await this.#approve({
      title: m.demo_wallet_sign(),
      facts: [{ label: m.demo_wallet_account(), value: this.#account.address }],
      content: isHex(message) ? hexToString(message) : message,
    })
    return this.#account.signMessage({ message: raw })
  }

  async #signTypedData([signer, json]: [string, string]): Promise<Hex> {
    this.#assertOwn(signer)
    const typedData = JSON.parse(json) as TypedDataDefinition
    await this.#approve({
      title: m.demo_wallet_sign_data(),
      facts: [{ label: m.demo_wallet_account(), value: this.#account.address }],
      content: JSON.stringify(typedData, null, 2),
    })
    return this.#account.signTypedData(typedData)
  }

  /** Fills nonce, gas and fees against the chain, shows the result, and sends exactly that. */
  async #send({ from, to, value, data, gas }: TransactionRequest): Promise<Hex> {
    if (from) this.#assertOwn(from)
    const client = this.#client()
    const request = await client.prepareTransactionRequest({
      ...(to ? { to } : {}),
      ...(data ? { data } : {}),
      // The page knows how much the vault keeps in reserve. An estimate leaves exactly that, and in another block it may not suffice.
      ...(gas ? { gas: BigInt(gas) } : {}),
      value: value ? BigInt(value) : 0n,
    })
    const { symbol } = client.chain.nativeCurrency
    const feePerGas = request.maxFeePerGas ?? request.gasPrice ?? 0n
    await this.#approve({
      title: m.demo_wallet_send(),
      facts: [
        { label: m.demo_wallet_to(), value: to ?? m.demo_wallet_new_contract() },
        { label: m.demo_wallet_value(), value: `${formatEther(request.value ?? 0n)} ${symbol}` },
        { label: m.demo_wallet_fee(), value: `${formatEther((request.gas ?? 0n) * feePerGas)} ${symbol}` },
        { label: m.demo_wallet_network(), value: String(this.#chain.chainId) },
      ],
      ...(data && data !== '0x' ? { content: data } : {}),
    })
    return client.sendRawTransaction({ serializedTransaction: await client.signTransaction(request as never) })
  }

  async #switchChain({ chainId }: { chainId: Hex }): Promise<null> {
    const chain = this.#chains.get(Number(chainId))
    if (!chain) throw providerError(4902, 'Unrecognized chain ID')
    if (chain.chainId === this.#chain.chainId) return null
    await this.#approve({
      title: m.demo_wallet_switch(),
      facts: [{ label: m.demo_wallet_network(), value: String(chain.chainId) }],
    })
    this.#chain = chain
    this.#emit('chainChanged', numberToHex(chain.chainId))
    return null
  }

  async #addChain({ chainId, rpcUrls, chainName }: { chainId: Hex; rpcUrls: string[]; chainName: string }) {
    const rpcUrl = rpcUrls[0]
    if (!rpcUrl) throw providerError(-32602, 'rpcUrls must not be empty')
    if (!this.#chains.has(Number(chainId))) {
      await this.#approve({
        title: m.demo_wallet_add_chain(),
        facts: [
          { label: m.demo_wallet_network(), value: `${chainName} (${Number(chainId)})` },
          { label: 'RPC', value: rpcUrl },
        ],
      })
      this.#chains.set(Number(chainId), { chainId: Number(chainId), rpcUrl })
    }
    return this.#switchChain({ chainId })
  }

  async #approve(request: DemoRequest): Promise<void> {
    if (!(await this.#ask(request))) throw providerError(4001, 'User rejected the request.')
  }

  #assertOwn(address: string): void {
    const permitted = this.#accounts().some((own) => own.toLowerCase() === address.toLowerCase())
    if (!permitted) throw providerError(4100, 'The account is not authorised.')
  }

  #client() {
    const { chainId, rpcUrl } = this.#chain
    const chain = defineChain({
      id: chainId,
      name: String(chainId),
      nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    })
    return createWalletClient({ account: this.#account, chain, transport: http(rpcUrl) })
  }

  #emit(event: string, ...values: unknown[]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(...values)
  }
}

interface TransactionRequest {
  from?: string
  to?: Hex
  value?: Hex
  data?: Hex
  gas?: Hex
}

function loadKey(): Hex {
  const stored = localStorage.getItem(KEY)
  if (stored && isHex(stored)) return stored
  const key = generatePrivateKey()
  localStorage.setItem(KEY, key)
  return key
}

function providerError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}
