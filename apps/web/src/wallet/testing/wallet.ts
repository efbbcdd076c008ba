import { AsyncLocalStorage } from 'node:async_hooks'
import type { FakeTab } from '@clearwell/ui/browser/testing/fake-browser.ts'

interface Request {
  readonly method: string
  readonly params?: readonly unknown[]
}

type Respond = (request: Request) => unknown

/** A small wallet (EIP-1193) that writes down what it is asked. */
export class FakeWallet {
  readonly asked: Request[] = []
  accounts: string[]
  chainId = '0x7a69'
  isPermitted = false
  /** Responses that replace the default ones, by method; one may throw. */
  readonly responses: Record<string, Respond> = {}
  readonly #listeners = new Map<string, Map<object, (value: unknown) => void>>()
  readonly #name: string

  constructor(...accounts: string[]) {
    this.accounts = accounts.length > 0 ? accounts : ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
    this.#name = `wallet ${accounts.join()}`
  }

  async request(request: Request): Promise<unknown> {
    this.asked.push(request)
    const own = this.responses[request.method]
    if (own) return own(request)
    switch (request.method) {
      case 'eth_accounts':
        return this.isPermitted ? this.accounts : []
      case 'eth_requestAccounts':
        this.isPermitted = true
        return this.accounts
      case 'wallet_requestPermissions':
        this.isPermitted = true
        return [
          { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: this.accounts }] },
        ]
      case 'wallet_revokePermissions':
        this.isPermitted = false
        return null
      case 'eth_chainId':
        return this.chainId
      case 'wallet_switchEthereumChain':
        this.chainId = (request.params as [{ chainId: string }])[0].chainId
        this.emit('chainChanged', this.chainId)
        return null
      case 'personal_sign':
        return '0x5167'
      default:
        throw providerError(-32601, `${request.method} does not exist`)
    }
  }

  /** A listener is called in the tab that it was added in. */
  on(event: string, listener: (value: unknown) => void): void {
    const listeners = this.#listeners.get(event) ?? new Map()
    this.#listeners.set(event, listeners.set(listener, AsyncLocalStorage.bind(listener)))
  }

  removeListener(event: string, listener: (value: unknown) => void): void {
    this.#listeners.get(event)?.delete(listener)
  }

  emit(event: string, value?: unknown): void {
    for (const listener of [...(this.#listeners.get(event)?.values() ?? [])]) listener(value)
  }

  /** Announces itself in a tab (EIP-6963): now, and whenever the page asks. */
  announceIn(tab: FakeTab, { rdns = 'test.wallet', name = this.#name, icon = 'data:image/png;base64,' } = {}): void {
    const detail = { info: { uuid: rdns, rdns, name, icon }, provider: this }
    const announce = () => tab.window.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail }))
    tab.window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }

  methods(): string[] {
    return this.asked.map(({ method }) => method)
  }
}

export function providerError(code: number, message: string, data?: unknown): Error {
  return Object.assign(new Error(message), { code, ...(data === undefined ? {} : { data }) })
}
