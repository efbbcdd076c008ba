import { TotalValue } from '../../features/wallet/total-value.tsx'
import { WalletActions } from '../../features/wallet/wallet-actions.tsx'
import { Checklist } from './checklist.tsx'

/** The top of home for a signed-in user: the total, what can be done now, and the steps until the first swap. */
export default function AccountOverview() {
  return (
    <>
      <TotalValue />
      <WalletActions />
      <Checklist />
    </>
  )
}
