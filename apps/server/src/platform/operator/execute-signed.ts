import type { Database, Queryable } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { watchedVaults } from '../custody/watched-vault.ts'
import type { Clock } from '../time/clock.ts'
import { type Judgement, judgeRequest } from './judge-request.ts'
import { type OperatorRequest, operatorPersons, type PersonRow } from './operator.tables.ts'
import { type AnyOperatorAction, needsOf, type OperatorResult } from './operator-action.ts'
import { operatorCommand, parseRequest } from './operator-command.ts'
import { recoverSigners, type Signed } from './statement.ts'

/** Signatures of one request that are verified: a person needs one. */
const MAX_SIGNATURES = 10

/** A stored request with its signatures, judged now. */
export interface JudgedRequest {
  readonly judgement: Judgement
  readonly signed: readonly Signed[]
  /** The persons among the signers, also those without the role. */
  readonly persons: readonly PersonRow[]
}

/** Recovers who signed a stored request, and judges it by the persons of the database. */
export async function readJudgement(
  db: Queryable,
  actions: readonly AnyOperatorAction[],
  { request, now }: { readonly request: OperatorRequest; readonly now: Date },
): Promise<JudgedRequest> {
  const rows = await db.query<{ signature: string }>(
    'select signature from operator_signatures where request_id = $1 order by signed_at, signature limit $2',
    [request.id, MAX_SIGNATURES],
  )
  const signatures = rows.map(({ signature }) => signature)
  const signed = await recoverSigners(request, signatures)
  const ids = [...new Set(signed.map(({ signer }) => signer))]
  const persons = ids.length === 0 ? [] : await operatorPersons.load(db, ids)
  const [watched] = await watchedVaults.load(db, [request.chain_id])
  const { action, payload } = parseRequest(actions, request)
  const needs = action ? needsOf(action, payload) : ({ role: 'owner', persons: 1 } as const)
  return { judgement: judgeRequest(request, { needs, signed, persons, vault: watched?.vault, now }), signed, persons }
}

/**
 * Executes a stored request if enough persons have signed it, and closes one that has expired.
 *
 * @returns `undefined` while the request waits for a signature.
 */
export async function executeSigned(
  {
    db,
    writer,
    actions,
    clock,
  }: {
    readonly db: Database
    readonly writer: Pick<Writer, 'execute'>
    readonly actions: readonly AnyOperatorAction[]
    readonly clock: Clock
  },
  request: OperatorRequest,
): Promise<OperatorResult | undefined> {
  const { judgement, signed } = await readJudgement(db, actions, { request, now: clock.now() })
  if (judgement.state === 'waiting') return undefined
  return writer.execute(operatorCommand(actions, request, signed))
}
