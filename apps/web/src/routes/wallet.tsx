import { ActivationBanner } from '../features/activation/activation-banner.tsx'
import { LatestActivity } from '../features/history/latest-activity.tsx'
import { Records } from '../features/history/records.tsx'
import { WalletScreen } from '../features/wallet/wallet-screen.tsx'

export default function WalletRoute() {
  return (
    <WalletScreen
      activation={<ActivationBanner />}
      latest={
        <>
          <LatestActivity />
          <Records />
        </>
      }
    />
  )
}
