import { createFileRoute } from '@tanstack/react-router'
import { BuyOrderScreen } from '../../../features/wallet/buy-order-screen.tsx'

export const Route = createFileRoute('/{-$locale}/wallet/buyOrder')({ component: BuyOrderScreen })
