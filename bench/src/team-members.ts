import type { Database } from '@clearwell/ledger/database'
import { migrate } from '@clearwell/ledger/migrate'
import { addGains, createRankStore } from '@clearwell/server/src/features/rank/rank.store.ts'
import { followTeam } from '@clearwell/server/src/features/team/follow-team.ts'
import { createShareStore } from '@clearwell/server/src/features/team/share.store.ts'
import { teamHandlers } from '@clearwell/server/src/features/team/team.handlers.ts'
import { createTeamStore } from '@clearwell/server/src/features/team/team.store.ts'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { systemClock } from '@clearwell/server/src/platform/time/clock.ts'
import { openBenchWriter, throwIt } from './bench-writer.ts'
import { fillTeam, memberId, type TeamShape } from './fill-team.ts'
import { teamCommands } from './team-commands.ts'

/** The first members of a team of any shape are a line, this deep. */
export const DEPTH = 1_000

/** A team on the server's own writer, stores and handlers, and each action that the bench measures. */
export interface BenchTeam {
  /** Reads the overview of the first member. */
  overview(): Promise<{ total: number; total_activated: number }>
  /** A new member joins below the end of the line. */
  join(): Promise<void>
  /** The next member that joined is activated. */
  activate(): Promise<void>
  page(): Promise<void>
  search(): Promise<void>
  /** The same with three digits: one in 4,096 members matches. */
  searchMany(): Promise<void>
  /** Counts the place of a member with so many ahead on the board of volume, or of the last one. */
  ownPlace(ahead: number): Promise<void>
  addGain(): Promise<void>
  /** The peer of a read: counts the whole team by a recursive query. */
  countByQuery(): Promise<unknown>
  /** The peer of a command: one row in a table, without any team. */
  insertRow(): Promise<unknown>
  /** Counts some teams by a recursive query. @throws Error where they differ. */
  recount(): Promise<void>
  close(): Promise<void>
}

/**
 * Fills a new database with members by SQL, and opens a team on it.
 *
 * @param shape.inviter the number of the member who invites all that join later.
 */
export async function openBenchTeam(
  db: Database,
  shape: Omit<TeamShape, 'at'> & { readonly inviter: number },
): Promise<BenchTeam> {
  const { members, inviter } = shape
  await migrate(db, MIGRATION_FOLDERS)
  await fillTeam(db, { ...shape, at: systemClock.now() })
  const writer = await openBenchWriter(db)
  const store = createTeamStore(db)
  const team = followTeam({ store, clock: systemClock, onError: throwIt })
  const handlers = teamHandlers({ store, shares: createShareStore(db), team, publicUrl: () => 'http://127.0.0.1' })
  const context = (index: number) => ({
    user: { id: memberId(index), parentId: null, tokenHash: '' },
    locale: 'en' as const,
    idempotencyKey: undefined,
    clientAddress: '::1',
  })
  const ranks = createRankStore(db)
  const commands = teamCommands({ db, writer, clock: systemClock })
  let joined = members
  let activated = members
  await db.script('create table peer (number bigint generated always as identity primary key, id text not null)')
  return {
    overview: async () => handlers.teamOverview({}, context(1)),
    async join() {
      await commands.join(++joined, inviter)
    },
    async activate() {
      await commands.activate(++activated)
    },
    async page() {
      await handlers.teamMembers({ limit: 1 }, context(1))
    },
    async search() {
      await handlers.teamMembers({ search: memberId(Math.floor(members / 2)).slice(0, 10), limit: 20 }, context(1))
    },
    async searchMany() {
      await handlers.teamMembers({ search: memberId(Math.floor(members / 2)).slice(0, 5), limit: 20 }, context(1))
    },
    async ownPlace(ahead) {
      await ranks.own('volume', 'all', memberId(Math.max(1, members - ahead)))
    },
    async addGain() {
      const gain = {
        board: 'volume',
        userId: memberId(Math.floor(members / 3)),
        units: 1n,
        at: systemClock.now(),
      } as const
      await db.transaction((tx) => addGains(tx, [gain]))
    },
    countByQuery: () => recount(db, memberId(1)),
    insertRow: () => db.query('insert into peer (id) values ($1)', [memberId(1)]),
    async recount() {
      const tree = await team.current()
      for (const number of [1, 2, Math.floor(shape.depth / 2) || 1, inviter, members]) {
        const { total, total_activated } = tree.counts(number)
        const counted = await recount(db, memberId(number))
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

/** Counts a team member by member. The lateral join makes PostgreSQL look each member's leads up instead of reading all users. */
async function recount(db: Database, id: string): Promise<{ total: number; activated: number }> {
  const [row] = await db.query<{ total: number; activated: number }>(
    `with recursive team as (
       select id from users where parent_id = $1
       union all
       select lead.id from team cross join lateral (select id from users where parent_id = team.id offset 0) lead
     )
     select count(*)::integer as total, count(activations.id)::integer as activated
     from team left join activations on activations.id = team.id`,
    [id],
  )
  return row ?? { total: 0, activated: 0 }
}
