import type { Database, Queryable } from '@clearwell/ledger/database'
import { type Cursor, cursorParams, olderThan } from '../../platform/database/page.ts'
import { type AlertRow, alerts, type Direction } from './alert.tables.ts'

/** An alert that was delivered just now. */
export type DeliveredRow = Pick<AlertRow, 'id' | 'symbol' | 'direction' | 'price_e18'> & {
  user_id: string
  seen_e18: bigint
}

/** The alerts that a price reaches: of a symbol and direction, from one price to another, both included. */
export interface ReachedRange {
  readonly symbol: string
  readonly direction: Direction
  readonly fromE18: bigint
  readonly toE18: bigint
  readonly priceE18: bigint
}

/** The only SQL on alerts. Every read and change for a user has the user in its `where`. */
export function createAlertStore(db: Database) {
  return {
    alerts: (
      userId: string,
      filter: { symbol: string | undefined; status: AlertRow['status'] | undefined },
      after: Cursor | undefined,
      limit: number,
    ) =>
      db.query<AlertRow>(
        // A text for each choice of filters: each has its index.
        `select ${alerts.columns} from alerts
         where user_id = $1 and ${olderThan('$2', '$3')}
           ${filter.symbol === undefined ? '' : 'and symbol = $5'}
           ${filter.status === undefined ? '' : `and status = $${filter.symbol === undefined ? 5 : 6}`}
         order by created_at desc, id desc limit $4`,
        [userId, ...cursorParams(after), limit, ...[filter.symbol, filter.status].filter((each) => each !== undefined)],
      ),
    alert: async (userId: string, id: string) =>
      (
        await db.query<AlertRow>(`select ${alerts.columns} from alerts where id = $1 and user_id = $2`, [id, userId])
      )[0],

    /** Runs `work` while no other of the same user runs, on any server. */
    inTurn: <Result>(userId: string, work: (mine: ReturnType<typeof mineIn>) => Promise<Result>) =>
      db.transaction(async (tx) => {
        await tx.query('select 1 from users where id = $1 for no key update', [userId])
        return work(mineIn(tx, userId))
      }),

    /** @returns whether it was waiting, and so is cancelled now. */
    async cancel(userId: string, id: string): Promise<boolean> {
      const rows = await db.query(
        `update alerts set status = 'cancelled' where id = $1 and user_id = $2 and status = 'waiting' returning id`,
        [id, userId],
      )
      return rows.length === 1
    },

    deliver: deliverReached,
  }
}

export type AlertStore = ReturnType<typeof createAlertStore>

/** The reads and the insert behind setting an alert, within one user's turn. */
function mineIn(tx: Queryable, userId: string) {
  return {
    byKey: async (key: string) =>
      (
        await tx.query<AlertRow>(`select ${alerts.columns} from alerts where user_id = $1 and idempotency_key = $2`, [
          userId,
          key,
        ])
      )[0],
    waiting: async ({ symbol, direction, priceE18 }: { symbol: string; direction: Direction; priceE18: bigint }) =>
      (
        await tx.query<AlertRow>(
          `select ${alerts.columns} from alerts
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
    /** A new alert waits. */
    async insert(row: Omit<AlertRow, 'user_id' | 'status' | 'delivered_at' | 'seen_e18'>) {
      await tx.query(
        `insert into alerts (id, user_id, symbol, direction, price_e18, status, idempotency_key, created_at)
         values ($1, $2, $3, $4, $5, 'waiting', $6, $7)`,
        [row.id, userId, row.symbol, row.direction, row.price_e18.toString(), row.idempotency_key, row.created_at],
      )
    },
  }
}

/**
 * Marks what prices have reached as delivered, at most `limit` alerts. Those that another server delivers at the same
 * moment are left to it.
 */
function deliverReached(
  tx: Queryable,
  { ranges, at, limit }: { readonly ranges: readonly ReachedRange[]; readonly at: Date; readonly limit: number },
): Promise<DeliveredRow[]> {
  return tx.query<DeliveredRow>(
    `with due as (
       select alert.id, range.seen_e18
       from unnest($1::text[], $2::text[], $3::numeric[], $4::numeric[], $5::numeric[])
         as range (symbol, direction, from_e18, to_e18, seen_e18)
       join alerts alert on alert.status = 'waiting' and alert.symbol = range.symbol
         and alert.direction = range.direction and alert.price_e18 between range.from_e18 and range.to_e18
       limit $7 for update of alert skip locked
     )
     update alerts set status = 'delivered', delivered_at = $6, seen_e18 = due.seen_e18
     from due where alerts.id = due.id and alerts.status = 'waiting'
     returning alerts.id, user_id, symbol, direction, price_e18, alerts.seen_e18`,
    [
      ranges.map((range) => range.symbol),
      ranges.map((range) => range.direction),
      ranges.map((range) => range.fromE18.toString()),
      ranges.map((range) => range.toE18.toString()),
      ranges.map((range) => range.priceE18.toString()),
      at,
      limit,
    ],
  )
}
