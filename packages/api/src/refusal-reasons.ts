/**
 * The reasons in the data of refusals, by the feature that gives them. `codes.ts` puts them together by code, and
 * `refusal-texts.ts` has the text of a reason. The web has its own where it adds figures: one without a text does not compile.
 */

/** Every command can meet them: its idempotency key, or the state it was decided on, is of another request. */
export const COMMAND_CONFLICTS = ['key_reused', 'cursor_moved', 'vault_replaced'] as const
export const ACTIVATION_CONFLICTS = ['already_activated', 'unknown_terms'] as const
export const ALERT_CONFLICTS = ['already_delivered', 'too_many_alerts', 'too_often', 'no_push'] as const
export const BOX_CONFLICTS = ['nothing_to_claim'] as const
export const LIQUIDATION_CONFLICTS = ['not_to_be_cleared', 'already_cleared'] as const
export const STAKE_CONFLICTS = ['loan_repaid', 'loan_liquidated', 'loan_to_be_cleared', 'loan_overdue'] as const
export const PLAN_CONFLICTS = ['plan_active', 'plan_paused', 'plan_ended', 'plan_date_passed'] as const
export const RICH_CONFLICTS = [
  'uid_taken',
  'already_linked',
  'nothing_to_return',
  'nothing_to_collect',
  'no_star',
  'stepping_down',
  'request_open',
  'highest_star',
  'already_passed',
  'withdrawn',
] as const

export const WITHDRAWAL_CONFLICTS = ['voucher_signed', 'transfer_over'] as const

/** The rules that limit a loan or a repayment beside a plain minimum and maximum. */
export const LOAN_RANGES = ['least_rest', 'order_cap', 'account_cap'] as const
/** The rules that limit the part of a debt that is liquidated. */
export const LIQUIDATION_RANGES = ['half', 'least_part', 'least_rest', 'whole_only'] as const
export const WITHDRAWAL_RANGES = ['daily_limit'] as const
/** They keep their first, wordy form, because clients compare them. */
export const SWAP_RANGES = ['too small to buy anything', 'more than the pool can give'] as const
export const ALERT_RANGES = ['already_reached'] as const

/** Why a pool does not trade. `rule` comes from suspensions of an earlier version. */
export const POOL_SUSPENSIONS = ['operator', 'insolvent', 'price_deviation', 'rule'] as const
/**
 * Why nothing can be transferred out. `insolvent` also stops the swaps. `ledger_behind`: the ledger has lost vouchers that the
 * vault has paid.
 */
export const WITHDRAWAL_STOPS = ['insolvent', 'withdrawals_paused', 'signer_not_accepted', 'ledger_behind'] as const
/** Why the signer will never sign for one transfer out. */
export const VOUCHER_REFUSALS = [
  'asset_not_listed',
  'nothing',
  'deadline_passed',
  'deadline_too_far',
  'over_voucher_cap',
  'over_account_cap',
  'over_day_cap',
] as const
export const WITHDRAWAL_SUSPENSIONS = ['daily_limit_reached', ...WITHDRAWAL_STOPS, ...VOUCHER_REFUSALS] as const
export const LENDING_SUSPENSIONS = ['pool_lost'] as const
/** Why balances do not change: the header by which an exit pays is two hours old; a day old: repaying stops as well. */
export const HEADER_SUSPENSIONS = ['no_header', 'no_header_day'] as const

/** Why an account is stopped although its exit is over. Without a reason it is leaving. */
export const LEAVING_REASONS = ['advance_owed'] as const

/** Why money does not move by a price. */
export const PRICE_REASONS = ['apart', 'one_source', 'stale', 'unknown'] as const

/** Any reason of a list. */
type OneOf<List extends readonly string[]> = List[number]
export type PoolSuspension = OneOf<typeof POOL_SUSPENSIONS>
export type WithdrawalStop = OneOf<typeof WITHDRAWAL_STOPS>
export type VoucherRefusal = OneOf<typeof VOUCHER_REFUSALS>
export type LiquidationConflict = OneOf<typeof LIQUIDATION_CONFLICTS>
export type LoanRange = OneOf<typeof LOAN_RANGES>
export type LiquidationRange = OneOf<typeof LIQUIDATION_RANGES>
export type PriceReason = OneOf<typeof PRICE_REASONS>
