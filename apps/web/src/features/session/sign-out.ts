import { call } from '../../api/client.ts'
import { sessionStore } from '../../api/session-store.ts'
import { wallet } from '../../wallet/wallet.ts'
import { forgetStoredConnection } from '../../wallet/wallet-store.ts'
import { leave } from './follow-wallet.ts'

/** A wallet whose code has not started by then, as without the network, is forgotten on this device alone. */
const WALLET_TIMEOUT_MS = 3_000

/** Revokes the token and disconnects the wallet, clears this device and reloads the page. It works without the network too. */
export async function signOut(): Promise<void> {
  if (sessionStore.get().token !== undefined) await call('logout', {}).catch(() => {})
  const core = await Promise.race([wallet().catch(() => undefined), waitForWallet()])
  if (core) await core.disconnect()
  else forgetStoredConnection()
  // A wallet that was connected has left already.
  if (sessionStore.get().token !== undefined) leave()
}

function waitForWallet(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, WALLET_TIMEOUT_MS, undefined))
}
