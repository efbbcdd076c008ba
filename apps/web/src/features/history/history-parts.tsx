import { Link } from '@tanstack/react-router'
import { GatedButton } from '../../account/gated-button.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Loading, RowsSkeleton } from '../../components/skeleton-shapes.tsx'
import { m } from '../../generated/paraglide/messages.js'

/** Parts that the history screens share. */

/** Entries while they load. */
export function EntriesSkeleton() {
  return (
    <Loading>
      <RowsSkeleton count={6} mark />
    </Loading>
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
