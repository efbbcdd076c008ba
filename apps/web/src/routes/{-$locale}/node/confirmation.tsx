import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/node/confirmation')({
  loader: loadPayload('/node/confirmation'),
  component: () => <NotOpenScreen route="/node/confirmation" title={m.title_node_confirmation()} icon="circle-check" />,
})
