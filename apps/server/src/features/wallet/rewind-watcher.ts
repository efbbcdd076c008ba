import { type Context, write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { transfer } from '@clearwell/ledger/transfer'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import * as z from 'zod/mini'
import { postedRoots, takeBackRoot } from '../../domain/proofs/posted-roots.ts'
import { chainCursors } from '../../platform/custody/chain-cursors.ts'
import { countedExits, uncountExit } from '../../platform/custody/counted-exits.ts'
import { deposits } from '../../platform/custody/deposits.ts'
import { exitPayments, takeBackExit } from '../../platform/custody/exit-payments.ts'
import { restartMoveStop } from '../../platform/custody/move-vault.ts'
import { moveDeposit, takeBackDeposit } from '../../platform/custody/take-back-deposit.ts'
import { uncountEvent } from '../../platform/custody/vault-counters.ts'
import { userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { VAULT_MOVE_STOP } from '../../platform/ledger/breaker.ts'
import { exitActs, exits, leavingKey } from '../../platform/ledger/leaving-accounts.ts'
import { HEADER_KEYS } from '../../platform/ledger/repayment-stop.ts'
import { defineOperatorAction, type OperatorResult } from '../../platform/operator/operator-action.ts'
import { withdrawalOrders } from './withdrawal-orders.ts'

const payload = z.strictObject({
  chainId: z.string(),
  /** The operator's address, whose deposits went to `treasury`. */
  operator: z.string(),
  /** The hash of the cursor's block that the plan was made with. */
  from: z.string(),
  to: z.strictObject({ number: z.string(), hash: z.string(), time: z.iso.datetime() }),
  /** Credited payments that the chain does not have any more. */
  gone: z.array(z.string()),
  /** Credited payments that the chain has in another log of the same transaction. */
  moved: z.array(z.strictObject({ id: z.string(), newId: z.string(), blockNumber: z.string() })),
  /** Completed transfers out whose payment the chain does not have any more. */
  unpaid: z.array(z.string()),
  /** Payments of exits that the chain does not have any more. Absent in a plan of an earlier version, as the next three. */
  exits: z.optional(z.array(z.string())),
  /** Roots that were posted after the block: those that the chain still has are booked again. */
  roots: z.optional(z.array(z.string())),
  /** Requests and cancels of exits after the block: those that the chain still has count again when they are read. */
  acts: z.optional(z.array(z.string())),
  /** Accounts whose exit was requested after the block: it counts at the tip only until the watcher reads it again. */
  requests: z.optional(z.array(z.string())),
  /** Accounts whose exit was open at the block, by a request before it, and that have cancelled it or asked again since. */
  reopened: z.optional(z.array(z.strictObject({ account: z.string(), at: z.iso.datetime(), block: z.string() }))),
})

export type RewindPayload = z.output<typeof payload>

/**
 * Moves the watcher back to an earlier block after a deep reorganisation, and corrects what was booked from the blocks that
 * are gone: credits and payments of exits are taken back, and transfers out are open again. The watcher then reads the new blocks.
 */
export const rewindWatcher = defineOperatorAction({
  kind: 'rewind_watcher',
  role: 'owner',
  payload,
  preload: ({
    chainId,
    gone,
    moved,
    unpaid,
    exits: paid = [],
    roots = [],
    acts = [],
    requests = [],
    reopened = [],
  }) => [
    { table: chainCursors, id: chainId },
    VAULT_MOVE_STOP,
    ...[...gone, ...moved.map(({ id }) => id)].map((id) => ({ table: deposits, id })),
    ...unpaid.map((id) => ({ table: withdrawalOrders, id })),
    ...paid.flatMap((id) => [exitPayments, countedExits].map((table) => ({ table, id }))),
    ...roots.map((id) => ({ table: postedRoots, id })),
    ...(roots.length > 0 ? HEADER_KEYS : []),
    ...acts.map((id) => ({ table: exitActs, id })),
    ...[...requests, ...reopened.map(({ account }) => account)].map(leavingKey),
  ],
  decide(draft, context, plan) {
    const { chainId, to } = plan
    if (draft.row(chainCursors, chainId)?.hash !== plan.from)
      return notDone('The watcher has moved since the plan was made. Run the command again.')
    const cursor = { id: chainId, number: BigInt(to.number), hash: to.hash, time: new Date(to.time) }
    draft.add({ rows: [write(chainCursors, cursor)] })
    for (const each of plan.moved) moveDeposit(draft, context, { ...each, blockNumber: BigInt(each.blockNumber) })
    const covered = new Map<string, bigint>()
    let takenBack = 0
    for (const id of plan.gone) {
      const asset = draft.row(deposits, id)?.asset ?? ''
      const result = takeBackDeposit(draft, context, id, plan.operator)
      if (result.as === 'short') return notDone(`${result.text}. See the runbook: nothing was changed.`)
      if (result.as === 'nothing') continue
      takenBack++
      covered.set(asset, (covered.get(asset) ?? 0n) + result.covered)
    }
    const reopened = plan.unpaid.filter((orderId) => reopenWithdrawal(draft, orderId)).length
    if (reopened > 0) restartMoveStop(draft, context)
    const exitsBack = takeBackExits(draft, context, plan)
    const counts = `${takenBack} credits taken back, ${plan.moved.length} renamed, ${reopened} transfers out open again, ${exitsBack} payments of exits taken back`
    return { isDone: true, text: `The watcher is at block ${to.number}: ${counts}.${coverText(covered)}` }
  },
})

/** Takes back what the blocks that are gone did to exits. @returns how many payments that was. */
function takeBackExits(
  draft: Draft,
  context: Context,
  { exits: paid = [], roots = [], acts = [], requests = [], reopened = [] }: RewindPayload,
) {
  const taken = paid.filter((id) => {
    uncountExit(draft, context, id)
    return takeBackExit(draft, context, id)
  })
  for (const id of roots) takeBackRoot(draft, id, context.now)
  for (const id of acts) {
    const row = draft.row(exitActs, id)
    if (row) draft.add({ rows: [write(exitActs, { ...row, is_void: true })] })
  }
  for (const id of requests) {
    const row = draft.row(exits, id)
    if (row && row.state !== 'closed')
      draft.add({ rows: [write(exits, { ...row, state: 'requested', changed_at: context.now })] })
  }
  // A cancel that the chain still has counts again when it is read. Until then the account is locked: the vault may pay it.
  for (const { account, at, block } of reopened) {
    const row = draft.row(exits, account)
    const request = { state: 'open' as const, exit_at: new Date(at), block: BigInt(block), changed_at: context.now }
    if (row) draft.add({ rows: [write(exits, { ...row, ...request })] })
  }
  return taken.length
}

/** Locks the amount of a completed order again: its voucher is unpaid, and can still pay until its deadline. */
function reopenWithdrawal(draft: Draft, orderId: string): boolean {
  const order = draft.row(withdrawalOrders, orderId)
  if (order?.status !== 'completed' || order.tx_hash === null) return false
  const { asset, amount: units, counted_by: vault } = order
  if (vault !== null) uncountEvent(draft, { vault, account: order.user_id, asset }, 'paid', units)
  const postings = transfer({ from: VAULT, to: userAccount(order.user_id, 'locked'), asset, units })
  const status = order.signature === null ? 'locked' : 'signed'
  draft.add({
    entries: [{ kind: 'withdrawal_reversal', reference: order.tx_hash, postings }],
    rows: [write(withdrawalOrders, { ...order, status, tx_hash: null, counted_by: null, completed_at: null })],
  })
  return true
}

function coverText(covered: ReadonlyMap<string, bigint>): string {
  const parts = [...covered].filter(([, units]) => units > 0n)
  if (parts.length === 0) return ''
  const amounts = parts.map(([asset, units]) => `${formatAmount({ asset: asset as AssetId, units })} ${asset}`)
  return ` The users had spent ${amounts.join(' and ')}, which insurance and treasury paid.`
}

function notDone(text: string): OperatorResult {
  return { isDone: false, text }
}
