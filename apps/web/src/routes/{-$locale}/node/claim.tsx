import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/node/claim')({
  loader: loadPayload('/node/claim'),
  component: () => <NotOpenScreen route="/node/claim" title={m.title_node_claim()} icon="coins" />,
})
