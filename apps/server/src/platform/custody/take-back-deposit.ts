import { type Context, write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { formatAmount } from '@clearwell/money/amount'
import { minUnits } from '@clearwell/money/min-max'
import { INSURANCE, TREASURY, userAccount, VAULT } from '../ledger/accounts.ts'
import { depositOrders } from '../ledger/deposit-orders.ts'
import { deposits } from './deposits.ts'
import { uncountEvent } from './vault-counters.ts'

/** The outcome of taking one credit back, or the amount that no account can pay. */
export type TakenBack =
  | { readonly as: 'taken_back'; readonly covered: bigint }
  /** The credit does not exist, or was taken back before. */
  | { readonly as: 'nothing' }
  | { readonly as: 'short'; readonly text: string }

/**
 * Takes back the credit of a payment that is not on the chain any more. The user pays as much as is available. The rest was
 * spent: `insurance` pays it, then `treasury`, in a separate entry, because no account can go below zero.
 *
 * @param operator the address whose deposits went to `treasury`, in lower case.
 */
export function takeBackDeposit(draft: Draft, context: Context, id: string, operator: string): TakenBack {
  const deposit = draft.row(deposits, id)
  if (!deposit || deposit.taken_back_at) return { as: 'nothing' }
  const { user_id: userId, asset, units, tx_hash: txHash, counted_by: vault } = deposit
  const isOperators = userId === operator && deposit.order_id === null
  const account = isOperators ? TREASURY : userAccount(userId, 'available')
  const own = minUnits(draft.balance(account, asset), units)
  const insurance = minUnits(draft.balance(INSURANCE, asset), units - own)
  const treasury = units - own - insurance
  const treasuryHas = draft.balance(TREASURY, asset) - (isOperators ? own : 0n)
  if (treasury > treasuryHas) {
    const missing = formatAmount({ asset, units: treasury - treasuryHas })
    return { as: 'short', text: `${missing} ${asset} of payment ${txHash} are missing in insurance and treasury` }
  }
  const entry = (kind: string, from: readonly { readonly account: string; readonly units: bigint }[]) => {
    const paid = from.filter((each) => each.units !== 0n)
    const total = paid.reduce((sum, each) => sum + each.units, 0n)
    const postings = [
      ...paid.map((each) => ({ account: each.account, asset, units: -each.units })),
      { account: VAULT, asset, units: total },
    ]
    return total === 0n ? [] : [{ kind, reference: txHash, postings }]
  }
  const cover = [
    { account: INSURANCE, units: insurance },
    { account: TREASURY, units: treasury },
  ]
  const entries = [...entry('deposit_reversal', [{ account, units: own }]), ...entry('reversal_shortfall', cover)]
  const row = {
    ...deposit,
    taken_back_at: context.now,
    covered_by_insurance: insurance,
    covered_by_treasury: treasury,
    counted_by: null,
  }
  draft.add({ entries, rows: [write(deposits, row)] })
  if (vault !== null) uncountEvent(draft, { vault, account: userId, asset }, 'deposited', units)
  const order = deposit.order_id === null ? undefined : draft.row(depositOrders, deposit.order_id)
  if (order) {
    const credited = order.credited - minUnits(order.credited, units)
    draft.add({ rows: [write(depositOrders, { ...order, credited, tx_hash: credited === 0n ? null : order.tx_hash })] })
  }
  return { as: 'taken_back', covered: insurance + treasury }
}

/** Records that the chain has moved a credited payment to another log: the credit stays, under its new name. */
export function moveDeposit(
  draft: Draft,
  context: Context,
  { id, newId, blockNumber }: { id: string; newId: string; blockNumber: bigint },
): void {
  const deposit = draft.row(deposits, id)
  if (!deposit || deposit.taken_back_at) return
  draft.add({
    rows: [
      write(deposits, { ...deposit, taken_back_at: context.now, counted_by: null }),
      write(deposits, { ...deposit, id: newId, block_number: blockNumber }),
    ],
  })
}
