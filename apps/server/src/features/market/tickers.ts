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

/** Cached tickers by symbol, shared by polling clients and stream listeners. */
export type Tickers = Cached<string, PreparedResponse<ResponseOf<'spotTicker'>>>

/** Unknown symbols are rejected each time and never cached. */
export function createTickers({
  source,
  clock,
}: {
  source: Pick<SpotSource, 'symbols' | 'ticker'>
  clock: Clock
}): Tickers {
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

/** @throws Refusal `not_found` for an unknown symbol, `price_out_of_date` before its first price. */
export async function readTicker(
  source: Pick<SpotSource, 'symbols' | 'ticker'>,
  symbol: string,
): Promise<ResponseOf<'spotTicker'>> {
  if (!source.symbols.has(symbol)) throw refusal('not_found')
  const ticker = await source.ticker(symbol)
  if (!ticker) throw refusal('not_found')
  const { state, priceE18, changePpm, highE18, lowE18, volume, time } = ticker
  if (priceE18 === undefined || changePpm === undefined || highE18 === undefined)
    throw refusal('price_out_of_date', { reason: 'unknown' })
  if (lowE18 === undefined || volume === undefined || !time) throw refusal('price_out_of_date', { reason: 'unknown' })
  return {
    symbol: ticker.symbol,
    price: formatUnits(priceE18, 18),
    change_24h: formatUnits(changePpm, 6),
    high_24h: formatUnits(highE18, 18),
    low_24h: formatUnits(lowE18, 18),
    volume_24h: formatUnits(volume, 18),
    time: time.toISOString(),
    stale: state !== 'fresh' && state !== 'apart',
    source: ticker.source,
    sources: ticker.sources.map(({ name, priceE18, time, stale }) => ({
      name,
      price: formatUnits(priceE18, 18),
      time: time.toISOString(),
      stale,
    })),
  }
}
