import type { CandleInterval } from '@clearwell/rules/candle'
import type { Clock } from '../time/clock.ts'
import { repeat } from '../time/repeat.ts'
import { type BinanceHttp, createBinanceHttp, ExchangeError, type HttpRules } from './binance-http.ts'
import {
  type DayFigures,
  type ExchangePrice,
  parseDayTickers,
  parseKlines,
  parseStreamMessage,
  streamName,
} from './binance-messages.ts'
import { type MarketStream, openMarketStream, type StreamRules } from './binance-stream.ts'
import { ExchangeClock } from './exchange-clock.ts'
import type { SpotReading } from './judge-readings.ts'
import type { SpotCandle } from './spot-source.ts'

export interface ExchangeRules extends HttpRules, StreamRules {
  /** How often the stream is checked; symbols that it leaves out are requested instead. */
  readonly pollMs: number
  /** How often the clocks are compared. */
  readonly syncMs: number
}

/** Candles of a symbol: the first ones that start at `fromMs` or later, or without it the last ones until `untilMs`. */
export interface KlineQuestion {
  readonly symbol: string
  readonly interval: CandleInterval
  readonly fromMs: number | undefined
  readonly untilMs: number
  readonly limit: number
}

/** An exchange with current prices in memory and candles on request. */
export interface Exchange {
  readonly name: string
  reading(symbol: string): SpotReading | undefined
  /** Its latest figures of the last 24 hours that could be. */
  figures(symbol: string): DayFigures | undefined
  /** @throws ExchangeError */
  klines(question: KlineQuestion): Promise<SpotCandle[]>
  start(): void
  stop(): void
}

export interface ExchangeOptions {
  readonly name: string
  readonly restUrl: string
  readonly streamUrl: string
  readonly symbols: ReadonlySet<string>
  readonly clock: Clock
  readonly random: () => number
  readonly rules: ExchangeRules
  /** A symbol has a newer price. */
  readonly onReading: (symbol: string) => void
  readonly onFault: (kind: string, error: unknown) => void
}

/**
 * Binance's public market data: prices from its stream, or by request where the stream leaves a symbol out; candles by
 * request. Times are adjusted by the difference of the two clocks; with clocks too far apart there are no readings.
 *
 * Source: the exchange's documentation of its spot API, `rest-api.md` and `web-socket-streams.md`.
 */
export function createBinanceExchange(options: ExchangeOptions): Exchange {
  const { name, symbols, clock, random, rules, onFault } = options
  const http = createBinanceHttp({ url: options.restUrl, clock, random, rules })
  const exchangeClock = new ExchangeClock({ name, clock, syncMs: rules.syncMs, onFault })
  const prices = new LatestPrices(options, exchangeClock)
  let stream: MarketStream | undefined

  async function run(): Promise<void> {
    try {
      await exchangeClock.sync(http)
      const missing = stream?.isDelivering ? prices.silentSymbols() : symbols
      if (missing.size > 0) await requestPrices(http, missing, prices)
    } catch (error) {
      if (stream) onFault(`asking ${name}`, error)
    }
  }
  const timer = repeat({ run, everyMs: rules.pollMs, onError: (error) => onFault(`asking ${name}`, error) })

  return {
    name,
    reading(symbol) {
      const price = prices.of(symbol)
      if (!price || !exchangeClock.isTogether) return undefined
      return { name, priceE18: price.priceE18, time: exchangeClock.localTime(price.timeMs) }
    },
    figures: (symbol) => prices.dayOf(symbol),
    klines: (question) => requestKlines(http, question, () => exchangeClock.latestMs),
    start() {
      prices.expectStream()
      stream = openMarketStream({
        url: `${options.streamUrl}/stream?streams=${[...symbols].map(streamName).join('/')}`,
        random,
        rules,
        pauseLeftMs: http.pauseLeftMs,
        onText: (text) => prices.takeMessage(text),
        onFault: (why) => onFault(`the stream of ${name}`, new Error(`the connection was given up: ${why}`)),
      })
      timer.start()
      timer.wake()
    },
    stop() {
      void timer.stop()
      stream?.stop()
      stream = undefined
      http.stop()
    },
  }
}

/** The latest price of each symbol, from the stream or by request. */
class LatestPrices {
  readonly #options: ExchangeOptions
  readonly #exchangeClock: ExchangeClock
  readonly #latest = new Map<string, ExchangePrice>()
  readonly #days = new Map<string, DayFigures>()
  /** When the stream last had something useful about each symbol. */
  readonly #heardMs = new Map<string, number>()

  constructor(options: ExchangeOptions, exchangeClock: ExchangeClock) {
    this.#options = options
    this.#exchangeClock = exchangeClock
  }

  of(symbol: string): ExchangePrice | undefined {
    return this.#latest.get(symbol)
  }

  dayOf(symbol: string): DayFigures | undefined {
    return this.#days.get(symbol)
  }

  /** The stream was opened: it has until then to deliver each symbol. */
  expectStream(): void {
    for (const symbol of this.#options.symbols) this.#heardMs.set(symbol, this.#nowMs())
  }

  /** The symbols that the stream has left out for too long. */
  silentSymbols(): Set<string> {
    const sinceMs = this.#nowMs() - this.#options.rules.silentAfterMs
    return new Set([...this.#options.symbols].filter((symbol) => (this.#heardMs.get(symbol) ?? 0) < sinceMs))
  }

  /** @returns whether the message was useful. */
  takeMessage(text: string): boolean {
    const { name, symbols, onFault } = this.#options
    try {
      const price = parseStreamMessage(text, symbols)
      this.take(price)
      this.#heardMs.set(price.symbol, this.#nowMs())
      return true
    } catch (error) {
      onFault(`messages of ${name}`, error)
      return false
    }
  }

  /** @throws ExchangeError for a price with an impossible time. */
  take(price: ExchangePrice): void {
    const { name, onReading } = this.#options
    if (!this.#exchangeClock.isTogether)
      throw new ExchangeError(`the clocks of ${name} and of this server are not together`)
    if (price.timeMs > this.#exchangeClock.latestMs) {
      this.#exchangeClock.doubt()
      throw new ExchangeError(`${name} sent a price of the future`)
    }
    const held = this.#latest.get(price.symbol)
    if (held && price.timeMs < held.timeMs) throw new ExchangeError(`${name} sent a price older than its last one`)
    this.#latest.set(price.symbol, price)
    if (price.day) this.#days.set(price.symbol, price.day)
    onReading(price.symbol)
  }

  #nowMs(): number {
    return this.#options.clock.now().getTime()
  }
}

async function requestPrices(http: BinanceHttp, symbols: ReadonlySet<string>, prices: LatestPrices): Promise<void> {
  const query = { symbols: JSON.stringify([...symbols]) }
  // Source: the weight of up to 20 symbols.
  const response = await http.ask({ path: '/api/v3/ticker/24hr', query, weight: 2 })
  for (const price of parseDayTickers(response, symbols)) {
    // The stream may have returned meanwhile and be ahead.
    if (price.timeMs > (prices.of(price.symbol)?.timeMs ?? 0)) prices.take(price)
  }
}

/** @param latestMs no candle starts later than this, read when the response is there. */
async function requestKlines(
  http: BinanceHttp,
  { symbol, interval, fromMs, untilMs, limit }: KlineQuestion,
  latestMs: () => number,
): Promise<SpotCandle[]> {
  const query = {
    symbol,
    interval,
    ...(fromMs === undefined ? {} : { startTime: String(fromMs) }),
    endTime: String(untilMs),
    limit: String(limit),
  }
  const response = await http.ask({ path: '/api/v3/klines', query, weight: 2, isChart: true })
  return parseKlines(response, { interval, fromMs: fromMs ?? 0, untilMs: Math.min(untilMs, latestMs()) })
}
