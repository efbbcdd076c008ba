import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/wallet/buyOrder')({
  component: () => <NotOpenScreen title={m.title_wallet_buy_order()} />,
})
