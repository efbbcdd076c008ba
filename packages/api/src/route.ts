import type * as z from 'zod/mini'
import type { RefusalName } from './codes.ts'

/** One call: all that web, server and documentation need to know of it. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** Under the base path `/api`. */
  readonly path: `/${string}`
  /** `none`: works without a token. `required`: refused with 10001 without a valid one. */
  readonly session: 'none' | 'required'
  /** Whether the call takes an `Idempotency-Key`. */
  readonly idempotent: boolean
  /** Exists only where the profile is local. */
  readonly localOnly?: true
  /** Each call asks the chain's node anew, so an address may call it a tenth as often as others. */
  readonly asksChain?: true
  /** May ask the exchange, which counts what it is asked: an address may call it a fifth as often as others. */
  readonly asksExchange?: true
  /** What it tells is sure only where the ledger is written: a server that does not write hands it on. */
  readonly asksWriter?: true
  /** A success is a file (content-disposition), not an envelope; a refusal is an envelope as everywhere. */
  readonly answersFile?: true
  readonly summary: string
  readonly payload: z.core.$ZodType
  readonly answer: z.core.$ZodType
  /** Refusals that this call can meet beside those of its kind (invalid input, session, rate, not ready). */
  readonly refusals: readonly RefusalName[]
}
