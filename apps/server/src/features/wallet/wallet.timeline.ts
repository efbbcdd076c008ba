import type { TimelineSource } from '../../platform/operator/timeline-source.ts'
import { withdrawalOrders } from './withdrawal-orders.ts'

/** Transfers out, and their ends. */
export const WALLET_TIMELINE: readonly TimelineSource[] = [
  {
    ...{ kind: 'order', table: withdrawalOrders, account: 'user_id', at: 'created_at' },
    ...{ what: `'order to pay out'`, amount: ['asset', 'amount'], detail: 'id' },
  },
  {
    ...{ kind: 'order', table: withdrawalOrders, account: 'user_id', at: 'completed_at' },
    ...{ what: `'transfer out ' || status`, amount: ['asset', 'amount'] },
    detail: `id || coalesce(', ' || refused_reason, '') || coalesce(', paid by ' || tx_hash, '')`,
  },
]
