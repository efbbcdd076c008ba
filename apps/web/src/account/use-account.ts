import { useStore } from '@clearwell/ui/browser/store.ts'
import { sessionStore, type User, useSignedIn } from '../api/session-store.ts'
import { walletStore } from '../wallet/wallet-store.ts'

interface AccountState {
  /** A token is stored and the wallet it belongs to is connected or reconnecting. */
  readonly signedIn: boolean
  readonly user: User | undefined
}

/** Returns the account that uses the app. Signed out means no token or no wallet (specification §4). */
export function useAccount(): AccountState {
  const { user } = useStore(sessionStore)
  const signedIn = useSignedIn()
  return { signedIn, user: signedIn ? user : undefined }
}

/** The signed-in address in lower case; this device stores its payments under it. */
export function useAccountAddress(): string {
  const { user } = useAccount()
  const { address } = useStore(walletStore)
  return (user?.address ?? address ?? '').toLowerCase()
}
