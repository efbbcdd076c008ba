import { Navigate, useParams } from '@tanstack/react-router'
import { NotFoundPage } from '../app/error-page.tsx'
import { PriceAlerts } from '../features/alert/price-alerts.tsx'
import { readMarketName, useMarket } from '../features/market/market.queries.ts'
import { MarketScreen } from '../features/market/market-screen.tsx'
import { priceDecimals } from '../i18n/price-text.ts'

/** The name is read here and not before the route is entered: that code would come with home's. */
export default function MarketRoute() {
  const params = useParams({ from: '/{-$locale}/markets/$name' })
  const market = readMarketName(params.name)
  if (!market) return <NotFoundPage />
  const { name, isCanonical } = market
  if (!isCanonical) return <Navigate to="/{-$locale}/markets/$name" params={{ ...params, name }} replace />
  return <Market key={name} name={name} />
}

function Market({ name }: { name: string }) {
  const market = useMarket(name)
  // Not thrown: React writes to the console what is thrown while it draws.
  if (market.isUnknown) return <NotFoundPage />
  // The spot price if there is one, because the server compares alerts with it.
  const price = (market.symbol === null ? market.pair?.price : market.ticker.data?.price) ?? ''
  return (
    <MarketScreen
      name={name}
      market={market}
      alerts={<PriceAlerts symbol={name} price={price} decimals={priceDecimals(price)} />}
    />
  )
}
