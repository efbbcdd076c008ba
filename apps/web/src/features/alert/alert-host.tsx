import { useAccount } from '../../account/use-account.ts'
import { lazyPart } from '../../components/lazy-part.tsx'

const AlertNotices = lazyPart(() => import('./alert-notices.tsx'))

/** Stands once in the frame and shows delivered alerts to whoever is signed in. */
export function AlertHost() {
  const { signedIn } = useAccount()
  return signedIn && <AlertNotices />
}
