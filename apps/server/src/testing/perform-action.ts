import { randomUUID } from 'node:crypto'
import type { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import * as z from 'zod/mini'
import { watchedVaults } from '../platform/custody/watched-vault.ts'
import { type OperatorRequest, operatorPersons } from '../platform/operator/operator.tables.ts'
import type { AnyOperatorAction, OperatorResult } from '../platform/operator/operator-action.ts'
import { operatorCommand } from '../platform/operator/operator-command.ts'

/** Two owners of a ledger in memory. Their signatures are taken as verified. */
export const OWNERS = ['0xa1', '0xa2'].map((id) => ({ signer: id, signature: `signature of ${id}` }))

/**
 * Performs an operator's action as the leader does for a request that two owners have signed.
 *
 * @throws ZodError for an input that the action does not take.
 */
export function performAction(ledger: MemoryLedger, action: AnyOperatorAction, payload: object): OperatorResult {
  z.parse(action.payload, payload)
  return ledger.execute(operatorCommand([action], requestFor(ledger, action, payload), OWNERS))
}

/** A request of the command line for a ledger in memory, which gets two owners and a vault. */
function requestFor(ledger: MemoryLedger, { kind }: AnyOperatorAction, payload: object): OperatorRequest {
  for (const { signer } of OWNERS)
    ledger.put(operatorPersons, { id: signer, name: signer, roles: 'owner', since: ledger.now, ended_at: null })
  const watched = ledger.rows(watchedVaults)[0] ?? { id: '31337', vault: '0xvault', since: ledger.now }
  ledger.put(watchedVaults, watched)
  return {
    ...{ id: randomUUID(), kind, payload: JSON.stringify(payload), reason: 'test', asked_at: ledger.now },
    ...{ chain_id: watched.id, vault: watched.vault },
    expires_at: new Date(ledger.now.getTime() + 3_600_000),
  }
}
