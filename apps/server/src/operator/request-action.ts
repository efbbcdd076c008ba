import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { type Preview, previewCommand } from '@clearwell/ledger/preview'
import { findOutcome } from '@clearwell/ledger/reads'
import { formatAmount } from '@clearwell/money/amount'
import { isAssetId } from '@clearwell/money/asset'
import type { Config } from '../load-config.ts'
import { OPERATOR_ACTIONS } from '../operator-actions.ts'
import {
  type OperatorAction,
  type OperatorRequest,
  type OperatorResult,
  operatorCommand,
} from '../platform/operator/operator-action.ts'
import type { Arguments, Outcome } from './command.ts'
import { executeRequest } from './execute-request.ts'

/** An action with its input, and the operator's arguments. */
export interface Asked<Payload> {
  readonly action: OperatorAction<Payload>
  readonly payload: Payload
  readonly args: Pick<Arguments, 'json' | 'execute'> & { readonly reason: string }
}

/** An executed action, or the outcome of a dry run or of a refused one. */
export type Requested =
  | { readonly executed: OperatorResult; readonly text: string }
  | { readonly executed?: undefined; readonly outcome: Outcome }

/**
 * Shows the effect of an action, or has it executed with `--execute`. The effect is the decision of the same command that
 * the writer executes.
 */
export async function requestAction<Payload>(config: Config, db: Database, asked: Asked<Payload>): Promise<Outcome> {
  const result = await perform(config, db, asked)
  if (!result.executed) return result.outcome
  const { json } = asked.args
  const text = json ? JSON.stringify({ executed: true, result: result.executed.text }, null, 2) : result.text
  return { text, faults: [], exitCode: 0 }
}

/** The same, for a command that continues after the action. */
export async function perform<Payload>(
  config: Config,
  db: Database,
  { action, payload, args }: Asked<Payload>,
): Promise<Requested> {
  const request = {
    id: randomUUID(),
    kind: action.kind,
    payload: JSON.stringify(payload),
    reason: args.reason,
    asked_at: new Date(),
  }
  const preview = await previewCommand(db, operatorCommand(OPERATOR_ACTIONS, request), {
    now: new Date(),
    id: () => randomBytes(16).toString('hex'),
  })
  if (!preview.result.isDone) return { outcome: failure(preview.result.text) }
  if (!args.execute) return { outcome: { text: dryRunText(preview, args.json), faults: [], exitCode: 0 } }
  const result = await execute(config, db, request)
  if (!result) return { outcome: failure('No server has executed the request yet. The next leader will.') }
  if (!result.isDone) return { outcome: failure(result.text) }
  return { executed: result, text: result.text }
}

export function failure(fault: string): Outcome {
  return { text: '', faults: [fault], exitCode: 1 }
}

async function execute(config: Config, db: Database, request: OperatorRequest): Promise<OperatorResult | undefined> {
  const [row] = await db.query<{ asked_at: Date }>(
    `insert into operator_requests (id, kind, payload, reason, asked_at)
     values ($1, $2, $3, $4, clock_timestamp()) returning asked_at`,
    [request.id, request.kind, request.payload, request.reason],
  )
  const stored = { ...request, asked_at: row?.asked_at ?? request.asked_at }
  return executeRequest<OperatorResult>(config, db, {
    async findOutcome() {
      const outcome = await findOutcome<OperatorResult>(db, { owner: 'operator', key: request.id })
      return outcome && 'ok' in outcome ? outcome.ok : undefined
    },
    execute: (writer) => writer.execute(operatorCommand(OPERATOR_ACTIONS, stored)),
  })
}

function dryRunText({ result, entries }: Preview<OperatorResult>, json: boolean): string {
  const postings = entries.flatMap(({ kind, reference, postings }) =>
    postings.map((posting) => ({
      kind,
      reference,
      account: posting.account,
      asset: posting.asset,
      amount: amountText(posting.asset, posting.units),
      balance_after: amountText(posting.asset, posting.balanceAfter),
    })),
  )
  if (json) return JSON.stringify({ executed: false, result: result.text, postings }, null, 2)
  const lines = postings.map(
    ({ kind, account, asset, amount, balance_after: after }) =>
      `  ${kind}  ${account}  ${amount} ${asset}, then ${after} ${asset}`,
  )
  return ['Dry run, nothing was changed. With --execute:', result.text, ...lines].join('\n')
}

function amountText(asset: string, units: bigint): string {
  return isAssetId(asset) ? formatAmount({ asset, units }) : String(units)
}
