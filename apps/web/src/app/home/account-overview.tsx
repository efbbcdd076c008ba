import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useAccount } from '../../account/use-account.ts'
import { TotalValue } from '../../features/wallet/total-value.tsx'
import { WalletActions } from '../../features/wallet/wallet-actions.tsx'
import { Checklist } from './checklist.tsx'
import { DangerCard, useIsDangerKnown } from './danger-card.tsx'
import { ActionsSkeleton, CardOfDaySkeleton } from './overview-skeleton.tsx'

const TodayCard = lazyPart(() => import('../../features/blind-box/today-card.tsx'))

/** The top of home for a signed-in user: the total, what can cost money now, what can be done, the steps until the first swap, today's box. */
export default function AccountOverview() {
  const { user } = useAccount()
  // The actions wait for the loans, which would push them down.
  const isKnown = useIsDangerKnown()
  return (
    <>
      <TotalValue />
      {isKnown ? (
        <>
          <DangerCard />
          <WalletActions />
          <Checklist />
          {user?.activated === false ? null : <TodayCard fallback={<CardOfDaySkeleton />} />}
        </>
      ) : (
        <ActionsSkeleton />
      )}
    </>
  )
}
