import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { m } from '../generated/messages.ts'
import { useAccount } from './use-account.ts'
import { useIsLeaving } from './use-is-leaving.ts'

/**
 * Says to a signed-in user that the account is not activated, and leads to the activation. `detail` is more to know about it
 * on this screen.
 */
export function InactiveNote({ detail }: { detail?: ReactNode }) {
  const { user } = useAccount()
  const isLeaving = useIsLeaving()
  // An account that leaves can’t activate: its locked button says so.
  if (isLeaving || user?.activated !== false) return null
  return (
    <Warning
      text={
        <>
          <span className="block">{m.account_not_activated()}</span>
          {detail && <span className="block text-muted">{detail}</span>}
          <Link
            to="/{-$locale}/swap/activate"
            className="-my-3 inline-block py-3 text-accent underline underline-offset-4"
          >
            {m.nav_activate_now()}
          </Link>
        </>
      }
    />
  )
}
