import { priceDecimals } from '@clearwell/ui/i18n/price-text.ts'
import { Navigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { NotFoundPage } from '../../components/not-found-page.tsx'
import { Part } from '../../manifest/parts.ts'
import { readMarketName, useMarket } from './market.queries.ts'
import { MarketView } from './market-view.tsx'

/** The name is read here and not before the route is entered: that code would come with home's. */
export default function MarketScreen() {
  const params = useParams({ from: '/{-$locale}/markets/$name' })
  const market = readMarketName(params.name)
  if (!market) return <NotFoundPage />
  const { name, isCanonical } = market
  if (!isCanonical) return <Navigate to="/{-$locale}/markets/$name" params={{ ...params, name }} replace />
  return <Market key={name} name={name} />
}

function Market({ name }: { name: string }) {
  const market = useMarket(name)
  const [alert, setAlert] = useState<{ at: string | undefined }>()
  // Not thrown: React writes to the console what is thrown while it draws.
  if (market.isUnknown) return <NotFoundPage />
  // The spot price if there is one, because the server compares alerts with it.
  const price = (market.symbol === null ? market.pair?.price : market.ticker.data?.price) ?? ''
  return (
    <>
      <MarketView name={name} market={market} onAlert={(at) => setAlert({ at })} />
      {alert && (
        <Part
          of="priceAlerts"
          symbol={name}
          price={price}
          at={alert.at}
          decimals={priceDecimals(price)}
          onClose={() => setAlert(undefined)}
        />
      )}
    </>
  )
}
