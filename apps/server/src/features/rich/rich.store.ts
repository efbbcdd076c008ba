import type { Database, Queryable } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import type { CollectedDay } from '@clearwell/rules/rich-earnings'
import { type Cursor, cursorParams, olderThan } from '../../platform/http/paging.ts'
import { RT_PROGRAM, userAccount } from '../../platform/ledger/accounts.ts'
import type { Hub } from './hub-items.ts'
import type { DueRequest } from './request-upgrade.ts'
import type { ProgramRow, ReleaseRow, RequestRow, RichAccountRow } from './rich.tables.ts'
import { NEW_PROGRAM } from './rich-books.ts'

const ACCOUNT = 'id, uid, name, star, settled_index, to_collect, collected, request_id, steps_down_at, linked_at'
const REQUEST =
  'id, user_id, parent_id, star, status, asked_id, created_at, passes_up_at, passed_at, moves, is_announced'

/** A request with its requester. */
export type ListedRequest = RequestRow & {
  readonly requester_uid: string
  readonly requester_name: string
  readonly requester_star: number
}

/** The only SQL on the tables of the upgrade hub, apart from the writer's. Lists hold what concerns their user only. */
export function createRichStore(db: Database) {
  return {
    hub: (userId: string): Promise<Hub> => readOneMoment(db, (tx) => readHubRows(tx, userId)),
    program: () =>
      readOneMoment(db, async (tx) => ({ program: await readProgramRow(tx), remaining: await readRemaining(tx) })),

    requestsOf: (userId: string, after: Cursor | undefined, limit: number) =>
      db.query<ListedRequest>(
        `select page.*, ${REQUESTER} from (
           select ${REQUEST} from rich_requests
           where user_id = $1 and status <> 'Withdrawn' and ${olderThan('$2', '$3')}
           order by created_at desc, id desc limit $4
         ) page ${JOIN_REQUESTER} order by created_at desc, page.id desc`,
        [userId, ...cursorParams(after), limit],
      ),

    /** Requests of the user's direct leads, and those that other accounts did not approve in time. */
    requestsFor: (
      userId: string,
      status: 'Requested' | 'Passed' | undefined,
      after: Cursor | undefined,
      limit: number,
    ) =>
      db.query<ListedRequest>(
        `select page.*, ${REQUESTER} from (
           ${['parent_id', 'asked_id'].map(pageBy).join(' union ')} order by created_at desc, id desc limit $4
         ) page ${JOIN_REQUESTER} order by created_at desc, page.id desc`,
        [userId, ...cursorParams(after), limit, status ?? null],
      ),

    collected: async (userId: string, from: HongKongDay) => {
      const [days, [first]] = await readOneMoment(db, async (tx) => [
        await tx.query<CollectedDay>('select day, units from rich_collected where user_id = $1 and day >= $2', [
          userId,
          from,
        ]),
        await tx.query<{ day: HongKongDay | null }>('select min(day) as day from rich_collected where user_id = $1', [
          userId,
        ]),
      ])
      return { days, firstDay: first?.day ?? undefined }
    },

    releases: (before: string | undefined, limit: number) =>
      db.query<ReleaseRow>(
        `select id, released_at, remaining, released, per_weight, weight, accounts from rich_releases
         where id < $1 order by id desc limit $2`,
        [before ?? '9', limit],
      ),

    dueRequests: (now: Date, limit: number) => readDueRequests(db, now, limit),
    dueStepDowns: async (now: Date, limit: number) =>
      (
        await db.query<{ id: string }>(
          'select id from rich_accounts where steps_down_at <= $1 order by steps_down_at limit $2',
          [now, limit],
        )
      ).map(({ id }) => id),
    requestsToAnnounce: (limit: number) =>
      db.query<ListedRequest>(
        `select page.*, ${REQUESTER} from (
           select ${REQUEST} from rich_requests where not is_announced order by id limit $1
         ) page ${JOIN_REQUESTER}`,
        [limit],
      ),
  }
}

export type RichStore = ReturnType<typeof createRichStore>

const REQUESTER = 'requester.uid as requester_uid, requester.name as requester_name, requester.star as requester_star'
const JOIN_REQUESTER = 'join rich_accounts requester on requester.id = page.user_id'

/** One page by one of the columns that name the user: each side of the union reads no more than a page. */
function pageBy(column: string): string {
  return `(select ${REQUEST} from rich_requests
    where ${column} = $1 and status <> 'Withdrawn' and ($5::text is null or status = $5) and ${olderThan('$2', '$3')}
    order by created_at desc, id desc limit $4)`
}

async function readHubRows(tx: Queryable, userId: string): Promise<Hub> {
  const [account] = await tx.query<RichAccountRow>(`select ${ACCOUNT} from rich_accounts where id = $1`, [userId])
  const requestId = account?.request_id
  const [request] = requestId
    ? await tx.query<RequestRow>(`select ${REQUEST} from rich_requests where id = $1 and user_id = $2`, [
        requestId,
        userId,
      ])
    : []
  const [available, deposit] = [userAccount(userId, 'available'), userAccount(userId, 'rt_deposit')]
  const balances = await readBalances(tx, [available, deposit])
  const of = (name: string) => balances.find((row) => row.account === name && row.asset === 'RT')?.units ?? 0n
  return {
    userId,
    account,
    request,
    program: await readProgramRow(tx),
    wallet: of(available),
    deposit: of(deposit),
    remaining: await readRemaining(tx),
  }
}

async function readProgramRow(tx: Queryable): Promise<ProgramRow> {
  const [row] = await tx.query<ProgramRow>('select id, release_index, weight, accounts from rich_program')
  return row ?? NEW_PROGRAM
}

async function readRemaining(tx: Queryable): Promise<bigint> {
  const rows = await readBalances(tx, [RT_PROGRAM])
  return rows.find(({ asset }) => asset === 'RT')?.units ?? 0n
}

/**
 * Reads the requests whose time is over, each with the nearest ancestor of the asked account whose star level is higher than
 * the requester's. Inviters never change, so only the star levels can be out of date when the request moves.
 */
function readDueRequests(db: Queryable, now: Date, limit: number): Promise<DueRequest[]> {
  return db.query<DueRequest>(
    `with recursive due as (
       select request.id, asked_id, requester.star from rich_requests request
       join rich_accounts requester on requester.id = request.user_id
       where status = 'Requested' and passes_up_at <= $1 order by passes_up_at limit $2
     ), line as (
       select due.id, due.star, asked.parent_id as ancestor, 1 as depth
       from due join users asked on asked.id = due.asked_id
       union all
       select line.id, line.star, users.parent_id, depth + 1 from line join users on users.id = line.ancestor
       where not exists (select from rich_accounts where rich_accounts.id = line.ancestor and rich_accounts.star > line.star)
     )
     select due.id, found.ancestor as "ancestorId" from due left join lateral (
       select ancestor from line join rich_accounts on rich_accounts.id = line.ancestor
       where line.id = due.id and rich_accounts.star > due.star order by depth limit 1
     ) found on true`,
    [now, limit],
  )
}
