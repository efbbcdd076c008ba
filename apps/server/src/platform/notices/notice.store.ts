import type { NoticeKind, NoticeParams } from '@clearwell/api/notice-kinds'
import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database, Queryable } from '@clearwell/ledger/database'
import type { RowOf } from '@clearwell/ledger/table'
import { column, defineTable, forever, until } from '@clearwell/ledger/table'

export const notices = defineTable(
  'notices',
  until('`notices.keepReadDays` days after it was read: at most 500 for each user'),
  {
    id: column.bigint,
    user_id: column.erasableUser('goes'),
    kind: column.textOf<NoticeKind>(),
    key: column.text,
    params: column.json<NoticeParams<NoticeKind>>(),
    link: column.optional(column.text),
    created_at: column.time,
    read_at: column.optional(column.time),
  },
)

export const lastNotice = defineTable('last_notice', forever('one row'), {
  id: column.integer,
  notice: column.bigint,
})

/** A notice to be sent. Under one kind and key a user gets one notice, however often it is sent. */
export type NoticeDraft = {
  [Kind in NoticeKind]: {
    readonly userId: string
    readonly kind: Kind
    /** The id of its subject, such as an alert or an order. */
    readonly key: string
    readonly params: NoticeParams<Kind>
    /** A path of the app, without its language. */
    readonly link: string | null
  }
}[NoticeKind]

export type NoticeRow = {
  [Kind in NoticeKind]: Omit<RowOf<typeof notices>, 'kind' | 'params'> & {
    readonly kind: Kind
    readonly params: NoticeParams<Kind>
  }
}[NoticeKind]

export type NoticeRowOf<Kind extends NoticeKind> = Extract<NoticeRow, { kind: Kind }>

/** Selects a user's notices: by id, one with all older ones, by kind, or by kind and key. */
export type NoticeChoice =
  | { readonly ids: readonly bigint[] }
  | { readonly upTo: bigint }
  | { readonly kind: NoticeKind; readonly key?: string }

/** No notice has this id. */
const LAST_ID = '9223372036854775807'

/** The only SQL on notices. Every read and change for a user has the user in its `where`. */
export function createNoticeStore(db: Database) {
  return {
    send: insertNotices,
    /** The user's notices, of one kind or of all, newest first. */
    list: <Kind extends NoticeKind = NoticeKind>(
      userId: string,
      { kind, below, limit }: { kind?: Kind; below: bigint | undefined; limit: number },
    ) =>
      db.query<NoticeRowOf<Kind>>(
        `select ${notices.columns} from notices
         where user_id = $1 and id < $2::bigint ${kind === undefined ? '' : 'and kind = $4'}
         order by id desc limit $3`,
        [userId, below?.toString() ?? LAST_ID, limit, ...(kind === undefined ? [] : [kind])],
      ),
    async countUnread(userId: string, kind?: NoticeKind): Promise<number> {
      const [row] = await db.query<{ unread: number }>(
        `select count(*)::integer as unread from notices
         where user_id = $1 and read_at is null and ($2::text is null or kind = $2)`,
        [userId, kind ?? null],
      )
      return row?.unread ?? 0
    },
    async markRead(userId: string, choice: NoticeChoice, at: Date): Promise<void> {
      if ('ids' in choice) {
        await db.query(
          'update notices set read_at = $3 where user_id = $1 and id = any($2::bigint[]) and read_at is null',
          [userId, arrayLiteral(choice.ids), at],
        )
      } else if ('upTo' in choice) {
        await db.query('update notices set read_at = $3 where user_id = $1 and id <= $2::bigint and read_at is null', [
          userId,
          choice.upTo.toString(),
          at,
        ])
      } else {
        await db.query(
          `update notices set read_at = $4
           where user_id = $1 and kind = $2 and ($3::text is null or key = $3) and read_at is null`,
          [userId, choice.kind, choice.key ?? null, at],
        )
      }
    },

    /** The number of the last notice. */
    async lastId(): Promise<bigint> {
      const [row] = await db.query<{ notice: bigint }>('select notice from last_notice')
      return row?.notice ?? 0n
    },
    /** Everyone's notices after one, in the order of their numbers. */
    after: (id: bigint, limit: number) =>
      db.query<NoticeRow>(`select ${notices.columns} from notices where id > $1 order by id limit $2`, [
        id.toString(),
        limit,
      ]),
  }
}

export type NoticeStore = ReturnType<typeof createNoticeStore>

/**
 * Sends notices as part of a transaction. It holds the counter of all notices until that one ends, so it belongs at the
 * end of a short one.
 */
async function insertNotices(tx: Queryable, drafts: readonly NoticeDraft[], at: Date): Promise<void> {
  if (drafts.length === 0) return
  await tx.query(
    `with wanted as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
         as draft (user_id, kind, key, params, link, position)
     ), fresh as (
       select wanted.*, row_number() over (order by position desc) - 1 as back from wanted
       where not exists (
         select from notices sent
         where sent.user_id = wanted.user_id and sent.kind = wanted.kind and sent.key = wanted.key
       )
     ), last as (
       update last_notice set notice = notice + (select count(*) from fresh)
       where exists (select from fresh) returning notice
     )
     insert into notices (id, user_id, kind, key, params, link, created_at)
     select last.notice - back, user_id, kind, key, params::jsonb, link, $6 from fresh, last order by position
     on conflict (user_id, kind, key) do nothing`,
    [
      arrayLiteral(drafts.map(({ userId }) => userId)),
      arrayLiteral(drafts.map(({ kind }) => kind)),
      arrayLiteral(drafts.map(({ key }) => key)),
      arrayLiteral(drafts.map(({ params }) => JSON.stringify(params))),
      arrayLiteral(drafts.map(({ link }) => link)),
      at,
    ],
  )
}

/** Deletes up to `limit` notices that were read before a time. @returns how many. */
export async function deleteRead(tx: Queryable, before: Date, limit: number): Promise<number> {
  const deleted = await tx.query(
    `delete from notices where id in (
       select id from notices where read_at < $1 order by read_at limit $2
     ) returning id`,
    [before, limit],
  )
  return deleted.length
}

/**
 * Deletes the oldest notices of users who have more than `keep`: of the next `users` users after one.
 *
 * @returns the last of them; undefined when none is left.
 */
export async function deleteExcess(
  tx: Queryable,
  { afterUser, users, keep }: { readonly afterUser: string; readonly users: number; readonly keep: number },
): Promise<string | undefined> {
  const next = await tx.query<{ user_id: string }>(
    'select distinct user_id from notices where user_id > $1 order by user_id limit $2',
    [afterUser, users],
  )
  const ids = next.map((row) => row.user_id)
  await tx.query(
    `delete from notices where id in (
       select old.id from unnest($1::text[]) as owner (id) cross join lateral (
         select id from notices where user_id = owner.id order by notices.id desc offset $2
       ) old
     )`,
    [arrayLiteral(ids), keep],
  )
  return ids.at(-1)
}
