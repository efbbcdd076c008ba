import { forgetUntilDisconnect } from '@clearwell/ui/browser/stored.ts'
import { cacheAddress, cachedAddress, followOtherTab, forgetSession, sessionStore } from '../../api/session-store.ts'
import { reloadPage } from '../../browser/page-reload.ts'
import { hasStoredConnection, type WalletState, walletStore } from '../../wallet/wallet-store.ts'

/** Time for the wallet code's last writes to local storage, in milliseconds. */
const RELOAD_DELAY_MS = 100

/**
 * A session belongs to one connected address: when the address disconnects or changes, also while the page was away, the
 * session ends and the page reloads. Other tabs share the session, so their changes show here immediately.
 */
export function followWallet(): void {
  window.addEventListener('storage', ({ key }) => followOtherTab(key, walletStore.get().address))

  let before = walletStore.get()
  walletStore.subscribe(() => {
    const now = walletStore.get()
    if (before.status === 'connected' && isGone(now)) leave()
    // The wallet revoked the permission while the page was away. One that only did not appear stays stored.
    if (before.isResuming && isGone(now) && !hasStoredConnection() && sessionStore.get().token !== undefined) leave()
    if (now.status === 'connected' && now.address) {
      const hasSession = sessionStore.get().token !== undefined
      const changed = before.address !== undefined && before.address !== now.address
      const stale = hasSession && cachedAddress() !== now.address
      cacheAddress(now.address)
      // While the page loads, only an ended session needs a reload. The next load has none, so this cannot loop.
      if (
        (changed && before.status === 'connected') ||
        ((changed || stale) && hasSession && before.status === 'reconnecting')
      )
        leave()
      else if (stale) forgetSession()
    }
    before = now
  })
}

function isGone({ status, isResuming }: WalletState): boolean {
  return status === 'disconnected' && !isResuming
}

/** Ends the session on this device and reloads the page. */
export function leave(): void {
  forgetSession()
  forgetUntilDisconnect()
  setTimeout(reloadPage, RELOAD_DELAY_MS)
}
