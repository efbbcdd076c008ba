import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../../app/payload.ts'
import { m } from '../../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/stake/lend/')({
  loader: loadPayload('/stake/lend'),
  component: () => <NotOpenScreen route="/stake/lend" title={m.title_stake_lend()} icon="hand-coins" />,
})
