import { forgetUntilDisconnect, stored } from '@clearwell/ui/browser/stored.ts'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { cacheAddress, cachedAddress, followOtherTab, forgetSession, sessionStore } from '../../api/session-store.ts'
import { reloadPage } from '../../browser/page-reload.ts'
import { m } from '../../generated/messages.ts'
import { hasStoredConnection, type WalletState, walletStore } from '../../wallet/wallet-store.ts'

/** Time for the wallet code's last writes to local storage, in milliseconds. */
const RELOAD_DELAY_MS = 100

/** A mark that is set from the end of a session until the reloaded page has said so. */
const signedOut = stored<string>({
  key: 'clearwell.signed-out',
  scope: 'tab',
  format: 'text',
  schema: (value) => (value === '1' ? value : undefined),
})

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
  if (sessionStore.get().token !== undefined) signedOut.set('1')
  forgetSession()
  forgetUntilDisconnect()
  setTimeout(reloadPage, RELOAD_DELAY_MS)
}

/** Says once, on the page that follows, that the session has ended: home looks as if it had never begun. */
export function showSignedOut(): void {
  if (signedOut.get() === undefined) return
  signedOut.set(undefined)
  showToast(m.session_signed_out())
}
