import type { AssetId } from '@clearwell/money/asset'
import type { VaultKind } from '../../config/environment.ts'
import type { ExitAct } from './exit-act.ts'

export interface ChainBlock {
  readonly number: bigint
  readonly hash: string
  /** The block's own timestamp. */
  readonly time: Date
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
  /** In Clearwell's decimals, which can differ from the token's. */
  readonly units: bigint
  /** 32 bytes as hex, or `null` for a payment without an order. */
  readonly orderId: string | null
  /** A token was sent to the vault without a call of it, so the vault's counters do not have it. */
  readonly isPlainTransfer?: true
  /** The vault that received it, in lower case, if the ledger has moved to another one. */
  readonly replacedVault?: string
}

/** A voucher that the vault has paid. */
export interface ChainWithdrawal {
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: bigint
  readonly blockHash: string
  /** The recipient, in lower case. */
  readonly account: string
  readonly asset: AssetId
  /** In Clearwell's decimals, which can differ from the token's. */
  readonly units: bigint
  readonly nonce: bigint
  /** The vault that paid it, in lower case, if the ledger has moved to another one. */
  readonly replacedVault?: string
}

/** A payment of the vault to an account that left. */
export interface ChainExit extends Omit<ChainWithdrawal, 'nonce'> {
  /** The address that the account named for the payment, in lower case. */
  readonly to: string
}

/** Names one log of one chain. */
export function movementId(chainId: number, { txHash, logIndex }: { txHash: string; logIndex: number }): string {
  return `${chainId}:${txHash}:${logIndex}`
}

/**
 * Deposits into the vault and withdrawals from it, each in the order of the chain. Those of replaced vaults are included;
 * payments from one of these vaults to another are not.
 */
export interface ChainMovements {
  readonly deposits: readonly ChainDeposit[]
  readonly withdrawals: readonly ChainWithdrawal[]
  /** Absent for a vault without exits. */
  readonly exits?: readonly ChainExit[]
}

export type TransactionMovements =
  | { readonly status: 'not_found' | 'failed' }
  | ({ readonly status: 'mined'; readonly block: ChainBlock } & ChainMovements)

/** The port through which the server reads a chain: a real node in production, a simulated one in `sim`. */
export interface Chain {
  readonly id: number
  head(): Promise<ChainBlock>
  /** `undefined` where the chain has no such block. */
  block(number: bigint): Promise<ChainBlock | undefined>
  /** Reads the vault's deposits and withdrawals in blocks `from` to `to`, both included. */
  movements(range: { from: bigint; to: bigint }): Promise<ChainMovements>
  movementsOf(txHash: string): Promise<TransactionMovements>
  /** Reads the vault's holding after block `at`, in Clearwell's decimals. */
  vaultHolding(asset: AssetId, at: bigint): Promise<bigint>
  /** Returns whether a voucher with this nonce had been paid by block `at`, by the vault or one that it has replaced. */
  isNonceUsed(nonce: bigint, at: bigint): Promise<boolean>
  /** Reads requests, cancels and payments of exits, and roots, in blocks `from` to `to`. Absent where the vault has no exits. */
  readonly exitActs?: (range: { from: bigint; to: bigint }) => Promise<readonly ExitAct[]>
  /** The vault's own switches now: whether it is paused, and whose vouchers it pays (lower case). */
  vaultState(): Promise<{ readonly isPaused: boolean; readonly signer: string }>
}

/** Where custody is on the chain. */
export interface Custody {
  readonly vault: `0x${string}`
  /** Absent: `plain`. */
  readonly kind?: VaultKind
  /** The block that the vault was deployed in. */
  readonly vaultBlock: bigint
  /** The operator's address, in lower case. Deposits from it are the operator's own. */
  readonly operator: string
  readonly tokens: readonly { readonly asset: AssetId; readonly address: `0x${string}`; readonly decimals: number }[]
  /** The vaults that this one has replaced, in lower case. Absent: it is the ledger's first. */
  readonly replacedVaults?: readonly `0x${string}`[]
  /** When the ledger moved to this vault; absent for its first. */
  readonly movedAt?: Date
}
