import { type Command, type Context, type Plan, type StateKey, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { type ChainBlock, type ChainMovements, type ChainWithdrawal, movementId } from '../chain/chain.ts'
import { VAULT } from '../ledger/accounts.ts'
import { refusal } from '../ledger/refuse.ts'
import { chainCursors } from './chain-cursors.ts'
import { countExit, listExitKeys } from './counted-exits.ts'
import { type CreditRules, creditDeposit, listCreditKeys } from './credit-deposit.ts'
import type { CursorBooking } from './cursor-followers.ts'
import { listStrandedKeys, type StrandedDeposit, strandDeposit } from './stranded-deposits.ts'
import { recordUnknown, type UnknownWithdrawal, unknownWithdrawals } from './unknown-payouts.ts'
import { type Counted, countEvent, listCounterKeys } from './vault-counters.ts'
import { refuseOtherVault, watchedVaults } from './watched-vault.ts'

/** The orders behind the vault's payments, owned by the feature that creates them. Pure, as every decision. */
export interface WithdrawalRules {
  /** Keys that `complete` reads: a hint, like {@link Command.preload}. */
  preload(withdrawal: ChainWithdrawal): readonly StateKey[]
  /**
   * Completes the order that the vault has paid.
   *
   * @param countedBy the vault whose counters get the payment; null if it is a replaced one.
   * @returns `completed` with the order's id, `known` if the same payment completed it before, or `unknown` with the
   * reason why no order matches the payment.
   */
  complete(draft: Draft, context: Context, withdrawal: ChainWithdrawal, countedBy: string | null): CompletedOrder
}

export type CompletedOrder =
  | { readonly as: 'completed'; readonly orderId: string }
  | { readonly as: 'known' }
  /** @param hasOrder an order has its nonce. Without one, the ledger has lost a voucher. */
  | { readonly as: 'unknown'; readonly reason: string; readonly hasOrder: boolean }

export interface MovementRules extends CreditRules {
  readonly withdrawals: WithdrawalRules
}

/** The watcher's cursor before and after. It is written atomically with the bookings. */
export interface CursorMove {
  readonly from: { readonly hash: string } | undefined
  readonly to: ChainBlock
  /** The bookings of features for the blocks between. */
  readonly bookings?: readonly CursorBooking[]
}

/** The movements that a command has booked for the first time. */
export interface Booked {
  /** Newly credited payments, see {@link movementId}. */
  readonly credited: readonly string[]
  /** Order ids of newly completed withdrawals. */
  readonly completed: readonly string[]
  /** Payments by the vault without a matching order, each reported once. */
  readonly unknown: readonly UnknownWithdrawal[]
  /** Deposits into a replaced vault that are not credited yet. */
  readonly stranded: readonly StrandedDeposit[]
}

/**
 * Books each confirmed movement once: a deposit is credited to its sender, and a payment by the vault completes its order.
 * A payment by the vault without a matching order is recorded and reported, and posts nothing. A deposit into a replaced
 * vault is recorded, and credited once the operator has moved the money. An exit is counted.
 *
 * @param move moves the watcher's cursor; absent when a single transaction is looked up.
 * @param lastSigner the account that signed the ledger's last voucher, in lower case.
 * @throws Refusal `conflict` when another command has moved the cursor, or the ledger has moved to another vault.
 */
export function bookMovements(
  rules: MovementRules,
  confirmed: ChainMovements,
  move?: CursorMove,
  lastSigner: string | null = null,
): Command<Booked> {
  const { chainId } = rules
  const cursorId = String(chainId)
  return {
    kind: 'book_movements',
    owner: 'watcher',
    payload: {},
    preload: [
      { table: chainCursors, id: cursorId },
      ...(rules.vault === undefined ? [] : [{ table: watchedVaults, id: cursorId }]),
      ...confirmed.deposits.flatMap((deposit) => [
        ...listCreditKeys(rules, deposit),
        ...listStrandedKeys(chainId, deposit),
      ]),
      ...confirmed.withdrawals.flatMap((withdrawal) => [
        ...rules.withdrawals.preload(withdrawal),
        { table: unknownWithdrawals, id: movementId(chainId, withdrawal) },
        { account: VAULT, asset: withdrawal.asset },
        ...listPaymentKeys(rules, withdrawal),
      ]),
      ...(confirmed.exits ?? []).flatMap((exit) => listExitKeys(rules, exit)),
      ...(move?.bookings ?? []).flatMap(({ preload }) => preload),
    ],
    decide(state, context): Plan<Booked> {
      if (rules.vault !== undefined) refuseOtherVault(state, cursorId, rules.vault)
      const draft = new Draft(state)
      if (move) {
        const cursor = state.row(chainCursors, cursorId)
        if (cursor?.hash !== move.from?.hash) throw refusal('conflict', { reason: 'cursor_moved' })
        const { number, hash, time } = move.to
        draft.add({ rows: [write(chainCursors, { id: cursorId, number, hash, time })] })
      }
      const own = confirmed.deposits.filter(({ replacedVault }) => replacedVault === undefined)
      const credited = own.filter((deposit) => creditDeposit(rules, draft, context, deposit))
      const stranded = confirmed.deposits.flatMap((deposit) => strandDeposit(chainId, draft, context, deposit) ?? [])
      const completed: string[] = []
      const unknown: UnknownWithdrawal[] = []
      for (const withdrawal of confirmed.withdrawals) {
        const counted = countedPayment(rules, withdrawal)
        const outcome = rules.withdrawals.complete(draft, context, withdrawal, counted?.vault ?? null)
        if (outcome.as === 'known') continue
        if (outcome.as === 'completed') completed.push(outcome.orderId)
        else {
          const { reason, hasOrder } = outcome
          const found = { withdrawal, reason, lostSigner: hasOrder ? null : lastSigner }
          const recorded = recordUnknown(chainId, draft, context, found)
          if (recorded.length === 0) continue
          unknown.push(...recorded)
        }
        if (counted) countEvent(draft, counted, 'paid', withdrawal.units)
      }
      for (const exit of confirmed.exits ?? []) countExit(rules, draft, context, exit)
      for (const each of move?.bookings ?? []) each.book(draft, context)
      const creditedIds = credited.map((deposit) => movementId(chainId, deposit))
      return draft.plan({ credited: creditedIds, completed, unknown, stranded })
    },
  }
}

/** The counters that a payment belongs to: none if another vault has paid it. */
function countedPayment(
  { vault }: MovementRules,
  { account, asset, replacedVault }: ChainWithdrawal,
): Counted | undefined {
  return vault === undefined || replacedVault !== undefined ? undefined : { vault, account, asset }
}

function listPaymentKeys(rules: MovementRules, withdrawal: ChainWithdrawal): StateKey[] {
  const counted = countedPayment(rules, withdrawal)
  return counted ? listCounterKeys(counted) : []
}
