import { Pending } from '@clearwell/ui/components/pending.tsx'
import { useCall } from '../../api/use-call.ts'
import LatestActivity from '../../features/history/latest-activity.tsx'
import { useLatestNotices } from '../../features/notice/notice.queries.ts'
import UnreadNotices from '../../features/notice/unread-notices.tsx'
import { ProofSlot } from '../../features/proof/proof-slot.tsx'
import { useOpenLoans, usePledges } from '../../features/stake/stake.queries.ts'
import HomePositions, { Positions } from '../../features/wallet/home-positions.tsx'
import { BALANCES } from '../../features/wallet/wallet.samples.ts'
import { StakePositions } from './stake-positions.tsx'

/** The end of home for a signed-in user: positions, notices, latest changes, and the proof. */
export default function AccountLatest() {
  const isKnown = useIsKnown()
  return (
    <>
      {!isKnown && (
        <Pending>
          <Positions balances={BALANCES} held={BALANCES} />
        </Pending>
      )}
      {/* All appear together: each that came alone would push those below it down. */}
      <div className={isKnown ? 'contents' : 'hidden'}>
        <HomePositions />
        <StakePositions />
        <UnreadNotices />
        <LatestActivity />
      </div>
      {/* Here, so that nothing that loads above pushes it down. A desktop shows it beside the column. */}
      <div className="desktop:hidden">
        <ProofSlot />
      </div>
    </>
  )
}

/** Returns whether balances, loans, pledges and notices were read, or could not be. */
function useIsKnown(): boolean {
  const reads = [useCall('balances', {}), useOpenLoans(), usePledges(), useLatestNotices()]
  return reads.every(({ data, isError }) => data !== undefined || isError)
}
