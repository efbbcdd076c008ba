import type { Command } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { migrate } from '@clearwell/ledger/migrate'
import { Writer } from '@clearwell/ledger/writer'
import { activateByBalance } from '@clearwell/server/src/features/activation/activate.ts'
import { addGains, createRankStore } from '@clearwell/server/src/features/rank/rank.store.ts'
import { createUserStore } from '@clearwell/server/src/features/session/user.store.ts'
import { followTeam } from '@clearwell/server/src/features/team/follow-team.ts'
import { createShareStore } from '@clearwell/server/src/features/team/share.store.ts'
import { teamHandlers } from '@clearwell/server/src/features/team/team.handlers.ts'
import { createTeamStore } from '@clearwell/server/src/features/team/team.store.ts'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { userAccount, VAULT } from '@clearwell/server/src/platform/ledger/accounts.ts'
import { systemClock } from '@clearwell/server/src/platform/time/clock.ts'

/** Members of the longest line. The others are leads of its members, spread evenly. */
export const DEPTH = 1_000
const PER_STATEMENT = 50_000
/** Of ten members, nine are activated. */
const ACTIVATED_OF_TEN = 9
const PRICE = { asset: 'USDT', units: 10n ** 19n } as const

/** A team on the server's own writer, stores and handlers, and each action that the bench measures. */
export interface BenchTeam {
  /** Reads the overview of the member at the top of the longest line. */
  overview(): Promise<{ total: number; total_activated: number }>
  /** A new member joins below the end of the longest line. */
  join(): Promise<void>
  /** The next member that joined is activated. */
  activate(): Promise<void>
  page(): Promise<void>
  search(): Promise<void>
  ownPlace(): Promise<void>
  addGain(): Promise<void>
  /** Counts some teams by a recursive query. @throws Error where they differ. */
  recount(): Promise<void>
  close(): Promise<void>
}

/** Fills a new database with members by SQL, and opens a team on it. */
export async function openBenchTeam(db: Database, members: number): Promise<BenchTeam> {
  await migrate(db, MIGRATION_FOLDERS)
  await fill(db, members)
  const onError = (error: unknown) => {
    throw error
  }
  const writer = await Writer.open({
    db,
    clock: systemClock,
    randomId: () => 'bench'.repeat(8),
    holder: 'bench',
    leaseTtlMs: 60_000,
    exclusive: true,
    onError,
  })
  const store = createTeamStore(db)
  const team = followTeam({ store, clock: systemClock, onError })
  const handlers = teamHandlers({ store, shares: createShareStore(db), team, publicUrl: () => 'http://127.0.0.1' })
  const context = (index: number) => ({
    user: { id: idOf(index), parentId: null, tokenHash: '' },
    locale: 'en' as const,
    idempotencyKey: undefined,
    clientAddress: '::1',
  })
  const ranks = createRankStore(db)
  return {
    overview: async () => handlers.teamOverview({}, context(1)),
    ...commandsOf(db, writer, members),
    async page() {
      await handlers.teamMembers({ limit: 20 }, context(1))
    },
    async search() {
      await handlers.teamMembers({ search: idOf(Math.floor(members / 2)).slice(0, 10), limit: 20 }, context(1))
    },
    async ownPlace() {
      await ranks.own('volume', 'all', idOf(Math.floor(members / 2)))
    },
    async addGain() {
      const gain = { board: 'volume', userId: idOf(Math.floor(members / 3)), units: 1n, at: systemClock.now() } as const
      await db.transaction((tx) => addGains(tx, [gain]))
    },
    async recount() {
      const tree = await team.current()
      for (const number of [1, Math.floor(DEPTH / 2), DEPTH, members]) {
        const { total, total_activated } = tree.counts(number)
        const counted = await recount(db, idOf(number))
        if (counted.total !== total || counted.activated !== total_activated)
          throw new Error(
            `member ${number}: ${total} and ${total_activated}, and by a recount ${JSON.stringify(counted)}`,
          )
      }
    },
    async close() {
      await writer.close()
      await db.close()
    },
  }
}

/** Commands of new members, who join below the end of the longest line. */
function commandsOf(db: Database, writer: Writer, members: number): Pick<BenchTeam, 'join' | 'activate'> {
  const users = createUserStore(db)
  let joined = members
  let activated = members
  return {
    async join() {
      const id = idOf(++joined)
      await users.insertUser({
        id,
        invite_code: `bench${joined}`,
        parent_id: idOf(DEPTH),
        nickname: '',
        created_at: systemClock.now(),
      })
      await writer.execute(fund(id))
    },
    async activate() {
      const rules = { price: PRICE, opening: 'always', orderTtlMs: 1_000 } as const
      await writer.execute(activateByBalance(rules, { userId: idOf(++activated), key: undefined }))
    },
  }
}

/** The first digits differ, so that a search has few matches. */
function idOf(index: number): string {
  const mixed = (BigInt(index) * 2_654_435_761n) % 2n ** 32n
  return `0x${mixed.toString(16).padStart(8, '0')}${index.toString(16).padStart(32, '0')}`
}

const ID = (number: string) =>
  `'0x' || lpad(to_hex((${number}::bigint * 2654435761) % 4294967296), 8, '0') || lpad(to_hex(${number}::bigint), 32, '0')`

async function fill(db: Database, members: number): Promise<void> {
  for (let from = 1; from <= members; from += PER_STATEMENT) {
    const to = Math.min(members, from + PER_STATEMENT - 1)
    const inviter = `case when number <= ${DEPTH} then number - 1 else 1 + (number * 7919) % ${DEPTH - 1} end`
    await db.query(
      `insert into users (number, id, invite_code, parent_id, nickname, created_at)
       select number, ${ID('number')}, 'bench' || number, case when inviter > 0 then ${ID('inviter')} end, '', now()
       from (select number, ${inviter} as inviter from generate_series(${from}::bigint, ${to}::bigint) as number) added`,
    )
  }
  await db.query(
    `insert into activations (id, number) select id, row_number() over (order by number) from users
     where number % 10 < ${ACTIVATED_OF_TEN}`,
  )
  await db.query('insert into members (id, activated_at) select id, now() from activations')
  await db.query(
    `insert into last_numbers (id, number) select 'activation', count(*) from activations
     on conflict (id) do update set number = excluded.number`,
  )
  await db.query(
    `insert into rank_scores (board, bucket, user_id, score, earliness, is_hidden)
     select 'volume', 'all', id, number * 1000000, -number, false from users`,
  )
  await db.script(`alter table users alter column number restart with ${members + 1}`)
  await db.script('vacuum analyze')
}

function fund(id: string): Command<object> {
  const { asset, units } = PRICE
  return {
    kind: 'fund',
    owner: 'bench',
    payload: {},
    preload: [],
    decide: () => ({
      entries: [
        {
          kind: 'deposit',
          reference: id,
          postings: [
            { account: VAULT, asset, units: -units },
            { account: userAccount(id, 'available'), asset, units },
          ],
        },
      ],
      response: {},
    }),
  }
}

async function recount(db: Database, id: string): Promise<{ total: number; activated: number }> {
  const [row] = await db.query<{ total: number; activated: number }>(
    `with recursive team as (
       select id from users where parent_id = $1
       union all
       select users.id from users join team on users.parent_id = team.id
     )
     select count(*)::integer as total, count(activations.id)::integer as activated
     from team left join activations on activations.id = team.id`,
    [id],
  )
  return row ?? { total: 0, activated: 0 }
}
