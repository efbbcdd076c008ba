import { Button } from '@clearwell/ui/components/button.tsx'
import { requestSignIn, useIsSignInAsked } from '../api/session-store.ts'
import { m } from '../generated/messages.ts'
import { useWallet } from '../wallet/wallet.ts'

/** Starts the sign-in: connects a wallet, or asks a connected one for the signature. */
export function ConnectButton({ className }: { className?: string | undefined }) {
  const { status } = useWallet()
  return (
    <Button icon="wallet" className={className} busy={useIsSignInAsked()} onClick={requestSignIn}>
      {status === 'connected' ? m.session_sign_in() : m.nav_connect()}
    </Button>
  )
}
