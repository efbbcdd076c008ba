import type { Context, StateKey } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { defineListPort } from '../port.ts'

/** The bookings of a feature for some blocks, in the command that moves the watcher's cursor past them. */
export interface CursorBooking {
  /** A hint, like that of a command. */
  readonly preload: readonly StateKey[]
  /** Adds to the plan. Pure, as every decision. Blocks can come again after the cursor was moved back: it books each thing once. */
  readonly book: (draft: Draft, context: Context) => void
}

/** Follows the chain with the watcher's cursor. */
export interface CursorFollower {
  /**
   * Reads what happened in blocks `from` to `to`, which are final.
   *
   * @throws the chain's errors: then the cursor stays where it is.
   */
  readonly read: (range: { readonly from: bigint; readonly to: bigint }) => Promise<CursorBooking>
}

export const cursorFollowers = defineListPort<CursorFollower>("followers of the watcher's cursor")
