import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { type Preview, previewCommand } from '@clearwell/ledger/preview'
import { findOutcome } from '@clearwell/ledger/reads'
import { formatAmount } from '@clearwell/money/amount'
import { isAssetId } from '@clearwell/money/asset'
import type { Config } from '../load-config.ts'
import { OPERATOR_ACTIONS } from '../operator-actions.ts'
import { readLedgerVault } from '../platform/custody/watched-vault.ts'
import { executeSigned, readJudgement } from '../platform/operator/execute-signed.ts'
import { REQUEST_TTL_MS } from '../platform/operator/judge-request.ts'
import { type OperatorRequest, operatorPersons } from '../platform/operator/operator.tables.ts'
import { needsOf, type OperatorAction, type OperatorResult } from '../platform/operator/operator-action.ts'
import { parseRequest, previewAction } from '../platform/operator/operator-command.ts'
import { mayAct, type Role } from '../platform/operator/roles.ts'
import { type Signed, statementOf } from '../platform/operator/statement.ts'
import { type Arguments, failure, type Outcome } from './command.ts'
import { executeRequest, openOperatorClock } from './execute-request.ts'
import { storeRequest } from './request-store.ts'
import { openSigners, signRequest } from './sign-request.ts'

/** The exit code of a command whose request waits for signatures. */
export const WAITING = 3

/** Needs of signing and executing a request: no key but the person's own. */
export type Site = Pick<Config, 'env'> & Partial<Pick<Config, 'chain'>>

/** An action with its input, and the operator's arguments. */
export interface Asked<Payload> {
  readonly action: OperatorAction<Payload>
  readonly payload: Payload
  readonly args: Pick<Arguments, 'json' | 'execute'> & { readonly reason: string }
}

/** An executed action, or the outcome of a dry run, of a request that waits for signatures, or of a refused one. */
export type Requested =
  | { readonly executed: OperatorResult; readonly text: string; readonly id: string }
  | { readonly executed?: undefined; readonly outcome: Outcome }

/**
 * Shows the effect of an action, or signs and requests it with `--execute`. The effect is the decision of the same action that
 * the writer executes.
 */
export async function requestAction<Payload>(site: Site, db: Database, asked: Asked<Payload>): Promise<Outcome> {
  return outcomeOf(await perform(site, db, asked), asked.args.json)
}

/** The outcome of a command that does nothing after the action. */
export function outcomeOf(result: Requested, json: boolean): Outcome {
  if (!result.executed) return result.outcome
  const text = json ? JSON.stringify({ executed: true, result: result.executed.text }, null, 2) : result.text
  return { text, faults: [], exitCode: 0 }
}

/** The same, for a command that continues after the action. */
export async function perform<Payload>(
  site: Site,
  db: Database,
  { action, payload, args }: Asked<Payload>,
): Promise<Requested> {
  const { kind } = action
  const text = JSON.stringify(payload)
  const clock = await openOperatorClock(site, db)
  const preview = await previewCommand(db, previewAction(OPERATOR_ACTIONS, { kind, payload: text }), {
    now: clock.now(),
    id: () => randomBytes(16).toString('hex'),
  })
  if (!preview.result.isDone) return { outcome: failure(preview.result.text) }
  if (!args.execute) return { outcome: { text: dryRunText(preview, args.json), faults: [], exitCode: 0 } }
  const ledger = await readLedgerVault(db)
  if (!ledger) return { outcome: failure('The ledger has no vault yet: start the server first.') }
  if (site.chain && String(site.chain.id) !== ledger.chainId)
    return { outcome: failure(`The ledger is of chain ${ledger.chainId}, and the configuration of ${site.chain.id}.`) }
  const now = clock.now()
  const request = {
    id: randomUUID(),
    kind,
    payload: text,
    reason: args.reason,
    asked_at: now,
    chain_id: ledger.chainId,
    vault: ledger.vault,
    expires_at: new Date(now.getTime() + REQUEST_TTL_MS),
  }
  const needs = needsOf(action, payload)
  const signed = await signRequest(request, openSigners(site, ledger.chainId), needs.persons)
  const fault = await findSignerFault(db, signed, needs.role)
  if (fault) return { outcome: failure(fault) }
  await storeRequest(db, request, signed)
  return finishRequest(site, db, request, args.json)
}

/** Finds the first signer who may not sign an action of a role. */
export async function findSignerFault(
  db: Database,
  signed: readonly Signed[],
  role: Role,
): Promise<string | undefined> {
  const rows = await operatorPersons.load(
    db,
    signed.map(({ signer }) => signer),
  )
  const unable = signed.find(({ signer }) => !rows.some((row) => row.id === signer && mayAct(row, role)))
  return unable && `${unable.signer} is not a person with the role ${role}: see \`persons\`.`
}

/** Has a stored request executed if enough persons have signed it; otherwise says what it waits for. */
export async function finishRequest(
  site: Site,
  db: Database,
  request: OperatorRequest,
  json: boolean,
): Promise<Requested> {
  const clock = await openOperatorClock(site, db)
  const { judgement } = await readJudgement(db, OPERATOR_ACTIONS, { request, now: clock.now() })
  if (judgement.state === 'waiting') return { outcome: waiting(request, judgement.missing, json) }
  const result = await execute(site, db, request)
  if (!result) return { outcome: failure('No server has executed the request yet. The next leader will.') }
  if (!result.isDone) return { outcome: failure(result.text) }
  return { executed: result, text: result.text, id: request.id }
}

/** Shows a person the statement to sign, and the action's effect now. */
export async function showRequest(db: Database, request: OperatorRequest, now: Date, json: boolean): Promise<string> {
  const { action, payload } = parseRequest(OPERATOR_ACTIONS, request)
  const preview = await previewCommand(db, previewAction(OPERATOR_ACTIONS, request), {
    now,
    id: () => randomBytes(16).toString('hex'),
  })
  const role = action ? needsOf(action, payload).role : 'owner'
  if (json)
    return JSON.stringify(
      { statement: statementOf(request), role, effect: JSON.parse(dryRunText(preview, true)) },
      null,
      2,
    )
  return [statementOf(request), '', `It needs the role ${role}.`, dryRunText(preview, false)].join('\n')
}

function execute(site: Site, db: Database, request: OperatorRequest): Promise<OperatorResult | undefined> {
  return executeRequest<OperatorResult>(site, db, {
    async findOutcome() {
      const outcome = await findOutcome<OperatorResult>(db, { owner: 'operator', key: request.id })
      return outcome && 'ok' in outcome ? outcome.ok : undefined
    },
    async execute(writer, clock) {
      const result = await executeSigned({ db, writer, actions: OPERATOR_ACTIONS, clock }, request)
      return result ?? { isDone: false, text: 'The request lacks a signature.' }
    },
  })
}

function waiting(request: OperatorRequest, missing: number, json: boolean): Outcome {
  const { id, expires_at: expires } = request
  const statement = statementOf(request)
  const persons = missing === 1 ? 'one more person' : `${missing} persons`
  const text = json
    ? JSON.stringify({ executed: false, request: id, missing, expires_at: expires.toISOString(), statement }, null, 2)
    : [
        `The request ${id} waits for the signature of ${persons} until ${expires.toISOString()}.`,
        `To sign it: npm run operator -- approve ${id} --execute, with the person's OPERATOR_KEY.`,
        `With a wallet: sign the text below (personal_sign), and add --signature <signature>.`,
        '',
        statement,
      ].join('\n')
  return { text, faults: [], exitCode: WAITING }
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
