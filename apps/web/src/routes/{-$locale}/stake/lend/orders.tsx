import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../../app/payload.ts'
import { m } from '../../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/stake/lend/orders')({
  loader: loadPayload('/stake/lend/orders'),
  component: () => <NotOpenScreen route="/stake/lend/orders" title={m.title_stake_lend_orders()} icon="receipt-text" />,
})
