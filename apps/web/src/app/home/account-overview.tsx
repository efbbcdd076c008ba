import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useAccount } from '../../account/use-account.ts'
import { useIsLeaving } from '../../account/use-is-leaving.ts'
import { TotalValue } from '../../features/wallet/total-value.tsx'
import { WalletActions } from '../../features/wallet/wallet-actions.tsx'
import { Checklist } from './checklist.tsx'
import { DangerCard, useIsDangerKnown } from './danger-card.tsx'
import { ActionsSkeleton, CardOfDaySkeleton } from './overview-skeleton.tsx'

const TodayCard = lazyPart(() => import('../../features/blind-box/today-card.tsx'))

/**
 * The top of home for a signed-in user: the total, what can cost money now, what can be done, the steps until the first swap, today's box.
 * An account that leaves can do neither of the last two.
 */
export default function AccountOverview() {
  const { user } = useAccount()
  const isLeaving = useIsLeaving()
  // The actions wait for the loans, which would push them down. An account that is not activated has none.
  const isDangerKnown = useIsDangerKnown()
  const isKnown = isDangerKnown || user?.activated === false
  return (
    <>
      <TotalValue />
      {isKnown ? (
        <>
          <DangerCard />
          <WalletActions />
          {!isLeaving && (
            <>
              <Checklist />
              {user?.activated === false ? null : <TodayCard fallback={<CardOfDaySkeleton />} />}
            </>
          )}
        </>
      ) : (
        <ActionsSkeleton />
      )}
    </>
  )
}
