import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../app/not-open-screen.tsx'
import { loadPayload } from '../../app/payload.ts'
import { m } from '../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/ranks')({
  loader: loadPayload('/ranks'),
  component: () => <NotOpenScreen route="/ranks" title={m.nav_rankings()} icon="trophy" />,
})
