import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { CANDLE_MS, type CandleInterval, candleStart, fillGaps } from '@clearwell/rules/candle'
import type { Clock } from '../time/clock.ts'
import { type Exchange, MAX_SKEW_MS } from './binance-exchange.ts'
import { ExchangeError } from './binance-http.ts'
import { startsIn } from './candle-starts.ts'
import { type SpotCandle, type SpotCandleWindow, SpotUnavailable } from './spot-source.ts'

/** As many as the exchange answers to one question. */
const PAGE_CANDLES = 1_000
/** About 25 MB of them. */
const MAX_PAGES = 60
/** How long the candle under way is served before the exchange is asked for it again; the ticker's price moves it meanwhile. */
const FRESH_MS = 5_000
/** By then the exchange has closed a candle too, however its clock stands. */
const SETTLE_MS = MAX_SKEW_MS

/** The candles of a symbol and an interval in one stretch of time, without a hole, and when they were asked for. */
interface Page {
  readonly candles: readonly SpotCandle[]
  readonly askedMs: number
}

/**
 * The exchange's candles, asked for by the page, kept in memory and shared by all who ask. Those that have closed never
 * change, so a page of them is asked for once; of the page under way only what came since. Where the exchange has no candle,
 * as it was closed or nobody traded, a flat one stands at the last close.
 *
 * Nothing is kept in the database: what the exchange keeps for good need not be kept here, and one question brings a
 * thousand candles back after a restart.
 */
export function createLiveCandles({ exchange, clock }: { exchange: Exchange; clock: Clock }) {
  const pages = new Map<string, Page>()
  const underWay = new Map<string, Promise<Page>>()
  /** Before this the exchange has no candle of the symbol. */
  const beginsMs = new Map<string, number>()

  async function pageAt(symbol: string, interval: CandleInterval, startMs: number): Promise<Page> {
    const key = `${symbol}:${interval}:${startMs}`
    const nowMs = clock.now().getTime()
    const endMs = startMs + PAGE_CANDLES * CANDLE_MS[interval]
    if (endMs <= (beginsMs.get(symbol) ?? 0)) return { candles: [], askedMs: nowMs }
    const held = pages.get(key)
    if (held) {
      // Moved to the end: the first ones are those not asked for the longest.
      pages.delete(key)
      pages.set(key, held)
      if (held.askedMs >= endMs + SETTLE_MS || isFresh(held, interval, nowMs)) return held
    }
    let asked = underWay.get(key)
    if (!asked) {
      asked = refresh(key, symbol, interval, startMs, held).finally(() => underWay.delete(key))
      underWay.set(key, asked)
    }
    try {
      return await asked
    } catch (error) {
      // What was known a moment ago is better than nothing, but before candles that are newer it would leave a hole.
      if (held && nowMs < endMs) return held
      throw error instanceof ExchangeError ? new SpotUnavailable(error.message) : error
    }
  }

  async function refresh(
    key: string,
    symbol: string,
    interval: CandleInterval,
    startMs: number,
    held: Page | undefined,
  ): Promise<Page> {
    const now = clock.now()
    const endMs = startMs + PAGE_CANDLES * CANDLE_MS[interval]
    const settledMs = held ? candleStart(new Date(held.askedMs - SETTLE_MS), interval).getTime() : startMs
    const fromMs = Math.max(startMs, settledMs)
    const kept = held?.candles.filter(({ startsAt }) => startsAt.getTime() < fromMs) ?? []
    const untilMs = Math.min(endMs - 1, now.getTime() + SETTLE_MS)
    const came = await exchange.klines({ symbol, interval, fromMs, untilMs, limit: PAGE_CANDLES })
    const candles = [...kept, ...came]
    const isWhole = candles[0]?.startsAt.getTime() === startMs
    const filled = fillGaps({
      candles,
      interval,
      from: new Date(startMs),
      to: new Date(endMs),
      now,
      limit: PAGE_CANDLES,
      previousCloseE18: isWhole ? undefined : await closeBefore(symbol, interval, startMs),
      flat: (prices) => ({ ...prices, volume: 0n }),
    })
    const page = { candles: filled, askedMs: now.getTime() }
    pages.set(key, page)
    const [oldest] = pages.keys()
    if (pages.size > MAX_PAGES && oldest !== undefined) pages.delete(oldest)
    return page
  }

  /** The close of the last candle before a time. */
  async function closeBefore(symbol: string, interval: CandleInterval, startMs: number): Promise<bigint | undefined> {
    if (startMs === 0 || startMs <= (beginsMs.get(symbol) ?? 0)) return undefined
    const [last] = await exchange.klines({ symbol, interval, fromMs: undefined, untilMs: startMs - 1, limit: 1 })
    if (!last) beginsMs.set(symbol, Math.max(startMs, beginsMs.get(symbol) ?? 0))
    return last?.closeE18
  }

  /** The candle under way as the ticker has it, which is ahead of what was asked for a moment ago. */
  function moved(candle: SpotCandle, symbol: string, interval: CandleInterval, askedMs: number): SpotCandle {
    const reading = exchange.reading(symbol)
    const timeMs = reading?.time.getTime() ?? 0
    const startMs = candle.startsAt.getTime()
    if (!reading || timeMs < Math.max(askedMs, startMs) || timeMs >= startMs + CANDLE_MS[interval]) return candle
    const closeE18 = reading.priceE18
    return {
      ...candle,
      highE18: maxUnits(candle.highE18, closeE18),
      lowE18: minUnits(candle.lowE18, closeE18),
      closeE18,
    }
  }

  /** The candles of a window, oldest first. @throws SpotUnavailable */
  return async function candlesOf(symbol: string, window: SpotCandleWindow): Promise<SpotCandle[]> {
    const { interval } = window
    const starts = startsIn(window, clock.now())
    const [firstMs, lastMs] = [starts[0], starts.at(-1)]
    if (firstMs === undefined || lastMs === undefined) return []
    const pageMs = PAGE_CANDLES * CANDLE_MS[interval]
    const asked: Promise<Page>[] = []
    for (let startMs = Math.floor(firstMs / pageMs) * pageMs; startMs <= lastMs; startMs += pageMs)
      asked.push(pageAt(symbol, interval, startMs))
    const told = await Promise.all(asked)
    const candles = told
      .flatMap((page) => page.candles)
      .filter(({ startsAt }) => startsAt.getTime() >= firstMs && startsAt.getTime() <= lastMs)
    const last = candles.pop()
    return last ? [...candles, moved(last, symbol, interval, told.at(-1)?.askedMs ?? 0)] : []
  }
}

/** Asked for a moment ago, and within the candle that is still under way. */
function isFresh({ askedMs }: Page, interval: CandleInterval, nowMs: number): boolean {
  const isSameCandle = Math.floor(askedMs / CANDLE_MS[interval]) === Math.floor(nowMs / CANDLE_MS[interval])
  return nowMs - askedMs < FRESH_MS && isSameCandle
}
