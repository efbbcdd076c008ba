import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { storeRequest } from '../operator/request-store.ts'
import { signRequest } from '../operator/sign-request.ts'
import { localOwners } from '../platform/chain/local-wallets.ts'
import type { AnyOperatorAction, OperatorAction, OperatorResult } from '../platform/operator/operator-action.ts'
import { operatorCommand } from '../platform/operator/operator-command.ts'
import { OWNERS } from './perform-action.ts'
import type { TestServer } from './server.ts'

/** Requests an action beside a running local server, signed by both local owners. The leader executes it within a second. */
export async function requestSigned<Payload>(
  { db, ok }: Pick<TestServer, 'db' | 'ok'>,
  action: OperatorAction<Payload>,
  payload: Payload,
): Promise<string> {
  const now = new Date((await ok('config', {})).time)
  const [watched] = await db.query<{ id: string; vault: string }>('select id, vault from watched_vaults')
  if (!watched) throw new Error('the ledger has no vault yet')
  const request = {
    ...{ id: randomUUID(), kind: action.kind, payload: JSON.stringify(payload), reason: 'test', asked_at: now },
    ...{ chain_id: watched.id, vault: watched.vault, expires_at: new Date(now.getTime() + 3_600_000) },
  }
  const signers = localOwners().map(({ account }) => account)
  await storeRequest(db, request, await signRequest(request, signers, 2))
  return request.id
}

/** Executes an action on a database of a test, as the leader does for two owners. Their signatures are taken as verified. */
export async function executeForOwners(
  { db, writer }: { readonly db: Database; readonly writer: Pick<Writer, 'execute'> },
  actions: readonly AnyOperatorAction[],
  { kind, payload, now }: { readonly kind: string; readonly payload: object; readonly now: Date },
): Promise<OperatorResult> {
  for (const { signer } of OWNERS)
    await db.query(
      `insert into operator_persons (id, name, roles, since) values ($1, $1, 'owner', $2) on conflict do nothing`,
      [signer, now],
    )
  await db.query(
    `insert into watched_vaults (id, vault, since) values ('31337', '0xvault', $1) on conflict do nothing`,
    [now],
  )
  const [watched] = await db.query<{ vault: string }>("select vault from watched_vaults where id = '31337'")
  const request = {
    ...{ id: randomUUID(), kind, payload: JSON.stringify(payload), reason: 'test', asked_at: now },
    ...{ chain_id: '31337', vault: watched?.vault ?? '', expires_at: new Date(now.getTime() + 3_600_000) },
  }
  return writer.execute(operatorCommand(actions, request, OWNERS))
}
