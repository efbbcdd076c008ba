import type { EIP1193Provider } from 'viem'

/** A wallet that announced itself (EIP-6963). */
export interface AnnouncedWallet {
  readonly id: string
  readonly name: string
  readonly icon: string | undefined
  readonly provider: EIP1193Provider
}

/**
 * Asks the wallets of this browser to announce themselves, and listens for those that come late. Each is told of once;
 * of two under the same reverse domain name the first one counts.
 */
export function watchAnnouncedWallets(onWallet: (wallet: AnnouncedWallet) => void): void {
  const known = new Set<string>()
  window.addEventListener('eip6963:announceProvider', (event) => {
    const wallet = announcedIn(event)
    if (!wallet || known.has(wallet.id)) return
    known.add(wallet.id)
    onWallet(wallet)
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
}

function announcedIn(event: Event): AnnouncedWallet | undefined {
  const { info, provider } = (event as CustomEvent<Partial<Announcement> | undefined>).detail ?? {}
  if (!info?.rdns || !info.name || typeof provider?.request !== 'function') return undefined
  const icon = info.icon?.trim()
  return { id: info.rdns, name: info.name, icon: icon?.startsWith('data:image/') ? icon : undefined, provider }
}

interface Announcement {
  readonly info: { readonly rdns: string; readonly name: string; readonly icon?: string }
  readonly provider: EIP1193Provider
}
