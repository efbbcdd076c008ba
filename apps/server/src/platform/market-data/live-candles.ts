import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { CANDLE_MS, type CandleInterval, candleStart, fillGaps } from '@clearwell/rules/candle'
import type { Clock } from '../time/clock.ts'
import type { Exchange } from './binance-exchange.ts'
import { ExchangeError } from './binance-http.ts'
import { MAX_SKEW_MS } from './exchange-clock.ts'
import type { SpotReading } from './judge-readings.ts'
import { type SpotCandle, type SpotCandleWindow, SpotUnavailable, startsIn } from './spot-source.ts'

/** Most candles in one response of the exchange. */
const PAGE_CANDLES = 1_000
/** About 25 MB. */
const MAX_PAGES = 60
/** How long the current candle is served before the exchange is asked again; meanwhile the ticker's price moves it. */
const FRESH_MS = 5_000
/** After this time the exchange has closed a candle too, despite the difference of the clocks. */
const SETTLE_MS = MAX_SKEW_MS

/** Which stretch of time a page covers. */
interface PageSpan {
  readonly symbol: string
  readonly interval: CandleInterval
  readonly startMs: number
  readonly endMs: number
}

/** The candles of a span, without a hole, and when they were asked for. */
interface Page {
  readonly candles: readonly SpotCandle[]
  readonly askedMs: number
}

/**
 * The exchange's candles: requested by the page, kept in memory and shared by all callers. Closed candles never change, so
 * a closed page is requested once, and of the current page only what is new. Where the exchange has no candle, because it
 * was closed or had no trades, there is a flat one at the last close.
 *
 * Nothing is stored in the database: the exchange keeps its candles for good, and one request brings a thousand back.
 */
export function createLiveCandles({ exchange, clock }: { exchange: Exchange; clock: Clock }) {
  const pages = new PageCache(new PageLoader(exchange, clock), clock)

  /** The candles of a window, oldest first. @throws SpotUnavailable */
  return async function candlesOf(symbol: string, window: SpotCandleWindow): Promise<SpotCandle[]> {
    const { interval } = window
    const starts = startsIn(window, clock.now())
    const [firstMs, lastMs] = [starts[0], starts.at(-1)]
    if (firstMs === undefined || lastMs === undefined) return []
    const pageMs = PAGE_CANDLES * CANDLE_MS[interval]
    const requested: Promise<Page>[] = []
    for (let startMs = Math.floor(firstMs / pageMs) * pageMs; startMs <= lastMs; startMs += pageMs)
      requested.push(pages.get({ symbol, interval, startMs, endMs: startMs + pageMs }))
    const found = await Promise.all(requested)
    const candles = found
      .flatMap((page) => page.candles)
      .filter(({ startsAt }) => startsAt.getTime() >= firstMs && startsAt.getTime() <= lastMs)
    const last = candles.pop()
    const askedMs = found.at(-1)?.askedMs ?? 0
    return last ? [...candles, withReading(last, exchange.reading(symbol), { interval, askedMs })] : []
  }
}

/** The pages that were used last, and those in progress. */
class PageCache {
  readonly #loader: PageLoader
  readonly #clock: Clock
  /** The least recently used first. */
  readonly #pages = new Map<string, Page>()
  readonly #inProgress = new Map<string, Promise<Page>>()

  constructor(loader: PageLoader, clock: Clock) {
    this.#loader = loader
    this.#clock = clock
  }

  /** @throws SpotUnavailable */
  async get(span: PageSpan): Promise<Page> {
    const key = `${span.symbol}:${span.interval}:${span.startMs}`
    const nowMs = this.#clock.now().getTime()
    if (this.#loader.isBeforeListing(span)) return { candles: [], askedMs: nowMs }
    const held = this.#pages.get(key)
    if (held) {
      this.#pages.delete(key)
      this.#pages.set(key, held)
      if (held.askedMs >= span.endMs + SETTLE_MS || isFresh(held, span.interval, nowMs)) return held
    }
    try {
      return await this.#load(key, span, held)
    } catch (error) {
      // A page of a moment ago is better than none, but before newer candles it would leave a hole.
      if (held && nowMs < span.endMs) return held
      throw error instanceof ExchangeError ? new SpotUnavailable(error.message) : error
    }
  }

  /** Concurrent callers share one request. */
  #load(key: string, span: PageSpan, held: Page | undefined): Promise<Page> {
    let loading = this.#inProgress.get(key)
    if (!loading) {
      loading = this.#loader
        .load(span, held)
        .then((page) => this.#keep(key, page))
        .finally(() => this.#inProgress.delete(key))
      this.#inProgress.set(key, loading)
    }
    return loading
  }

  #keep(key: string, page: Page): Page {
    this.#pages.set(key, page)
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest)
    return page
  }
}

/** Requests pages from the exchange and fills their holes. */
class PageLoader {
  readonly #exchange: Exchange
  readonly #clock: Clock
  /** Before this time the exchange has no candle of the symbol. */
  readonly #listedMs = new Map<string, number>()

  constructor(exchange: Exchange, clock: Clock) {
    this.#exchange = exchange
    this.#clock = clock
  }

  isBeforeListing({ symbol, endMs }: PageSpan): boolean {
    return endMs <= (this.#listedMs.get(symbol) ?? 0)
  }

  /** @param held the same page as of an earlier time: its settled candles are not requested again. @throws ExchangeError */
  async load({ symbol, interval, startMs, endMs }: PageSpan, held: Page | undefined): Promise<Page> {
    const now = this.#clock.now()
    const settledMs = held ? candleStart(new Date(held.askedMs - SETTLE_MS), interval).getTime() : startMs
    const fromMs = Math.max(startMs, settledMs)
    const kept = held?.candles.filter(({ startsAt }) => startsAt.getTime() < fromMs) ?? []
    const untilMs = Math.min(endMs - 1, now.getTime() + SETTLE_MS)
    const added = await this.#exchange.klines({ symbol, interval, fromMs, untilMs, limit: PAGE_CANDLES })
    const candles = [...kept, ...added]
    const isWhole = candles[0]?.startsAt.getTime() === startMs
    const filled = fillGaps({
      candles,
      interval,
      from: new Date(startMs),
      to: new Date(endMs),
      now,
      limit: PAGE_CANDLES,
      previousCloseE18: isWhole ? undefined : await this.#closeBefore(symbol, interval, startMs),
      flat: (prices) => ({ ...prices, volume: 0n }),
    })
    return { candles: filled, askedMs: now.getTime() }
  }

  /** The close of the last candle before a time; `undefined` before the symbol was listed. */
  async #closeBefore(symbol: string, interval: CandleInterval, startMs: number): Promise<bigint | undefined> {
    const listedMs = this.#listedMs.get(symbol) ?? 0
    if (startMs === 0 || startMs <= listedMs) return undefined
    const question = { symbol, interval, fromMs: undefined, untilMs: startMs - 1, limit: 1 }
    const [last] = await this.#exchange.klines(question)
    if (!last) this.#listedMs.set(symbol, Math.max(startMs, this.#listedMs.get(symbol) ?? 0))
    return last?.closeE18
  }
}

/** The current candle with the ticker's price, which is newer than the last requested candles. */
function withReading(
  candle: SpotCandle,
  reading: SpotReading | undefined,
  { interval, askedMs }: { interval: CandleInterval; askedMs: number },
): SpotCandle {
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

/** Requested a moment ago, and within the candle that is still the current one. */
function isFresh({ askedMs }: Page, interval: CandleInterval, nowMs: number): boolean {
  const isSameCandle = Math.floor(askedMs / CANDLE_MS[interval]) === Math.floor(nowMs / CANDLE_MS[interval])
  return nowMs - askedMs < FRESH_MS && isSameCandle
}
