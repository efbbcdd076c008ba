import { m } from '../../generated/paraglide/messages.js'

/** The kinds of ledger entries that touch a user's balances. */
export const LOG_KINDS = ['deposit', 'activation', 'swap', 'referral_share'] as const
export type LogKind = (typeof LOG_KINDS)[number]

const NAMES: Record<LogKind, () => string> = {
  deposit: m.wallet_kind_deposit,
  activation: m.wallet_kind_activation,
  swap: m.wallet_kind_swap,
  referral_share: m.wallet_kind_referral_share,
}

/** A kind by its name. One that this build does not know yet is named as the ledger names it. */
export function kindName(kind: string): string {
  return isLogKind(kind) ? NAMES[kind]() : m.wallet_kind_other({ kind })
}

export function isLogKind(kind: unknown): kind is LogKind {
  return (LOG_KINDS as readonly unknown[]).includes(kind)
}
