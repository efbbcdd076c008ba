import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/wallet/sell')({
  loader: loadPayload('/wallet/sell'),
  component: () => <NotOpenScreen route="/wallet/sell" title={m.title_wallet_sell()} icon="arrow-up-from-line" />,
})
