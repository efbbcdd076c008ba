import type { TimelineSource } from '../../platform/operator/timeline-source.ts'
import { plans } from './plan.tables.ts'

/** Plans that were made, and their ends. Their runs are entries of the ledger. */
export const PLAN_TIMELINE: readonly TimelineSource[] = [
  {
    ...{ kind: 'order', table: plans, account: 'user_id', at: 'created_at' },
    ...{ what: `'plan made (' || plans.kind || ')'`, detail: 'id' },
  },
  {
    ...{ kind: 'order', table: plans, account: 'user_id', at: 'ended_at' },
    ...{ what: `'plan ' || status`, detail: `id || coalesce(', ' || reason, '')` },
  },
]
