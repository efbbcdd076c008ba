import { Pending } from '@clearwell/ui/components/pending.tsx'
import { useCall } from '../../api/use-call.ts'
import { PendingActivity } from '../../features/history/history-parts.tsx'
import LatestActivity, { LATEST_SHOWN, useLatestEntries } from '../../features/history/latest-activity.tsx'
import { useLatestNotices } from '../../features/notice/notice.queries.ts'
import UnreadNotices from '../../features/notice/unread-notices.tsx'
import { ProofSlot } from '../../features/proof/proof-slot.tsx'
import { useOpenLoans, usePledges } from '../../features/stake/stake.queries.ts'
import HomePositions, { Positions } from '../../features/wallet/home-positions.tsx'
import { BALANCES } from '../../features/wallet/wallet.samples.ts'
import { StakePositions } from './stake-positions.tsx'

/** The end of home for a signed-in user: positions, notices, latest changes, and the proof. */
export default function AccountLatest() {
  const isHeldKnown = useIsSettled([useCall('balances', {})])
  const isKnown = useIsSettled([useOpenLoans(), usePledges(), useLatestNotices(), useLatestEntries()]) && isHeldKnown
  return (
    <>
      {isHeldKnown ? (
        <HomePositions />
      ) : (
        <Pending>
          <Positions balances={BALANCES} held={BALANCES} />
        </Pending>
      )}
      {/* All appear together: each that came alone would push those below it down. */}
      {isKnown ? (
        <>
          <StakePositions />
          <UnreadNotices />
          <LatestActivity />
          {/* A desktop shows it beside the column. */}
          <div className="desktop:hidden">
            <ProofSlot />
          </div>
        </>
      ) : (
        <PendingActivity byDay={false} count={LATEST_SHOWN} />
      )}
    </>
  )
}

/** Returns whether each was read, or could not be. */
function useIsSettled(reads: readonly { readonly data: unknown; readonly isError: boolean }[]): boolean {
  return reads.every(({ data, isError }) => data !== undefined || isError)
}
