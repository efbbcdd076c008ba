import { call } from '../../api/client.ts'
import { sessionStore } from '../../api/session-store.ts'
import { wallet } from '../../wallet/wallet.ts'

/** Revokes the token and disconnects the wallet, which clears this device and reloads the page (`followWallet`). */
export async function signOut(): Promise<void> {
  if (sessionStore.get().token !== undefined) await call('logout', {}).catch(() => {})
  await (await wallet()).disconnect()
}
