import { DAY_MS } from '@clearwell/rules/spans'
import type { PlatformConfig } from './config/platform-config.ts'
import type { AnyJob } from './platform/jobs/job.ts'
import { type DeletionRule, retentionJob } from './platform/retention/retention-job.ts'

/** When the rows of a table are deleted, or why they never are. */
export type TableRetention = { readonly table: string } & (
  | { readonly forEver: string }
  /** Other code removes the rows. */
  | { readonly until: string }
  | {
      readonly until: string
      readonly key: string
      readonly rule: (config: PlatformConfig) => Omit<DeletionRule, 'table'>
    }
)

/**
 * Every table of the database. A test compares the list with the schema, and docs/reference/retention.md derives from it.
 * A command of a user may be repeated for `retention.answersDays`; after that its idempotency key is unknown. The keys of
 * operators and of the server itself are never forgotten.
 */
export const TABLES: readonly TableRetention[] = [
  {
    table: 'alarms',
    until: 'it was not raised for',
    key: 'retention.alarmsDays',
    rule: ({ retention }) => ({ keepMs: retention.alarmsDays * DAY_MS, condition: 'last_at < $1' }),
  },
  { table: 'alert_pushes', until: 'the push service has the alert or the notice, or the server has given up' },
  {
    table: 'alerts',
    until: 'it was delivered or cancelled, and then',
    key: 'retention.alertsDays',
    rule: ({ retention }) => ({
      keepMs: retention.alertsDays * DAY_MS,
      condition: `status <> 'waiting' and coalesce(delivered_at, created_at) < $1
        and not exists (select from alert_pushes where alert_id = alerts.id)`,
    }),
  },
  { table: 'activations', forEver: 'one row for each account that was activated' },
  { table: 'balances', forEver: 'one row for each account and asset, and each is owed to somebody' },
  { table: 'box_closures', forEver: 'a few bytes a day: a closed day must take no click again' },
  { table: 'box_days', forEver: 'the published facts of each day, which anyone may check later' },
  { table: 'box_draws', forEver: 'the draws of each day, which anyone may check later' },
  { table: 'box_pools', forEver: 'the pools of each day, which anyone may check later' },
  { table: 'box_rounds', forEver: 'three rows a day' },
  { table: 'box_settlements', forEver: 'a reward must never be paid twice' },
  { table: 'box_shares', forEver: "the users' rewards, and what the file of each day states" },
  { table: 'box_source_cursor', forEver: 'one row' },
  { table: 'box_sources', forEver: 'the revenue behind each pool: a few rows a day' },
  { table: 'box_streaks', forEver: 'one row for each user' },
  { table: 'box_subtrees', forEver: 'the tree of each day, which proves its boxes' },
  { table: 'box_tallies', forEver: 'one row a day' },
  { table: 'boxes', forEver: "the users' receipts of their clicks, and what the file of each day states" },
  { table: 'breaker_events', forEver: 'the record of who stopped trading and why; a few rows a year' },
  { table: 'breakers', forEver: 'one row for each breaker' },
  { table: 'chain_cursors', forEver: 'one row for each chain' },
  { table: 'chain_heads', forEver: 'one row for each chain' },
  {
    table: 'deposit_orders',
    until: 'it expired without a payment, and then',
    key: 'retention.ordersDays',
    rule: ({ retention }) => ({
      keepMs: retention.ordersDays * DAY_MS,
      condition: `credited = 0 and expires_at < $1 and not exists (
        select from members where members.id = deposit_orders.user_id and activation_order_id = deposit_orders.id
      )`,
    }),
  },
  { table: 'deposits', forEver: 'the record that a payment was credited: without it, it could be credited again' },
  { table: 'entries', forEver: 'the ledger is append-only, and its hash chain covers every entry' },
  { table: 'jobs', until: 'its run ended, and then 30 days; recurring jobs have one row each' },
  { table: 'expired_vouchers', forEver: 'a voucher that expired must never count or pay again' },
  { table: 'last_notice', forEver: 'one row' },
  { table: 'last_numbers', forEver: 'one row' },
  { table: 'last_prices', forEver: 'one row for each symbol of the spot market' },
  { table: 'local_deployment', forEver: 'one row, in the local profile only' },
  { table: 'login_nonces', until: 'it expired; at most five for each address' },
  { table: 'members', forEver: 'one row for each account that began an activation' },
  { table: 'memberships', forEver: 'one row for each account with an activated lead' },
  { table: 'migrations', forEver: 'one row for each migration' },
  { table: 'notices', until: 'it was read, and then `notices.keepReadDays`; at most 500 for each user' },
  { table: 'owner_postings', forEver: 'the postings of the entries, by account' },
  { table: 'pending_movements', until: 'the payment is confirmed or no longer on the chain' },
  { table: 'pool_events', forEver: 'the record of who suspended a pool and why; a few rows a year' },
  { table: 'pool_requests', forEver: 'the record of commands that the operator gave by hand' },
  { table: 'operator_actions', forEver: 'the audit log of the operator; a few rows a month' },
  { table: 'operator_requests', forEver: 'the record of commands that the operator gave by hand' },
  {
    table: 'push_subscriptions',
    until: 'its session signed out, and then one day; at most five for each user',
    key: '',
    rule: () => ({
      keepMs: DAY_MS,
      condition: 'exists (select from sessions where token_hash = session_hash and revoked_at < $1)',
    }),
  },
  { table: 'reserve_checks', forEver: 'one row for each chain' },
  { table: 'servers', until: 'the server stops, or another one starts at its address' },
  {
    table: 'sessions',
    until: 'it expired or signed out, and no device receives alerts through it, and then',
    key: 'retention.sessionsDays',
    rule: ({ retention, session }) => ({
      keepMs: retention.sessionsDays * DAY_MS + session.idleTtlMs,
      condition: `last_used_at < $1 and not exists (select from push_subscriptions where session_hash = token_hash)`,
    }),
  },
  { table: 'hidden_from_ranks', until: 'its user appears on the boards again' },
  { table: 'ledger_followers', forEver: 'one row for each reader of the ledger' },
  { table: 'rank_points', until: 'the boards have them' },
  {
    table: 'fee_days',
    until: 'it is 100 days old: at most 90 days of fees make the power of a box',
    key: '',
    rule: () => ({
      keepMs: 100 * DAY_MS,
      condition: `day < to_char(($1::timestamptz at time zone 'UTC') + interval '8 hours', 'YYYY-MM-DD')`,
    }),
  },
  {
    table: 'rank_scores',
    until: 'its day or week ended 30 days ago; those of all time stay',
    key: '',
    rule: () => ({ keepMs: 30 * DAY_MS, condition: 'ends_at < $1' }),
  },
  { table: 'rank_turns', forEver: 'one row' },
  { table: 'referral_totals', forEver: 'one row for each account and asset with a referral share' },
  { table: 'borrowers', forEver: 'one row for each user and asset' },
  { table: 'borrower_changes', forEver: "the users' debts over time" },
  { table: 'lending_losses', forEver: 'one row for each asset that ever lost money' },
  { table: 'lending_parameters', forEver: "the record of the market's rules; a few rows a year" },
  { table: 'pledge_changes', forEver: "the value of the users' pledges over time" },
  {
    table: 'pledge_values',
    until: 'it is older than the charts look back: 400 days',
    key: '',
    rule: () => ({ keepMs: 400 * DAY_MS, condition: 'at < $1' }),
  },
  {
    table: 'lending_rates',
    until: 'it is older than the charts look back: 400 days',
    key: '',
    rule: () => ({ keepMs: 400 * DAY_MS, condition: 'at < $1' }),
  },
  { table: 'loan_ratio_nodes', forEver: 'the index of the open orders; its rows are used again' },
  { table: 'unsent_notices', until: 'the notices are sent, within a second' },
  { table: 'lending_pools', forEver: 'one row for each asset that was ever pledged' },
  { table: 'liquidations', forEver: 'the receipts of liquidations, for both sides' },
  { table: 'loans', forEver: "the users' receipts of their loans" },
  { table: 'pledges', forEver: 'one row for each user and asset' },
  { table: 'rich_accounts', forEver: 'one row for each account that linked a UID' },
  { table: 'rich_collected', forEver: "the users' record of collected RT: at most one row for each user and day" },
  { table: 'rich_program', forEver: 'one row' },
  { table: 'rich_releases', forEver: 'one row for each day, from which its release can be computed again' },
  { table: 'rich_requests', forEver: "the users' record of their star levels" },
  { table: 'rich_uids', forEver: 'a UID belongs to one account, permanently' },
  { table: 'signed_vouchers', forEver: 'a nonce must never be signed twice' },
  { table: 'signer_caps', forEver: 'one row for each asset' },
  { table: 'signer_minutes', until: 'it is older than the daily caps look back' },
  { table: 'simulated_prices', forEver: 'one row for each symbol, in the local profile only' },
  {
    table: 'command_outcomes',
    until: 'its command was executed or rejected, and then',
    key: 'retention.answersDays',
    rule: ({ retention }) => ({
      keepMs: retention.answersDays * DAY_MS,
      condition: `at < $1 and owner like '0x%'`,
    }),
  },
  {
    table: 'swap_candles',
    until: 'candles of one minute:',
    key: 'retention.minuteCandlesDays',
    rule: ({ retention }) => ({
      keepMs: retention.minuteCandlesDays * DAY_MS,
      // The last of the old ones stays: it has the price of a pool that has not traded since.
      condition: `span = '1m' and starts_at < $1 and exists (
        select from swap_candles newer
        where newer.pool_id = swap_candles.pool_id and newer.span = '1m'
          and newer.starts_at > swap_candles.starts_at and newer.starts_at < $1
      )`,
    }),
  },
  { table: 'swap_orders', forEver: "the users' receipts of their swaps" },
  { table: 'swap_pools', forEver: 'one row for each pool' },
  { table: 'team_events', until: 'its user was notified' },
  { table: 'unknown_withdrawals', forEver: 'payments of the vault that nothing explains; none in good order' },
  { table: 'treasury_debts', forEver: 'one row for each asset that the treasury ever owed' },
  {
    table: 'users',
    until:
      '`retention.emptyAccountsDays` after the end of the last session, if there is no ledger entry, lead, order, plan, UID or unconfirmed payment; else for ever',
  },
  {
    table: 'departed_members',
    until: 'every server has taken the member out of its tree: one day',
    key: '',
    rule: () => ({ keepMs: DAY_MS, condition: 'at < $1' }),
  },
  { table: 'replaced_vaults', forEver: 'one row for each vault that was replaced' },
  { table: 'stranded_deposits', forEver: 'money of users that reached a replaced vault; none in good order' },
  { table: 'watched_vaults', forEver: 'one row for each chain' },
  { table: 'withdrawal_orders', forEver: "the users' receipts of their transfers out" },
  { table: 'writer_lease', forEver: 'one row' },
]

/** The jobs that delete old rows, as the configuration says. */
export function retentionJobs(config: PlatformConfig, rest?: (ms: number) => Promise<unknown>): AnyJob[] {
  return TABLES.flatMap((each) =>
    'rule' in each ? [retentionJob({ table: each.table, ...each.rule(config) }, rest)] : [],
  )
}
