import type { AssetId } from '@clearwell/money/asset'

export interface ChainBlock {
  readonly number: bigint
  readonly hash: string
}

/** A payment that reached the vault. */
export interface ChainDeposit {
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly blockHash: string
  /** The sender, in lower case. */
  readonly account: string
  readonly asset: AssetId
  /** In Clearwell's decimals, whatever the token's are. */
  readonly units: bigint
  /** 32 bytes as hex, or `null` for a payment without an order. */
  readonly orderId: string | null
}

export type TransactionDeposits =
  | { readonly status: 'not_found' | 'failed' }
  | { readonly status: 'mined'; readonly block: ChainBlock; readonly deposits: readonly ChainDeposit[] }

/** What the server asks of a chain: a port, with the real node behind it in production and a simulated one in `sim`. */
export interface Chain {
  readonly id: number
  head(): Promise<ChainBlock>
  /** `undefined` where the chain has no such block. */
  block(number: bigint): Promise<ChainBlock | undefined>
  /** Payments to the vault in blocks `from` to `to`, both included, in the order of the chain. */
  deposits(range: { from: bigint; to: bigint }): Promise<readonly ChainDeposit[]>
  depositsOf(txHash: string): Promise<TransactionDeposits>
  /** What the vault holds, in Clearwell's decimals. */
  vaultHolding(asset: AssetId): Promise<bigint>
}

/** Where custody is on the chain. */
export interface Custody {
  readonly vault: `0x${string}`
  /** The block that the vault was deployed in. */
  readonly vaultBlock: bigint
  /** Whose deposits are the operator's own, in lower case. */
  readonly operator: string
  readonly tokens: readonly { readonly asset: AssetId; readonly address: `0x${string}`; readonly decimals: number }[]
}
