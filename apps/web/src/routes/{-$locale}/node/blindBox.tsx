import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/node/blindBox')({
  loader: loadPayload('/node/blindBox'),
  component: () => <NotOpenScreen route="/node/blindBox" title={m.nav_blind_box()} icon="box" />,
})
