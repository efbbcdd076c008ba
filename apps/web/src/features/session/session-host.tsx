import { useStore } from '../../browser/store.ts'
import { lazySheet } from '../../components/lazy-part.tsx'
import { signInStore } from './sign-in-stage.ts'

const SignInSheet = lazySheet(() => import('./sign-in-sheet.tsx'))

/** Shows the sign-in while there is one; once in the frame. */
export function SessionHost() {
  const stage = useStore(signInStore)
  return stage && <SignInSheet stage={stage} onClose={cancel} />
}

/** Its code is loaded already: it set the stage. */
async function cancel(): Promise<void> {
  const { cancelSignIn } = await import('./sign-in.ts')
  cancelSignIn()
}
