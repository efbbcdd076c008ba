import type { EIP1193Provider } from 'viem'
import { type Address, getAddress, isAddress } from 'viem'
import { m } from '../generated/messages.ts'

/** All that a wallet is ever asked for (specification §7), the payment itself, and a token's permit for it. */
const METHODS: readonly string[] = [
  'eth_requestAccounts',
  'wallet_requestPermissions',
  'eth_accounts',
  'eth_chainId',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_revokePermissions',
  'personal_sign',
  'eth_sendTransaction',
  // For a permit and nothing else: docs/decisions/0010-permit.md.
  'eth_signTypedData_v4',
]

const METHOD_NOT_FOUND = -32601

const guarded = new WeakMap<object, EIP1193Provider>()

/**
 * The same wallet, asked for nothing but what the product needs (viem would try `wallet_sendTransaction` where a payment
 * failed, a second time for the same money), and its accounts looked at before anything relies on them.
 */
export function guardedProvider(provider: EIP1193Provider): EIP1193Provider {
  const before = guarded.get(provider)
  if (before) return before
  const guard = {
    async request(request: { method: string; params?: unknown }): Promise<unknown> {
      const { method } = request
      if (!METHODS.includes(method))
        throw Object.assign(new Error(`${method} is not asked of a wallet`), { code: METHOD_NOT_FOUND })
      const response: unknown = await provider.request(request as never)
      for (const account of accountsIn(method, response)) checkedAddress(account)
      return response
    },
    on: (event: string, listener: (...values: never[]) => void) => provider.on?.(event as never, listener as never),
    // Some wallets know `off` alone, some neither.
    removeListener(event: string, listener: (...values: never[]) => void) {
      const remove = provider.removeListener ?? (provider as { off?: typeof provider.removeListener }).off
      remove?.call(provider, event as never, listener as never)
    },
  } as unknown as EIP1193Provider
  guarded.set(provider, guard)
  return guard
}

function accountsIn(method: string, response: unknown): readonly unknown[] {
  if (method === 'eth_accounts' || method === 'eth_requestAccounts') return Array.isArray(response) ? response : []
  if (method !== 'wallet_requestPermissions' || !Array.isArray(response)) return []
  const [permission] = response as { caveats?: { value?: unknown }[] }[]
  const accounts = permission?.caveats?.[0]?.value
  return Array.isArray(accounts) ? accounts : []
}

/** A wallet's account with its checksum. @throws Error with a text for the user if the account is malformed. */
export function checkedAddress(account: unknown): Address {
  if (typeof account !== 'string' || !isAddress(account, { strict: false }))
    throw new Error(m.connector_address_not_hex())
  // Only a mix of cases is a checksum.
  const digits = account.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && !isAddress(account)) throw new Error(m.connector_address_checksum())
  return getAddress(account)
}
