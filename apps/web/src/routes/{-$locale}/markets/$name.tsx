import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { NotFoundPage } from '../../../app/error-page.tsx'
import { useMarket } from '../../../features/market/market.queries.ts'
import { readMarketName } from '../../../features/market/market-name.ts'
import { MarketScreen } from '../../../features/market/market-screen.tsx'

export const Route = createFileRoute('/{-$locale}/markets/$name')({
  beforeLoad: ({ params }) => {
    const market = readMarketName(params.name)
    if (!market) throw notFound({ routeId: '/{-$locale}/markets/$name' })
    if (!market.isSpelt)
      throw redirect({ to: '/{-$locale}/markets/$name', params: { ...params, name: market.name }, replace: true })
  },
  component: MarketRoute,
  notFoundComponent: NotFoundPage,
})

function MarketRoute() {
  const { name } = Route.useParams()
  const market = useMarket(name)
  // Not thrown: React writes to the console what is thrown while it draws.
  if (market.isUnknown) return <NotFoundPage />
  return <MarketScreen key={name} name={name} market={market} />
}
