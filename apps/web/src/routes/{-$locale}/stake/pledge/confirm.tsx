import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../../app/payload.ts'
import { m } from '../../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/stake/pledge/confirm')({
  loader: loadPayload('/stake/pledge/confirm'),
  component: () => (
    <NotOpenScreen route="/stake/pledge/confirm" title={m.title_stake_pledge_confirm()} icon="circle-check" />
  ),
})
