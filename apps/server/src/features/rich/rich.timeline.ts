import type { TimelineSource } from '../../platform/operator/timeline-source.ts'
import { richRequests } from './rich.tables.ts'

/** Requests for a star, by the account that asks. */
export const RICH_TIMELINE: readonly TimelineSource[] = [
  {
    ...{ kind: 'order', table: richRequests, account: 'user_id', at: 'created_at' },
    ...{ what: `'asked for star ' || star`, detail: `id || ', status now ' || status` },
  },
  {
    ...{ kind: 'order', table: richRequests, account: 'user_id', at: 'passed_at' },
    ...{ what: `'star ' || star || ' passed'`, detail: `id || coalesce(', by ' || passed_by, '')` },
  },
]
