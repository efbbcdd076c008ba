import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/stake/liquidate')({
  loader: loadPayload('/stake/liquidate'),
  component: () => <NotOpenScreen route="/stake/liquidate" title={m.nav_liquidation_market()} icon="scale" />,
})
