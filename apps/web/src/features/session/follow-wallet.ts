import { accountStore, cacheAddress, cachedAddress, forgetLogin } from '../../account/account-store.ts'
import { walletStore } from '../../wallet/wallet-store.ts'

/** Time for what the wallet code still writes to local storage. */
const RELOAD_DELAY_MS = 100

/** A session belongs to one connected address: when that goes or changes, the session ends and the page reloads. */
export function followWallet(): void {
  let before = walletStore.get()
  walletStore.subscribe(() => {
    const now = walletStore.get()
    if (before.status === 'connected' && now.status === 'disconnected') leave()
    if (now.status === 'connected' && now.address) {
      const changed = before.address !== undefined && before.address !== now.address
      const stale = accountStore.get().token !== undefined && cachedAddress() !== now.address
      cacheAddress(now.address)
      if (changed || (stale && before.status === 'reconnecting')) leave()
      else if (stale) forgetLogin()
    }
    before = now
  })
}

function leave(): void {
  forgetLogin()
  setTimeout(() => location.reload(), RELOAD_DELAY_MS)
}
