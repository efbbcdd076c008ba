import { lazy, Suspense } from 'react'
import { useAccount } from '../../account/use-account.ts'

const AlertNotices = lazy(() => import('./alert-notices.tsx'))

/** Stands once in the frame and shows delivered alerts to whoever is signed in. */
export function AlertHost() {
  const { signedIn } = useAccount()
  return <Suspense>{signedIn && <AlertNotices />}</Suspense>
}
