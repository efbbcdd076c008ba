import type { Locale } from '@clearwell/api/codes'
import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database, Queryable } from '@clearwell/ledger/database'
import type { Direction } from './alert.tables.ts'

/** A device, and the session that subscribed it. */
export interface Subscription {
  readonly id: string
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly language: Locale
  readonly sessionHash: string
}

/** One alert, or another notice, for one device. */
export type PushRow = PushAddress & (AlertPush | NoticePush)

interface AlertPush {
  body: null
  symbol: string
  direction: Direction
  price_e18: bigint
}

interface NoticePush {
  /** The message, without the device's language. */
  body: Readonly<Record<string, string | number>>
}

interface PushAddress {
  /** The id of the alert, or n and the number of the notice. */
  alert_id: string
  subscription_id: string
  /** The attempt in progress included. */
  attempts: number
  delivered_at: Date
  endpoint: string
  p256dh: string
  auth: string
  language: Locale
}

/** The only SQL on devices and on the alerts queued for them. */
export function createPushStore(db: Database) {
  return {
    /** Makes the device this user's, also when it was another's. Of more than `keep` devices the oldest are deleted. */
    subscribe: (userId: string, device: Subscription, at: Date, keep: number) =>
      db.transaction(async (tx) => {
        await tx.query('select 1 from users where id = $1 for no key update', [userId])
        // Together with its queue, which was the previous user's.
        await tx.query('delete from push_subscriptions where id = $1 and user_id <> $2', [device.id, userId])
        await tx.query(
          `insert into push_subscriptions (id, endpoint, user_id, session_hash, p256dh, auth, language, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (id) do update set session_hash = excluded.session_hash, p256dh = excluded.p256dh,
             auth = excluded.auth, language = excluded.language, created_at = excluded.created_at
           where push_subscriptions.user_id = excluded.user_id`,
          [device.id, device.endpoint, userId, device.sessionHash, device.p256dh, device.auth, device.language, at],
        )
        await tx.query(
          `delete from push_subscriptions where user_id = $1 and id in (
             select id from push_subscriptions where user_id = $1 order by created_at desc, id desc offset $2
           )`,
          [userId, keep],
        )
      }),
    async unsubscribe(userId: string, id: string): Promise<void> {
      await db.query('delete from push_subscriptions where id = $1 and user_id = $2', [id, userId])
    },

    queue: queuePushes,
    take: (at: Date, limit: number, leaseMs: number) => takeDue(db, at, limit, leaseMs),
    async done(push: PushRow): Promise<void> {
      await db.query('delete from alert_pushes where alert_id = $1 and subscription_id = $2', [
        push.alert_id,
        push.subscription_id,
      ])
    },
    async again(push: PushRow, at: Date): Promise<void> {
      await db.query('update alert_pushes set due_at = $3 where alert_id = $1 and subscription_id = $2', [
        push.alert_id,
        push.subscription_id,
        at,
      ])
    },
    /** Deletes a device that its service no longer knows. */
    async forget(subscriptionId: string): Promise<void> {
      await db.query('delete from push_subscriptions where id = $1', [subscriptionId])
    },
  }
}

export type PushStore = ReturnType<typeof createPushStore>

/** Queues delivered alerts for every device of their owners, in the transaction of the delivery. */
async function queuePushes(tx: Queryable, alertIds: readonly string[], at: Date): Promise<void> {
  await tx.query(
    `insert into alert_pushes (alert_id, subscription_id, due_at)
     select alert.id, device.id, $2
     from unnest($1::text[]) as delivered (id) join alerts alert on alert.id = delivered.id
     join push_subscriptions device on device.user_id = alert.user_id`,
    [arrayLiteral(alertIds), at],
  )
}

/**
 * Takes what is due, at most `limit`, for as long as `leaseMs`: then it is due again, in case the server that took it is
 * gone. What another server takes at the same moment is left to it. A device whose session signed out gets nothing.
 */
function takeDue(db: Database, at: Date, limit: number, leaseMs: number): Promise<PushRow[]> {
  return db.query<PushRow>(
    `with due as (
           select alert_id, subscription_id from alert_pushes where due_at <= $1
           order by due_at limit $2 for update skip locked
         ), gone as (
           delete from push_subscriptions device using due, sessions session
           where device.id = due.subscription_id and session.token_hash = device.session_hash
             and session.revoked_at is not null
           returning device.id
         ), taken as (
           update alert_pushes push set attempts = attempts + 1, due_at = $3
           from due where push.alert_id = due.alert_id and push.subscription_id = due.subscription_id
             and due.subscription_id not in (select id from gone)
           returning push.alert_id, push.subscription_id, push.attempts, push.body, push.created_at
         )
         select taken.alert_id, taken.subscription_id, taken.attempts, taken.body,
           coalesce(taken.created_at, alert.delivered_at) as delivered_at, alert.symbol, alert.direction, alert.price_e18,
           device.endpoint, device.p256dh, device.auth, device.language
         from taken left join alerts alert on alert.id = taken.alert_id
         join push_subscriptions device on device.id = taken.subscription_id`,
    [at, limit, new Date(at.getTime() + leaseMs)],
  )
}
