import type { Context } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { activateMember } from '../../domain/members/activate-member.ts'
import { teamEvents } from '../../domain/members/memberships.ts'
import { ownersIn } from './entry-kinds.ts'
import type { StoredEntry } from './read-store.ts'
import type { MissingLines } from './rebuild-rows.ts'

/** The kind of the entry that pays for an activation. */
export const ACTIVATION = 'activation'

/**
 * Finds the activations that have no line, as those of an earlier version. Their rows follow from the entries. An earlier restore may have left an
 * account without its activation: if the account paid again, the last entry counts.
 */
export function findBareActivations(
  entries: readonly StoredEntry[],
  covers: MissingLines['covers'],
): readonly StoredEntry[] {
  const paid = entries.filter(({ kind }) => kind === ACTIVATION)
  const last = new Map(paid.map(({ seq, postings }) => [ownersIn(postings)[0], seq]))
  return paid.filter(({ seq, postings }) => !covers(seq) && last.get(ownersIn(postings)[0]) === seq)
}

/** Activates the account of an entry, as its command did. Its inviters had their notices then. */
export function activateAgain(draft: Draft, context: Context, { seq, postings, at }: StoredEntry): void {
  const [payer] = ownersIn(postings)
  if (payer === undefined) throw new Error(`entry ${seq} activates no account`)
  const { rows = [] } = activateMember(draft, payer, { ...context, now: at })
  draft.add({ rows: rows.filter(({ table }) => table !== teamEvents) })
}
