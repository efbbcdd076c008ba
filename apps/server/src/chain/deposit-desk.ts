import type { Amount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import type { ChainDeposit, Custody } from './chain.ts'
import { vaultDeposit } from './vault-deposit.ts'

/** What a wallet sends to pay an order. */
export interface DepositCall {
  readonly to: string
  readonly calldata: string
  /** The native coin to send along, in base units as plain digits. */
  readonly value: string
}

export interface DepositProgress {
  readonly txHash: string
  readonly confirmations: number
}

/** What the API's calls ask of the way money comes in. */
export interface DepositDesk {
  /** Confirmations that a payment needs before it is credited. */
  readonly required: number
  callFor(amount: Amount, orderId: string): DepositCall
  /** A payment that is on the chain but not confirmed yet. */
  progressOf(orderId: string): DepositProgress | undefined
  /** Looks a transaction up now and credits what it paid and was missed. */
  lookUp(txHash: string): Promise<LookedUp>
}

export type LookedUp =
  | { readonly status: 'not_found' | 'failed' | 'not_ours' }
  | { readonly status: 'pending'; readonly confirmations: number; readonly deposits: readonly ChainDeposit[] }
  | {
      readonly status: 'credited' | 'already'
      readonly confirmations: number
      readonly deposits: readonly ChainDeposit[]
    }

/** The call that pays an order in the asset's own decimals. */
export function depositCall(custody: Custody, amount: Amount, orderId: string): DepositCall {
  const token = custody.tokens.find((each) => each.asset === amount.asset)
  // Clearwell counts with 18 decimals; a token with fewer is paid in its own. Limits have no finer amounts.
  const units = token ? amount.units / 10n ** BigInt(18 - token.decimals) : amount.units
  const call = vaultDeposit({ vault: custody.vault, token: token?.address ?? null, units, orderId })
  return { to: call.to, calldata: call.data, value: formatUnits(call.value, 0) }
}
