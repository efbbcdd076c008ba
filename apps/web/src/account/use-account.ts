import { useStore } from '../browser/store.ts'
import { walletStore } from '../wallet/wallet-store.ts'
import { accountStore, type User } from './account-store.ts'

export interface AccountState {
  /** A token is held and the wallet it belongs to is connected, or about to be again. */
  readonly signedIn: boolean
  readonly user: User | undefined
}

/** Who is using the app. Signed out means: no token, or no wallet (specification §4). */
export function useAccount(): AccountState {
  const { token, user } = useStore(accountStore)
  const { status } = useStore(walletStore)
  const signedIn = token !== undefined && (status === 'connected' || status === 'reconnecting')
  return { signedIn, user: signedIn ? user : undefined }
}
