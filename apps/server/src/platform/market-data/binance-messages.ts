import { parseUnits } from '@clearwell/money/decimal'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { CANDLE_MS, type CandleInterval } from '@clearwell/rules/candle'
import * as z from 'zod/mini'
import { ExchangeError } from './binance-http.ts'
import type { SpotCandle } from './spot-source.ts'

/** The exchange's price of a symbol, as 18-decimal fixed point. */
export interface ExchangePrice {
  readonly symbol: string
  readonly priceE18: bigint
  /** By the exchange's own clock. */
  readonly timeMs: number
  /** `undefined` where the exchange sent figures that cannot be: the price does not depend on them. */
  readonly day: DayFigures | undefined
}

/** The exchange's figures of a symbol's last 24 hours. */
export interface DayFigures {
  readonly openE18: bigint
  readonly highE18: bigint
  readonly lowE18: bigint
  readonly volume: bigint
}

/** Plain decimals only: the parser of money takes no exponent, no sign, and nothing that is not a number. */
const decimal = z.pipe(
  z.string().check(z.refine((text) => parseUnits(text, 18) !== undefined, 'no plain decimal')),
  z.transform((text) => parseUnits(text, 18) as bigint),
)
const price = decimal.check(z.refine((units) => units > 0n, 'not above zero'))
/** A figure of the last 24 hours, or `undefined` where it is none. */
const ofDay = <Schema extends z.ZodMiniType>(figure: Schema) => z.catch(z.optional(figure), undefined)
const timeMs = z.int().check(z.gte(0), z.lte(8_640_000_000_000))

const serverTime = z.object({ serverTime: timeMs })

const streamMessage = z.object({
  stream: z.string(),
  data: z.object({
    e: z.literal('24hrTicker'),
    E: timeMs,
    s: z.string(),
    c: price,
    o: ofDay(price),
    h: ofDay(price),
    l: ofDay(price),
    v: ofDay(decimal),
  }),
})

const dayTicker = z.object({
  symbol: z.string(),
  lastPrice: price,
  openPrice: ofDay(price),
  highPrice: ofDay(price),
  lowPrice: ofDay(price),
  volume: ofDay(decimal),
  closeTime: timeMs,
})

const kline = z.tuple([timeMs, price, price, price, price, decimal, timeMs], z.unknown())

/** The response of `/api/v3/time`. @throws ExchangeError when it is none. */
export function parseServerTime(response: unknown): number {
  return parse(serverTime, response, 'a time').serverTime
}

/** A message of the combined stream, of one of these symbols. @throws ExchangeError when it is none. */
export function parseStreamMessage(text: string, symbols: ReadonlySet<string>): ExchangePrice {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new ExchangeError('the exchange sent a message that is no JSON')
  }
  const { stream, data } = parse(streamMessage, json, 'a message')
  if (stream !== streamName(data.s)) throw new ExchangeError('the exchange sent a symbol on the stream of another one')
  refuseUnknown(data.s, symbols)
  const figures = { openE18: data.o, highE18: data.h, lowE18: data.l, volume: data.v }
  return { symbol: data.s, priceE18: data.c, timeMs: data.E, day: dayOf(data.c, figures) }
}

/** The response of `/api/v3/ticker/24hr` for these symbols, each of them once. @throws ExchangeError when it is none. */
export function parseDayTickers(response: unknown, symbols: ReadonlySet<string>): ExchangePrice[] {
  const tickers = parse(z.array(dayTicker), response, 'the tickers').map((each) => {
    const { symbol, lastPrice: priceE18, closeTime: timeMs, volume } = each
    refuseUnknown(symbol, symbols)
    const figures = { openE18: each.openPrice, highE18: each.highPrice, lowE18: each.lowPrice, volume }
    return { symbol, priceE18, timeMs, day: dayOf(priceE18, figures) }
  })
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

function refuseUnknown(symbol: string, symbols: ReadonlySet<string>): void {
  if (!symbols.has(symbol)) throw new ExchangeError('the exchange reported a symbol that was not asked for')
}

type MaybeDay = { readonly [Key in keyof DayFigures]: DayFigures[Key] | undefined }

/** The figures of 24 hours; `undefined` where one is missing, or the price is beyond its own high or low. */
function dayOf(priceE18: bigint, { openE18, highE18, lowE18, volume }: MaybeDay): DayFigures | undefined {
  if (openE18 === undefined || highE18 === undefined || lowE18 === undefined || volume === undefined) return undefined
  return highE18 < priceE18 || lowE18 > priceE18 ? undefined : { openE18, highE18, lowE18, volume }
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
