import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../app/not-open-screen.tsx'
import { loadPayload } from '../../app/payload.ts'
import { m } from '../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/transaction')({
  loader: loadPayload('/transaction'),
  component: () => <NotOpenScreen route="/transaction" title={m.nav_transaction_history()} icon="history" />,
})
