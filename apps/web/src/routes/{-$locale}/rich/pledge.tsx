import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../app/payload.ts'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/rich/pledge')({
  loader: loadPayload('/rich/pledge'),
  component: () => <NotOpenScreen route="/rich/pledge" title={m.title_rich_pledge()} icon="arrow-down-to-line" />,
})
