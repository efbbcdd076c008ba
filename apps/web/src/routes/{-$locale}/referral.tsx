import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../app/not-open-screen.tsx'
import { m } from '../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/referral')({
  component: () => <NotOpenScreen title={m.nav_referral()} />,
})
