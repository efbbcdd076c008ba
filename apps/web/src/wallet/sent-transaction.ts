/** What a wallet is asked to send. */
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
  /** Who sent it, and its number among that account's transactions: of all with the same number one gets into a block. */
  readonly from?: string | undefined
  readonly nonce?: number | undefined
  /** The newest block when the wallet was asked: what it sent stands in a later one. */
  readonly since?: string | undefined
  /** A digest of the call, by which the same call is known under another hash. */
  readonly call?: string | undefined
}

/**
 * What became of a transaction. `hash` is the one that it has by now.
 *
 * - `succeeded`: it stands in a block, and did what it was to do.
 * - `reverted`: it stands in a block that threw it out. `out_of_gas`: for want of gas.
 * - `cancelled`, `replaced`: the wallet's user sent an empty transaction, or another one, in its place (`by`).
 * - `dropped`: it will stand in no block, or the network does not know it any more; what took its place is not known.
 */
export type TransactionOutcome =
  | { readonly outcome: 'succeeded' | 'reverted' | 'out_of_gas'; readonly hash: string }
  | { readonly outcome: 'cancelled' | 'replaced'; readonly hash: string; readonly by: string }
  | { readonly outcome: 'dropped'; readonly hash: string }

/** How a transaction came to nothing. */
export type LostOutcome = Exclude<TransactionOutcome['outcome'], 'succeeded'>
