import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../../app/payload.ts'
import { m } from '../../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/stake/lend/result')({
  loader: loadPayload('/stake/lend/result'),
  component: () => <NotOpenScreen route="/stake/lend/result" title={m.title_stake_lend_result()} icon="check" />,
})
