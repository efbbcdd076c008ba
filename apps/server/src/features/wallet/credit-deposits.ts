import type { Command, Context, EntryDraft, Plan, RowWrite, State } from '@clearwell/ledger/command'
import { write } from '@clearwell/ledger/command'
import { column, defineTable } from '@clearwell/ledger/table'
import type { Amount } from '@clearwell/money/amount'
import type { ChainBlock, ChainDeposit } from '../../chain/chain.ts'
import { TREASURY, userAccount, VAULT } from '../../ledger/accounts.ts'
import { depositOrders } from '../../ledger/deposit-orders.ts'
import { members } from '../../ledger/members.ts'
import { refusal } from '../../ledger/refuse.ts'

const deposits = defineTable('deposits', {
  id: column.text,
  user_id: column.text,
  asset: column.text,
  units: column.units,
  tx_hash: column.text,
  block_number: column.units,
  order_id: column.optional(column.text),
  credited_at: column.time,
})

const chainCursors = defineTable('chain_cursors', {
  id: column.text,
  number: column.units,
  hash: column.text,
})

/** What happens to a credited payment whose order has a purpose of its own, such as activation. */
export type SettlePayment = (
  state: State,
  context: Context,
  payment: { userId: string; orderId: string; paid: Amount },
) => { entries: EntryDraft[]; rows: RowWrite[] }

export interface CreditRules {
  readonly chainId: number
  /** Whose deposits go to `treasury`, in lower case. */
  readonly operator: string
  readonly settle: SettlePayment
}

/** Where the watcher stands before and after: written together with the credits, so that neither is without the other. */
export interface CursorMove {
  readonly from: ChainBlock | undefined
  readonly to: ChainBlock
}

export function depositId(chainId: number, deposit: ChainDeposit): string {
  return `${chainId}:${deposit.txHash}:${deposit.logIndex}`
}

/**
 * Credits payments that are confirmed on the chain, each once, to who sent them.
 *
 * A payment with an order of the same sender counts for that order; any other is credited all the same.
 *
 * @param move moves the watcher's cursor; absent when a single transaction is looked up.
 * @throws Refusal `conflict` when the cursor is no longer where the watcher thinks.
 */
export function creditDeposits(
  rules: CreditRules,
  confirmed: readonly ChainDeposit[],
  move?: CursorMove,
): Command<{ credited: string[] }> {
  const cursorId = String(rules.chainId)
  return {
    kind: 'credit_deposits',
    owner: 'watcher',
    payload: {},
    touches: [
      { table: chainCursors, id: cursorId },
      ...confirmed.flatMap((deposit) => [
        { table: deposits, id: depositId(rules.chainId, deposit) },
        { account: creditedAccount(rules, deposit), asset: deposit.asset },
        { account: VAULT, asset: deposit.asset },
        { table: members, id: deposit.account },
        ...(deposit.orderId === null ? [] : [{ table: depositOrders, id: deposit.orderId }]),
      ]),
    ],
    decide(state, context): Plan<{ credited: string[] }> {
      const entries: EntryDraft[] = []
      const rows = new Map<string, RowWrite>()
      const pending = overlay(state, rows)
      if (move) {
        const cursor = state.row(chainCursors, cursorId)
        if (cursor?.hash !== move.from?.hash) throw refusal('conflict', { reason: 'cursor_moved' })
        rows.set('cursor', write(chainCursors, { id: cursorId, number: move.to.number, hash: move.to.hash }))
      }
      const credited: string[] = []
      for (const deposit of confirmed) {
        const id = depositId(rules.chainId, deposit)
        if (pending.row(deposits, id)) continue
        credited.push(id)
        const plan = creditOne(rules, pending, context, deposit, id)
        entries.push(...plan.entries)
        for (const each of plan.rows) rows.set(`${each.table.name}:${each.row.id}`, each)
      }
      return { entries, rows: [...rows.values()], answer: { credited } }
    },
  }
}

function creditOne(rules: CreditRules, state: State, context: Context, deposit: ChainDeposit, id: string) {
  const { account: userId, asset, units, txHash, blockNumber, orderId } = deposit
  const order = orderId === null ? undefined : state.row(depositOrders, orderId)
  const own = order?.user_id === userId && order.asset === asset ? order : undefined
  const account = creditedAccount(rules, deposit, own !== undefined)
  const entries: EntryDraft[] = [
    {
      kind: account === TREASURY ? 'operator_deposit' : 'deposit',
      reference: txHash,
      postings: [
        { account: VAULT, asset, units: -units },
        { account, asset, units },
      ],
    },
  ]
  const rows: RowWrite[] = [
    write(deposits, {
      id,
      user_id: userId,
      asset,
      units,
      tx_hash: txHash,
      block_number: blockNumber,
      order_id: own?.id ?? null,
      credited_at: context.now,
    }),
  ]
  if (own) rows.push(write(depositOrders, { ...own, credited: own.credited + units, tx_hash: txHash }))
  if (own?.purpose === 'activation') {
    const settled = rules.settle(state, context, { userId, orderId: own.id, paid: { asset, units } })
    entries.push(...settled.entries)
    rows.push(...settled.rows)
  }
  return { entries, rows }
}

/** The sender's own account; what the operator pays without an order of its own is the operator's liquidity. */
function creditedAccount(rules: CreditRules, deposit: ChainDeposit, hasOwnOrder = false): string {
  return deposit.account === rules.operator && !hasOwnOrder ? TREASURY : userAccount(deposit.account, 'available')
}

/** Lets payments of one batch see the rows that those before them will write. */
function overlay(state: State, rows: ReadonlyMap<string, RowWrite>): State {
  return {
    balance: (account, asset) => state.balance(account, asset),
    row(table, id) {
      const written = rows.get(`${table.name}:${id}`)
      // The row was checked against its table when it was written.
      return written ? (written.row as never) : state.row(table, id)
    },
  }
}
