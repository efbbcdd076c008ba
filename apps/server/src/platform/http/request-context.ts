import type { Locale } from '@clearwell/api/codes'
import type { Payload, ResponseOf, RouteName, routes } from '@clearwell/api/routes'
import type { PreparedResponse } from './prepared-response.ts'

/** The user who is signed in. */
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
  /** The client that limits count by: an IPv4 address, or an IPv6 network. */
  readonly clientAddress: string
}

interface UserOf {
  readonly none: unknown
  readonly optional: { readonly user: SignedIn | undefined }
  readonly required: { readonly user: SignedIn }
}

type ContextOf<Name extends RouteName> = RequestContext & UserOf[(typeof routes)[Name]['session']]

/** A file as it is made: what it holds is asked for while the client reads. */
export interface FileResponse {
  /** Plain letters, digits, points and hyphens. */
  readonly name: string
  /** Its media type. */
  readonly type: string
  readonly pieces: AsyncIterable<string>
}

type HandlerResult<Name extends RouteName> = (typeof routes)[Name] extends { readonly returnsFile: true }
  ? FileResponse
  : ResponseOf<Name>

/** Serves a call: takes the parsed payload, returns the response data, throws refusals. */
export type Handler<Name extends RouteName> = (
  payload: Payload<Name>,
  context: ContextOf<Name>,
) => HandlerResult<Name> | Promise<HandlerResult<Name>>

/** The same for a call that many poll: its response is made into bytes once per change. */
export type PreparedHandler<Name extends RouteName> = (
  payload: Payload<Name>,
  context: ContextOf<Name>,
) => Promise<PreparedResponse<ResponseOf<Name>>>

/**
 * One handler for each call of a table of routes; a missing one does not compile.
 *
 * @typeParam Prepared the calls whose response is made into bytes once per change.
 */
export type HandlersOf<Part, Prepared extends keyof Part = never> = {
  readonly [Name in keyof Part & RouteName]: Name extends Prepared ? PreparedHandler<Name> : Handler<Name>
}
