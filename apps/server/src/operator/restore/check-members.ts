import type { Queryable } from '@clearwell/ledger/database'
import { membershipLevel } from '@clearwell/rules/membership'
import { members } from '../../domain/members/members.ts'
import {
  activations,
  type InviterRow,
  inviters,
  LAST_ACTIVATION,
  lastNumbers,
  leadsOf,
  memberships,
} from '../../domain/members/memberships.ts'
import { ownersIn } from './entry-kinds.ts'
import type { StoredEntry } from './read-store.ts'
import { lastRows, type MissingLines } from './rebuild-rows.ts'
import { RestoreRefused } from './restore-refused.ts'

/**
 * Compares the activations, inviters and levels of the lines with the entries and with the database.
 *
 * @throws RestoreRefused if they contradict each other. An earlier version activates an account without a line, so the rows of its inviters
 * would count a lead that is not active.
 */
export async function checkMembers(
  db: Queryable,
  entries: readonly StoredEntry[],
  { lines, covers }: Pick<MissingLines, 'lines' | 'covers'>,
): Promise<void> {
  refuseOtherPayers(
    entries.filter(({ seq, kind }) => kind === 'activation' && covers(seq)),
    lines,
  )
  await refuseOtherInviters(db, lastRows(lines, inviters))
  await refuseMissingActivations(db, lines)
  await refuseOtherLevels(db, lines)
}

/** Each entry of an activation pays for the account that its line activates. */
function refuseOtherPayers(paid: readonly StoredEntry[], lines: MissingLines['lines']): void {
  const activated = new Map<bigint, readonly string[]>()
  for (const line of lines) {
    const ids = lastRows([line], activations).map(({ id }) => id)
    if (ids.length > 0) for (let seq = line.from_seq; seq <= line.to_seq; seq++) activated.set(seq, ids)
  }
  for (const { seq, postings } of paid) {
    const [payer] = ownersIn(postings)
    const ids = activated.get(seq) ?? []
    if (payer === undefined || !ids.includes(payer))
      throw new RestoreRefused(
        `Entry ${seq} (activation) is paid by ${payer}, and its line activates ${ids.join(', ') || 'no account'}.`,
      )
  }
}

async function refuseOtherInviters(db: Queryable, carried: readonly InviterRow[]): Promise<void> {
  const known = await inviters.load(
    db,
    carried.map(({ id }) => id),
  )
  const own = new Map(known.map((row) => [row.id, row]))
  for (const { id, parent_id, invite_code } of carried) {
    const row = own.get(id)
    if (row && row.parent_id !== parent_id)
      throw new RestoreRefused(`The account ${id} has the inviter ${row.parent_id}, and in the store ${parent_id}.`)
    if (row && row.invite_code !== invite_code)
      throw new RestoreRefused(`The account ${id} has another invite code in the store.`)
  }
}

/** Activations have numbers without gaps. */
async function refuseMissingActivations(db: Queryable, lines: MissingLines['lines']): Promise<void> {
  const carried = lastRows(lines, activations)
  if (carried.length === 0) return
  const [before] = await lastNumbers.load(db, [LAST_ACTIVATION])
  const after = lastRows(lines, lastNumbers).find(({ id }) => id === LAST_ACTIVATION)
  const expected = (before?.number ?? 0n) + BigInt(carried.length)
  if (after?.number !== expected)
    throw new RestoreRefused(
      `The store has rows of ${carried.length} activations after number ${before?.number ?? 0n}, and the last one is number ${after?.number}.`,
    )
}

/** Counts the leads of each account whose level is in a line. */
async function refuseOtherLevels(db: Queryable, lines: MissingLines['lines']): Promise<void> {
  const carried = lastRows(lines, memberships)
  if (carried.length === 0) return
  const known = await db.query<{ id: string; parent_id: string; level: number; activated: boolean }>(
    `select users.id, parent_id, coalesce(level, 0) as level, activated_at is not null as activated
     from users left join members using (id) left join memberships using (id) where parent_id is not null`,
  )
  const parents = new Map([...known, ...lastRows(lines, inviters)].map(({ id, parent_id }) => [id, parent_id]))
  const levels = new Map([...known, ...carried].map(({ id, level }) => [id, level]))
  const active = new Set(known.filter(({ activated }) => activated).map(({ id }) => id))
  for (const { id, activated_at } of lastRows(lines, members)) if (activated_at) active.add(id)
  const leads = Map.groupBy(active, (id) => parents.get(id))
  for (const row of carried) {
    const own = leads.get(row.id) ?? []
    const counts = [0, 1, 2, 3, 4].map((least) => own.filter((id) => (levels.get(id) ?? 0) >= least).length)
    const stored = leadsOf(row)
    if (`${counts}` !== `${stored}` || membershipLevel(stored) !== row.level)
      throw new RestoreRefused(
        `The account ${row.id} has level ${row.level} with ${stored.join(', ')} leads in the store, and its activated leads are ${counts.join(', ')}.`,
      )
  }
}
