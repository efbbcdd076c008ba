import { type Command, type Context, type Plan, type State, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import * as z from 'zod/mini'
import { watchedVaults } from '../custody/watched-vault.ts'
import { judgeRequest } from './judge-request.ts'
import { type OperatorRequest, operatorActions, operatorPersons, operatorRequests } from './operator.tables.ts'
import { type AnyOperatorAction, needsOf, type OperatorResult } from './operator-action.ts'
import type { Signed } from './statement.ts'

/** Decides an action without its signatures, to show its effect. */
export function previewAction(
  actions: readonly AnyOperatorAction[],
  { kind, payload: text }: Pick<OperatorRequest, 'kind' | 'payload'>,
): Command<OperatorResult> {
  const { action, payload } = parseRequest(actions, { kind, payload: text })
  return {
    kind: `operator_${kind}`,
    owner: 'operator',
    payload: {},
    preload: action?.preload?.(payload) ?? [],
    decide(state, context) {
      const draft = new Draft(state)
      return draft.plan(action?.decide(draft, context, payload) ?? unknownAction(kind))
    },
  }
}

/**
 * The command of a request that enough persons have signed. The decision checks persons, roles, expiry and ledger again, on the
 * state of its batch. The request's id is its idempotency key, so that several servers execute it once. The audit row is written
 * together with the change.
 *
 * @param signed the signatures with the signers that were recovered from them.
 */
export function operatorCommand(
  actions: readonly AnyOperatorAction[],
  request: OperatorRequest,
  signed: readonly Signed[],
): Command<OperatorResult> {
  const { id, kind, reason } = request
  const { action, payload } = parseRequest(actions, request)
  const signers = [...new Set(signed.map(({ signer }) => signer))]
  return {
    kind: `operator_${kind}`,
    owner: 'operator',
    key: id,
    payload: { payload: request.payload, reason },
    preload: [
      { table: operatorRequests, id },
      { table: watchedVaults, id: request.chain_id },
      ...signers.map((each) => ({ table: operatorPersons, id: each })),
      ...(action?.preload?.(payload) ?? []),
    ],
    decide(state, context) {
      const stored = state.row(operatorRequests, id)
      if (stored?.done_at) return { response: { isDone: false, text: 'The request was decided before.' } }
      const found = action ? judgeOn(state, { request, action, payload, signed, now: context.now }) : undefined
      if (action && found?.state === 'ready')
        return decideSigned(state, context, { request, action, payload, persons: found.persons })
      const text = !found ? unknownAction(kind).text : 'why' in found ? found.why : 'It lacks signatures.'
      const outcome = found?.state === 'expired' ? 'expired' : 'refused'
      const rows = [write(operatorRequests, { ...request, done_at: context.now, outcome, result: text })]
      return { rows, response: { isDone: false, text } }
    },
  }
}

interface SignedRequest {
  readonly request: OperatorRequest
  readonly action: AnyOperatorAction
  readonly payload: unknown
}

function judgeOn(
  state: State,
  { request, action, payload, signed, now }: SignedRequest & { readonly signed: readonly Signed[]; readonly now: Date },
) {
  const ids = [...new Set(signed.map(({ signer }) => signer))]
  return judgeRequest(request, {
    needs: needsOf(action, payload),
    signed,
    persons: state.rows(operatorPersons, ids).flatMap((each) => each ?? []),
    vault: state.row(watchedVaults, request.chain_id)?.vault,
    now,
  })
}

function decideSigned(
  state: State,
  context: Context,
  { request, action, payload, persons }: SignedRequest & { readonly persons: readonly Signed[] },
): Plan<OperatorResult> {
  const { id, kind, reason, chain_id, vault, expires_at } = request
  const [first, second] = persons
  const draft = new Draft(state)
  const result = action.decide(
    draft,
    { now: context.now, id: (label) => context.id(label), persons: persons.map(({ signer }) => signer), reason },
    payload,
  )
  const done = result.isDone ? draft : new Draft(state)
  const outcome = result.isDone ? 'done' : 'refused'
  done.add({ rows: [write(operatorRequests, { ...request, done_at: context.now, outcome, result: result.text })] })
  if (result.isDone) {
    const row = {
      ...{ id, kind, payload: request.payload, reason, result: result.text, at: context.now },
      person: first?.signer ?? null,
      second_person: second?.signer ?? null,
      role: needsOf(action, payload).role,
      value_before: result.change?.before ?? null,
      value_after: result.change?.after ?? null,
      ...{ chain_id, vault, expires_at },
      signatures: JSON.stringify(persons.map(({ signature }) => signature)),
      account: result.account ?? null,
    }
    done.add({ rows: [write(operatorActions, row)] })
  }
  return done.plan(result)
}

/** Finds a request's action and parses its input. Nothing is found for an input that the action does not take. */
export function parseRequest(
  actions: readonly AnyOperatorAction[],
  { kind, payload }: Pick<OperatorRequest, 'kind' | 'payload'>,
): { readonly action?: AnyOperatorAction; readonly payload?: unknown } {
  const action = actions.find((each) => each.kind === kind)
  const parsed = action && z.safeParse(action.payload, parseJson(payload))
  return action && parsed?.success ? { action, payload: parsed.data } : {}
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unknownAction(kind: string): OperatorResult {
  return { isDone: false, text: `This server does not know the action ${kind} with this input: it is another version.` }
}
