import { createHash, ECDH } from 'node:crypto'
import type { alertRoutes } from '@clearwell/api/alert.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { DEFAULT_PAGE, decodeCursor, decodeNumber, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import type { NoticeRowOf } from '../../platform/notices/notice.store.ts'
import type { Notices } from '../../platform/notices/notices.ts'
import type { AlertRow } from './alert.tables.ts'
import type { PushStore } from './push.store.ts'
import { isOfService } from './push-services.ts'
import { type SetAlertDependencies, setAlert } from './set-alert.ts'

/** The kind of a delivered alert's notice, whose key is the alert's id. */
const NOTICE = 'price_alert' as const
/** How many of a user's devices receive alerts. */
const MAX_DEVICES = 5

export interface AlertDependencies extends SetAlertDependencies {
  readonly pushStore: PushStore
  readonly notices: Notices
  /** Undefined where the operator has no keys: then devices receive nothing. */
  readonly publicKey: string | undefined
  readonly services: readonly string[]
}

export function alertHandlers(deps: AlertDependencies): HandlersOf<typeof alertRoutes> {
  const { store, pushStore, notices, clock } = deps
  return {
    async alerts({ symbol, status, cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await store.alerts(user.id, { symbol, status }, decodeCursor(cursor), limit + 1)
      return pageOf(rows, limit, alertItem, (row) => encodeCursor({ at: row.created_at, id: row.id }))
    },

    async setAlert({ symbol, direction, price }, { user, idempotencyKey: key }) {
      const priceE18 = parseUnits(price, 18)
      if (!priceE18) throw invalidField('price', 'must be above zero')
      return alertItem(await setAlert(deps, { userId: user.id, key, symbol, direction, priceE18 }))
    },

    async cancelAlert({ alert_id }, { user }) {
      await store.cancel(user.id, alert_id)
      const row = await store.alert(user.id, alert_id)
      if (!row) throw refusal('not_found')
      if (row.status !== 'cancelled') throw refusal('conflict', { reason: 'already_delivered' })
      return alertItem(row)
    },

    async alertNotices({ cursor, limit = DEFAULT_PAGE }, { user }) {
      const [rows, unread] = await Promise.all([
        notices.list(user.id, { kind: NOTICE, below: decodeNumber(cursor), limit: limit + 1 }),
        notices.countUnread(user.id, NOTICE),
      ])
      return { ...pageOf(rows, limit, deliveredItem, ({ id }) => id.toString()), unread }
    },

    async readAlerts({ alert_id }, { user }) {
      const choice = alert_id === undefined ? { kind: NOTICE } : { kind: NOTICE, key: alert_id }
      await notices.markRead(user.id, choice, clock.now())
      return { unread: await notices.countUnread(user.id, NOTICE) }
    },

    pushKey: () => ({ public_key: deps.publicKey ?? null }),

    async subscribePush({ endpoint, p256dh, auth }, { user, locale }) {
      if (deps.publicKey === undefined) throw refusal('conflict', { reason: 'no_push' })
      if (!isOfService(endpoint, deps.services)) throw invalidField('endpoint', 'not of a known push service')
      if (!isPoint(p256dh)) throw invalidField('p256dh', 'not a point of the curve P-256')
      const device = { id: deviceId(endpoint), endpoint, p256dh, auth, language: locale, sessionHash: user.tokenHash }
      await pushStore.subscribe(user.id, device, clock.now(), MAX_DEVICES)
      return { language: locale }
    },

    async unsubscribePush({ endpoint }, { user }) {
      await pushStore.unsubscribe(user.id, deviceId(endpoint))
      return {}
    },
  }
}

function alertItem(row: AlertRow): ResponseOf<'setAlert'> {
  return {
    alert_id: row.id,
    symbol: row.symbol,
    direction: row.direction,
    price: formatUnits(row.price_e18, 18),
    status: row.status,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    price_seen: row.seen_e18 === null ? null : formatUnits(row.seen_e18, 18),
  }
}

/** The notice of a delivered alert, as outside clients know it. */
export function deliveredItem({
  key,
  params,
  created_at,
  read_at,
}: NoticeRowOf<'price_alert'>): ResponseOf<'alertNotices'>['items'][number] {
  return { alert_id: key, ...params, delivered_at: created_at.toISOString(), read: read_at !== null }
}

function deviceId(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex')
}

/** Returns whether a key is an uncompressed point of the curve, so that messages can be encrypted for it. */
function isPoint(p256dh: string): boolean {
  const bytes = Buffer.from(p256dh, 'base64url')
  if (bytes.length !== 65 || bytes[0] !== 4) return false
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    return false
  }
}
