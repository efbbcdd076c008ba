import { createFileRoute } from '@tanstack/react-router'
import { NotOpenScreen } from '../../../app/not-open-screen.tsx'
import { m } from '../../../generated/paraglide/messages.js'

export const Route = createFileRoute('/{-$locale}/markets/$name')({ component: MarketRoute })

function MarketRoute() {
  const { name } = Route.useParams()
  return <NotOpenScreen title={m.title_markets({ name })} />
}
