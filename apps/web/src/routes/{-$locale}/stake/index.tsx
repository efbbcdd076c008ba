import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/stake/')({
  loader: loadPayload('/stake'),
  component: () => <NotOpenScreen route="/stake" title={m.nav_staking()} icon="landmark" />,
})
