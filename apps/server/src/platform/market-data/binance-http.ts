import type { Clock } from '../time/clock.ts'

/** Source: the exchange's documentation, where an answer of 429 or 418 without a time should not occur. */
const DEFAULT_PAUSE_MS = 60_000
const MAX_PAUSE_MS = 3 * 24 * 3_600_000
const MINUTE_MS = 60_000
const MAX_ANSWER_BYTES = 4 * 1024 * 1024
/** What charts may use of the weight, so that however many are looked at, the price still comes. */
const CHART_SHARE = 2

/** The exchange did not answer, not usefully, or may not be asked now. Its message holds nothing that was received. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
}

export interface HttpRules {
  /** The weight of all requests in a minute that this server stays under; the exchange's own limit is higher. */
  readonly maxWeightPerMinute: number
  readonly timeoutMs: number
  /** The wait after a first failure; it doubles with each that follows, up to the most. */
  readonly backoffMs: number
  readonly maxBackoffMs: number
}

export interface Question {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** What the exchange counts it as. */
  readonly weight: number
  /** For a chart, which waits where the price would not. */
  readonly isChart?: boolean
}

export interface BinanceHttp {
  /** @throws ExchangeError */
  ask(question: Question): Promise<unknown>
  /** How long the exchange has told this server to stay away; 0 where it has not. */
  pauseLeftMs(): number
  /** Ends what is under way. */
  stop(): void
}

/**
 * Asks the exchange by its rules: nothing before the time that a 429 or 418 names, no more weight in a minute than is
 * allowed (its own count in `X-MBX-USED-WEIGHT-1M`, to which what is still under way is added), and after a failure of any
 * other kind a pause that doubles and is never the same for two servers.
 */
export function createBinanceHttp({
  url,
  clock,
  random,
  rules,
}: {
  url: string
  clock: Clock
  /** From 0 to 1. */
  random: () => number
  rules: HttpRules
}): BinanceHttp {
  const stopped = new AbortController()
  /** Since when the exchange wants to be left alone until when: at its word, or after failures. */
  let pausedUntilMs = 0
  let backedOffUntilMs = 0
  let failures = 0
  let minute = 0
  let usedWeight = 0

  function take(weight: number, isChart: boolean): void {
    const nowMs = clock.now().getTime()
    const waitMs = Math.max(pausedUntilMs, backedOffUntilMs) - nowMs
    if (waitMs > 0) throw new ExchangeError(`the exchange is not asked again for another ${Math.ceil(waitMs / 1000)} s`)
    if (minute !== Math.floor(nowMs / MINUTE_MS)) {
      minute = Math.floor(nowMs / MINUTE_MS)
      usedWeight = 0
    }
    const most = isChart ? rules.maxWeightPerMinute / CHART_SHARE : rules.maxWeightPerMinute
    if (usedWeight + weight > most) throw new ExchangeError('the weight of this minute is used up')
    usedWeight += weight
  }

  function backOff(): void {
    const waitMs = Math.min(rules.maxBackoffMs, rules.backoffMs * 2 ** failures)
    failures = Math.min(failures + 1, 30)
    // From half of it to all of it: servers that failed together do not come back together.
    backedOffUntilMs = clock.now().getTime() + waitMs * (0.5 + random() / 2)
  }

  function heed(response: Response): void {
    const told = Number(response.headers.get('x-mbx-used-weight-1m') ?? Number.NaN)
    // Never less than what was counted here: requests under way are not in it yet.
    if (told >= 0) usedWeight = Math.max(usedWeight, told)
    if (![403, 418, 429].includes(response.status)) return
    const pauseMs = Number(response.headers.get('retry-after') || Number.NaN) * 1_000
    const heeded = pauseMs >= 0 ? Math.min(Math.max(pauseMs, 1_000), MAX_PAUSE_MS) : DEFAULT_PAUSE_MS
    pausedUntilMs = Math.max(pausedUntilMs, clock.now().getTime() + heeded)
  }

  return {
    async ask({ path, query = {}, weight, isChart = false }) {
      take(weight, isChart)
      try {
        const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, {
          headers: { accept: 'application/json' },
          signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(rules.timeoutMs)]),
          redirect: 'error',
        })
        heed(response)
        const text = await textOf(response)
        // A question that it does not understand says nothing of how it is.
        const isRefused = response.status >= 400 && response.status < 500
        if (!response.ok && !isRefused) throw new ExchangeError(`the exchange answered HTTP ${response.status}`)
        failures = 0
        if (isRefused) throw new RefusedQuestion(`the exchange answered HTTP ${response.status} to ${path}`)
        return JSON.parse(text)
      } catch (error) {
        if (error instanceof RefusedQuestion || stopped.signal.aborted)
          throw new ExchangeError((error as Error).message)
        backOff()
        throw error instanceof ExchangeError ? error : new ExchangeError(reasonOf(error, path))
      }
    },
    pauseLeftMs: () => Math.max(0, pausedUntilMs - clock.now().getTime()),
    stop: () => stopped.abort(),
  }
}

class RefusedQuestion extends Error {}

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
    if (bytes > MAX_ANSWER_BYTES) throw new ExchangeError('the exchange answered more than is read')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
