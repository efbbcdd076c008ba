import { Link } from '@tanstack/react-router'
import { GatedButton } from '../../account/gated-button.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'

/** Parts that the history screens share. */

/** Rows while they load, with the height of the real ones. */
export function RowsSkeleton() {
  return (
    <div role="status" aria-label={m.app_loading()} className="flex flex-col">
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <Skeleton key={row} className="my-1 h-14" />
      ))}
    </div>
  )
}

/** Shown instead of the user's own entries until they sign in. */
export function SignedOutCard({ text }: { text: string }) {
  return (
    <Card className="flex flex-col gap-4">
      <p>{text}</p>
      <GatedButton needs="session">{m.nav_connect()}</GatedButton>
    </Card>
  )
}

/** The first step for a user without any entries. */
export function TransferInLink() {
  return (
    <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
      {m.history_transfer_in()}
    </Link>
  )
}
