import { parseUnits } from '@clearwell/money/decimal'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { CANDLE_MS, type CandleInterval } from '@clearwell/rules/candle'
import * as z from 'zod/mini'
import { ExchangeError } from './binance-http.ts'
import type { SpotCandle } from './spot-source.ts'

/** The exchange's figures of a symbol's last 24 hours, prices as 18-decimal fixed point. */
export interface DayFigures {
  readonly symbol: string
  readonly priceE18: bigint
  readonly openE18: bigint
  readonly highE18: bigint
  readonly lowE18: bigint
  readonly volume: bigint
  /** By the exchange's own clock. */
  readonly timeMs: number
}

/** Plain decimals only: the parser of money takes no exponent, no sign, and nothing that is not a number. */
const decimal = z.pipe(
  z.string().check(z.refine((text) => parseUnits(text, 18) !== undefined, 'no plain decimal')),
  z.transform((text) => parseUnits(text, 18) as bigint),
)
const price = decimal.check(z.refine((units) => units > 0n, 'not above zero'))
const timeMs = z.int().check(z.gte(0), z.lte(8_640_000_000_000))

const serverTime = z.object({ serverTime: timeMs })

const streamMessage = z.object({
  stream: z.string(),
  data: z.object({
    e: z.literal('24hrTicker'),
    E: timeMs,
    s: z.string(),
    c: price,
    o: price,
    h: price,
    l: price,
    v: decimal,
  }),
})

const dayTicker = z.object({
  symbol: z.string(),
  lastPrice: price,
  openPrice: price,
  highPrice: price,
  lowPrice: price,
  volume: decimal,
  closeTime: timeMs,
})

const kline = z.tuple([timeMs, price, price, price, price, decimal, timeMs], z.unknown())

/** The response of `/api/v3/time`. @throws ExchangeError when it is none. */
export function parseServerTime(response: unknown): number {
  return parse(serverTime, response, 'a time').serverTime
}

/** A message of the combined stream, of one of these symbols. @throws ExchangeError when it is none. */
export function parseStreamMessage(text: string, symbols: ReadonlySet<string>): DayFigures {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new ExchangeError('the exchange sent a message that is no JSON')
  }
  const { stream, data } = parse(streamMessage, json, 'a message')
  if (stream !== streamName(data.s)) throw new ExchangeError('the exchange sent a symbol on the stream of another one')
  return figuresOf(
    {
      symbol: data.s,
      priceE18: data.c,
      openE18: data.o,
      highE18: data.h,
      lowE18: data.l,
      volume: data.v,
      timeMs: data.E,
    },
    symbols,
  )
}

/** The response of `/api/v3/ticker/24hr` for these symbols, each of them once. @throws ExchangeError when it is none. */
export function parseDayTickers(response: unknown, symbols: ReadonlySet<string>): DayFigures[] {
  const tickers = parse(z.array(dayTicker), response, 'the tickers').map((each) =>
    figuresOf(
      {
        symbol: each.symbol,
        priceE18: each.lastPrice,
        openE18: each.openPrice,
        highE18: each.highPrice,
        lowE18: each.lowPrice,
        volume: each.volume,
        timeMs: each.closeTime,
      },
      symbols,
    ),
  )
  if (new Set(tickers.map(({ symbol }) => symbol)).size !== symbols.size || tickers.length !== symbols.size)
    throw new ExchangeError('the exchange did not answer each symbol once')
  return tickers
}

/**
 * The response of `/api/v3/klines`: candles that start from `fromMs` to `untilMs`, oldest first, at most one of a time.
 *
 * @throws ExchangeError where it is none, or has a candle that was not asked for or cannot be.
 */
export function parseKlines(
  response: unknown,
  { interval, fromMs, untilMs }: { interval: CandleInterval; fromMs: number; untilMs: number },
): SpotCandle[] {
  let lastMs = Number.NEGATIVE_INFINITY
  return parse(z.array(kline), response, 'candles').map(
    ([startMs, openE18, highE18, lowE18, closeE18, volume, endMs]) => {
      const wasAsked = startMs >= fromMs && startMs <= untilMs && startMs > lastMs
      if (!wasAsked || startMs % CANDLE_MS[interval] !== 0 || endMs !== startMs + CANDLE_MS[interval] - 1)
        throw new ExchangeError('the exchange answered a candle of another time than was asked')
      if (highE18 < maxUnits(openE18, closeE18) || lowE18 > minUnits(openE18, closeE18))
        throw new ExchangeError('the exchange answered a candle that leaves its own bounds')
      lastMs = startMs
      return { startsAt: new Date(startMs), openE18, highE18, lowE18, closeE18, volume }
    },
  )
}

export function streamName(symbol: string): string {
  return `${symbol.toLowerCase()}@ticker`
}

function figuresOf(figures: DayFigures, symbols: ReadonlySet<string>): DayFigures {
  if (!symbols.has(figures.symbol)) throw new ExchangeError('the exchange reported a symbol that was not asked for')
  if (figures.highE18 < figures.priceE18 || figures.lowE18 > figures.priceE18)
    throw new ExchangeError('the exchange reported a price beyond its own high or low')
  return figures
}

function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  // The place only: what was received is not repeated.
  throw new ExchangeError(
    `the exchange answered ${what} that cannot be used (${issue?.path.join('.') || 'as a whole'})`,
  )
}
