import { deposits } from './custody/deposits.ts'
import { strandedDeposits } from './custody/stranded-deposits.ts'
import { unknownWithdrawals } from './custody/unknown-payouts.ts'
import { depositOrders } from './ledger/deposit-orders.ts'
import { notices } from './notices/notice.store.ts'
import { operatorActions } from './operator/operator.tables.ts'
import type { TimelineSource } from './operator/timeline-source.ts'
import { sessions } from './sessions/session.store.ts'

/** Events of an account in the platform's tables. */
export const PLATFORM_TIMELINE: readonly TimelineSource[] = [
  {
    ...{ kind: 'session', table: sessions, account: 'user_id', at: 'created_at' },
    ...{ what: `'signed in'`, detail: `'last used ' || last_used_at` },
  },
  { kind: 'session', table: sessions, account: 'user_id', at: 'revoked_at', what: `'session ended'` },
  {
    ...{ kind: 'order', table: depositOrders, account: 'user_id', at: 'created_at' },
    ...{ what: `'order to pay in (' || purpose || ')'`, amount: ['asset', 'amount'] },
    detail: `id || coalesce(', paid by ' || tx_hash, '')`,
  },
  {
    ...{ kind: 'order', table: deposits, account: 'user_id', at: 'credited_at' },
    ...{ what: `case when taken_back_at is null then 'payment credited' else 'payment credited and taken back' end` },
    ...{ amount: ['asset', 'units'], detail: 'tx_hash' },
  },
  {
    ...{ kind: 'order', table: strandedDeposits, account: 'user_id', at: 'seen_at' },
    ...{ what: `'payment to a replaced vault'`, amount: ['asset', 'units'], detail: 'tx_hash' },
  },
  {
    ...{ kind: 'order', table: unknownWithdrawals, account: 'account', at: 'seen_at' },
    ...{ what: `'payout that the ledger does not know'`, amount: ['asset', 'units'], detail: 'tx_hash' },
  },
  {
    ...{ kind: 'operator', table: operatorActions, account: 'account', at: 'at', what: 'operator_actions.kind' },
    detail: `'by ' || role || ': ' || reason || case when value_before = value_after then '' else coalesce(' (' || value_before || ' → ' || value_after || ')', '') end`,
  },
  {
    ...{ kind: 'notice', table: notices, account: 'user_id', at: 'created_at', what: 'notices.kind' },
    detail: `case when read_at is null then 'not read' else 'read' end`,
  },
]
