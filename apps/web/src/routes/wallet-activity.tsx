import type { ActivityPart } from '../features/history/activity-items.ts'
import { ActivityScreen } from '../features/history/activity-screen.tsx'
import { PendingTransfers } from '../features/wallet/pending-transfers.tsx'

export function renderActivity({ show }: { show?: ActivityPart }) {
  return <ActivityScreen show={show} pending={<PendingTransfers />} />
}
