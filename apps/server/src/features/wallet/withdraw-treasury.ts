import { formatAmount } from '@clearwell/money/amount'
import * as z from 'zod/mini'
import { TREASURY, userAccount } from '../../platform/ledger/accounts.ts'
import { breakers, SOLVENCY_BREAKER, VAULT_MOVE_STOP } from '../../platform/ledger/breaker.ts'
import { freeTreasury } from '../../platform/ledger/treasury-debts.ts'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'
import { openWithdrawal, orderIdOf } from './withdrawal-orders.ts'

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
  role: 'treasurer',
  payload,
  preload: ({ operator, asset }) => [
    SOLVENCY_BREAKER,
    VAULT_MOVE_STOP,
    { account: TREASURY, asset },
    { account: userAccount(operator, 'locked'), asset },
  ],
  decide(draft, context, { operator, asset, units: text, voucherTtlMs }) {
    const units = BigInt(text)
    const held = freeTreasury(draft, asset)
    if (draft.row(breakers, SOLVENCY_BREAKER.id)?.stopped_at)
      return { isDone: false, text: 'The solvency breaker is open: nothing is paid out.' }
    if (draft.row(breakers, VAULT_MOVE_STOP.id)?.stopped_at)
      return { isDone: false, text: 'Transfers out are stopped to move to another vault: nothing is paid out.' }
    if (held < units)
      return { isDone: false, text: `The treasury has only ${formatAmount({ asset, units: held })} ${asset}.` }
    const { order, entries, rows } = openWithdrawal(context, {
      userId: operator,
      amount: { asset, units },
      from: TREASURY,
      refundAccount: TREASURY,
      expiresAt: new Date(context.now.getTime() + voucherTtlMs),
    })
    draft.add({ entries, rows })
    const amount = `${formatAmount({ asset, units })} ${asset}`
    return { isDone: true, text: `Order ${orderIdOf(order.nonce)} pays ${amount} to ${operator}.`, orderId: order.id }
  },
})
