import type { Answer } from '@clearwell/api/routes'
import type { AnyHandler } from '../http/create-app.ts'
import { PreparedAnswer } from '../http/prepared-answer.ts'
import type { Clock } from '../time/clock.ts'

/** How old a ticker from memory may be: a sixth of what lies between two polls. */
const TICKER_MAX_AGE_MS = 250

/** What everyone asks for, polled or streamed: made once per change, served from memory as the same bytes to all. */
export interface PublicAnswers {
  pairs(): Promise<PreparedAnswer>
  /** Refused as the call is; what is refused is not kept, so an unknown symbol costs no memory. */
  ticker(symbol: string | undefined): Promise<PreparedAnswer>
  /** A price was set or the time was moved by hand: whoever asks next sees it. */
  invalidate(): void
}

/** @param pairs answers the same object for as long as nothing has changed. */
export function createPublicAnswers({
  pairs,
  ticker,
  clock,
}: {
  pairs: () => Promise<Answer<'pairs'>>
  ticker: (symbol: string | undefined) => Promise<Answer<'spotTicker'>>
  clock: Clock
}): PublicAnswers {
  let lastPairs: { data: Answer<'pairs'>; answer: PreparedAnswer } | undefined
  const tickers = new Map<string | undefined, { answer: Promise<PreparedAnswer>; atMs: number }>()
  return {
    async pairs() {
      const data = await pairs()
      if (lastPairs?.data !== data) {
        const answer = new PreparedAnswer(data)
        lastPairs = { data, answer: lastPairs?.answer.json === answer.json ? lastPairs.answer : answer }
      }
      return lastPairs.answer
    },
    ticker(symbol) {
      const nowMs = clock.now().getTime()
      const kept = tickers.get(symbol)
      // Also where the clock went back: a time to come is no age.
      if (kept && Math.abs(nowMs - kept.atMs) < TICKER_MAX_AGE_MS) return kept.answer
      const entry = { answer: ticker(symbol).then((data) => new PreparedAnswer(data)), atMs: nowMs }
      tickers.set(symbol, entry)
      entry.answer.catch(() => {
        if (tickers.get(symbol) === entry) tickers.delete(symbol)
      })
      return entry.answer
    },
    invalidate() {
      tickers.clear()
    },
  }
}

/** The calls as they are answered from memory. */
export function publicHandlers(answers: PublicAnswers): Record<'pairs' | 'spotTicker', AnyHandler> {
  return {
    pairs: () => answers.pairs(),
    spotTicker: ({ symbol }: { symbol?: string }) => answers.ticker(symbol),
  }
}
