import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/rich/')({
  loader: loadPayload('/rich'),
  component: () => <NotOpenScreen route="/rich" title={m.nav_upgrade_hub()} icon="rocket" />,
})
