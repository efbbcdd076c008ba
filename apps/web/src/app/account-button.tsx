import { cx } from '@clearwell/ui/browser/cx.ts'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { shortHex } from '@clearwell/ui/i18n/format.ts'
import { useState } from 'react'
import { useAccount } from '../account/use-account.ts'
import { requestSignIn, useIsSignInAsked } from '../api/session-store.ts'
import { m } from '../generated/messages.ts'
import { useWallet } from '../wallet/wallet.ts'

const AccountSheet = lazySheet(() => import('../features/session/account-sheet.tsx'))

/**
 * The connected address, which opens the account; else Connect, or Sign in where only the signature is missing. On home,
 * whose hero has that button, it is hidden.
 */
export function AccountButton({ isHome, isBesideBack }: { isHome: boolean; isBesideBack: boolean }) {
  const { status, isResuming, address } = useWallet()
  const { signedIn, user } = useAccount()
  const isAsked = useIsSignInAsked()
  const [open, setOpen] = useState(false)
  const shown = signedIn ? (address ?? user?.address) : undefined
  // One button for all states, so that focus can return to it after the sign-in.
  return (
    <>
      <button
        type="button"
        aria-label={shown && `${m.nav_my_account()} ${shortHex(shown)}`}
        aria-haspopup="dialog"
        aria-busy={isAsked || isResuming || status === 'reconnecting' || status === 'connecting' || undefined}
        onClick={shown ? () => setOpen(true) : requestSignIn}
        className={cx(
          'slim ms-1 shrink-0 items-center rounded-full px-3 text-label font-semibold whitespace-nowrap',
          shown ? 'figures bg-input hover:bg-line light:bg-line' : 'bg-accent text-on-accent hover:brightness-110',
          !shown && isHome ? 'hidden' : 'inline-flex',
          isAsked && !shown && 'opacity-60',
        )}
      >
        {shown ? (
          <ShortAddress address={shown} isBesideBack={isBesideBack} />
        ) : status === 'connected' ? (
          m.session_sign_in()
        ) : (
          m.nav_connect()
        )}
      </button>
      {open && shown && <AccountSheet onClose={() => setOpen(false)} />}
    </>
  )
}

/** The end of the address is enough where the whole header would not fit in one line: beside a back button on phones. */
function ShortAddress({ address, isBesideBack }: { address: string; isBesideBack: boolean }) {
  return (
    <>
      <span className={isBesideBack ? 'max-wide:hidden' : 'max-narrow:hidden'}>{shortHex(address)}</span>
      <span className={isBesideBack ? 'wide:hidden' : 'narrow:hidden'}>…{address.slice(-4)}</span>
    </>
  )
}
