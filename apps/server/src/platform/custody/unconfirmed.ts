import type { ChainMovements, ChainWithdrawal } from '../chain/chain.ts'
import type { DepositProgress, OrderPayer } from './deposit-desk.ts'

/** The fields in which a payment by the vault must agree with an order to complete it. */
export type VoucherPayment = Pick<ChainWithdrawal, 'nonce' | 'account' | 'asset' | 'units'>

/** The movements that are on the chain but not confirmed, as of one head. Rebuilt by each pass of the watcher. */
export interface Unconfirmed {
  /** The block from which confirmations are counted. */
  readonly head: bigint
  /** A payment by that user in that asset for that order. */
  progressOf(order: OrderPayer): DepositProgress | undefined
  /** A payment by the vault against that voucher. */
  withdrawalProgressOf(payment: VoucherPayment): DepositProgress | undefined
  /** The movements from and to that wallet. */
  movementsOf(userId: string): ChainMovements
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
    progressOf: (order) => byKey.get(orderKey(order)),
    withdrawalProgressOf: (payment) => byKey.get(voucherKey(payment)),
    movementsOf: (userId) => selectMovements(movements, (movement) => movement.account === userId),
  }
}

export const NOTHING_UNCONFIRMED: Unconfirmed = unconfirmedAt(0n, { deposits: [], withdrawals: [] })

export function selectMovements(
  { deposits, withdrawals }: ChainMovements,
  isWanted: (movement: { readonly blockNumber: bigint; readonly account: string }) => boolean,
): ChainMovements {
  return { deposits: deposits.filter(isWanted), withdrawals: withdrawals.filter(isWanted) }
}

function orderKey({ orderId, userId, asset }: OrderPayer): string {
  return `${orderId} ${userId} ${asset}`
}

function voucherKey({ nonce, account, asset, units }: VoucherPayment): string {
  return `voucher ${nonce} ${account} ${asset} ${units}`
}
