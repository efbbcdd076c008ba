import { type RowWrite, type State, type StateKey, write } from '@clearwell/ledger/command'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import { refusal } from '../../platform/ledger/refuse.ts'

/** Each version of the operator's terms that a user has accepted. */
export const acceptedTerms = defineWriterTable(
  'accepted_terms',
  forever('the record of what a user agreed to: one row for each user and version'),
  {
    /** The user and the version. */
    id: column.text,
    user_id: column.user('implied'),
    version: column.text,
    /** The first time that the user accepted this version. */
    accepted_at: column.time,
  },
  { rowsAreFinal: true, carried: 'always' },
)

/** A version of the terms that a user accepts with a command; `undefined`: the client sent none. */
export interface Acceptance {
  readonly userId: string
  readonly version: string | undefined
  /** The version of the operator now. null: there are no terms. */
  readonly current: string | null
}

const idOf = ({ userId, version }: Acceptance) => `${userId}:${version}`

/** The keys that {@link acceptTerms} reads. */
export function acceptanceKeys(acceptance: Acceptance): StateKey[] {
  return acceptance.version === undefined ? [] : [{ table: acceptedTerms, id: idOf(acceptance) }]
}

/**
 * Stores the acceptance, unless this version was accepted before.
 *
 * @throws Refusal `conflict` with `unknown_terms` if it is not the operator's version: the user read another text.
 */
export function acceptTerms(state: State, acceptance: Acceptance, now: Date): RowWrite[] {
  const { userId, version, current } = acceptance
  if (version === undefined) return []
  if (version !== current) throw refusal('conflict', { reason: 'unknown_terms' })
  const id = idOf(acceptance)
  if (state.row(acceptedTerms, id)) return []
  return [write(acceptedTerms, { id, user_id: userId, version, accepted_at: now })]
}
