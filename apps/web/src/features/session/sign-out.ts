import { accountStore } from '../../account/account-store.ts'
import { call } from '../../api/client.ts'
import { wallet } from '../../wallet/wallet.ts'

/** Revokes the token and disconnects the wallet, which clears this device and reloads the page (`followWallet`). */
export async function signOut(): Promise<void> {
  if (accountStore.get().token !== undefined) await call('logout', {}).catch(() => {})
  await (await wallet()).disconnect()
}
