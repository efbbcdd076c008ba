import { type Command, write } from '@clearwell/ledger/command'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { refuseWhenStopped, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { withdrawalOrders } from './withdrawal-orders.ts'

export interface WithdrawalLimits {
  readonly minOut: bigint
  /** The most that one voucher can be for: never above what the signer signs. */
  readonly maxOut: bigint
}

/**
 * Opens an order to transfer out: `available` → `locked`. The voucher comes later, so that a crash in between leaves
 * locked money and never a voucher for money that is not.
 *
 * No activation is needed: taking one's own money out never asks for it.
 *
 * @param input.now the clock's time, from which the voucher's runs. The ledger's own never goes back, so a clock that was
 * once far ahead would lock what nobody submits for as long.
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
      // Random, so that a database that was restored from a backup never signs one nonce for two orders.
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
        tx_hash: null,
        created_at: context.now,
        completed_at: null,
      }
      const postings = [
        { account: available, asset, units: -units },
        { account: locked, asset, units },
      ]
      return {
        entries: [{ kind: 'withdrawal_lock', reference: orderId, postings }],
        rows: [write(withdrawalOrders, order)],
        answer: { orderId },
      }
    },
  }
}

/** The refusal of an amount that cannot be transferred out, with what can. */
export function amountOutOfRange({ asset }: Amount, { minOut, maxOut }: WithdrawalLimits) {
  const shown = (units: bigint) => formatAmount({ asset, units })
  return refusal('amount_out_of_range', { min: shown(minOut), max: shown(maxOut) })
}

/** The nonce of an order's voucher: its id, read as a number of 128 bits. */
function nonceOf(orderId: string): bigint {
  return BigInt(`0x${orderId}`)
}

/** A block's timestamp has no fractions. */
function wholeSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000)
}
