import { type Command, write } from '@clearwell/ledger/command'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { withdrawalOrders } from './withdrawal-orders.ts'

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
 * @throws Refusal `amount_out_of_range`, `trading_suspended` while the breaker is open, `balance_not_enough`.
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
    key,
    payload: { asset, amount: formatAmount(amount) },
    preload: [SOLVENCY_BREAKER, { account: available, asset }, { account: locked, asset }],
    decide(state, context) {
      const { minOut, maxOut } = limits
      if (units < minOut || units > maxOut) throw amountOutOfRange(amount, limits)
      refuseWhenStopped(state)
      if (state.balance(available, asset) < units) throw refusal('balance_not_enough')
      // Random, so that a database restored from a backup never uses one nonce for two orders.
      const orderId = context.id('withdrawal')
      const order = {
        id: orderId,
        user_id: userId,
        asset,
        amount: units,
        nonce: nonceOf(orderId),
        deadline: wholeSecond(now.getTime() + voucherTtlMs),
        status: 'locked',
        refused_reason: null,
        signature: null,
        signed_by: null,
        tx_hash: null,
        created_at: context.now,
        completed_at: null,
        refund_account: null,
      }
      const postings = [
        { account: available, asset, units: -units },
        { account: locked, asset, units },
      ]
      return {
        entries: [{ kind: 'withdrawal_lock', reference: orderId, postings }],
        rows: [write(withdrawalOrders, order)],
        response: { orderId },
      }
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

/** The nonce of an order's voucher: its id as a 128-bit number. */
function nonceOf(orderId: string): bigint {
  return BigInt(`0x${orderId}`)
}

/** Rounds down to a whole second, as in block timestamps. */
function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000)
}
