import { ENTRY_KINDS, type EntryKind } from '@clearwell/api/entry-kinds'
import type { ResponseOf } from '@clearwell/api/routes'
import type { ListItem } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'

/** The names of ledger entries: what happened, and which of the user's accounts it changed. */

export type LogEntry = ListItem<'logs'>

/** One thing in the activity, made of one ledger entry or one transaction. */
export type ActivityKind =
  | 'transfer_in'
  | 'transfer_out'
  | 'returned'
  | 'swap'
  | 'activation'
  | 'reward'
  | 'box_reward'
  | 'reversal'
  | LendingKind
  | HubKind

/** Kinds of entry that are shown in the activity under their own name. */
export type LendingKind =
  | 'pledge'
  | 'unpledge'
  | 'loan'
  | 'loan_repayment'
  | 'collateral_added'
  | 'collateral_returned'
  | 'liquidation'

/** The same for the upgrade hub. */
export type HubKind = 'rt_deposit' | 'rt_deposit_return' | 'rt_take_back' | 'rt_collection'

/** An account of the ledger that holds the user's money; `pledged` is a claim on a lending pool. */
export type Account = ResponseOf<'summary'>['by_place'][number]['place']

/** A kind without a name here does not compile. */
const KIND_NAMES: Record<EntryKind, () => string> = {
  deposit: m.history_kind_deposit,
  withdrawal_lock: m.history_kind_withdrawal_lock,
  withdrawal: m.history_kind_withdrawal,
  withdrawal_release: m.history_kind_withdrawal_release,
  swap: m.history_kind_swap,
  activation: m.history_kind_activation,
  referral_share: m.history_kind_referral_share,
  deposit_reversal: m.history_kind_deposit_reversal,
  withdrawal_reversal: m.history_kind_withdrawal_reversal,
  pledge: m.history_kind_pledge,
  unpledge: m.history_kind_unpledge,
  loan: m.history_kind_loan,
  loan_repayment: m.history_kind_loan_repayment,
  collateral_added: m.history_kind_collateral_added,
  collateral_returned: m.history_kind_collateral_returned,
  liquidation: m.history_kind_liquidation,
  rt_deposit: m.history_kind_rt_deposit,
  rt_deposit_return: m.history_kind_rt_deposit_return,
  rt_take_back: m.history_kind_rt_take_back,
  rt_collection: m.history_kind_rt_collection,
  box_reward: m.history_kind_box_reward,
  operator_deposit: m.history_kind_operator_deposit,
}

const ACCOUNT_NAMES: Record<Account, () => string> = {
  available: m.history_status_available,
  locked: m.history_status_locked,
  pledged: m.history_status_pledged,
  collateral: m.history_status_collateral,
  rt_deposit: m.history_status_rt_deposit,
}

/** The name of a kind. A kind of a newer server, or of an edited address, is shown in the ledger's own words. */
export function kindName(kind: string): string {
  return isEntryKind(kind) ? KIND_NAMES[kind]() : m.history_kind_other({ kind: kind.replaceAll('_', ' ').trim() })
}

/** The name of a kind of activity. */
export function activityName(kind: ActivityKind): string {
  switch (kind) {
    case 'transfer_in':
      return kindName('deposit')
    case 'transfer_out':
      return kindName('withdrawal')
    case 'returned':
      return kindName('withdrawal_release')
    case 'swap':
    case 'activation':
    case 'box_reward':
    case 'pledge':
    case 'unpledge':
    case 'loan':
    case 'loan_repayment':
    case 'collateral_added':
    case 'collateral_returned':
    case 'liquidation':
    case 'rt_deposit':
    case 'rt_deposit_return':
    case 'rt_take_back':
    case 'rt_collection':
      return kindName(kind)
    case 'reward':
      return kindName('referral_share')
    case 'reversal':
      return kindName('deposit_reversal')
  }
}

/** Describes an entry's change of one balance in words. */
export function describeEntry({ kind, amount }: { kind: string; amount: string }): string {
  if (kind !== 'swap') return kindName(kind)
  return amount.startsWith('-') ? m.history_swap_sold() : m.history_swap_bought()
}

export function isEntryKind(kind: unknown): kind is EntryKind {
  return (ENTRY_KINDS as readonly unknown[]).includes(kind)
}

export function accountName(account: Account): string {
  return ACCOUNT_NAMES[account]()
}
