import { useCall } from '../api/use-call.ts'
import { useAccount } from './use-account.ts'

/**
 * Returns whether an exit from the vault locks the account: the server rejects its commands (20016). The banner of the exit, a part of
 * the frame, reads the state and keeps it fresh. Until it has come, and without a vault with exits, nothing is locked.
 */
export function useIsLeaving(): boolean {
  const { signedIn } = useAccount()
  const { data } = useCall('proofExit', {}, { enabled: false })
  return signedIn && data !== undefined && data.state !== 'none'
}
