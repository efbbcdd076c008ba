import type { Database } from '@clearwell/ledger/database'
import { OPERATOR_ACTIONS } from '../operator-actions.ts'
import { refuseRequest } from '../platform/operator/change-person.ts'
import { readJudgement } from '../platform/operator/execute-signed.ts'
import type { OperatorRequest } from '../platform/operator/operator.tables.ts'
import { needsOf } from '../platform/operator/operator-action.ts'
import { parseRequest } from '../platform/operator/operator-command.ts'
import { type Arguments, failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { openOperatorClock } from './execute-request.ts'
import { withDatabase } from './open-books.ts'
import { findSignerFault, finishRequest, outcomeOf, requestAction, type Site, showRequest } from './request-action.ts'
import { readRequest, readWaiting, storeSignature } from './request-store.ts'
import { openSigners, readSignature, signRequest } from './sign-request.ts'

export const requests: OperatorCommand = {
  about: 'lists the requests that wait for signatures, and who has signed them',
  run: ({ json }) =>
    withDatabase(async (db) => {
      const rows = await Promise.all((await readWaiting(db)).map((request) => describe(db, request)))
      const lines = rows.map(
        ({ id, kind, reason, signed_by: by, expires_at: expires }) =>
          `${id}  ${kind}  signed by ${by.join(', ') || 'nobody'}, until ${expires}\n  ${reason}`,
      )
      const text = json ? JSON.stringify({ requests: rows }, null, 2) : lines.join('\n') || 'No request waits.'
      return { text, faults: [], exitCode: 0 }
    }),
}

export const approve: OperatorCommand = {
  about: 'shows a request that waits for signatures and its effect; signs it as a person',
  words: '<request> [--execute] [--signature <signature>]',
  options: ['execute', 'signature'],
  async run(args) {
    const [id, ...rest] = args.words
    if (!id || rest.length > 0) return undefined
    return withDatabase((db, site) => sign(site, db, { ...args, id }))
  },
}

export const refuse: OperatorCommand = {
  about: 'refuses a request that waits for signatures',
  words: '<request> --reason <text> [--execute]',
  options: ['reason', 'execute'],
  async run(args) {
    const { reason } = args
    const [id, ...rest] = args.words
    if (!id || rest.length > 0 || !reason || !isPrintable(reason)) return undefined
    return withDatabase((db, site) =>
      requestAction(site, db, { action: refuseRequest, payload: { id }, args: { ...args, reason } }),
    )
  },
}

async function sign(
  site: Site,
  db: Database,
  { id, json, execute, signature }: Arguments & { readonly id: string },
): Promise<Outcome> {
  const request = await readRequest(db, id)
  if (!request) return failure(`No request ${JSON.stringify(id)} waits for signatures.`)
  const now = (await openOperatorClock(site, db)).now()
  if (!execute && signature === undefined)
    return { text: await showRequest(db, request, now, json), faults: [], exitCode: 0 }
  const { action, payload } = parseRequest(OPERATOR_ACTIONS, request)
  if (!action) return failure(`This version does not know the action ${request.kind}.`)
  const before = (await readJudgement(db, OPERATOR_ACTIONS, { request, now })).signed.map(({ signer }) => signer)
  const signers = openSigners(site, request.chain_id).filter(({ address }) => !before.includes(address.toLowerCase()))
  const [signed] =
    signature === undefined ? await signRequest(request, signers, 1) : [await readSignature(request, signature)]
  if (!signed)
    return failure('No new person signed: set OPERATOR_KEY, or pass a --signature of the text that `approve` shows.')
  const fault = await findSignerFault(db, [signed], needsOf(action, payload).role)
  if (fault) return failure(fault)
  await storeSignature(db, request.id, signed)
  return outcomeOf(await finishRequest(site, db, request, json), json)
}

async function describe(db: Database, request: OperatorRequest) {
  const { persons } = await readJudgement(db, OPERATOR_ACTIONS, { request, now: new Date() })
  const { id, kind, payload, reason, asked_at, expires_at } = request
  return {
    id,
    kind,
    payload: JSON.parse(payload),
    reason,
    asked_at: asked_at.toISOString(),
    expires_at: expires_at.toISOString(),
    signed_by: persons.map(({ name, id: address }) => `${name} (${address})`),
  }
}
