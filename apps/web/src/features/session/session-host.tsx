import { lazy, Suspense } from 'react'
import { useStore } from '../../ui/store.ts'
import { signInStore } from './sign-in-stage.ts'

const SignInSheet = lazy(() => import('./sign-in-sheet.tsx'))

/** Stands once in the frame and shows the sign-in while there is one. */
export function SessionHost() {
  const stage = useStore(signInStore)
  return <Suspense>{stage && <SignInSheet stage={stage} />}</Suspense>
}
