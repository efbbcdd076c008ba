import { Link } from '@tanstack/react-router'
import { Warning } from '../components/stage-parts.tsx'
import { m } from '../generated/paraglide/messages.js'
import { useAccount } from './use-account.ts'

/** Tells a signed-in user without an activation what is missing; the main button leads there. */
export function InactiveNote() {
  const { user } = useAccount()
  if (user?.activated !== false) return null
  return (
    <Warning
      text={
        <>
          <span className="block">{m.account_not_activated()}</span>
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
