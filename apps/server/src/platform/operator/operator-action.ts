import type { Context, StateKey } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import type * as z from 'zod/mini'
import type { Role } from './roles.ts'

export interface OperatorResult {
  /** False if a rule prevented the action: then nothing changed. */
  readonly isDone: boolean
  /** One sentence for the operator. */
  readonly text: string
  /** The order that the action opened. */
  readonly orderId?: string
  /** The value that the action replaced, and the new one, for the audit log. Absent: the text says everything. */
  readonly change?: { readonly before: string; readonly after: string }
  /** The account that the action concerns, in lower case: its user sees the action, with role and reason. */
  readonly account?: string
}

/** The context of an action's decision. */
export interface ActionContext extends Context {
  /** The persons who signed, as addresses. Absent where the effect is only shown. */
  readonly persons?: readonly string[]
  /** Why, as signed: for the user whom the action concerns. Absent where the effect is only shown. */
  readonly reason?: string
}

/** How many persons sign an action: one for what stops, two for what lets money move again. */
export type PersonCount = 1 | 2

/** A change that only the operator can make, decided as every other command of the ledger. */
export interface OperatorAction<Payload> {
  readonly kind: string
  readonly payload: z.ZodMiniType<Payload>
  /** The role that each of its persons has. Absent: owner. */
  readonly role?: Role | ((payload: Payload) => Role)
  /** Absent: two. */
  readonly persons?: PersonCount | ((payload: Payload) => PersonCount)
  /** A hint, like {@link Command.preload}. */
  readonly preload?: (payload: Payload) => readonly StateKey[]
  /** Adds the change to the draft. If the result is not done, the draft is dropped. Pure. */
  readonly decide: (draft: Draft, context: ActionContext, payload: Payload) => OperatorResult
}

// biome-ignore lint/suspicious/noExplicitAny: an action of any payload; each parses its own.
export type AnyOperatorAction = OperatorAction<any>

export function defineOperatorAction<Payload>(action: OperatorAction<Payload>): OperatorAction<Payload> {
  return action
}

/** Returns the role and the number of persons that an action needs: an owner and two, unless it says less. */
export function needsOf(
  { role = 'owner', persons = 2 }: AnyOperatorAction,
  payload: unknown,
): { readonly role: Role; readonly persons: PersonCount } {
  const named = typeof role === 'function' ? role(payload) : role
  return { role: named, persons: typeof persons === 'function' ? persons(payload) : persons }
}
