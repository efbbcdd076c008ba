import { LatestActivity } from '../../features/history/latest-activity.tsx'
import UnreadNotices from '../../features/notice/unread-notices.tsx'
import HomePositions from '../../features/wallet/home-positions.tsx'
import { StakePositions } from './stake-positions.tsx'

/** The end of home for a signed-in user: positions, notices, latest changes. */
export default function AccountLatest() {
  return (
    <>
      <HomePositions />
      <StakePositions />
      <UnreadNotices />
      <LatestActivity />
    </>
  )
}
