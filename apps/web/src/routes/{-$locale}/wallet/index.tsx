import { createFileRoute } from '@tanstack/react-router'
import { ActivationBanner } from '../../../features/activation/activation-banner.tsx'
import { WalletScreen } from '../../../features/wallet/wallet-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/')({
  component: () => <WalletScreen activation={<ActivationBanner />} />,
})
