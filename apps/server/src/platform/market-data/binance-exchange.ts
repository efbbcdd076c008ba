import type { CandleInterval } from '@clearwell/rules/candle'
import type { Clock } from '../time/clock.ts'
import { createBinanceHttp, ExchangeError, type HttpRules } from './binance-http.ts'
import {
  type DayFigures,
  parseDayTickers,
  parseKlines,
  parseServerTime,
  parseStreamMessage,
  streamName,
} from './binance-messages.ts'
import { type MarketStream, openMarketStream, type StreamRules } from './binance-stream.ts'
import type { SpotReading } from './combine-readings.ts'
import type { SpotCandle } from './spot-source.ts'

/** Farther ahead than that, a time is of the future: what is left of two clocks once their difference is known. */
const MAX_AHEAD_MS = 2_000
/** From there on the operator is told that this server's clock is off; what the exchange says is still set right by it. */
const NOTED_SKEW_MS = 1_000
/** Farther apart the clocks are not to be set right: one of them is wrong, and nobody can tell which. */
export const MAX_SKEW_MS = 10_000
/** A question for the time that took longer says too little of it. */
const MAX_TIME_QUESTION_MS = 2_000

export interface ExchangeRules extends HttpRules, StreamRules {
  /** How often it is looked whether the stream still delivers; what it does not tell is asked for instead. */
  readonly pollMs: number
  /** How often the clocks are held against each other. */
  readonly syncMs: number
}

/** Which candles are wanted: the first ones that start at `fromMs` or later, or without it the last ones until `untilMs`. */
export interface KlineQuestion {
  readonly symbol: string
  readonly interval: CandleInterval
  readonly fromMs: number | undefined
  readonly untilMs: number
  readonly limit: number
}

/** An exchange whose prices are at hand and whose candles can be asked for. */
export interface Exchange {
  readonly name: string
  reading(symbol: string): SpotReading | undefined
  /** What it last said of the last 24 hours. */
  figures(symbol: string): DayFigures | undefined
  /** @throws ExchangeError */
  klines(question: KlineQuestion): Promise<SpotCandle[]>
  start(): void
  stop(): void
}

/**
 * Binance's public market data: prices by its stream, or by asking for those that it does not tell; candles by asking.
 *
 * How far this server's clock is from the exchange's is asked for at the start and again and again, so that a price has the
 * age that it really has. Until that is known the clocks count as equal, which is safe: what is wrong then only makes a
 * price look older, or of the future, which is refused. With clocks that are too far apart there are no readings.
 *
 * Source: the exchange's documentation of its spot API, `rest-api.md` and `web-socket-streams.md`.
 *
 * @param options.onReading told that a symbol has a newer price.
 */
export function createBinanceExchange({
  name,
  restUrl,
  streamUrl,
  symbols,
  clock,
  random,
  rules,
  onReading,
  onFault,
}: {
  name: string
  restUrl: string
  streamUrl: string
  symbols: ReadonlySet<string>
  clock: Clock
  random: () => number
  rules: ExchangeRules
  onReading: (symbol: string) => void
  onFault: (kind: string, error: unknown) => void
}): Exchange {
  const http = createBinanceHttp({ url: restUrl, clock, random, rules })
  const latest = new Map<string, DayFigures>()
  let stream: MarketStream | undefined
  let timer: NodeJS.Timeout | undefined
  /** When the stream last told something of use of each symbol. */
  const heardMs = new Map<string, number>()
  /** How far the exchange's clock is ahead of this server's. */
  let skewMs = 0
  let nextSyncMs = 0

  const areClocksTogether = () => Math.abs(skewMs) <= MAX_SKEW_MS
  const exchangeNowMs = () => clock.now().getTime() + skewMs

  /** Takes what was said of a symbol. @throws ExchangeError where its time cannot be. */
  function take(figures: DayFigures): void {
    if (!areClocksTogether()) throw new ExchangeError(`the clocks of ${name} and of this server are not together`)
    if (figures.timeMs > exchangeNowMs() + MAX_AHEAD_MS) {
      // It may be this server's clock that was moved.
      nextSyncMs = 0
      throw new ExchangeError(`${name} told a price of the future`)
    }
    const held = latest.get(figures.symbol)
    if (held && figures.timeMs < held.timeMs) throw new ExchangeError(`${name} told a price older than its last one`)
    latest.set(figures.symbol, figures)
    onReading(figures.symbol)
  }

  function hear(text: string): boolean {
    try {
      const figures = parseStreamMessage(text, symbols)
      take(figures)
      heardMs.set(figures.symbol, clock.now().getTime())
      return true
    } catch (error) {
      onFault(`messages of ${name}`, error)
      return false
    }
  }

  async function syncClocks(): Promise<void> {
    const askedMs = clock.now().getTime()
    const toldMs = parseServerTime(await http.ask({ path: '/api/v3/time', weight: 1 }))
    const answeredMs = clock.now().getTime()
    if (answeredMs - askedMs > MAX_TIME_QUESTION_MS) throw new ExchangeError(`${name} took too long to tell its time`)
    skewMs = toldMs - Math.round((askedMs + answeredMs) / 2)
    nextSyncMs = answeredMs + rules.syncMs
    if (Math.abs(skewMs) >= NOTED_SKEW_MS) {
      const instead = Math.abs(skewMs) > MAX_SKEW_MS ? '; none of its prices counts until they agree' : ''
      onFault(`the clock of ${name}`, new Error(`this server's clock is ${skewMs} ms behind that of ${name}${instead}`))
    }
  }

  /** The symbols that the stream does not tell of: all, or those that it leaves out. */
  function unheard(): Set<string> {
    const sinceMs = clock.now().getTime() - rules.silentAfterMs
    return new Set([...symbols].filter((each) => !stream?.isDelivering || (heardMs.get(each) ?? 0) < sinceMs))
  }

  async function askPrices(asked: ReadonlySet<string>): Promise<void> {
    const query = { symbols: JSON.stringify([...asked]) }
    // Source: the weight of up to 20 symbols.
    for (const figures of parseDayTickers(await http.ask({ path: '/api/v3/ticker/24hr', query, weight: 2 }), asked)) {
      // The stream may have come back meanwhile and be ahead.
      if (figures.timeMs > (latest.get(figures.symbol)?.timeMs ?? 0)) take(figures)
    }
  }

  async function look(): Promise<void> {
    try {
      if (clock.now().getTime() >= nextSyncMs) await syncClocks()
      const asked = unheard()
      if (asked.size > 0) await askPrices(asked)
    } catch (error) {
      if (stream) onFault(`asking ${name}`, error)
    }
  }

  async function keepLooking(): Promise<void> {
    await look()
    if (stream) timer = setTimeout(() => void keepLooking(), rules.pollMs)
  }

  return {
    name,
    reading(symbol) {
      const figures = latest.get(symbol)
      if (!figures || !areClocksTogether()) return undefined
      // Never ahead of this server's clock: a price of the next moment is one of now.
      const timeMs = Math.min(figures.timeMs - skewMs, clock.now().getTime())
      return { name, priceE18: figures.priceE18, time: new Date(timeMs) }
    },
    figures: (symbol) => latest.get(symbol),
    async klines({ symbol, interval, fromMs, untilMs, limit }) {
      const query = {
        symbol,
        interval,
        ...(fromMs === undefined ? {} : { startTime: String(fromMs) }),
        endTime: String(untilMs),
        limit: String(limit),
      }
      const answer = await http.ask({ path: '/api/v3/klines', query, weight: 2, isChart: true })
      // A candle that is yet to come is none, whatever the exchange says.
      const lastMs = Math.min(untilMs, exchangeNowMs() + MAX_AHEAD_MS)
      return parseKlines(answer, { interval, fromMs: fromMs ?? 0, untilMs: lastMs })
    },
    start() {
      for (const symbol of symbols) heardMs.set(symbol, clock.now().getTime())
      const names = [...symbols].map(streamName).join('/')
      stream = openMarketStream({
        url: `${streamUrl}/stream?streams=${names}`,
        random,
        rules,
        pauseLeftMs: http.pauseLeftMs,
        onText: hear,
        onFault: (why) => onFault(`the stream of ${name}`, new Error(`the connection was given up: ${why}`)),
      })
      void keepLooking()
    },
    stop() {
      clearTimeout(timer)
      stream?.stop()
      stream = undefined
      http.stop()
    },
  }
}
