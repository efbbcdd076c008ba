/**
 * Every kind of ledger entry that users can see in their logs. Each server feature lists the kinds that it writes, and the
 * web names each in both languages: a kind without a name does not compile.
 */
export const ENTRY_KINDS = [
  'deposit',
  'withdrawal_lock',
  'withdrawal',
  'withdrawal_release',
  'swap',
  'activation',
  'referral_share',
  'deposit_reversal',
  'withdrawal_reversal',
  'pledge',
  'unpledge',
  'loan',
  'loan_repayment',
  'collateral_added',
  'collateral_returned',
  'liquidation',
  'rt_deposit',
  'rt_deposit_return',
  'rt_take_back',
  'rt_collection',
  'box_reward',
  'operator_deposit',
  'payout_settlement',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]
