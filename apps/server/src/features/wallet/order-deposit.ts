import { type Command, write } from '@clearwell/ledger/command'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { type InviterRow, joiners } from '../../domain/members/memberships.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { refusal } from '../../platform/ledger/refuse.ts'

export interface TransferLimits {
  readonly minIn: bigint
  readonly maxIn: bigint
}

/**
 * Opens an order to transfer in. Its payments are credited even after it expires.
 *
 * @param input.joined the user's row and those of the inviters above, for a restore: it adds the user of an order, who cannot name an inviter
 * after that.
 */
export function orderDeposit(
  { limits, orderTtlMs }: { limits: TransferLimits; orderTtlMs: number },
  input: { userId: string; amount: Amount; key: string | undefined; joined?: readonly InviterRow[] },
): Command<{ orderId: string }> {
  const { userId, amount, key, joined = [] } = input
  return {
    kind: 'order_deposit',
    owner: userId,
    worksStopped: true,
    key,
    payload: { asset: amount.asset, amount: formatAmount(amount) },
    preload: [],
    decide(_state, context) {
      const { minIn, maxIn } = limits
      if (amount.units < minIn || amount.units > maxIn) {
        const shown = (units: bigint) => formatAmount({ asset: amount.asset, units })
        throw refusal('amount_out_of_range', { min: shown(minIn), max: shown(maxIn) })
      }
      const orderId = `0x${context.id('order')}${context.id('order-rest')}`
      const order = {
        id: orderId,
        user_id: userId,
        purpose: 'transfer_in',
        asset: amount.asset,
        amount: amount.units,
        credited: 0n,
        tx_hash: null,
        created_at: context.now,
        expires_at: new Date(context.now.getTime() + orderTtlMs),
      }
      const carried = joined.map((row) => write(joiners, row))
      return { rows: [...carried, write(depositOrders, order)], response: { orderId } }
    },
  }
}
