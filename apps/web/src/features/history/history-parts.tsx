import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Loading, RowsSkeleton } from '../../components/skeleton-shapes.tsx'
import { m } from '../../generated/messages.ts'

/** Parts that the history screens share. */

/** Entries of a day while they load, each with an icon if they have one. */
export function EntriesSkeleton({ mark = false }: { mark?: boolean }) {
  return (
    <Loading>
      <Skeleton className="my-0.5 h-3.5 w-20" />
      <RowsSkeleton count={6} mark={mark} />
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
