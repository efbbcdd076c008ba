import type { Clock } from '../time/clock.ts'
import { type BinanceHttp, ExchangeError } from './binance-http.ts'
import { parseServerTime } from './binance-messages.ts'

/** How far ahead of the exchange's clock a time may be: what remains of two clocks once their difference is known. */
const MAX_AHEAD_MS = 2_000
/** From this difference on, the operator is notified. Prices are still correct: their times are adjusted. */
const REPORTED_SKEW_MS = 1_000
/** Beyond this difference one of the clocks is wrong, and it is unknown which. */
export const MAX_SKEW_MS = 10_000
/** A slower response says too little about the time. */
const MAX_RESPONSE_MS = 2_000

/**
 * The exchange's clock, as a difference from this server's. Until the difference is known it counts as zero. That is safe:
 * a wrong difference only makes a price look older, or of the future, which is rejected.
 */
export class ExchangeClock {
  readonly #name: string
  readonly #clock: Clock
  readonly #syncMs: number
  readonly #onFault: (kind: string, error: unknown) => void
  /** How far the exchange's clock is ahead of this server's. */
  #skewMs = 0
  #nextSyncMs = 0

  constructor({
    name,
    clock,
    syncMs,
    onFault,
  }: {
    name: string
    clock: Clock
    syncMs: number
    onFault: (kind: string, error: unknown) => void
  }) {
    this.#name = name
    this.#clock = clock
    this.#syncMs = syncMs
    this.#onFault = onFault
  }

  /** True if the clocks are close enough for prices to count. */
  get isTogether(): boolean {
    return Math.abs(this.#skewMs) <= MAX_SKEW_MS
  }

  /** No time of the exchange may be later than this, by its own clock. */
  get latestMs(): number {
    return this.#clock.now().getTime() + this.#skewMs + MAX_AHEAD_MS
  }

  /** A time of the exchange by this server's clock, never in the future. */
  localTime(exchangeMs: number): Date {
    return new Date(Math.min(exchangeMs - this.#skewMs, this.#clock.now().getTime()))
  }

  /** Has the next look compare the clocks: this server's may have been moved. */
  doubt(): void {
    this.#nextSyncMs = 0
  }

  /** Compares the clocks where it is due. @throws ExchangeError */
  async sync(http: Pick<BinanceHttp, 'ask'>): Promise<void> {
    const askedMs = this.#clock.now().getTime()
    if (askedMs < this.#nextSyncMs) return
    const exchangeMs = parseServerTime(await http.ask({ path: '/api/v3/time', weight: 1 }))
    const respondedMs = this.#clock.now().getTime()
    if (respondedMs - askedMs > MAX_RESPONSE_MS)
      throw new ExchangeError(`${this.#name} took too long to answer with its time`)
    this.#skewMs = exchangeMs - Math.round((askedMs + respondedMs) / 2)
    this.#nextSyncMs = respondedMs + this.#syncMs
    if (Math.abs(this.#skewMs) >= REPORTED_SKEW_MS) this.#report()
  }

  #report(): void {
    const effect = this.isTogether ? '' : '; none of its prices counts until they agree'
    const skew = `this server's clock is ${this.#skewMs} ms behind that of ${this.#name}`
    this.#onFault(`the clock of ${this.#name}`, new Error(`${skew}${effect}`))
  }
}
