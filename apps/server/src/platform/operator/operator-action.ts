import { type Command, type Context, type StateKey, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { column, defineWriterTable, forever } from '@clearwell/ledger/table'
import * as z from 'zod/mini'
import type { Role } from './roles.ts'

/** Requests of the operator's command line. It adds them; the leader executes them and writes `done_at`. */
export const operatorRequests = defineWriterTable(
  'operator_requests',
  forever('the record of commands that the operator gave by hand'),
  {
    id: column.text,
    kind: column.text,
    payload: column.text,
    reason: column.text,
    asked_at: column.time,
    done_at: column.optional(column.time),
  },
)

/** The audit log of the operator's changes. Append only. */
export const operatorActions = defineWriterTable(
  'operator_actions',
  forever('the audit log of the operator; a few rows a month'),
  {
    id: column.text,
    kind: column.text,
    payload: column.text,
    reason: column.text,
    /** One sentence. */
    result: column.text,
    at: column.time,
  },
)

export interface OperatorRequest {
  readonly id: string
  readonly kind: string
  /** JSON. */
  readonly payload: string
  readonly reason: string
  readonly asked_at: Date
}

export interface OperatorResult {
  /** False if a rule prevented the action: then nothing changed. */
  readonly isDone: boolean
  /** One sentence for the operator. */
  readonly text: string
  /** The order that the action opened. */
  readonly orderId?: string
  /** The value that the action replaced, and the new one, for the audit log. Absent: the text says everything. */
  readonly change?: { readonly before: string; readonly after: string }
}

/** How many persons sign an action: one for what stops, two for what lets money move again. */
export type PersonCount = 1 | 2

/** A change that only the operator can make, decided as every other command of the ledger. */
export interface OperatorAction<Payload> {
  readonly kind: string
  readonly payload: z.ZodMiniType<Payload>
  /** The role that each of its persons has. Absent: owner. */
  readonly role?: Role
  /** Absent: two. */
  readonly persons?: PersonCount | ((payload: Payload) => PersonCount)
  /** A hint, like {@link Command.preload}. */
  readonly preload?: (payload: Payload) => readonly StateKey[]
  /** Adds the change to the draft. If the result is not done, the draft is dropped. Pure. */
  readonly decide: (draft: Draft, context: Context, payload: Payload) => OperatorResult
}

// biome-ignore lint/suspicious/noExplicitAny: an action of any payload; each parses its own.
export type AnyOperatorAction = OperatorAction<any>

export function defineOperatorAction<Payload>(action: OperatorAction<Payload>): OperatorAction<Payload> {
  return action
}

/**
 * The command of a request. The request's id is its idempotency key, so that several servers execute it once. The audit row
 * is written together with the change.
 */
export function operatorCommand(
  actions: readonly AnyOperatorAction[],
  request: OperatorRequest,
): Command<OperatorResult> {
  const { id, kind, reason } = request
  const action = actions.find((each) => each.kind === kind)
  const payload = action && z.parse(action.payload, JSON.parse(request.payload))
  return {
    kind: `operator_${kind}`,
    owner: 'operator',
    key: id,
    payload: { payload: request.payload, reason },
    preload: action?.preload?.(payload) ?? [],
    decide(state, context) {
      const draft = new Draft(state)
      const result = action?.decide(draft, context, payload) ?? unknownAction(kind)
      const done = result.isDone ? draft : new Draft(state)
      done.add({ rows: [write(operatorRequests, { ...request, done_at: context.now })] })
      if (result.isDone) {
        const row = { id, kind, payload: request.payload, reason, result: result.text, at: context.now }
        done.add({ rows: [write(operatorActions, row)] })
      }
      return done.plan(result)
    },
  }
}

function unknownAction(kind: string): OperatorResult {
  return { isDone: false, text: `This server does not know the action ${kind}: it is an older version.` }
}
