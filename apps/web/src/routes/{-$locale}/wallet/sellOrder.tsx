import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/wallet/sellOrder')({
  loader: loadPayload('/wallet/sellOrder'),
  component: () => <NotOpenScreen route="/wallet/sellOrder" title={m.title_wallet_sell_order()} icon="receipt-text" />,
})
