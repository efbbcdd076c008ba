import type { AssetId } from '@clearwell/money/asset'
import { Card } from '@clearwell/ui/components/card.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { PriceChange } from '@clearwell/ui/components/price-change.tsx'
import { formatPrice } from '@clearwell/ui/i18n/price-text.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useConfig } from '../../api/config.ts'
import { PAIRS_POLL_MS, TICKER_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'
import { priceStateWords } from '../../components/price-state-words.ts'
import { m } from '../../generated/messages.ts'

/** The price of an asset and its change, both from one source, which it names: spot, or the pool where there is no spot. */
export function AssetPrice({ asset }: { asset: AssetId }) {
  const symbol = `${asset}USDT`
  const pairs = useCall('pairs', {}, { refetchInterval: PAIRS_POLL_MS })
  const pair = pairs.data?.find((each) => each.symbol === symbol)
  const spotSymbol = pair?.spot_symbol ?? undefined
  const spot = useCall(
    'spotTicker',
    { symbol: spotSymbol ?? '' },
    { refetchInterval: TICKER_POLL_MS, enabled: spotSymbol !== undefined },
  )
  const simulated = useConfig()?.simulated_market
  // The unit of account has no price.
  if (asset === 'USDT') return null
  if (pairs.isPending || (spotSymbol && spot.isPending))
    return (
      <Pending>
        <PriceCard symbol={symbol} price="600" change="0.01" source={m.wallet_asset_price_pool()} warning={undefined} />
      </Pending>
    )
  const shown = spotSymbol ? spot.data : pair
  if (!shown) return <p className="text-muted">{m.wallet_asset_price_none()}</p>
  const price = shown.price ?? undefined
  const state = spotSymbol && spot.isError && price !== undefined ? 'stale' : spot.data?.state
  const warning = spotSymbol ? state && priceStateWords(state) : pairs.isError ? m.wallet_asset_stale() : undefined
  const source = !spotSymbol
    ? m.wallet_asset_price_pool()
    : m.wallet_asset_source({ source: simulated ? m.wallet_asset_simulated() : (spot.data?.source ?? '') })
  return <PriceCard symbol={symbol} price={price} change={shown.change_24h} source={source} warning={warning} />
}

function PriceCard({
  symbol,
  price,
  change,
  source,
  warning,
}: {
  symbol: string
  price: string | undefined
  change: string | null
  source: string
  warning: string | undefined
}) {
  return (
    <Card>
      {/* The whole card can be pressed. */}
      <Link to="/{-$locale}/markets/$name" params={{ name: symbol }} className="-m-4 flex items-center gap-3 p-4">
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="text-secondary text-muted">{m.wallet_asset_price()}</span>
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="figures text-section">
              {price === undefined ? m.ui_price_unknown() : `${formatPrice(price)} USDT`}
            </span>
            {change !== null && (
              <span>
                <PriceChange fraction={change} />{' '}
                <span className="text-secondary text-muted">{m.wallet_asset_change()}</span>
              </span>
            )}
          </span>
          <span className={warning ? 'text-label text-warn' : 'text-label text-muted'}>
            {price !== undefined && source}
            {price !== undefined && warning && ` · ${warning}`}
            {price === undefined && m.ui_price_works()}
          </span>
        </span>
        <Icon name="chevron-right" className="text-muted" />
      </Link>
    </Card>
  )
}
