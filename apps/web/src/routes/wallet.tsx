import { ActivationBanner } from '../features/activation/activation-banner.tsx'
import { HistoryLinks } from '../features/history/history-links.tsx'
import { LatestEntries } from '../features/history/latest-entries.tsx'
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
