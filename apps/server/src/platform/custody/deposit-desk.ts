import type { Amount } from '@clearwell/money/amount'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import type { ChainMovements, Custody } from '../chain/chain.ts'
import { vaultDeposit } from '../chain/vault-deposit.ts'

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

/** Whose payment, and of what, counts for an order. */
export interface OrderPayer {
  readonly orderId: string
  readonly userId: string
  readonly asset: AssetId
}

/** What the API's calls ask of the way money comes in. */
export interface DepositDesk {
  /** Confirmations that a payment needs before it is credited. */
  readonly required: number
  /** Whether the asset can be paid that finely: a token of the chain may have fewer decimals than Clearwell counts. */
  canPay(amount: Amount): boolean
  /** The call for an amount that can be paid. */
  callFor(amount: Amount, orderId: string): DepositCall
  /** A payment for an order that is on the chain but not confirmed yet. */
  progressOf(order: OrderPayer): DepositProgress | undefined
  /** Looks a transaction up now and credits what it paid and was missed. */
  lookUp(txHash: string): Promise<LookedUp>
}

export type LookedUp =
  | { readonly status: 'not_found' | 'failed' | 'not_ours' }
  | ({ readonly status: 'pending' | 'credited' | 'already'; readonly confirmations: number } & ChainMovements)

/** Whether an amount is whole units of its asset on the chain. */
export function isPayable(custody: Custody, amount: Amount): boolean {
  return amount.units % unitOf(custody, amount.asset) === 0n
}

/** The call that pays an order in the asset's own decimals. */
export function depositCall(custody: Custody, amount: Amount, orderId: string): DepositCall {
  const token = custody.tokens.find((each) => each.asset === amount.asset)
  const units = amount.units / unitOf(custody, amount.asset)
  const call = vaultDeposit({ vault: custody.vault, token: token?.address ?? null, units, orderId })
  return { to: call.to, calldata: call.data, value: formatUnits(call.value, 0) }
}

/** How many of Clearwell's units one unit of the asset on the chain is. */
export function unitOf({ tokens }: Pick<Custody, 'tokens'>, asset: AssetId): bigint {
  const decimals = tokens.find((each) => each.asset === asset)?.decimals ?? ASSET_DECIMALS[asset]
  return 10n ** BigInt(ASSET_DECIMALS[asset] - decimals)
}
