import { CANDLE_MS } from '@clearwell/rules/candle'
import { type SpotSource, SpotUnavailable } from './spot-source.ts'

const INTERVAL = '1h'

/**
 * What one of the base asset was worth at a time that is past, as 18-decimal fixed point of the quote asset: the close of
 * the last hour that had ended by then, or the open of the one under way where the source goes no further back.
 * `undefined` for a symbol that the source does not have, before its first candle, and where it cannot be asked now.
 */
export async function spotPriceAt(source: SpotSource, symbol: string, time: Date): Promise<bigint | undefined> {
  // A candle that starts now is of no use: its price comes later.
  const hourMs = CANDLE_MS[INTERVAL]
  const window = { interval: INTERVAL, from: undefined, to: time, limit: 2 } as const
  const candles = await source.candles(symbol, window).catch((error) => {
    if (error instanceof SpotUnavailable) return undefined
    throw error
  })
  const ended = candles?.filter((candle) => candle.startsAt.getTime() + hourMs <= time.getTime())
  return ended?.at(-1)?.closeE18 ?? candles?.at(-1)?.openE18
}
