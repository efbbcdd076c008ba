import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../app/not-open-screen.tsx'
import { loadPayload } from '../../app/payload.ts'
import { m } from '../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/team')({
  loader: loadPayload('/team'),
  component: () => <NotOpenScreen route="/team" title={m.nav_my_team()} icon="users" />,
})
