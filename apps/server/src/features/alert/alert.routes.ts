import { createHash, ECDH } from 'node:crypto'
import { parseUnits } from '@clearwell/money/decimal'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import type { Handlers } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import { alertItem, noticeItem } from './alert-item.ts'
import type { PushStore } from './push.store.ts'
import { isOfService } from './push-services.ts'
import { type SetAlertDependencies, setAlert } from './set-alert.ts'

/** Devices of a user that alerts are sent to. */
const MAX_DEVICES = 5

export interface AlertDependencies extends SetAlertDependencies {
  readonly pushStore: PushStore
  /** `undefined` where the operator has no keys: then nothing is sent to devices. */
  readonly publicKey: string | undefined
  readonly services: readonly string[]
}

export function alertHandlers(
  deps: AlertDependencies,
): Handlers<
  | 'alerts'
  | 'setAlert'
  | 'cancelAlert'
  | 'alertNotices'
  | 'readAlerts'
  | 'pushKey'
  | 'subscribePush'
  | 'unsubscribePush'
> {
  const { store, pushStore, clock } = deps
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
        store.notices(user.id, decodeNotice(cursor), limit + 1),
        store.unread(user.id),
      ])
      return { ...pageOf(rows, limit, noticeItem, (row) => row.notice.toString()), unread }
    },

    async readAlerts({ alert_id }, { user }) {
      await store.markRead(user.id, alert_id, clock.now())
      return { unread: await store.unread(user.id) }
    },

    pushKey: () => ({ public_key: deps.publicKey ?? null }),

    async subscribePush({ endpoint, p256dh, auth }, { user, locale }) {
      if (deps.publicKey === undefined) throw refusal('conflict', { reason: 'no_push' })
      if (!isOfService(endpoint, deps.services)) throw invalidField('endpoint', 'not of a known push service')
      if (!isPoint(p256dh)) throw invalidField('p256dh', 'no point of the curve P-256')
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

function decodeNotice(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,18}$/.test(text)) throw invalidField('cursor', 'not a cursor of this list')
  return BigInt(text)
}

function deviceId(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex')
}

/** Whether something can be encrypted for it: an uncompressed point of the curve. */
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
