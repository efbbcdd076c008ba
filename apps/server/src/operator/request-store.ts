import type { Database } from '@clearwell/ledger/database'
import { REQUEST_COLUMNS } from '../platform/operator/drain-requests.ts'
import { type OperatorRequest, operatorPersons, type PersonRow } from '../platform/operator/operator.tables.ts'
import type { Signed } from '../platform/operator/statement.ts'

/** Requests that are listed. */
const LISTED = 100

/** Stores a request with its signatures. Nothing is executed without enough of them. */
export async function storeRequest(db: Database, request: OperatorRequest, signed: readonly Signed[]): Promise<void> {
  await db.transaction(async (tx) => {
    const { id, kind, payload, reason, asked_at, chain_id, vault, expires_at } = request
    await tx.query(`insert into operator_requests (${REQUEST_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)`, [
      id,
      kind,
      payload,
      reason,
      asked_at,
      chain_id,
      vault,
      expires_at,
    ])
    for (const { signature } of signed) await tx.query(INSERT_SIGNATURE, [id, signature])
  })
}

/** Adds a signature to a stored request. The same one twice is one. */
export async function storeSignature(db: Database, requestId: string, { signature }: Signed): Promise<void> {
  await db.query(INSERT_SIGNATURE, [requestId, signature])
}

const INSERT_SIGNATURE = `insert into operator_signatures (request_id, signature, signed_at)
  values ($1, $2, clock_timestamp()) on conflict do nothing`

/** Reads the requests that are not decided, oldest first. */
export function readWaiting(db: Database): Promise<OperatorRequest[]> {
  return db.query<OperatorRequest>(
    `select ${REQUEST_COLUMNS} from operator_requests where done_at is null order by asked_at, id limit $1`,
    [LISTED],
  )
}

/** Reads a request that is not decided. */
export async function readRequest(db: Database, id: string): Promise<OperatorRequest | undefined> {
  const text = `select ${REQUEST_COLUMNS} from operator_requests where id = $1 and done_at is null`
  return (await db.query<OperatorRequest>(text, [id]))[0]
}

/** Reads every person, also the former ones. */
export function readPersons(db: Database): Promise<PersonRow[]> {
  return db.query<PersonRow>(`select ${operatorPersons.columns} from operator_persons order by since, id`)
}
