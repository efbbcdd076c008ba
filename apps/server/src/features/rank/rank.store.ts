import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { RANK_PERIODS, type RankBucket, rankBucketAt } from '@clearwell/rules/rank-period'
import type { Board } from './rank.tables.ts'

/** Own places are counted up to this one: it bounds the work for a user far below. */
export const COUNTED_PLACES = 10_000

/** A value that a user gained on a board. */
export interface Gain {
  readonly board: Board
  readonly userId: string
  /** In the smallest units of the board: base units of USDT for volume and power, leads. */
  readonly units: bigint
  readonly at: Date
}

/** The only SQL on the boards. */
export function createRankStore(db: Database) {
  return {
    /** The first places of a board. */
    first: (board: Board, bucket: string, limit: number) =>
      db.query<{ user_id: string; score: bigint }>(
        `select user_id, score from rank_scores where board = $1 and bucket = $2 and not is_hidden
         order by score desc, earliness desc limit $3`,
        [board, bucket, limit],
      ),
    /** A user's value, and how many are ahead: at most {@link COUNTED_PLACES}. */
    async own(board: Board, bucket: string, userId: string): Promise<{ score: bigint; ahead: number } | undefined> {
      const [row] = await db.query<{ score: bigint; ahead: number }>(
        `select mine.score, (
           select count(*)::integer from (
             select from rank_scores ahead
             where ahead.board = $1 and ahead.bucket = $2 and not ahead.is_hidden
               and (ahead.score, ahead.earliness) > (mine.score, mine.earliness)
             limit ${COUNTED_PLACES}
           ) counted
         ) as ahead
         from rank_scores mine where board = $1 and bucket = $2 and user_id = $3`,
        [board, bucket, userId],
      )
      return row
    },
    isHidden: async (userId: string) =>
      (await db.query('select from hidden_from_ranks where user_id = $1', [userId])).length > 0,
    /** Hides a user from every board, or shows it again. */
    setHidden: (userId: string, isHidden: boolean, now: Date): Promise<void> =>
      db.transaction(async (tx) => {
        // Waits for the job that adds gains, which looks at who is hidden.
        await tx.query('select turn from rank_turns for update')
        if (isHidden) {
          await tx.query(
            'insert into hidden_from_ranks (user_id, since) values ($1, $2) on conflict (user_id) do nothing',
            [userId, now],
          )
        } else await tx.query('delete from hidden_from_ranks where user_id = $1', [userId])
        await tx.query('update rank_scores set is_hidden = $2 where user_id = $1 and is_hidden <> $2', [
          userId,
          isHidden,
        ])
      }),
    invitersOf: readInviters,
  }
}

export type RankStore = ReturnType<typeof createRankStore>

/** The inviters of users who have one. */
export async function readInviters(tx: Queryable, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ id: string; parent_id: string }>(
    'select id, parent_id from users where id = any($1::text[]) and parent_id is not null',
    [arrayLiteral(userIds)],
  )
  return new Map(rows.map(({ id, parent_id }) => [id, parent_id]))
}

interface ScoreRow {
  readonly board: Board
  readonly bucket: string
  readonly userId: string
  readonly endsAt: Date | null
  units: bigint
  /** The number of the last gain, from the first of the batch. */
  turn: bigint
}

/** Adds gains to the boards of their day, their week and all time, in their order: of equal values, the earlier is ahead. */
export async function addGains(tx: Queryable, gains: readonly Gain[]): Promise<void> {
  if (gains.length === 0) return
  const [last] = await tx.query<{ turn: bigint }>('update rank_turns set turn = turn + $1 returning turn', [
    gains.length,
  ])
  const firstTurn = (last?.turn ?? 0n) - BigInt(gains.length)
  const rows = new Map<string, ScoreRow>()
  /** By day: nearly all gains of a batch are of one. */
  const bucketsOf = new Map<HongKongDay, readonly RankBucket[]>()
  for (const [index, { board, userId, units, at }] of gains.entries()) {
    const day = hongKongDayOf(at)
    const buckets = bucketsOf.get(day) ?? RANK_PERIODS.map((period) => rankBucketAt(period, at))
    bucketsOf.set(day, buckets)
    for (const { name: bucket, endsAt } of buckets) {
      const key = `${board} ${bucket} ${userId}`
      const row = rows.get(key) ?? { board, bucket, userId, endsAt, units: 0n, turn: 0n }
      row.units += units
      row.turn = firstTurn + BigInt(index) + 1n
      rows.set(key, row)
    }
  }
  const added = [...rows.values()]
  await tx.query(
    `insert into rank_scores as old (board, bucket, user_id, score, earliness, ends_at, is_hidden)
     select board, bucket, user_id, score, -turn, ends_at, exists (
       select from hidden_from_ranks hidden where hidden.user_id = added.user_id
     )
     from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::bigint[], $6::timestamptz[])
       as added (board, bucket, user_id, score, turn, ends_at)
     on conflict (board, bucket, user_id) do update
       set score = old.score + excluded.score, earliness = excluded.earliness`,
    [
      arrayLiteral(added.map(({ board }) => board)),
      arrayLiteral(added.map(({ bucket }) => bucket)),
      arrayLiteral(added.map(({ userId }) => userId)),
      arrayLiteral(added.map(({ units }) => units)),
      arrayLiteral(added.map(({ turn }) => turn)),
      arrayLiteral(added.map(({ endsAt }) => endsAt?.toISOString() ?? null)),
    ],
  )
}
