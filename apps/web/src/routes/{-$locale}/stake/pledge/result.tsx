import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../../app/payload.ts'
import { m } from '../../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/stake/pledge/result')({
  loader: loadPayload('/stake/pledge/result'),
  component: () => <NotOpenScreen route="/stake/pledge/result" title={m.title_stake_pledge_result()} icon="check" />,
})
