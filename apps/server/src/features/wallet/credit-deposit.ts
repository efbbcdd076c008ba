import type { Context, EntryDraft, RowWrite, State } from '@clearwell/ledger/command'
import { write } from '@clearwell/ledger/command'
import { column, defineTable } from '@clearwell/ledger/table'
import type { ChainDeposit } from '../../platform/chain/chain.ts'
import { TREASURY, userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { type Draft, movementId } from './movement-draft.ts'

export const deposits = defineTable('deposits', {
  id: column.text,
  user_id: column.text,
  asset: column.text,
  units: column.units,
  tx_hash: column.text,
  block_number: column.units,
  order_id: column.optional(column.text),
  credited_at: column.time,
})

/**
 * What happens to a payment whose order has a purpose of its own, such as activation.
 *
 * @param state what is there once the payment is credited, to the sender and to the order.
 */
export type SettlePayment = (
  state: State,
  context: Context,
  payment: { userId: string; orderId: string },
) => { entries: EntryDraft[]; rows: RowWrite[] }

export interface CreditRules {
  readonly chainId: number
  /** Whose deposits go to `treasury`, in lower case. */
  readonly operator: string
  readonly settle: SettlePayment
}

/**
 * Credits a payment to who sent it. With an order of the same sender it counts for that order; any other is credited all
 * the same.
 *
 * @returns false where it was credited before.
 */
export function creditDeposit(rules: CreditRules, draft: Draft, context: Context, deposit: ChainDeposit): boolean {
  const id = movementId(rules.chainId, deposit)
  if (draft.row(deposits, id)) return false
  const { account: userId, asset, units, txHash, blockNumber, orderId } = deposit
  const order = orderId === null ? undefined : draft.row(depositOrders, orderId)
  const own = order?.user_id === userId && order.asset === asset ? order : undefined
  const account = creditedAccount(rules, deposit, own !== undefined)
  const postings = [
    { account: VAULT, asset, units: -units },
    { account, asset, units },
  ]
  const row = {
    id,
    user_id: userId,
    asset,
    units,
    tx_hash: txHash,
    block_number: blockNumber,
    order_id: own?.id ?? null,
    credited_at: context.now,
  }
  draft.add({
    entries: [{ kind: account === TREASURY ? 'operator_deposit' : 'deposit', reference: txHash, postings }],
    rows: [write(deposits, row)],
  })
  if (own) draft.add({ rows: [write(depositOrders, { ...own, credited: own.credited + units, tx_hash: txHash })] })
  if (own?.purpose === 'activation') draft.add(rules.settle(draft, context, { userId, orderId: own.id }))
  return true
}

/** The sender's own account; what the operator pays without an order of its own is the operator's liquidity. */
export function creditedAccount(rules: CreditRules, deposit: ChainDeposit, hasOwnOrder = false): string {
  return deposit.account === rules.operator && !hasOwnOrder ? TREASURY : userAccount(deposit.account, 'available')
}
