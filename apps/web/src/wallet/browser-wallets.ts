import type { EIP1193Provider } from 'viem'

const LOOK_EVERY_MS = 100

/** Returns the provider at `window.ethereum`, from a wallet app's browser or an extension of the old kind. */
export function windowProvider(): EIP1193Provider | undefined {
  return (window as { ethereum?: EIP1193Provider }).ethereum
}

/** Tells once when something appears at `window.ethereum` that was not there: some wallet apps put it there late. */
export function watchWindowProvider(onAppeared: () => void): () => void {
  if (windowProvider()) return () => {}
  const look = () => {
    if (!windowProvider()) return
    stop()
    onAppeared()
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  window.addEventListener('ethereum#initialized', look)
  const stop = () => {
    clearInterval(timer)
    window.removeEventListener('ethereum#initialized', look)
  }
  return stop
}

/** A wallet that announced itself (EIP-6963). */
export interface AnnouncedWallet {
  readonly id: string
  readonly name: string
  readonly icon: string | undefined
  readonly provider: EIP1193Provider
}

/**
 * Asks the wallets of this browser to announce themselves, and listens for late ones. Reports each wallet once; of two
 * with the same reverse domain name, the first.
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
