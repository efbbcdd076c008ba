import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits } from '@clearwell/money/decimal'
import { PreparedResponse } from '../../platform/http/prepared-response.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { SpotSource } from '../../platform/market-data/spot-source.ts'
import type { ChannelSource } from '../../platform/stream/channel.ts'
import { type Cached, cached } from '../../platform/time/cached.ts'
import type { Clock } from '../../platform/time/clock.ts'

/** How long a ticker is served from memory: a sixth of the time between two polls. */
const MAX_AGE_MS = 250
const PRICE_DECIMALS = 18
const PPM_DECIMALS = 6

/** Cached tickers by symbol, shared by polling clients and stream listeners. */
export type Tickers = Cached<string, PreparedResponse<ResponseOf<'spotTicker'>>>

/** Unknown symbols are rejected each time and never cached. */
export function createTickers({ source, clock }: { source: Pick<SpotSource, 'ticker'>; clock: Clock }): Tickers {
  return cached({
    read: async (symbol: string) => new PreparedResponse(await readTicker(source, symbol)),
    maxAgeMs: MAX_AGE_MS,
    clock,
  })
}

/** The channel `ticker:<symbol>`. A change of a ticker's times alone is not sent. */
export function tickerChannel(tickers: Tickers): ChannelSource<ResponseOf<'spotTicker'>> {
  return {
    name: 'ticker:',
    read: tickers.get,
    isSameValue: (before, after) => withoutTimes(before) === withoutTimes(after),
  }
}

function withoutTimes({ time: _time, sources: _sources, ...value }: ResponseOf<'spotTicker'>): string {
  return JSON.stringify(value)
}

/** @throws Refusal `not_found` for an unknown symbol. */
export async function readTicker(
  source: Pick<SpotSource, 'ticker'>,
  symbol: string,
): Promise<ResponseOf<'spotTicker'>> {
  const ticker = await source.ticker(symbol)
  if (!ticker) throw refusal('not_found')
  const { state, time } = ticker
  return {
    symbol: ticker.symbol,
    price: textOf(ticker.priceE18),
    change_24h: textOf(ticker.changePpm, PPM_DECIMALS),
    high_24h: textOf(ticker.highE18),
    low_24h: textOf(ticker.lowE18),
    volume_24h: textOf(ticker.volume),
    time: time?.toISOString() ?? null,
    stale: state !== 'fresh' && state !== 'apart',
    source: ticker.source,
    state,
    sources: ticker.sources.map(({ name, priceE18, time, stale }) => ({
      name,
      price: formatUnits(priceE18, PRICE_DECIMALS),
      time: time.toISOString(),
      stale,
    })),
  }
}

function textOf(units: bigint | undefined, decimals = PRICE_DECIMALS): string | null {
  return units === undefined ? null : formatUnits(units, decimals)
}
