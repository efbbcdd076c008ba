/** The transaction that a wallet is asked to send. */
export interface ChainCall {
  readonly to: string
  readonly data: string
  /** The native coin that goes along, in its base units. */
  readonly value: bigint
}

/**
 * A transaction that a wallet has sent, with what it takes to find it again where the wallet replaced it: kept in local
 * storage, so all of it is plain text and small numbers.
 */
export interface SentTransaction {
  readonly hash: string
  /** The sender. Of its transactions with the same number, only one gets into a block. */
  readonly from?: string | undefined
  readonly nonce?: number | undefined
  /** The newest block when the wallet was asked; the transaction is in a later one. */
  readonly since?: string | undefined
  /** A digest of the call, by which the same call is known under another hash. */
  readonly call?: string | undefined
}

/**
 * The outcome of a transaction. `hash` is its current hash.
 *
 * - `succeeded`: it is in a block and took effect.
 * - `reverted`: it is in a block without effect. `out_of_gas`: because it lacked gas.
 * - `cancelled`, `replaced`: the wallet's user sent an empty transaction, or another one, in its place (`by`).
 * - `dropped`: no block will include it, or the network no longer knows it. Its replacement, if any, is not known.
 */
export type TransactionOutcome =
  | { readonly outcome: 'succeeded' | 'reverted' | 'out_of_gas'; readonly hash: string }
  | { readonly outcome: 'cancelled' | 'replaced'; readonly hash: string; readonly by: string }
  | { readonly outcome: 'dropped'; readonly hash: string }

/** How a transaction failed. */
export type LostOutcome = Exclude<TransactionOutcome['outcome'], 'succeeded'>
