import * as z from 'zod/mini'
import { LOCALES } from './codes.ts'
import { amountText, decimalText, id, listOf, nothing, optional, page, timeText } from './fields.ts'
import type { Route } from './route.ts'

const symbol = z.string().check(z.regex(/^[A-Z0-9]{4,20}$/, 'not a symbol'))
const direction = z.enum(['above', 'below'])

const status = z.enum(['waiting', 'delivered', 'cancelled'])

const alert = z.object({
  alert_id: z.string(),
  symbol: z.string(),
  /** `above`: delivered when the price is at `price` or over it; `below`: at it or under it. */
  direction,
  price: decimalText,
  status,
  created_at: timeText,
  /** Time and price at which the alert was reached; null until then. */
  delivered_at: z.nullable(timeText),
  price_seen: z.nullable(decimalText),
})

/** A delivered alert. The stream sends it to its owner under the name `alert`. */
export const alertNotice = z.object({
  alert_id: z.string(),
  symbol: z.string(),
  direction,
  price: decimalText,
  price_seen: decimalText,
  delivered_at: timeText,
  read: z.boolean(),
})

/** A push service's address for one device, issued by a browser. The server calls only configured services. */
const endpoint = z.string().check(z.maxLength(2_000), z.regex(/^https?:\/\/[\x21-\x7e]+$/, 'not an address'))
const base64Url = (pattern: RegExp, what: string) => z.string().check(z.regex(pattern, what))

/** Price alerts: delivered once, in the app and by Web Push, when a market's price reaches the alert's. */
export const alertRoutes = {
  alerts: {
    method: 'POST',
    path: '/Alert/list',
    session: 'required',
    idempotent: false,
    summary: 'Lists the user’s price alerts, in every state.',
    payload: z.object({ symbol: optional(symbol), status: optional(status), ...page }),
    response: listOf(alert),
    refusals: [],
  },
  setAlert: {
    method: 'POST',
    path: '/Alert/set',
    worksFrozen: true,
    session: 'required',
    idempotent: true,
    isHarmless: true,
    summary: 'Sets an alert on a market. If the same alert is already waiting, returns that one.',
    payload: z.object({ symbol, direction, price: amountText }),
    response: alert,
    refusals: ['not_found', 'price_out_of_date', 'amount_out_of_range', 'conflict'],
  },
  cancelAlert: {
    method: 'POST',
    path: '/Alert/cancel',
    worksFrozen: true,
    session: 'required',
    idempotent: true,
    isHarmless: true,
    summary: 'Cancels a waiting alert. A delivered one cannot be cancelled.',
    payload: z.object({ alert_id: id }),
    response: alert,
    refusals: ['not_found', 'conflict'],
  },
  alertNotices: {
    method: 'POST',
    path: '/Alert/notices',
    session: 'required',
    idempotent: false,
    summary: 'Lists the user’s delivered alerts, with the count of unread ones. They are notices too: see `notices`.',
    payload: z.object(page),
    response: z.extend(listOf(alertNotice), { unread: z.int() }),
    refusals: [],
  },
  readAlerts: {
    method: 'POST',
    path: '/Alert/read',
    session: 'required',
    idempotent: false,
    writes: true,
    summary: 'Marks a delivered alert as read, or all of them if none is named.',
    payload: z.object({ alert_id: optional(id) }),
    response: z.object({ unread: z.int() }),
    refusals: [],
  },
  pushKey: {
    method: 'POST',
    path: '/Alert/pushKey',
    session: 'none',
    idempotent: false,
    summary: 'The key that a browser subscribes to Web Push with; null if the operator has none.',
    payload: nothing,
    response: z.object({ public_key: z.nullable(z.string()) }),
    refusals: [],
  },
  subscribePush: {
    method: 'POST',
    path: '/Alert/subscribe',
    session: 'required',
    idempotent: false,
    writes: true,
    summary:
      'Sends my alerts to this device, in the language of the call, until it signs out. At most five devices: the newest.',
    payload: z.object({
      endpoint,
      p256dh: base64Url(/^[\w-]{87}=?$/, 'not 65 bytes in base64url'),
      auth: base64Url(/^[\w-]{22}={0,2}$/, 'not 16 bytes in base64url'),
    }),
    response: z.object({ language: z.enum(LOCALES) }),
    refusals: ['conflict'],
  },
  unsubscribePush: {
    method: 'POST',
    path: '/Alert/unsubscribe',
    session: 'required',
    idempotent: false,
    writes: true,
    summary: 'Stops sending alerts to this device.',
    payload: z.object({ endpoint }),
    response: nothing,
    refusals: [],
  },
} as const satisfies Record<string, Route>
