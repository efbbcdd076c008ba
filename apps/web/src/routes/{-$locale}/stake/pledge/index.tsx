import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../../app/payload.ts'
import { m } from '../../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/stake/pledge/')({
  loader: loadPayload('/stake/pledge'),
  component: () => <NotOpenScreen route="/stake/pledge" title={m.title_stake_pledge()} icon="coins" />,
})
