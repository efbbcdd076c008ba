import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/wallet/summary')({
  loader: loadPayload('/wallet/summary'),
  component: () => (
    <NotOpenScreen route="/wallet/summary" title={m.title_wallet_summary()} icon="chart-no-axes-combined" />
  ),
})
