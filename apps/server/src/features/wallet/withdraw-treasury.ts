import { write } from '@clearwell/ledger/command'
import { formatAmount } from '@clearwell/money/amount'
import * as z from 'zod/mini'
import { TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { breakers, SOLVENCY_BREAKER } from '../../platform/ledger/breaker.ts'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'
import { orderIdOf, withdrawalOrders } from './withdrawal-orders.ts'

const payload = z.strictObject({
  /** The operator's address, in lower case: the only account that the money can go to. */
  operator: z.string().check(z.regex(/^0x[0-9a-f]{40}$/)),
  asset: z.enum(['BNB', 'USDT', 'ETH']),
  /** Base units. */
  units: z.string().check(z.regex(/^[1-9]\d*$/)),
  voucherTtlMs: z.int(),
})

/**
 * Opens a transfer out of the treasury to the operator's address. From here on it is an order like every other: the signer
 * applies its caps, the watcher completes it, and an unused voucher returns the amount, here to the treasury.
 */
export const withdrawTreasury = defineOperatorAction({
  kind: 'withdraw_treasury',
  payload,
  preload: ({ operator, asset }) => [
    SOLVENCY_BREAKER,
    { account: TREASURY, asset },
    { account: userAccount(operator, 'locked'), asset },
  ],
  decide(draft, context, { operator, asset, units: text, voucherTtlMs }) {
    const units = BigInt(text)
    const held = draft.balance(TREASURY, asset)
    if (draft.row(breakers, SOLVENCY_BREAKER.id)?.stopped_at)
      return { isDone: false, text: 'The solvency breaker is open: nothing is paid out.' }
    if (held < units)
      return { isDone: false, text: `The treasury has only ${formatAmount({ asset, units: held })} ${asset}.` }
    const orderId = context.id('withdrawal')
    const order = {
      id: orderId,
      user_id: operator,
      asset,
      amount: units,
      nonce: BigInt(`0x${orderId}`),
      // A block's timestamp has whole seconds.
      deadline: new Date(Math.floor((context.now.getTime() + voucherTtlMs) / 1000) * 1000),
      status: 'locked',
      refused_reason: null,
      signature: null,
      signed_by: null,
      tx_hash: null,
      created_at: context.now,
      completed_at: null,
      refund_account: TREASURY,
    }
    const postings = [
      { account: TREASURY, asset, units: -units },
      { account: userAccount(operator, 'locked'), asset, units },
    ]
    draft.add({
      entries: [{ kind: 'withdrawal_lock', reference: orderId, postings }],
      rows: [write(withdrawalOrders, order)],
    })
    const amount = `${formatAmount({ asset, units })} ${asset}`
    return { isDone: true, text: `Order ${orderIdOf(order.nonce)} pays ${amount} to ${operator}.`, orderId }
  },
})
