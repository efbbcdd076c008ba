import * as z from 'zod/mini'
import { asset, decimalText, nothing, timeText } from './fields.ts'
import type { Route } from './route.ts'

export const proofRoutes = {
  proofReserves: {
    method: 'POST',
    path: '/proof/reserves',
    session: 'none',
    idempotent: false,
    isPolled: true,
    summary:
      'The last comparison of the ledger with the vault contract: one block of the chain, one entry of the ledger. RT exists only in the ledger and is not included.',
    payload: nothing,
    response: z.object({
      assets: z.array(
        z.object({
          asset,
          /** The vault contract's balance after `block_number`. */
          vault: decimalText,
          /** The total of all accounts of the ledger after `ledger_seq`. */
          owed: decimalText,
          /** `vault` minus `owed`. Below zero: money is missing. Above: money that belongs to no account. */
          difference: decimalText,
        }),
      ),
      /** The watcher's block: everything up to it is in the ledger, and nothing later. null before the first check. */
      block_number: z.nullable(z.int()),
      block_hash: z.nullable(z.string()),
      block_time: z.nullable(timeText),
      /** The last entry of the ledger when its totals were read. */
      ledger_seq: z.nullable(z.int()),
      /** Its hash in hex, which covers every earlier entry. */
      entry_hash: z.nullable(z.string()),
      checked_at: z.nullable(timeText),
      /** Seconds since `checked_at`, by the server's clock. */
      age_seconds: z.nullable(z.int()),
      /** null: no check yet, or the last one is too old to prove anything. */
      healthy: z.nullable(z.boolean()),
      /** Why the check failed: the vault holds too little, or the ledger's entries do not add up (`assets` is then empty). */
      fault: z.nullable(z.enum(['missing', 'ledger'])),
    }),
    refusals: [],
  },
} as const satisfies Record<string, Route>
