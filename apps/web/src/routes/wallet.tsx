import { ActivationBanner } from '../features/activation/activation-banner.tsx'
import { HistoryLinks, LatestEntries } from '../features/history/wallet-history.tsx'
import { WalletScreen } from '../features/wallet/wallet-screen.tsx'

export default function WalletRoute() {
  return (
    <WalletScreen
      activation={<ActivationBanner />}
      latest={
        <>
          <HistoryLinks />
          <LatestEntries />
        </>
      }
    />
  )
}
