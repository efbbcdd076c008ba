import type { Queryable } from '@clearwell/ledger/database'
import { readUserPostings } from '@clearwell/ledger/read-postings'
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
import { ACTIVATION, findBareActivations } from './rebuild-activations.ts'
import { entriesOf, lastRows, type MissingLines } from './rebuild-rows.ts'
import { RestoreRefused } from './restore-refused.ts'

/** A user of the database. */
export interface KnownMember {
  readonly id: string
  readonly parent_id: string | null
  readonly level: number
  readonly activated: boolean
}

/**
 * Compares the activations, inviters and levels of the lines with the entries and with the database.
 *
 * @throws RestoreRefused if they contradict each other.
 */
export async function checkMembers(
  db: Queryable,
  entries: readonly StoredEntry[],
  rows: Pick<MissingLines, 'lines' | 'covers'>,
): Promise<void> {
  const { lines, covers } = rows
  const bare = findBareActivations(entries, covers)
  const paid = [...(await readPaid(db, lines)), ...entries.filter(({ kind }) => kind === ACTIVATION)]
  refuseOtherPayers(paid, lines)
  const [last] = await lastNumbers.load(db, [LAST_ACTIVATION])
  refuseGaps(last?.number ?? 0n, { paid, bare }, lines)
  const carried = lastRows(lines, inviters)
  const ids = carried.map(({ id }) => id)
  refuseOtherInviters(await inviters.load(db, ids), carried)
  const activated = [...lines.flatMap(activatedBy), ...bare.flatMap(payerOf)]
  const known = await db.query<KnownMember>(
    `select users.id, parent_id, coalesce(level, 0) as level, activated_at is not null as activated
     from users left join members using (id) left join memberships using (id)
     where parent_id = any($1::text[]) or users.id = any($2::text[])`,
    [lastRows(lines, memberships).map(({ id }) => id), activated],
  )
  refuseSecondActivations(known, activated)
  refuseOtherLevels(known, lines, bare.length)
}

/** An entry of an activation. */
interface Paid {
  readonly seq: bigint
  readonly postings: readonly { readonly account: string }[]
}

const payerOf = ({ postings }: Paid) => ownersIn(postings).slice(0, 1)

/** An interrupted restore may have imported some entries of a command, and writes its line with the last one. */
async function readPaid(db: Queryable, lines: MissingLines['lines']): Promise<Paid[]> {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last) return []
  const range = { after: first.from_seq - 1n, to: last.to_seq, accounts: undefined }
  const postings = (await readUserPostings(db, range)).filter(({ kind }) => kind === ACTIVATION)
  return postings.map(({ entry_seq: seq, account }) => ({ seq, postings: [{ account }] }))
}

/** The accounts that a line activates, by both of the rows that each of them has. */
function activatedBy(line: MissingLines['lines'][number]): string[] {
  const active = lastRows([line], members).filter(({ activated_at }) => activated_at !== null)
  return [...new Set([...active, ...lastRows([line], activations)].map(({ id }) => id))]
}

/** The entries of a line pay for the accounts that it activates, and for no other. */
export function refuseOtherPayers(paid: readonly Paid[], lines: MissingLines['lines']): void {
  const entries = new Map(paid.map((entry) => [entry.seq, entry]))
  for (const line of lines) {
    const payers = entriesOf(line)
      .flatMap((seq) => entries.get(seq) ?? [])
      .flatMap(payerOf)
    const activated = activatedBy(line)
    if (`${payers.toSorted()}` !== `${activated.toSorted()}`)
      throw new RestoreRefused(
        `Line ${line.number} of rows activates ${activated.join(', ') || 'no account'}, and its entries are paid by ${payers.join(', ') || 'no account'}.`,
      )
  }
}

/**
 * Activations have numbers without gaps, in the order of their entries.
 *
 * @param before the last number of the database.
 * @param bare those of `paid` that get their numbers from the restore.
 */
export function refuseGaps(
  before: bigint,
  { paid, bare }: { readonly paid: readonly Paid[]; readonly bare: readonly Paid[] },
  lines: MissingLines['lines'],
): void {
  const covered = new Set(lines.flatMap(entriesOf))
  const withoutLine = new Set(bare.map(({ seq }) => seq))
  const numbers = new Map(lastRows(lines, activations).map((row) => [row.id, row.number]))
  let number = before
  let last: bigint | undefined
  for (const { seq, postings } of paid) {
    if (withoutLine.has(seq)) number += 1n
    if (!covered.has(seq)) continue
    number += 1n
    last = number
    const found = numbers.get(ownersIn(postings)[0] ?? '')
    if (found !== number)
      throw new RestoreRefused(
        `Entry ${seq} (activation) has number ${found ?? 'none'} in its line, and number ${number} by those before it.`,
      )
  }
  const stored = lastRows(lines, lastNumbers).find(({ id }) => id === LAST_ACTIVATION)?.number
  if (stored !== last)
    throw new RestoreRefused(`The last activation of the lines is number ${last}, and the store has ${stored}.`)
}

/** An account keeps its inviter and its code. One that was deleted and joined again since the backup has a later time, and keeps those of the backup. */
export function refuseOtherInviters(known: readonly InviterRow[], carried: readonly InviterRow[]): void {
  const own = new Map(known.map((row) => [row.id, row]))
  for (const { id, parent_id, invite_code, created_at } of carried) {
    const row = own.get(id)
    if (!row || row.created_at < created_at) continue
    if (row.parent_id !== parent_id)
      throw new RestoreRefused(`The account ${id} has the inviter ${row.parent_id}, and in the store ${parent_id}.`)
    if (row.invite_code !== invite_code)
      throw new RestoreRefused(`The account ${id} has another invite code in the store.`)
  }
}

/** An account is activated once. */
export function refuseSecondActivations(known: readonly KnownMember[], activated: readonly string[]): void {
  const active = new Set(known.filter((member) => member.activated).map(({ id }) => id))
  for (const id of activated) {
    if (active.has(id))
      throw new RestoreRefused(`The account ${id} is activated in the database or in an earlier line.`)
    active.add(id)
  }
}

/**
 * Counts the leads of each account whose level is in a line.
 *
 * @param bare the number of activations without a line. The store does not say who invited an account that joined after the backup, so each of
 * them can be one more lead in a later row.
 */
export function refuseOtherLevels(known: readonly KnownMember[], lines: MissingLines['lines'], bare: number): void {
  const carried = lastRows(lines, memberships)
  const parents = new Map([...known, ...lastRows(lines, inviters)].map(({ id, parent_id }) => [id, parent_id]))
  const levels = new Map([...known, ...carried].map(({ id, level }) => [id, level]))
  const active = new Set(known.filter(({ activated }) => activated).map(({ id }) => id))
  for (const id of lines.flatMap(activatedBy)) active.add(id)
  const leads = Map.groupBy(active, (id) => parents.get(id) ?? null)
  for (const row of carried) {
    const own = leads.get(row.id) ?? []
    const counts = [0, 1, 2, 3, 4].map((least) => own.filter((id) => (levels.get(id) ?? 0) >= least).length)
    const stored = leadsOf(row)
    const isOther = stored.some((count, level) => {
      const more = count - (counts[level] ?? 0)
      return more < 0 || more > bare
    })
    if (isOther || membershipLevel(stored) !== row.level)
      throw new RestoreRefused(
        `The account ${row.id} has level ${row.level} with ${stored.join(', ')} leads in the store, and its activated leads are ${counts.join(', ')}.`,
      )
  }
}
