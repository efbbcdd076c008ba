import type { EIP1193Provider } from 'viem'

const LOOK_EVERY_MS = 100

/** What sits at `window.ethereum`: in the browser of a wallet app, or put there by an extension of the old kind. */
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
