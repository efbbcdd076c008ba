import * as z from 'zod/mini'
import { alertNotice } from './alert.routes.ts'
import { optional } from './fields.ts'
import { historyRoutes } from './history.routes.ts'
import { marketRoutes } from './market.routes.ts'
import { notice } from './notice.routes.ts'
import { swapRoutes } from './swap.routes.ts'

/**
 * `GET /api/stream?channels=pairs,ticker:BNBUSDT,account`: server-sent events with what the polled calls answer. It is
 * the one call that answers no envelope; a refusal before it begins is one.
 */
export const STREAM_PATH = '/stream'

/** More than a screen shows; each is looked up when a stream begins. */
const MAX_CHANNELS = 10

const CHANNEL = /^(pairs|account|ticker:[A-Z0-9]{4,20})$/

export type TickerChannel = `ticker:${string}`
/** `pairs` and `ticker:<symbol>` are everyone's and need no token; `account` is what becomes of mine. */
export type PublicChannel = 'pairs' | TickerChannel
export type Channel = PublicChannel | 'account'

/** What a stream is asked for with. A browser's own `EventSource` sends the id in the header `Last-Event-ID`. */
export const streamQuery = z.object({
  channels: z.pipe(
    z.string('pairs, ticker:<symbol>, account; separated by commas').check(z.maxLength(300)),
    z.transform((text, context) => {
      const names = [...new Set(text.split(','))]
      const unknown = names.find((name) => !CHANNEL.test(name))
      if (unknown !== undefined || names.length > MAX_CHANNELS) {
        const message = unknown === undefined ? `at most ${MAX_CHANNELS}` : `no channel: ${unknown.slice(0, 40)}`
        context.issues.push({ code: 'custom', message, input: text })
      }
      return names as Channel[]
    }),
  ),
  /** The id of the last event that was received: what happened since is sent first. */
  last_event_id: optional(z.string().check(z.regex(/^\d{1,18}$/, 'not an id of an event'))),
})

/**
 * The events by their names. Those with an id are the ledger's, and the id is the number of the last entry that they
 * tell of; the others are of a state whose newest value alone counts.
 */
export const streamEvents = {
  /** The first event. Its id, with `account`, is where the ledger stands. */
  ready: z.object({ channels: z.array(z.string()) }),
  /** The answer of `pairs`, whenever it changes. */
  pairs: swapRoutes.pairs.answer,
  /** The answer of `spotTicker`, whenever it changes. */
  'ticker:<symbol>': marketRoutes.spotTicker.answer,
  /** An entry of the ledger touched my balances: its lines, as `logs` answers them. An order of mine that moved is its reference. */
  entry: z.pick(historyRoutes.logs.answer, { items: true }),
  /** A price alert of mine was delivered, as `alertNotices` answers it. It has no id and is not told again: ask for the notices after each `ready`. */
  alert: alertNotice,
  /** I got a notice, as `notices` lists it. It has no id and is not sent again: read the list after each `ready`. */
  notice,
  /** More happened than is told one by one: ask for everything of yours again. */
  reset: z.object({}),
  /** This channel has no value to tell now; asking says why. It goes on with its next value. */
  unavailable: z.object({ channel: z.string() }),
  /** The token is no longer good; the stream ends. */
  signed_out: z.object({}),
} as const
