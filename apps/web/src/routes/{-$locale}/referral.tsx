import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../app/not-open-screen.tsx'
import { loadPayload } from '../../app/payload.ts'
import { m } from '../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/referral')({
  loader: loadPayload('/referral'),
  component: () => <NotOpenScreen route="/referral" title={m.nav_referral()} icon="share-2" />,
})
