import { MINUTE_MS } from '@clearwell/rules/spans'
import { Backoff, type BackoffRules } from '../time/backoff.ts'
import type { Clock } from '../time/clock.ts'

/** For a 429 or 418 that names no time. By the exchange's documentation there is none. */
const DEFAULT_PAUSE_MS = 60_000
const MAX_PAUSE_MS = 3 * 24 * 3_600_000
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024
/** Charts get one part in so many of the weight, so that many charts cannot keep prices away. */
const CHART_SHARE = 2

/** The exchange gave no useful response, or may not be asked now. The message omits the response. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
}

export interface HttpRules extends BackoffRules {
  /** The weight of all requests in a minute that this server stays under; the exchange's own limit is higher. */
  readonly maxWeightPerMinute: number
  readonly timeoutMs: number
}

export interface Question {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** The weight that the exchange counts for it. */
  readonly weight: number
  /** Of a chart: it queues, where a request for a price fails immediately. */
  readonly isChart?: boolean
}

export interface BinanceHttp {
  /** @throws ExchangeError */
  ask(question: Question): Promise<unknown>
  /** How long the exchange still wants to be left alone; 0 where it does not. */
  pauseLeftMs(): number
  /** Ends all requests in progress. */
  stop(): void
}

/**
 * Asks the exchange by its rules: nothing before the time that a 429 or 418 names, no more weight in a minute than is
 * allowed, and after any other failure a pause that doubles.
 *
 * @param options.random from 0 to 1.
 */
export function createBinanceHttp({
  url,
  clock,
  random,
  rules,
}: {
  url: string
  clock: Clock
  random: () => number
  rules: HttpRules
}): BinanceHttp {
  const stopped = new AbortController()
  const budget = new RequestBudget(rules, clock, random)
  return {
    async ask({ path, query = {}, weight, isChart = false }) {
      budget.spend(weight, isChart)
      try {
        const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, {
          headers: { accept: 'application/json' },
          signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(rules.timeoutMs)]),
          redirect: 'error',
        })
        budget.heed(response)
        const text = await textOf(response)
        // A question that the exchange rejects is no sign of its health.
        const isRejected = response.status >= 400 && response.status < 500
        if (!response.ok && !isRejected) throw new ExchangeError(`the exchange answered HTTP ${response.status}`)
        budget.noteSuccess()
        if (isRejected) throw new RejectedQuestion(`the exchange answered HTTP ${response.status} to ${path}`)
        return JSON.parse(text)
      } catch (error) {
        if (error instanceof RejectedQuestion || stopped.signal.aborted)
          throw new ExchangeError((error as Error).message)
        budget.noteFailure()
        throw error instanceof ExchangeError ? error : new ExchangeError(reasonOf(error, path))
      }
    },
    pauseLeftMs: () => budget.pauseLeftMs(),
    stop: () => stopped.abort(),
  }
}

/** When the exchange may be asked, and with how much weight. */
class RequestBudget {
  readonly #rules: HttpRules
  readonly #clock: Clock
  readonly #backoff: Backoff
  /** The exchange wants to be left alone until then. */
  #pausedUntilMs = 0
  #backedOffUntilMs = 0
  #minute = 0
  #usedWeight = 0

  constructor(rules: HttpRules, clock: Clock, random: () => number) {
    this.#rules = rules
    this.#clock = clock
    this.#backoff = new Backoff(rules, random)
  }

  /** @throws ExchangeError where the exchange may not be asked now. */
  spend(weight: number, isChart: boolean): void {
    const nowMs = this.#nowMs()
    const waitMs = Math.max(this.#pausedUntilMs, this.#backedOffUntilMs) - nowMs
    if (waitMs > 0) throw new ExchangeError(`the exchange is not asked again for another ${Math.ceil(waitMs / 1000)} s`)
    if (this.#minute !== Math.floor(nowMs / MINUTE_MS)) {
      this.#minute = Math.floor(nowMs / MINUTE_MS)
      this.#usedWeight = 0
    }
    const { maxWeightPerMinute } = this.#rules
    const most = isChart ? maxWeightPerMinute / CHART_SHARE : maxWeightPerMinute
    if (this.#usedWeight + weight > most) throw new ExchangeError('the weight of this minute is used up')
    this.#usedWeight += weight
  }

  /** Follows the exchange's own count of weight, and its wish to be left alone. */
  heed(response: Response): void {
    const counted = Number(response.headers.get('x-mbx-used-weight-1m') ?? Number.NaN)
    // Never less than the count here, which includes requests in progress.
    if (counted >= 0) this.#usedWeight = Math.max(this.#usedWeight, counted)
    if (![403, 418, 429].includes(response.status)) return
    const pauseMs = Number(response.headers.get('retry-after') || Number.NaN) * 1_000
    const heededMs = pauseMs >= 0 ? Math.min(Math.max(pauseMs, 1_000), MAX_PAUSE_MS) : DEFAULT_PAUSE_MS
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#nowMs() + heededMs)
  }

  noteSuccess(): void {
    this.#backoff.reset()
  }

  noteFailure(): void {
    this.#backedOffUntilMs = this.#nowMs() + this.#backoff.nextMs()
  }

  pauseLeftMs(): number {
    return Math.max(0, this.#pausedUntilMs - this.#nowMs())
  }

  #nowMs(): number {
    return this.#clock.now().getTime()
  }
}

class RejectedQuestion extends Error {}

function reasonOf(error: unknown, path: string): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } }
  if (name === 'TimeoutError') return `the exchange did not answer ${path} in time`
  if (name === 'SyntaxError') return `the exchange answered ${path} with something that is no JSON`
  return `the exchange could not be asked ${path} (${typeof cause?.code === 'string' ? cause.code : 'no connection'})`
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_RESPONSE_BYTES) throw new ExchangeError('the exchange answered more than is read')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
