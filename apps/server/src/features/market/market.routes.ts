import type { Answer } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { formatUnits } from '@clearwell/money/decimal'
import type { Handlers } from '../../http/request-context.ts'
import { refusal } from '../../ledger/refuse.ts'
import type { Clock } from '../../time/clock.ts'
import type { AnchorStore } from './simulated-source.ts'
import type { SpotCandle, SpotSource } from './spot-source.ts'

const DEFAULT_SYMBOL = 'BNBUSDT'
/** A price that is older than this is shown as stale, and nothing is borrowed or liquidated on it. */
const STALE_AFTER_MS = 60_000
const DEFAULT_CANDLES = 300

export function marketHandlers({
  source,
  clock,
}: {
  source: SpotSource
  clock: Clock
}): Handlers<'spotTicker' | 'spotKline'> {
  return {
    async spotTicker({ symbol = DEFAULT_SYMBOL }) {
      const ticker = await source.ticker(symbol)
      if (!ticker) throw refusal('not_found')
      return {
        symbol: ticker.symbol,
        price: formatUnits(ticker.priceE18, 18),
        change_24h: formatUnits(ticker.changePpm, 6),
        high_24h: formatUnits(ticker.highE18, 18),
        low_24h: formatUnits(ticker.lowE18, 18),
        volume_24h: formatUnits(ticker.volume, 18),
        time: ticker.time.toISOString(),
        stale: clock.now().getTime() - ticker.time.getTime() > STALE_AFTER_MS,
        source: source.name,
      }
    },

    async spotKline({ symbol = DEFAULT_SYMBOL, interval, from, to, limit = DEFAULT_CANDLES }) {
      const candles = await source.candles(symbol, { interval, from, to, limit })
      if (!candles) throw refusal('not_found')
      return candles.map(candleItem)
    },
  }
}

function candleItem(candle: SpotCandle): Answer<'spotKline'>[number] {
  return {
    time: candle.startsAt.toISOString(),
    open: formatUnits(candle.openE18, 18),
    high: formatUnits(candle.highE18, 18),
    low: formatUnits(candle.lowE18, 18),
    close: formatUnits(candle.closeE18, 18),
    volume: formatUnits(candle.volume, 18),
  }
}

export function createAnchorStore(db: Database): AnchorStore {
  return {
    async load() {
      const rows = await db.query<{ symbol: string; anchor_e18: bigint }>(
        'select symbol, anchor_e18 from simulated_prices',
      )
      return new Map(rows.map((row) => [row.symbol, row.anchor_e18]))
    },
    async save(symbol, anchorE18) {
      await db.query(
        `insert into simulated_prices (symbol, anchor_e18) values ($1, $2::numeric)
         on conflict (symbol) do update set anchor_e18 = excluded.anchor_e18`,
        [symbol, anchorE18.toString()],
      )
    },
  }
}
