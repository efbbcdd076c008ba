import type { Database } from '@clearwell/ledger/database'
import { LEADS_PER_LEVEL } from '@clearwell/rules/membership'
import { RANK_PERIODS, rankBucketAt } from '@clearwell/rules/rank-period'

/** The size and the shape of a team. */
export interface TeamShape {
  readonly members: number
  /** The first members are a line, this deep. The others are leads of earlier members. */
  readonly depth: number
  /** So many leads of each of the earlier members, on average; as many as members: all are leads of the first one. */
  readonly leads?: number
  /** Without the boards of ranks, which no call of a team reads. */
  readonly hasNoBoards?: boolean
  readonly at: Date
}

/** Of ten members, nine are activated. */
const ACTIVATED_OF_TEN = 9
const PER_STATEMENT = 50_000
/** Enough that levels rise. */
const LEADS = 7
/** Mixes numbers below {@link RANGE}. */
const [MIXER, RANGE] = [2_654_435_761n, 2n ** 32n]
/** Swap volume of the first member, in base units; the second member has twice as much, and so on. */
const VOLUME = 1_000_000n

/** Returns the id of a member. The first digits differ, so that a search has few matches. */
export function memberId(index: number): string {
  return `0x${mixed(index).toString(16).padStart(8, '0')}${index.toString(16).padStart(32, '0')}`
}

/** Returns the inviter of a member, from 1; 0 for the first member, which has none. */
export function inviterOf(index: number, { depth, leads = LEADS }: Pick<TeamShape, 'depth' | 'leads'>): number {
  return index <= depth ? index - 1 : 1 + Number(mixed(index) % BigInt(Math.ceil(index / leads)))
}

function mixed(index: number): bigint {
  return (BigInt(index) * MIXER) % RANGE
}

export const isActivated = (index: number) => index % 10 < ACTIVATED_OF_TEN
export const volumeOf = (index: number) => BigInt(index) * VOLUME

const MIXED = (number: string) => `(${number}::bigint * ${MIXER}) % ${RANGE}`
const ID = (number: string) =>
  `'0x' || lpad(to_hex(${MIXED(number)}), 8, '0') || lpad(to_hex(${number}::bigint), 32, '0')`

/**
 * Fills a new database with a team by SQL: the rows that sign-ins, activations and the jobs of the boards leave after each
 * member joined, was activated and swapped, in the order of their numbers. Entries of the ledger are left out: no read of a
 * team and no step of an activation looks at them.
 */
export async function fillTeam(db: Database, shape: TeamShape): Promise<void> {
  await addUsers(db, shape)
  await db.query(
    `insert into activations (id, number) select id, row_number() over (order by number) from users
     where number % 10 < ${ACTIVATED_OF_TEN}`,
  )
  await db.query(
    'insert into members (id, activated_at, activation_order_id) select id, $1::timestamptz, null from activations',
    [shape.at],
  )
  await db.query(`update last_numbers set number = (select count(*) from activations) where id = 'activation'`)
  await addMemberships(db)
  if (!shape.hasNoBoards) await addRanks(db, shape.at)
  await db.script(`alter table users alter column number restart with ${shape.members + 1}`)
  await db.script('vacuum analyze')
}

async function addUsers(db: Database, { members, depth, leads = LEADS, at }: TeamShape): Promise<void> {
  const inviter = `case when number <= ${depth} then number - 1 else 1 + (${MIXED('number')}) % ((number + ${leads - 1}) / ${leads}) end`
  for (let from = 1; from <= members; from += PER_STATEMENT)
    await db.query(
      `insert into users (number, id, invite_code, parent_id, nickname, created_at)
       select number, ${ID('number')}, 'bench' || number, case when inviter > 0 then ${ID('inviter')} end, '', $3::timestamptz
       from (
         select number, ${inviter} as inviter from generate_series($1::bigint, $2::bigint) as number
       ) added`,
      [from, Math.min(members, from + PER_STATEMENT - 1), at],
    )
}

/** Counts leads level by level: the leads of one level decide the next. */
async function addMemberships(db: Database): Promise<void> {
  await db.query(
    `insert into memberships (id, level, leads_0, leads_1, leads_2, leads_3, leads_4)
     select parent_id, case when count(*) >= ${LEADS_PER_LEVEL} then 1 else 0 end, count(*), 0, 0, 0, 0
     from users join activations using (id) where parent_id is not null group by parent_id`,
  )
  for (let level = 1; level <= 4; level++)
    await db.query(
      `update memberships set leads_${level} = leads.count,
         level = case when leads.count >= ${LEADS_PER_LEVEL} then ${level + 1} else memberships.level end
       from (
         select parent_id, count(*) from users join activations using (id) join memberships lead using (id)
         where lead.level >= ${level} and parent_id is not null group by parent_id
       ) leads where leads.parent_id = memberships.id`,
    )
}

/** Adds the boards of leads and of volume. The gains are numbered: the activations of leads first, then a swap of each member. */
async function addRanks(db: Database, at: Date): Promise<void> {
  for (const { name, endsAt } of RANK_PERIODS.map((period) => rankBucketAt(period, at))) {
    await db.query(
      `insert into rank_scores (board, bucket, user_id, score, earliness, ends_at, is_hidden)
       select 'leads', $1, parent_id, count(*), -max(turn), $2, false from (
         select parent_id, row_number() over (order by activations.number) as turn
         from activations join users using (id) where parent_id is not null
       ) gains group by parent_id`,
      [name, endsAt],
    )
    await db.query(
      `insert into rank_scores (board, bucket, user_id, score, earliness, ends_at, is_hidden)
       select 'volume', $1, id, number * ${VOLUME}, -(leads.gains + number), $2, false
       from users, (select count(*) as gains from activations join users using (id) where parent_id is not null) leads`,
      [name, endsAt],
    )
  }
  await db.query(`update rank_turns set turn = (select -min(earliness) from rank_scores)`)
}
