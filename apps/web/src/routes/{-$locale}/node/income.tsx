import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/node/income')({
  loader: loadPayload('/node/income'),
  component: () => <NotOpenScreen route="/node/income" title={m.title_node_income()} icon="chart-no-axes-combined" />,
})
