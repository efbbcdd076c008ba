import type { Database, Queryable } from '@clearwell/ledger/database'
import { type Cursor, olderThan } from '../../platform/http/paging.ts'

export type Direction = 'above' | 'below'

export interface AlertRow {
  id: string
  symbol: string
  direction: Direction
  price_e18: bigint
  status: 'waiting' | 'delivered' | 'cancelled'
  created_at: Date
  delivered_at: Date | null
  seen_e18: bigint | null
}

/** A delivered alert. */
export interface NoticeRow {
  id: string
  user_id: string
  symbol: string
  direction: Direction
  price_e18: bigint
  /** Its number: deliveries are numbered in the order in which they were made. */
  notice: bigint
  delivered_at: Date
  seen_e18: bigint
  read_at: Date | null
}

/** What a price reaches: alerts of a symbol and direction from one price to another, both included. */
export interface ReachedRange {
  readonly symbol: string
  readonly direction: Direction
  readonly fromE18: bigint
  readonly toE18: bigint
  readonly priceE18: bigint
}

const ALERT = 'id, symbol, direction, price_e18, status, created_at, delivered_at, seen_e18'
const NOTICE = 'id, user_id, symbol, direction, price_e18, notice, delivered_at, seen_e18, read_at'

/** The only SQL on alerts. Whatever is a user's has the user in its `where`. */
export function createAlertStore(db: Database) {
  return {
    alerts: (
      userId: string,
      filter: { symbol: string | undefined; status: AlertRow['status'] | undefined },
      after: Cursor | undefined,
      limit: number,
    ) =>
      db.query<AlertRow>(
        `select ${ALERT} from alerts
         where user_id = $1 and ($2::text is null or symbol = $2) and ($3::text is null or status = $3)
           and ${olderThan('$4', '$5')}
         order by created_at desc, id desc limit $6`,
        [userId, filter.symbol ?? null, filter.status ?? null, after?.at ?? null, after?.id ?? null, limit],
      ),
    alert: async (userId: string, id: string) =>
      (await db.query<AlertRow>(`select ${ALERT} from alerts where id = $1 and user_id = $2`, [id, userId]))[0],

    /** Runs `work` while no other of the same user runs, on whichever server. */
    inTurn: <Result>(userId: string, work: (mine: ReturnType<typeof mineIn>) => Promise<Result>) =>
      db.transaction(async (tx) => {
        await tx.query('select 1 from users where id = $1 for update', [userId])
        return work(mineIn(tx, userId))
      }),

    /** Answers whether it waited, and so is cancelled now. */
    async cancel(userId: string, id: string): Promise<boolean> {
      const rows = await db.query(
        `update alerts set status = 'cancelled' where id = $1 and user_id = $2 and status = 'waiting' returning id`,
        [id, userId],
      )
      return rows.length === 1
    },

    notices: (userId: string, below: bigint | undefined, limit: number) =>
      db.query<NoticeRow>(
        `select ${NOTICE} from alerts
         where user_id = $1 and status = 'delivered' and ($2::bigint is null or notice < $2)
         order by notice desc limit $3`,
        [userId, below?.toString() ?? null, limit],
      ),
    async unread(userId: string): Promise<number> {
      const [row] = await db.query<{ unread: number }>(
        `select count(*)::integer as unread from alerts
         where user_id = $1 and status = 'delivered' and read_at is null`,
        [userId],
      )
      return row?.unread ?? 0
    },
    async markRead(userId: string, id: string | undefined, at: Date): Promise<void> {
      await db.query(
        `update alerts set read_at = $3
         where user_id = $1 and status = 'delivered' and read_at is null and ($2::text is null or id = $2)`,
        [userId, id ?? null, at],
      )
    },

    /**
     * Delivers what prices have reached, at most `limit` of it, and where `isPushed` has it sent to its owners' devices.
     * What another server delivers at the same moment is left to it. Answers how many there were.
     */
    async deliver(ranges: readonly ReachedRange[], at: Date, limit: number, isPushed: boolean): Promise<number> {
      const [row] = await db.query<{ delivered: number }>(
        `with due as (
           select alert.id, range.seen_e18
           from unnest($1::text[], $2::text[], $3::numeric[], $4::numeric[], $5::numeric[])
             as range (symbol, direction, from_e18, to_e18, seen_e18)
           join alerts alert on alert.status = 'waiting' and alert.symbol = range.symbol
             and alert.direction = range.direction and alert.price_e18 between range.from_e18 and range.to_e18
           limit $7 for update of alert skip locked
         ), last as (
           update last_alert_notice set notice = notice + (select count(*) from due)
           where exists (select from due) returning notice
         ), delivered as (
           update alerts set status = 'delivered', notice = last.notice - numbered.back, delivered_at = $6,
             seen_e18 = numbered.seen_e18
           from (select id, seen_e18, row_number() over () - 1 as back from due) numbered, last
           where alerts.id = numbered.id and alerts.status = 'waiting' returning alerts.id, alerts.user_id
         ), pushes as (
           insert into alert_pushes (alert_id, subscription_id, due_at)
           select delivered.id, device.id, $6
           from delivered join push_subscriptions device on device.user_id = delivered.user_id where $8::boolean
         )
         select count(*)::integer as delivered from delivered`,
        [
          ranges.map((range) => range.symbol),
          ranges.map((range) => range.direction),
          ranges.map((range) => range.fromE18.toString()),
          ranges.map((range) => range.toE18.toString()),
          ranges.map((range) => range.priceE18.toString()),
          at,
          limit,
          isPushed,
        ],
      )
      return row?.delivered ?? 0
    },

    /** The number of the last delivery. */
    async lastNotice(): Promise<bigint> {
      const [row] = await db.query<{ notice: bigint }>('select notice from last_alert_notice')
      return row?.notice ?? 0n
    },
    /** Everyone's deliveries after a number, oldest first. */
    noticesAfter: (notice: bigint, limit: number) =>
      db.query<NoticeRow>(`select ${NOTICE} from alerts where notice > $1 order by notice limit $2`, [
        notice.toString(),
        limit,
      ]),
  }
}

export type AlertStore = ReturnType<typeof createAlertStore>

/** What setting an alert asks of the user's own. */
function mineIn(tx: Queryable, userId: string) {
  return {
    byKey: async (key: string) =>
      (
        await tx.query<AlertRow>(`select ${ALERT} from alerts where user_id = $1 and idempotency_key = $2`, [
          userId,
          key,
        ])
      )[0],
    waiting: async ({ symbol, direction, priceE18 }: { symbol: string; direction: Direction; priceE18: bigint }) =>
      (
        await tx.query<AlertRow>(
          `select ${ALERT} from alerts
           where user_id = $1 and symbol = $2 and direction = $3 and price_e18 = $4 and status = 'waiting'`,
          [userId, symbol, direction, priceE18.toString()],
        )
      )[0],
    async counts(since: Date): Promise<{ waiting: number; recent: number }> {
      const [row] = await tx.query<{ waiting: number; recent: number }>(
        `select (select count(*)::integer from alerts where user_id = $1 and status = 'waiting') as waiting,
           (select count(*)::integer from alerts where user_id = $1 and created_at > $2) as recent`,
        [userId, since],
      )
      return row ?? { waiting: 0, recent: 0 }
    },
    async insert(row: Pick<AlertRow, 'id' | 'symbol' | 'direction' | 'price_e18' | 'created_at'>, key: string | null) {
      await tx.query(
        `insert into alerts (id, user_id, symbol, direction, price_e18, status, idempotency_key, created_at)
         values ($1, $2, $3, $4, $5, 'waiting', $6, $7)`,
        [row.id, userId, row.symbol, row.direction, row.price_e18.toString(), key, row.created_at],
      )
    },
  }
}
