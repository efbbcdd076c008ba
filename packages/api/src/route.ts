import type * as z from 'zod/mini'
import type { RefusalName } from './codes.ts'

/** The cost of a dear call at most: docs/reference/limits.md lists them. */
export interface CallCost {
  /** The most rows of the database that one call reads, or that one piece of a file holds. */
  readonly rows: number
  /** The requests of the rate limit that it counts as. */
  readonly requests: number
}

/** One call, described once for the web app, the server and the documentation. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** Under the base path `/api`. */
  readonly path: `/${string}`
  /**
   * `none`: works without a token. `required`: refused with 10001 without a valid one. `optional`: works without a valid
   * token, and says more with one.
   */
  readonly session: 'none' | 'optional' | 'required'
  /** True if the call takes an `Idempotency-Key`. */
  readonly idempotent: boolean
  /** With `idempotent`: done twice, it changes nothing of value. A client need not look its outcome up. */
  readonly isHarmless?: true
  /** With `idempotent`: works also for an account that the operator has frozen. */
  readonly worksFrozen?: true
  /** Exists only in the local profile. */
  readonly localOnly?: true
  /**
   * `always`: each call queries the chain's node, so a caller may call it a tenth as often as others. `sometimes`: only some
   * calls do, and the handler bounds how many.
   */
  readonly asksChain?: 'always' | 'sometimes'
  /** May query the exchange, which limits requests: an address may call it a fifth as often as others. */
  readonly asksExchange?: true
  /** Clients poll it and its response is in memory, so an address without a session may call it many times as often. */
  readonly isPolled?: true
  /** Counts toward the sign-ins of a client address, with or without a token. */
  readonly isSignIn?: true
  /** A call that reads more than a page of rows. Absent: a page of at most 101 rows, and one request of the rate limit. */
  readonly cost?: CallCost
  /** Only the writer's response is certain: a server that does not write forwards the call to the writer. */
  readonly asksWriter?: true
  /** Without `idempotent`: changes something beside the ledger, such as a preference, so it is never served from a replica. */
  readonly writes?: true
  /** A success is a file (content-disposition); a refusal is an envelope, like any other. */
  readonly returnsFile?: true
  readonly summary: string
  readonly payload: z.core.$ZodType
  readonly response: z.core.$ZodType
  /** Refusals of this call beside the general ones (invalid input, session, rate, not ready). */
  readonly refusals: readonly RefusalName[]
}
