import type { AssetId } from '@clearwell/money/asset'
import type { ChainMovements, ChainWithdrawal } from '../chain/chain.ts'

export interface DepositProgress {
  readonly txHash: string
  readonly confirmations: number
}

/** The payer and the asset that count toward an order. */
export interface OrderPayer {
  readonly orderId: string
  readonly userId: string
  readonly asset: AssetId
}

/** The fields in which a payment by the vault must agree with an order to complete it. */
export type VoucherPayment = Pick<ChainWithdrawal, 'nonce' | 'account' | 'asset' | 'units'>

/** A wallet's movements that are on the chain but not confirmed, as of one head. */
export interface Unconfirmed extends ChainMovements {
  /** The block from which confirmations are counted. */
  readonly head: bigint
  /** A payment by that user in that asset for that order. */
  progressOf(order: OrderPayer): DepositProgress | undefined
  /** A payment by the vault against that voucher. */
  withdrawalProgressOf(payment: VoucherPayment): DepositProgress | undefined
}

export function unconfirmedAt(head: bigint, movements: ChainMovements): Unconfirmed {
  const byKey = new Map<string, DepositProgress>()
  const progress = ({ txHash, blockNumber }: { readonly txHash: string; readonly blockNumber: bigint }) => ({
    txHash,
    confirmations: Number(head - blockNumber + 1n),
  })
  for (const deposit of movements.deposits) {
    const { orderId, account: userId, asset } = deposit
    if (orderId !== null) byKey.set(orderKey({ orderId, userId, asset }), progress(deposit))
  }
  for (const withdrawal of movements.withdrawals) byKey.set(voucherKey(withdrawal), progress(withdrawal))
  return {
    head,
    ...movements,
    progressOf: (order) => byKey.get(orderKey(order)),
    withdrawalProgressOf: (payment) => byKey.get(voucherKey(payment)),
  }
}

export const NOTHING_UNCONFIRMED: Unconfirmed = unconfirmedAt(0n, { deposits: [], withdrawals: [] })

export function selectMovements(
  { deposits, withdrawals, exits }: ChainMovements,
  isWanted: (movement: { readonly blockNumber: bigint; readonly account: string }) => boolean,
): ChainMovements {
  return {
    deposits: deposits.filter(isWanted),
    withdrawals: withdrawals.filter(isWanted),
    ...(exits ? { exits: exits.filter(isWanted) } : {}),
  }
}

function orderKey({ orderId, userId, asset }: OrderPayer): string {
  return `${orderId} ${userId} ${asset}`
}

function voucherKey({ nonce, account, asset, units }: VoucherPayment): string {
  return `voucher ${nonce} ${account} ${asset} ${units}`
}
