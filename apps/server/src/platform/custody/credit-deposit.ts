import { type Context, type State, type StateKey, write } from '@clearwell/ledger/command'
import type { Draft, Planned } from '@clearwell/ledger/draft'
import { type ChainDeposit, movementId } from '../chain/chain.ts'
import { INSURANCE, TREASURY, userAccount, VAULT } from '../ledger/accounts.ts'
import { depositOrders } from '../ledger/deposit-orders.ts'
import { defineListPort } from '../port.ts'
import { deposits, NOT_TAKEN_BACK } from './deposits.ts'
import { countEvent, listCounterKeys } from './vault-counters.ts'

/** A purpose of a deposit: a feature's part of crediting it. */
export interface DepositPurpose {
  /** The `purpose` of its orders. An order of any other purpose is only credited. */
  readonly name: string
  /** Keys that `settle` reads when this user pays: a hint, like {@link Command.preload}. */
  preload?(userId: string): readonly StateKey[]
  /**
   * Decides what a payment does beyond its credit, such as activating the account. Pure.
   *
   * @param state the ledger after the payment is credited to its sender and to its order.
   */
  settle(state: State, context: Context, payment: { userId: string; orderId: string }): Planned
}

export const depositPurposes = defineListPort<DepositPurpose>('deposit purposes', ({ name }) => name)

export interface CreditRules {
  readonly chainId: number
  /** The address whose deposits go to `treasury`, in lower case. */
  readonly operator: string
  readonly purposes: readonly DepositPurpose[]
  /** The vault that is read, in lower case. Absent in a ledger without a vault, such as a simulated one. */
  readonly vault?: string
}

/** Lists the state that crediting a payment reads. */
export function listCreditKeys(rules: CreditRules, deposit: ChainDeposit): StateKey[] {
  const { account, asset, orderId } = deposit
  return [
    { table: deposits, id: movementId(rules.chainId, deposit) },
    { account: creditedAccount(rules, deposit), asset },
    { account: VAULT, asset },
    ...(counts(rules, deposit) ? listCounterKeys({ vault: rules.vault, account, asset }) : []),
    ...rules.purposes.flatMap((purpose) => purpose.preload?.(account) ?? []),
    ...(orderId === null ? [] : [{ table: depositOrders, id: orderId }]),
  ]
}

/**
 * Credits a payment to its sender. If it names an order of the same sender in the same asset, it also counts toward that
 * order, and the order's purpose settles it. A payment that returns after its credit was taken back is credited again: the
 * operator's accounts get back first what they paid for it.
 *
 * @returns false if it was credited before.
 */
export function creditDeposit(rules: CreditRules, draft: Draft, context: Context, deposit: ChainDeposit): boolean {
  const id = movementId(rules.chainId, deposit)
  const before = draft.row(deposits, id)
  if (before && !before.taken_back_at) return false
  const { account: userId, asset, units, txHash, blockNumber, orderId } = deposit
  const order = orderId === null ? undefined : draft.row(depositOrders, orderId)
  const own = order?.user_id === userId && order.asset === asset ? order : undefined
  const account = creditedAccount(rules, deposit, own !== undefined)
  const { covered_by_insurance: insurance, covered_by_treasury: treasury } = before ?? NOT_TAKEN_BACK
  const postings = [
    { account: VAULT, asset, units: -units },
    { account, asset, units: units - insurance - treasury },
    { account: INSURANCE, asset, units: insurance },
    { account: TREASURY, asset, units: treasury },
  ].filter((posting) => posting.units !== 0n)
  const row = {
    id,
    user_id: userId,
    asset,
    units,
    tx_hash: txHash,
    block_number: blockNumber,
    order_id: own?.id ?? null,
    credited_at: context.now,
    counted_by: counts(rules, deposit) ? rules.vault : null,
    ...NOT_TAKEN_BACK,
  }
  draft.add({
    entries: [{ kind: account === TREASURY ? 'operator_deposit' : 'deposit', reference: txHash, postings }],
    rows: [write(deposits, row)],
  })
  if (counts(rules, deposit)) countEvent(draft, { vault: rules.vault, account: userId, asset }, 'deposited', units)
  if (own) {
    draft.add({ rows: [write(depositOrders, { ...own, credited: own.credited + units, tx_hash: txHash })] })
    const purpose = rules.purposes.find(({ name }) => name === own.purpose)
    if (purpose) draft.add(purpose.settle(draft, context, { userId, orderId: own.id }))
  }
  return true
}

/** True if the vault itself counts the payment: it emitted the event. */
function counts<Rules extends CreditRules>(
  rules: Rules,
  { isPlainTransfer, replacedVault }: ChainDeposit,
): rules is Rules & { readonly vault: string } {
  return rules.vault !== undefined && !isPlainTransfer && replacedVault === undefined
}

/** Returns the sender's account. A payment by the operator without an own order is the operator's liquidity. */
function creditedAccount(rules: CreditRules, deposit: ChainDeposit, hasOwnOrder = false): string {
  return deposit.account === rules.operator && !hasOwnOrder ? TREASURY : userAccount(deposit.account, 'available')
}
