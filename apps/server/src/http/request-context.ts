import type { Locale } from '@clearwell/api/codes'
import type { Answer, Payload, RouteName, routes } from '@clearwell/api/routes'

/** Who is signed in. */
export interface SignedIn {
  /** The wallet address in lower case. */
  readonly id: string
  /** The inviter, given once and for good. */
  readonly parentId: string | null
  readonly tokenHash: string
}

export interface RequestContext {
  readonly locale: Locale
  readonly idempotencyKey: string | undefined
}

type ContextOf<Name extends RouteName> = (typeof routes)[Name]['session'] extends 'required'
  ? RequestContext & { readonly user: SignedIn }
  : RequestContext

/** What serves a call: parsed payload in, answer out; refusals are thrown. */
export type Handler<Name extends RouteName> = (
  payload: Payload<Name>,
  context: ContextOf<Name>,
) => Answer<Name> | Promise<Answer<Name>>

/** One handler for each of these calls; one that is missing does not compile. */
export type Handlers<Names extends RouteName> = { readonly [Name in Names]: Handler<Name> }
