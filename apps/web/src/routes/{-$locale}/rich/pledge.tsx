import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/rich/pledge')({
  component: () => <NotOpenScreen title={m.title_rich_pledge()} />,
})
