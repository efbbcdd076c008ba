import type { PriceState } from '@clearwell/api/market.routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { TICKER_POLL_MS } from '../../api/polling.ts'
import { useCall } from '../../api/use-call.ts'
import type { Pair } from './use-pairs.ts'

const DAY_MS = 86_400_000
const HOURS = { interval: '1h', limit: 24 } as const
const HOURS_POLL = { refetchInterval: 60_000, staleTime: 60_000 } as const
const PRICE_DECIMALS = 18
/** A gap is shown as a percentage with two decimals. */
const GAP_DECIMALS = 4

/** The price of a market and its 24 hours, all from one source. Prices and the change are plain decimals. */
export interface DayPrice {
  readonly source: 'spot' | 'pool'
  /** `null` while the price is unknown: a pool's price never takes its place. */
  readonly price: string | null
  /** A fraction: 0.012 is +1.2 %. */
  readonly change: string | null
  readonly state: PriceState
  /** Hourly prices of 24 hours, oldest first and the current one last; `undefined` until they are loaded. */
  readonly prices: readonly string[] | undefined
}

/** The spot market did not respond. */
const NO_PRICE: DayPrice = { source: 'spot', price: null, change: null, state: 'unknown', prices: undefined }

/** Spot where the market has one, else the pool. `undefined` until the first response. */
export function useDayPrice(pair: Pair): DayPrice | undefined {
  const symbol = pair.spot_symbol ?? ''
  const hasSpot = symbol !== ''
  const ticker = useCall('spotTicker', { symbol }, { enabled: hasSpot, refetchInterval: TICKER_POLL_MS })
  const isPool = !hasSpot
  const spotHours = useCall('spotKline', { symbol, ...HOURS }, { ...HOURS_POLL, enabled: hasSpot && !isPool })
  const poolHours = useCall('swapKline', { pool_id: pair.id, ...HOURS }, { ...HOURS_POLL, enabled: isPool })
  const hours = isPool ? poolHours : spotHours
  const shown = isPool ? pair : ticker.data
  if (!shown && ticker.isError) return NO_PRICE
  if (!shown) return undefined
  return {
    source: isPool ? 'pool' : 'spot',
    price: shown.price,
    change: shown.change_24h,
    state: 'state' in shown ? shown.state : 'fresh',
    prices: hours.data && hourlyPrices(hours.data, shown.price, hours.dataUpdatedAt - DAY_MS),
  }
}

/** The open of the first candle since `sinceMs`, the close of each one that is over, and the current price if it is known. */
export function hourlyPrices(
  candles: readonly { time: string; open: string; close: string }[],
  price: string | null,
  sinceMs: number,
): string[] {
  const ofDay = candles.filter(({ time }) => Date.parse(time) > sinceMs)
  const [first] = ofDay
  const last = price === null ? [] : [price]
  return first ? [first.open, ...ofDay.slice(0, -1).map(({ close }) => close), ...last] : last
}

/** How far the pool's price is from spot, as a fraction of spot cut toward zero; `undefined` without a spot price. */
export function poolGap(pool: string, spot: string): string | undefined {
  const poolUnits = parseUnits(pool, PRICE_DECIMALS)
  const spotUnits = parseUnits(spot, PRICE_DECIMALS)
  if (poolUnits === undefined || !spotUnits) return undefined
  return formatUnits(((poolUnits - spotUnits) * 10n ** BigInt(GAP_DECIMALS)) / spotUnits, GAP_DECIMALS)
}
