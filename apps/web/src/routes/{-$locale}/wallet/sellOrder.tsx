import { createFileRoute } from '@tanstack/react-router'
import { SellOrderScreen } from '../../../features/wallet/sell-order-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/sellOrder')({ component: SellOrderScreen })
