import { useStore } from '../../browser/store.ts'
import { lazySheet } from '../../components/lazy-part.tsx'
import { signInStore } from './sign-in-stage.ts'

const SignInSheet = lazySheet(() => import('./sign-in-sheet.tsx'))

/** Stands once in the frame and shows the sign-in while there is one. */
export function SessionHost() {
  const stage = useStore(signInStore)
  return stage && <SignInSheet stage={stage} onClose={cancel} />
}

/** Its code is there: whoever set the stage is in it. */
async function cancel(): Promise<void> {
  const { cancelSignIn } = await import('./sign-in.ts')
  cancelSignIn()
}
