import { arrayLiteral } from '@clearwell/ledger/array-literal'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import type { CollectedDay } from '@clearwell/rules/rich-earnings'
import { type Cursor, cursorParams, olderThan } from '../../platform/database/page.ts'
import { RT_PROGRAM, userAccount } from '../../platform/ledger/accounts.ts'
import type { Hub } from './hub-items.ts'
import {
  type ListedChild,
  type ListedRequest,
  type OpenRequest,
  type PassedRequest,
  type ProgramRow,
  type ReleaseRow,
  type RequestRow,
  type RichAccountRow,
  richAccounts,
  richProgram,
  richReleases,
  richRequests,
} from './rich.tables.ts'
import { NEW_PROGRAM } from './rich-books.ts'

/** The only SQL on the tables of the upgrade hub, apart from the writer's. Lists hold what concerns their user only. */
export function createRichStore(db: Database) {
  return {
    hub: (userId: string): Promise<Hub> => readOneMoment(db, (tx) => readHubRows(tx, userId)),
    program: () =>
      readOneMoment(db, async (tx) => {
        const remaining = await readRemaining(tx)
        // Nothing refills the programme, so its first release found what it had at genesis.
        const [first] = await tx.query<{ remaining: bigint }>('select remaining from rich_releases order by id limit 1')
        return { program: await readProgramRow(tx), remaining, atGenesis: first?.remaining ?? remaining }
      }),

    ...listQueries(db),
    ...dueQueries(db),

    collected: async (userId: string, from: HongKongDay) => {
      const [days, [first], [account]] = await readOneMoment(db, async (tx) => [
        await tx.query<CollectedDay>('select day, units from rich_collected where user_id = $1 and day >= $2', [
          userId,
          from,
        ]),
        await tx.query<{ day: HongKongDay | null }>('select min(day) as day from rich_collected where user_id = $1', [
          userId,
        ]),
        await tx.query<{ collected: bigint }>('select collected from rich_accounts where id = $1', [userId]),
      ])
      return { days, firstDay: first?.day ?? undefined, collected: account?.collected ?? 0n }
    },

    releases: (before: string | undefined, limit: number) =>
      db.query<ReleaseRow>(
        `select ${richReleases.columns} from rich_releases
         where id < $1 order by id desc limit $2`,
        [before ?? '9', limit],
      ),
  }
}

export type RichStore = ReturnType<typeof createRichStore>

/** A user's own requests, and the user's children. */
function listQueries(db: Database) {
  return {
    requestsOf: (userId: string, after: Cursor | undefined, limit: number) =>
      db.query<RequestRow>(
        `select ${richRequests.columns} from rich_requests where user_id = $1 and ${olderThan('$2', '$3')}
         order by created_at desc, id desc limit $4`,
        [userId, ...cursorParams(after), limit],
      ),

    /** The user's direct leads who linked a UID, each once. */
    async children(userId: string, after: Cursor | undefined, limit: number): Promise<ListedChild[]> {
      const rows = await db.query<Omit<ListedChild, 'request'> & { request_id: string | null }>(
        `select page.*, coalesce(memberships.level, 0) as level from (
           select id, uid, name, star, listed_at, request_id from rich_accounts
           where parent_id = $1 and (listed_at, id) < ($2::timestamptz, $3::text)
           order by listed_at desc, id desc limit $4
         ) page left join memberships on memberships.id = page.id order by listed_at desc, page.id desc`,
        [userId, ...cursorParams(after), limit],
      )
      const ids = rows.flatMap(({ request_id: id }) => id ?? [])
      const requests = await db.query<OpenRequest | PassedRequest>(
        `select ${richRequests.columns} from rich_requests where id = any($1::text[]) and status <> 'Withdrawn'`,
        [arrayLiteral(ids)],
      )
      const byId = new Map(requests.map((request) => [request.id, request]))
      return rows.map(({ request_id: id, ...row }) => ({ ...row, request: byId.get(id ?? '') ?? null }))
    },
  }
}

/** Rows that the desk acts on next. */
function dueQueries(db: Database) {
  return {
    /** Ids of the requests that waited long enough for a response. */
    dueRequests: async (now: Date, limit: number) =>
      (
        await db.query<{ id: string }>(
          `select id from rich_requests where status = 'Requested' and passes_at <= $1 order by passes_at limit $2`,
          [now, limit],
        )
      ).map(({ id }) => id),
    dueStepDowns: async (now: Date, limit: number) =>
      (
        await db.query<{ id: string }>(
          'select id from rich_accounts where steps_down_at <= $1 order by steps_down_at limit $2',
          [now, limit],
        )
      ).map(({ id }) => id),
    requestsToAnnounce: (limit: number) =>
      db.query<ListedRequest>(
        `select page.*, requester.name as requester_name from (
           select ${richRequests.columns} from rich_requests where not is_announced order by id limit $1
         ) page join rich_accounts requester on requester.id = page.user_id`,
        [limit],
      ),
  }
}

async function readHubRows(tx: Queryable, userId: string): Promise<Hub> {
  const [account] = await tx.query<RichAccountRow>(`select ${richAccounts.columns} from rich_accounts where id = $1`, [
    userId,
  ])
  const requestId = account?.request_id
  const [request] = requestId
    ? await tx.query<RequestRow>(`select ${richRequests.columns} from rich_requests where id = $1 and user_id = $2`, [
        requestId,
        userId,
      ])
    : []
  const riseDay = account?.raised_on
  const [risen] = riseDay
    ? await tx.query<{ index_after: bigint }>('select index_after from rich_releases where id = $1', [riseDay])
    : []
  const [available, deposit] = [userAccount(userId, 'available'), userAccount(userId, 'rt_deposit')]
  const balances = await readBalances(tx, [available, deposit])
  const of = (name: string) => balances.find((row) => row.account === name && row.asset === 'RT')?.units ?? 0n
  return {
    userId,
    account,
    request,
    program: await readProgramRow(tx),
    riseIndex: risen?.index_after,
    wallet: of(available),
    deposit: of(deposit),
    remaining: await readRemaining(tx),
  }
}

async function readProgramRow(tx: Queryable): Promise<ProgramRow> {
  const [row] = await tx.query<ProgramRow>(`select ${richProgram.columns} from rich_program`)
  return row ?? NEW_PROGRAM
}

async function readRemaining(tx: Queryable): Promise<bigint> {
  const rows = await readBalances(tx, [RT_PROGRAM])
  return rows.find(({ asset }) => asset === 'RT')?.units ?? 0n
}
