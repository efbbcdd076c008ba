import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
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

/** The first step for a user without any entries. */
export function TransferInLink() {
  return (
    <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
      {m.history_transfer_in()}
    </Link>
  )
}
