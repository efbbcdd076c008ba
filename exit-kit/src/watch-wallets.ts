import type { EIP1193Provider } from 'viem'

/** Calls `onFound` for each wallet of the browser, now and later. */
export function watchWallets(onFound: (provider: EIP1193Provider) => void): void {
  const injected = (window as { ethereum?: EIP1193Provider }).ethereum
  if (injected) onFound(injected)
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { detail } = event as CustomEvent<{ provider?: EIP1193Provider }>
    if (detail?.provider) onFound(detail.provider)
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
}
