import { useStore } from '@clearwell/ui/browser/store.ts'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { signInStore } from './sign-in-stage.ts'

const SignInSheet = lazySheet(() => import('./sign-in-sheet.tsx'))

/** Shows the sign-in sheet while a sign-in is in progress. The frame renders it once. */
export function SessionHost() {
  const stage = useStore(signInStore)
  return stage && <SignInSheet stage={stage} onClose={cancel} />
}

/** The sheet's code is already loaded, because it set the stage. */
async function cancel(): Promise<void> {
  const { cancelSignIn } = await import('./sign-in.ts')
  cancelSignIn()
}
