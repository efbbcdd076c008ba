import { randomUUID } from 'node:crypto'
import type { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { type AnyOperatorAction, type OperatorResult, operatorCommand } from '../platform/operator/operator-action.ts'

/** Performs an operator's action as the leader does for a request of the command line. */
export function performAction(ledger: MemoryLedger, action: AnyOperatorAction, payload: object): OperatorResult {
  const { kind } = action
  const request = { id: randomUUID(), kind, payload: JSON.stringify(payload), reason: 'test', asked_at: ledger.now }
  return ledger.execute(operatorCommand([action], request))
}
