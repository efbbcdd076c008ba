interface AnyAct {
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: bigint
  /** In lower case. */
  readonly account: string
}

/** An act of an account about its exit, as the vault has it. */
export type ExitAct =
  | (AnyAct & { readonly kind: 'request'; readonly at: Date })
  | (AnyAct & { readonly kind: 'cancel' })
  | (AnyAct & {
      readonly kind: 'paid'
      /** The token's address in lower case, zero for the native coin. */
      readonly token: string
      /** In Clearwell's decimals. */
      readonly units: bigint
      /** Received the money. In lower case. */
      readonly receiver: string
    })
