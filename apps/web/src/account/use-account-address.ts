import { useWallet } from '../wallet/wallet.ts'
import { useAccount } from './use-account.ts'

/** The address that is signed in, in lower case: under it this device keeps its payments. */
export function useAccountAddress(): string {
  const { user } = useAccount()
  const { address } = useWallet()
  return (user?.address ?? address ?? '').toLowerCase()
}
