import { buttonClass } from '@clearwell/ui/components/button.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import { itemsOfEntries } from './activity-items.ts'
import { ActivityList } from './activity-list.tsx'
import { ENTRIES } from './history.samples.ts'

/** Parts that the history screens share. */

/** The first step for a user without any entries. */
export function TransferInLink() {
  return (
    <Link to="/{-$locale}/wallet/buy" className={buttonClass()}>
      {m.history_transfer_in()}
    </Link>
  )
}

/** The sample of the activity while it loads. */
export function PendingActivity({ byDay = true, count = ENTRIES.length }: { byDay?: boolean; count?: number }) {
  return (
    <Pending>
      <ActivityList items={itemsOfEntries(ENTRIES.slice(0, count), { hasMore: false })} byDay={byDay} />
    </Pending>
  )
}
