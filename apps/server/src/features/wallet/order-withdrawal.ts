import type { Command } from '@clearwell/ledger/command'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { userAccount } from '../../platform/ledger/accounts.ts'
import {
  refuseWhenMoving,
  refuseWhenStopped,
  SOLVENCY_BREAKER,
  VAULT_MOVE_STOP,
} from '../../platform/ledger/breaker.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { openWithdrawal } from './withdrawal-orders.ts'

export interface WithdrawalLimits {
  readonly minOut: bigint
  /** The maximum per voucher, never above the signer's own limit. */
  readonly maxOut: bigint
}

/**
 * Opens an order to transfer out: `available` → `locked`. The voucher is signed later, so a crash in between never
 * leaves a voucher for funds that are not locked.
 *
 * Needs no activation: users can always take their own funds out.
 *
 * @param input.now the clock's time, which sets the voucher's deadline. The ledger's time never goes back: after a clock
 * ran far ahead, unsubmitted amounts would stay locked for that long.
 * @throws Refusal `amount_out_of_range`, `trading_suspended` while the breaker is open or the vault is being replaced, `balance_not_enough`.
 */
export function orderWithdrawal(
  { limits, voucherTtlMs }: { limits: WithdrawalLimits; voucherTtlMs: number },
  input: { userId: string; amount: Amount; key: string | undefined; now: Date },
): Command<{ orderId: string }> {
  const { userId, amount, key, now } = input
  const { asset, units } = amount
  const available = userAccount(userId, 'available')
  const locked = userAccount(userId, 'locked')
  return {
    kind: 'order_withdrawal',
    owner: userId,
    worksUnproven: true,
    key,
    payload: { asset, amount: formatAmount(amount) },
    preload: [SOLVENCY_BREAKER, VAULT_MOVE_STOP, { account: available, asset }, { account: locked, asset }],
    decide(state, context) {
      const { minOut, maxOut } = limits
      if (units < minOut || units > maxOut) throw amountOutOfRange(amount, limits)
      refuseWhenStopped(state)
      refuseWhenMoving(state)
      if (state.balance(available, asset) < units) throw refusal('balance_not_enough')
      const expiresAt = new Date(now.getTime() + voucherTtlMs)
      const opened = openWithdrawal(context, { userId, amount, from: available, refundAccount: null, expiresAt })
      return { entries: opened.entries, rows: opened.rows, response: { orderId: opened.order.id } }
    },
  }
}

/** The refusal of an amount outside the limits, with both limits. */
export function amountOutOfRange({ asset }: Amount, limits: WithdrawalLimits) {
  return refusal('amount_out_of_range', rangeOf(asset, limits))
}

/** Both limits as a refusal shows them. */
export function rangeOf(asset: AssetId, { minOut, maxOut }: WithdrawalLimits): { min: string; max: string } {
  const shown = (units: bigint) => formatAmount({ asset, units })
  return { min: shown(minOut), max: shown(maxOut) }
}
