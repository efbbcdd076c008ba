import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/node/')({
  loader: loadPayload('/node'),
  component: () => <NotOpenScreen route="/node" title={m.nav_my_node()} icon="network" />,
})
