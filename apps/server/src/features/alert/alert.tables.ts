import type { Locale } from '@clearwell/api/codes'
import { column, daysAfter, defineTable, type RowOf, until } from '@clearwell/ledger/table'

export type Direction = 'above' | 'below'

export const alerts = defineTable(
  'alerts',
  daysAfter('the alert was delivered or cancelled', {
    days: 'retention.alertsDays',
    condition: `status <> 'waiting' and coalesce(delivered_at, created_at) < $1
        and not exists (select from alert_pushes where alert_id = alerts.id)`,
  }),
  {
    id: column.text,
    user_id: column.erasableUser('goes'),
    symbol: column.text,
    direction: column.textOf<Direction>(),
    price_e18: column.units,
    status: column.oneOf(['waiting', 'delivered', 'cancelled']),
    idempotency_key: column.optional(column.text),
    created_at: column.time,
    delivered_at: column.optional(column.time),
    seen_e18: column.optional(column.units),
  },
)
export type AlertRow = RowOf<typeof alerts>

export const pushSubscriptions = defineTable(
  'push_subscriptions',
  daysAfter('its session signed out: at most five for each user', {
    days: 1,
    condition: 'exists (select from sessions where token_hash = session_hash and revoked_at < $1)',
  }),
  {
    id: column.text,
    endpoint: column.text,
    user_id: column.erasableUser('goes'),
    session_hash: column.withheld(column.text),
    p256dh: column.withheld(column.text),
    auth: column.withheld(column.text),
    language: column.textOf<Locale>(),
    created_at: column.time,
  },
)

export const alertPushes = defineTable(
  'alert_pushes',
  until('the push service has the alert or the notice, or the server has given up'),
  {
    alert_id: column.text,
    subscription_id: column.text,
    attempts: column.integer,
    due_at: column.time,
    body: column.optional(column.json<Readonly<Record<string, string | number>>>()),
    created_at: column.optional(column.time),
  },
)
