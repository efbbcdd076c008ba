import { createFileRoute } from '@tanstack/react-router'
import { ActivationBanner } from '../../../features/activation/activation-banner.tsx'
import { HistoryLinks } from '../../../features/history/history-links.tsx'
import { LatestEntries } from '../../../features/history/latest-entries.tsx'
import { WalletScreen } from '../../../features/wallet/wallet-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/')({
  component: () => (
    <WalletScreen
      activation={<ActivationBanner />}
      latest={
        <>
          <HistoryLinks />
          <LatestEntries />
        </>
      }
    />
  ),
})
