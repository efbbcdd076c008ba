import type { Amount } from '@clearwell/money/amount'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import type { ChainMovements, Custody } from '../chain/chain.ts'
import { vaultDeposit } from '../chain/vault-deposit.ts'
import type { Unconfirmed } from './unconfirmed.ts'

/** The transaction that a wallet sends to pay an order. */
export interface DepositCall {
  readonly to: string
  readonly calldata: string
  /** The amount of native coin to send, in base units as plain digits. */
  readonly value: string
}

/** Serves the API's calls about deposits. */
export interface DepositDesk {
  /** Confirmations that a payment needs before it is credited. */
  readonly required: number
  /** False if the amount has more decimals than the token on the chain. */
  canPay(amount: Amount): boolean
  /** Builds the call that pays a payable amount. */
  callFor(amount: Amount, orderId: string): DepositCall
  /** Reads a wallet's payments that are on the chain but not confirmed yet. */
  unconfirmedOf(userId: string): Promise<Unconfirmed>
  /** Looks a transaction up now and credits what it paid and was missed. */
  lookUp(txHash: string): Promise<LookedUp>
}

export type LookedUp =
  | { readonly status: 'not_found' | 'failed' | 'not_ours' }
  | ({ readonly status: 'pending' | 'credited' | 'already'; readonly confirmations: number } & ChainMovements)

/** True if the amount is a whole number of the asset's units on the chain. */
export function isPayable(custody: Custody, amount: Amount): boolean {
  return amount.units % unitOf(custody, amount.asset) === 0n
}

/**
 * Builds the call that pays an order, in the asset's own decimals.
 *
 * @throws Error for an asset without a token on this chain: the native coin must never be paid in its place.
 */
export function depositCall(custody: Custody, amount: Amount, orderId: string): DepositCall {
  const token = custody.tokens.find((each) => each.asset === amount.asset)
  if (!token && amount.asset !== 'BNB') throw new Error(`${amount.asset} has no token on this chain`)
  const units = amount.units / unitOf(custody, amount.asset)
  const call = vaultDeposit({ vault: custody.vault, token: token?.address ?? null, units, orderId })
  return { to: call.to, calldata: call.data, value: formatUnits(call.value, 0) }
}

/** Clearwell's units per unit of the asset on the chain. */
export function unitOf({ tokens }: Pick<Custody, 'tokens'>, asset: AssetId): bigint {
  const decimals = tokens.find((each) => each.asset === asset)?.decimals ?? ASSET_DECIMALS[asset]
  return 10n ** BigInt(ASSET_DECIMALS[asset] - decimals)
}
