import * as z from 'zod/mini'
import { alertNotice } from './alert.routes.ts'
import { blindBoxRoutes } from './blind-box.routes.ts'
import { optional } from './fields.ts'
import { historyRoutes } from './history.routes.ts'
import { marketRoutes } from './market.routes.ts'
import { notice } from './notice.routes.ts'
import { swapRoutes } from './swap.routes.ts'

/**
 * `GET /api/stream?channels=pairs,ticker:BNBUSDT,account`: server-sent events with the responses of the polled calls. It is
 * the only call without an envelope; a refusal before the stream starts has one.
 */
export const STREAM_PATH = '/stream'

/** More than a screen shows. The server looks up each one when a stream starts. */
const MAX_CHANNELS = 10

const CHANNEL = /^(pairs|roots|account|ticker:[A-Z0-9]{4,20})$/

export type TickerChannel = `ticker:${string}`
/** `pairs`, `roots` and `ticker:<symbol>` are public and need no token; `account` carries the changes of my account. */
export type PublicChannel = 'pairs' | 'roots' | TickerChannel
export type Channel = PublicChannel | 'account'

/** Query of a stream. A browser's `EventSource` sends the id in the header `Last-Event-ID`. */
export const streamQuery = z.object({
  channels: z.pipe(
    z.string('pairs, roots, ticker:<symbol>, account; separated by commas').check(z.maxLength(300)),
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
  /** The id of the last received event: the stream starts with the events after it. */
  last_event_id: optional(z.string().check(z.regex(/^\d{1,18}$/, 'not an id of an event'))),
})

/**
 * The events by name. Events with an id report ledger entries, and the id is the number of the last one. The others report
 * a state of which only the newest value counts.
 */
export const streamEvents = {
  /** The first event. On `account`, its id is the number of the ledger's last entry. */
  ready: z.object({ channels: z.array(z.string()) }),
  /** The response of `pairs`, on each change. */
  pairs: swapRoutes.pairs.response,
  /** The response of `boxRoots`, on each change: the published roots of the days of blind boxes. */
  roots: blindBoxRoutes.boxRoots.response,
  /** The response of `spotTicker`, on each change. */
  'ticker:<symbol>': marketRoutes.spotTicker.response,
  /** A ledger entry changed my balances: its lines, as `logs` returns them. If an order of mine moved, it is the reference. */
  entry: z.pick(historyRoutes.logs.response, { items: true }),
  /** A price alert of mine was delivered, as `alertNotices` returns it. It has no id and is not sent again: read the list after each `ready`. */
  alert: alertNotice,
  /** I got a notice, as `notices` lists it. It has no id and is not sent again: read the list after each `ready`. */
  notice,
  /** Too many changes to send one by one: read all account data again. */
  reset: z.object({}),
  /** This channel has no value now; its polled call returns the reason. The next value ends this state. */
  unavailable: z.object({ channel: z.string() }),
  /** The token is no longer valid; the stream ends. */
  signed_out: z.object({}),
} as const
