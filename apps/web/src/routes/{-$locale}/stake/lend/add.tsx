import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../../app/not-open-screen.tsx'
import { loadPayload } from '../../../../app/payload.ts'
import { m } from '../../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/stake/lend/add')({
  loader: loadPayload('/stake/lend/add'),
  component: () => <NotOpenScreen route="/stake/lend/add" title={m.title_stake_lend_add()} icon="layers" />,
})
