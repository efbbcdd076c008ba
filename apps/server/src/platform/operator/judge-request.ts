import type { OperatorRequest, PersonRow } from './operator.tables.ts'
import { mayAct, type Role } from './roles.ts'
import type { Signed } from './statement.ts'

/** How long a request waits for its persons. */
export const REQUEST_TTL_MS = 24 * 3_600_000
/** The clock of the command line may be ahead of the leader's by this much. */
const CLOCK_SLACK_MS = 60_000

/** The leader's decision about a request now. */
export type Judgement =
  | { readonly state: 'ready'; readonly persons: readonly Signed[] }
  | { readonly state: 'waiting'; readonly missing: number }
  | { readonly state: 'refused' | 'expired'; readonly why: string }

/**
 * Judges a request by its signatures and the persons of the database. A signature of anyone without the role counts for
 * nothing, and two of one person count once.
 *
 * @param vault the ledger's vault on the chain of the request.
 * @param persons the persons among the signers.
 */
export function judgeRequest(
  request: Pick<OperatorRequest, 'expires_at' | 'vault'>,
  {
    needs,
    signed,
    persons,
    vault,
    now,
  }: {
    readonly needs: { readonly role: Role; readonly persons: number }
    readonly signed: readonly Signed[]
    readonly persons: readonly PersonRow[]
    readonly vault: string | undefined
    readonly now: Date
  },
): Judgement {
  const expiresMs = request.expires_at.getTime()
  if (expiresMs <= now.getTime()) return { state: 'expired', why: 'The request expired without enough signatures.' }
  if (expiresMs > now.getTime() + REQUEST_TTL_MS + CLOCK_SLACK_MS)
    return { state: 'refused', why: 'The request expires later than a day from now.' }
  if (request.vault !== vault) return { state: 'refused', why: 'The request is for another ledger.' }
  const able = new Set(persons.filter((person) => mayAct(person, needs.role)).map(({ id }) => id))
  const first = new Map(signed.toReversed().map((each) => [each.signer, each]))
  const valid = [...first.values()].toReversed().filter(({ signer }) => able.has(signer))
  const missing = needs.persons - valid.length
  return missing > 0 ? { state: 'waiting', missing } : { state: 'ready', persons: valid.slice(0, needs.persons) }
}
