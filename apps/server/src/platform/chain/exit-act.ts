interface AnyAct {
  /** The vault of the event, in lower case: the ledger can have left it. */
  readonly vault: string
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: bigint
}

interface AccountAct extends AnyAct {
  /** In lower case. */
  readonly account: string
}

/** An act of an account about its exit, or of a root on the vault, as the vault has it. */
export type ExitAct =
  | (AccountAct & { readonly kind: 'request'; readonly at: Date })
  | (AccountAct & { readonly kind: 'cancel' })
  | (AccountAct & {
      readonly kind: 'paid'
      /** The token's address in lower case, zero for the native coin. */
      readonly token: string
      /** In Clearwell's decimals. */
      readonly units: bigint
      /** Received the money. In lower case. */
      readonly receiver: string
      /** The root under which the vault paid. */
      readonly base: number
    })
  | (AnyAct & {
      readonly kind: 'root'
      /** Counts the posts. */
      readonly seq: number
      /** The number of the header. */
      readonly number: bigint
      readonly headerHash: string
      readonly postedAt: Date
    })
  /** The owner has dropped the roots `from` to `to`. */
  | (AnyAct & { readonly kind: 'drop'; readonly from: number; readonly to: number })
