import { m } from '../../generated/paraglide/messages.js'

/** The kinds of ledger entries that touch a user's balances. */
export const LOG_KINDS = [
  'deposit',
  'withdrawal_lock',
  'withdrawal',
  'withdrawal_release',
  'swap',
  'activation',
  'referral_share',
  'operator_deposit',
] as const
export type LogKind = (typeof LOG_KINDS)[number]

const NAMES: Record<LogKind, () => string> = {
  deposit: m.history_kind_deposit,
  withdrawal_lock: m.history_kind_withdrawal_lock,
  withdrawal: m.history_kind_withdrawal,
  withdrawal_release: m.history_kind_withdrawal_release,
  swap: m.history_kind_swap,
  activation: m.history_kind_activation,
  referral_share: m.history_kind_referral_share,
  operator_deposit: m.history_kind_operator_deposit,
}

/** A kind by its name. One that this build does not know yet is named as the ledger names it, in words. */
export function kindName(kind: string): string {
  return isLogKind(kind) ? NAMES[kind]() : m.history_kind_other({ kind: kind.replaceAll('_', ' ').trim() })
}

/** What an entry did to one balance, in words. */
export function whatHappened({ kind, amount }: { kind: string; amount: string }): string {
  if (kind !== 'swap') return kindName(kind)
  return amount.startsWith('-') ? m.history_swap_sold() : m.history_swap_bought()
}

export function isLogKind(kind: unknown): kind is LogKind {
  return (LOG_KINDS as readonly unknown[]).includes(kind)
}
