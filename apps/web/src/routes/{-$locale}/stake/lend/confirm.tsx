import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../../app/payload.ts'
import { m } from '../../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/stake/lend/confirm')({
  loader: loadPayload('/stake/lend/confirm'),
  component: () => (
    <NotOpenScreen route="/stake/lend/confirm" title={m.title_stake_lend_confirm()} icon="circle-check" />
  ),
})
