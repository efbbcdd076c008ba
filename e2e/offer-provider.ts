import type { WalletResponse } from './wallet-requests.ts'

/** The id by which a wallet announces itself, and so that of its connector. */
export function connectorIdOf(name: string): string {
  return `test.${name.toLowerCase().replaceAll(' ', '-')}`
}

/**
 * Runs in the page and offers a provider that passes its requests on to the test. As real wallets do, it lists no
 * accounts before the page requests them; otherwise the app would connect without a click.
 */
export function offerProvider({
  name,
  as,
  rdns,
  appearsAfterMs,
}: {
  name: string
  rdns: string
  as: 'announced' | 'ethereum'
  appearsAfterMs?: number
}): void {
  type Forward = (request: { method: string; params?: readonly unknown[] }) => Promise<WalletResponse>
  const here = window as never as Record<string, unknown>
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const permitted = `${name} is permitted`
  const provider = {
    async request(request: { method: string; params?: readonly unknown[] }) {
      const { method } = request
      const response = await (here[`${name} requests`] as Forward)(request)
      if ('error' in response) {
        const { message, ...rest } = response.error
        throw Object.assign(new Error(message), rest)
      }
      if (method === 'eth_accounts' && localStorage.getItem(permitted) !== 'yes') return []
      if (method === 'eth_requestAccounts' || method === 'wallet_requestPermissions')
        localStorage.setItem(permitted, 'yes')
      if (method === 'wallet_revokePermissions') localStorage.removeItem(permitted)
      return response.result
    },
    on(event: string, listener: (value: unknown) => void) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listeners.get(event)?.delete(listener)
    },
  }
  here[`${name} emits`] = (event: string, value: unknown) => {
    if (event === 'accountsChanged' && (value as unknown[]).length === 0) localStorage.removeItem(permitted)
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
  const detail = Object.freeze({
    info: { uuid: crypto.randomUUID(), name, icon, rdns },
    provider,
  })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  const appear = () => {
    if (as === 'ethereum') {
      here.ethereum = provider
      window.dispatchEvent(new Event('ethereum#initialized'))
      return
    }
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }
  if (appearsAfterMs === undefined) appear()
  else setTimeout(appear, appearsAfterMs)
}
